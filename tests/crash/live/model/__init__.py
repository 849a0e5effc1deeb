"""A model of a room in which guests play: it knows the sheets and what guests were shown, and nothing of the program.

From what guests sent and were answered, and from the rounds that everybody may look at, it predicts every chip.
"""
