"""The odds of Dueling for Dollars.

``best_strategy`` counts wins, losses, and the value of a tie, with nets from settled rounds; ``pricer`` counts the
bonus wagers. ``basic_strategy`` finds the basic strategy; ``kernels`` and ``simulator`` play millions of rounds.
"""
