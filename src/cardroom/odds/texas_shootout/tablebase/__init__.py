"""Texas Shootout, every deal counted: the count board by board, and the file in which its figures come with the
program."""
