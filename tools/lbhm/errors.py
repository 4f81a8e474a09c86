"""The one exception of the command: a sentence for the person who typed it."""

from __future__ import annotations


class Refusal(Exception):
    """Ends the command with one sentence that names what was wrong and the remedy.

    status: 2 for bad input or a bad set-up, 1 when the program's results differ, the program's own when it failed.
    """

    def __init__(self, sentence: str, status: int = 2) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
