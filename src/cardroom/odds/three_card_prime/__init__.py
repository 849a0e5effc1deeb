"""The odds of Three Card Prime."""
