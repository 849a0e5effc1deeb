"""People who sign in: their roles, what each role may do, passwords, sessions, and the log of it."""
