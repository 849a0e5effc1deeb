"""Events in words, each stated once."""
