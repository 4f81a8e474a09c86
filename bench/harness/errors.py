"""A benchmark that cannot be run."""


class BenchError(Exception):
    """One sentence for the user: what is missing, and the remedy. Exit status 2."""
