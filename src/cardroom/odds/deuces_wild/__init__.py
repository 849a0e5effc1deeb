"""The odds of Deuces Wild.

``counts`` numbers sets of cards and counts what they can become. ``best_strategy`` solves the two wagers with
decisions, ``basic_strategy`` is for people, ``pricer`` has the odds and the coach, and ``kernels`` and ``simulator``
play millions of rounds.
"""
