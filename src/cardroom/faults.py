"""The one family of errors that mean "what came in was wrong": a sentence for people, and nothing was changed."""


class BadInput(ValueError):
    """Says what is wrong and what would be right; commands answer it with exit code 2."""
