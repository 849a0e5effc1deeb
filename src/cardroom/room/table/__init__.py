"""A felt: a table at which rounds are played on the ledger. Seats, chips, wagers, answers, take and pay."""
