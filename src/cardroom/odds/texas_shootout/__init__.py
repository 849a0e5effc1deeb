"""The odds of Texas Shootout.

``tablebase`` counts every deal; ``hand_values`` computes expected values from the counts, ``best_strategy`` takes the
best choices from them, and ``basic_strategy`` has the points of the basic strategy. ``hands_and_boards``,
``board_counts``, and ``payoffs`` count the side wagers. ``pricer`` has the odds and the coach; ``kernels`` and
``simulator`` play millions of rounds.
"""
