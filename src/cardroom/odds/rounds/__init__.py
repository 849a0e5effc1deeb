"""Simulated rounds.

``philox`` and ``deals`` give every round its cards, ``plan`` says how a wager can end, ``wagers`` and ``simulation``
play blocks of rounds that ``tally`` adds up, ``cluster`` on many machines. ``by_the_rules`` plays any strategy through
the rules themselves. ``sessions`` tells how long a bankroll lasts; ``wins``, ``means`` and ``progressives`` what a
meter does.
"""
