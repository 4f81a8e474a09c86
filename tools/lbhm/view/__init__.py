"""Pictures of runs: one data model (picture.py), and what shows it: the terminal, a page, a trace."""
