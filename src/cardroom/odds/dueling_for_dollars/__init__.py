"""The odds of Dueling for Dollars.

``best_strategy`` counts who is ahead and what a tie is worth, with nets read from settled rounds; ``pricer`` counts the
bonus wagers. ``basic_strategy`` is for people; ``kernels`` and ``simulator`` play millions of rounds.
"""
