"""Charts, as SVG and PNG."""
