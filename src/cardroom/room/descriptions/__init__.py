"""Events as sentences, and the figures on a table's displays."""
