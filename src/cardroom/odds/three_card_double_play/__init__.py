"""The odds of 3 Card Double Play Poker.

``classes`` takes hands that differ in suits only as one, ``counts`` holds every three of six cards against the dealer,
``setting`` finds the best two hands with what ``results`` reads off settled rounds. ``ways`` and ``strategy`` are for
people, ``dealer`` and ``coach`` for one hand, ``bonuses`` for the bonus wagers, ``kernels`` and ``simulator`` for
millions of rounds.
"""
