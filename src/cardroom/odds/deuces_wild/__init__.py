"""The odds of Deuces Wild."""
