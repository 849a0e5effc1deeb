"""Documents on paper: blocks that are set as PDF or HTML, numbers as they are printed, files written whole."""
