"""Simulated rounds.

``deals`` deals the cards of every round, ``wager_plan`` lists the outcomes of a wager, ``runner`` plays blocks of
rounds, ``tally`` adds them up, and ``cluster`` plays them on many machines. ``rules_engine`` plays a round by the rules
themselves. ``sessions`` simulates how long a bankroll lasts; ``meter_winners`` and ``progressive`` simulate a meter.

``batch`` plays many rounds in which the caller decides: ``batch_deals`` deals their cards, ``rules_engine`` provides
the decisions and views, and ``policy_adapters`` and ``strategies`` call a strategy in Python.
"""
