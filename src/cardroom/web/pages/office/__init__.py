"""The office: a book of the card room. Every figure leads to the events that it is made of."""
