"""The odds of Texas Shootout.

``tablebase`` has every deal counted; ``hand_values`` values its counts, ``best_strategy`` takes the best choices from
them, and ``basic_strategy`` finds points for people. ``hands_and_boards``, ``board_counts``, and ``payoffs`` count the
side wagers. ``pricer`` has the odds and the coach; ``kernels`` and ``simulator`` play millions of rounds.
"""
