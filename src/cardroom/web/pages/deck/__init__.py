"""The house's deck: shapes, faces, the joker and the back, drawn by the program."""
