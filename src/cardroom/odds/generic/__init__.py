"""Any game priced from its rules alone."""
