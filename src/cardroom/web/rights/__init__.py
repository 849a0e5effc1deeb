"""Who comes to an address: every door with the right that it takes, and who stands before it."""
