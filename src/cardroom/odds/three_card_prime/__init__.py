"""The odds of Three Card Prime.

``play`` holds every hand against every hand of the dealer, with what ``results`` reads off settled rounds; ``counts``
and ``hands`` count the bonus wagers. ``strategy`` is for people; ``kernels`` and ``simulator`` play millions of rounds.
"""
