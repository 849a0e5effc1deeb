"""What every command needs: options, the books, what is typed and what is printed."""
