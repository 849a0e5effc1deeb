"""The odds of Texas Shootout.

``tablebase`` has every deal counted; ``worth`` values its counts, ``best_play`` takes the best choices from them, and
``strategy`` finds points for people. ``boards``, ``pairs_on_boards``, ``discards``, ``prizes`` and ``sides`` count the
side wagers. ``seat`` advises a player; ``results`` reads off settled rounds what the main wager pays. ``deals``,
``kernels`` and ``simulator`` play millions of rounds.
"""
