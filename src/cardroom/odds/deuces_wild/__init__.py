"""The odds of Deuces Wild.

``counts`` numbers sets of cards and counts what they can become; ``ante`` and ``fortune`` find the best play of the two
wagers that ask something, with the stakes that ``results`` reads off settled rounds and ``stakes`` makes whole numbers
of. ``strategy`` and ``preferences`` are strategies for people, ``coach`` is for one hand, ``kernels`` for millions.
"""
