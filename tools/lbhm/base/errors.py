"""The one exception of the command: a sentence for the person who typed it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lbhm.base.text import printable


class Refusal(Exception):
    """Ends the command with one sentence that names what was wrong and the remedy.

    words: what a program said last, line by line; further sentences, as lines() has them.
    status: 2 for bad input or a bad set-up, 1 when the program's results differ, the program's own when it failed.
    """

    def __init__(self, sentence: str, status: int = 2, words: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.words = words

    def lines(self) -> list[str]:
        """As a person reads it: the sentence is one line, whatever it quotes."""
        return [printable(line) for line in (f"lbhm: {self.sentence}", *self.words)]


def refuse(refusal: Refusal) -> int:
    """Says it. Returns the exit status."""
    sys.stderr.writelines(f"{line}\n" for line in refusal.lines())
    return refusal.status
