"""Simulated rounds.

``philox`` and ``deals`` give every round its cards, ``plan`` says how a wager can end, ``wagers`` and ``simulation``
play blocks of rounds that ``tally`` adds up, ``cluster`` on many machines. ``by_the_rules`` plays a round through the
rules themselves. ``sessions`` tells how long a bankroll lasts; ``wins``, ``means`` and ``progressives`` what a meter
does.

``batch`` plays many rounds in which somebody else decides: ``drawn`` gives them their cards, ``flow`` says what is
asked and seen, ``asking`` and ``strategies`` have a strategy in Python answer, ``one_round`` one round at a time.
"""
