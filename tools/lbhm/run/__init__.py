"""lbhm run: a program with its data placed, and what is said of it."""
