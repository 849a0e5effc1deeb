"""How a ledger's tables came to be; one step a file in `versions`, never changed once it was published."""
