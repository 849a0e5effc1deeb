"""The web: JSON calls, streams of views, the clock, company and a coach around one floor."""
