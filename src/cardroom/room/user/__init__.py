"""Users, who sign in: roles, permissions, passwords, sessions, and their history."""
