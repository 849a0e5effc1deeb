"""The tablebase of Texas Shootout: the count of every deal, board by board, and the file that ships with the
program."""
