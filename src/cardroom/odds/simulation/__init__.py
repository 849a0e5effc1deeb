"""Simulated rounds.

``deals`` gives every round its cards, ``wager_plan`` says how a wager can end, ``runner`` plays blocks of rounds that
``tally`` adds up, and ``cluster`` plays them on many machines. ``rules_engine`` plays a round through the rules
themselves. ``sessions`` says how long a bankroll lasts; ``meter_winners`` and ``progressive`` say what a meter does.

``batch`` plays many rounds in which the caller decides: ``batch_deals`` gives them their cards, ``rules_engine`` says
what is asked and seen, and ``policy_adapters`` and ``strategies`` ask a strategy in Python.
"""
