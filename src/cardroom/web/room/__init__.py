"""The people around the floor: clerks, the watch, the timekeeper, company and its school, the coach."""
