"""The card room as one aggregate: settings, gaming days, malfunction reports, devices, units, and signed heads."""
