"""The odds of 3 Card Double Play Poker.

``counts`` takes hands that differ in suits only as one, and compares every three of six cards with the dealer's hands.
``best_strategy`` finds the best two hands, ``basic_strategy`` is for people, ``pricer`` has the odds, the bonus wagers,
and the coach, and ``kernels`` and ``simulator`` play millions of rounds.
"""
