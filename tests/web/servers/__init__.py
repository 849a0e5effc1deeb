"""Several servers on the same books."""
