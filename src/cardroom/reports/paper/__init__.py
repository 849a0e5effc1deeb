"""What reports are printed on: blocks, HTML, PDF."""
