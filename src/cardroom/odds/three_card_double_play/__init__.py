"""The odds of 3 Card Double Play Poker.

``counts`` combines hands that differ in suits only, and compares every three of six cards with the dealer's hands.
``best_strategy`` finds the best two hands, ``basic_strategy`` finds the basic strategy, ``pricer`` has the odds, the
bonus wagers, and the coach, and ``kernels`` and ``simulator`` play millions of rounds.
"""
