"""What is made of the figures and the books, a folder for each: charts, PAR sheets, displays, reports on the books.

A PAR sheet (probability accounting report) says on what figures a table rests: every outcome of every wager, counted.
`charts`, `par`, `displays` and `accounting` each say what they offer, and are loaded only when they are asked for.
"""
