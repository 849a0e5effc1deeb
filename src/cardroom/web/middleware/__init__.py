"""Middleware: listener options, host names, rate limits, timeouts, headers, and the access log."""
