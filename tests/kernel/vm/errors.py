"""Why the machine cannot be had; the tier is skipped with this sentence, or fails where it must not be skipped."""


class Unavailable(Exception):
    """Something outside of the project is missing; the text says what, and how to get it."""
