"""lbhm report: pictures of runs and comparisons, for the terminal, as a page, as a trace."""
