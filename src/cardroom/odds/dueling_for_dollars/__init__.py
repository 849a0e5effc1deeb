"""The odds of Dueling for Dollars.

``war`` counts who is ahead and what a tie is worth, with nets read off settled rounds; ``bonuses`` counts the bonus
wagers. ``strategy`` is for people; ``kernels`` and ``simulator`` play millions of rounds.
"""
