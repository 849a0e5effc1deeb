"""Red Dog for Cardroom."""
