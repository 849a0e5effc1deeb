"""The odds of Texas Shootout.

``race`` plays the choices of every hand against each other and ``choice`` judges them; ``contest`` prices what won, and
``best_play`` keeps all of it. ``boards``, ``discards``, ``prizes`` and ``sides`` count the side wagers exactly.
``seat`` advises a player; ``results`` reads off settled rounds what the main wager pays. ``deals``, ``kernels`` and
``simulator`` play millions of rounds.
"""
