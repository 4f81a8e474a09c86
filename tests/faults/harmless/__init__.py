"""Compares programs with and without LB-HM: tests/faults/run."""
