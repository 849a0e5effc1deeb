"""Background services of the server: change feed, leases, timers, live pages, bots, jobs, and metrics."""
