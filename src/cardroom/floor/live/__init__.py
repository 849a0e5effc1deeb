"""A live table: a dealer deals real cards for real chips. The steps, what is typed, take or pay."""
