"""Three Card Prime."""
