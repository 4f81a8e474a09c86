"""lbhm compare: a program under several policies, and whether its results are the same."""
