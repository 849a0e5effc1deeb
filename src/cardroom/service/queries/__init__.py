"""What the floor keeps: tables, promotions, books."""
