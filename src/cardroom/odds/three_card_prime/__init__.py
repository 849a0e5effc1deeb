"""The odds of Three Card Prime.

``best_strategy`` compares every hand with every hand of the dealer; ``counts`` counts the bonus wagers.
``basic_strategy`` finds the basic strategy; ``kernels`` and ``simulator`` play millions of rounds.
"""
