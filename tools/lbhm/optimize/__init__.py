"""lbhm optimize: a placement made of a profile."""
