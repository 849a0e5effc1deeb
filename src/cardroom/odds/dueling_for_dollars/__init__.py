"""The odds of Dueling for Dollars."""
