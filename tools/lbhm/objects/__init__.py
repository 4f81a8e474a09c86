"""lbhm objects: what a run worked on."""
