"""What all commands share: options, database access, parsing, and output."""
