"""Documents made from the odds and the ledger: charts, PAR sheets, displays, and accounting reports.

A PAR sheet (probability accounting report) contains the figures of a table: every outcome of every wager. `charts`,
`par`, `displays`, and `accounting` are packages of their own and load on demand.
"""
