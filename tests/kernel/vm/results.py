"""What the guest's console says about each case: see `init`, which writes these lines."""

import base64
from collections.abc import Iterable
from dataclasses import dataclass, field

_MARK = "==kernel-test "


@dataclass
class Result:
    """One case. No exit status: it never ended."""

    name: str
    status: int | None = None
    seconds: float = 0
    output: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)


class Console:
    """Sorts the lines of the console by case."""

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}
        self.outside: list[str] = []  # boot messages, and whatever came between cases
        self.finished = False
        self._case: Result | None = None
        self._file: list[str] | None = None

    @property
    def lost_to_emulation(self) -> bool:
        """The kernel met a breakpoint of its own that it knows nothing of: it patches code that its other processor
        runs at that moment, which QEMU without KVM does not always show in the order in which it was written."""
        lines = (line for result in self.results.values() for line in result.output)
        return not self.finished and any("Oops: int3" in line for line in [*lines, *self.outside])

    def read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.line(line)

    def line(self, line: str) -> None:
        """Takes one line: a mark, or the output of the case that runs."""
        before, mark, rest = line.partition(_MARK)
        if not mark:
            (self.outside if self._case is None else self._case.output if self._file is None else self._file).append(
                line
            )
            return
        if before and self._case:  # a program's last line without a line end
            self._case.output.append(before)
        self._mark(*rest.split())

    def _mark(self, what: str, name: str = "", *numbers: str) -> None:
        case = self._case
        if what == "begin":
            self._case = self.results[name] = Result(name)
        elif what == "end" and case:
            case.status, case.seconds = int(numbers[0]), float(numbers[1])
        elif what == "file" and case:
            self._file = []
        elif what == "file-end" and case and self._file is not None:
            case.files[name] = base64.b64decode("".join(self._file))
            self._file = None
        elif what == "next":
            self._case = None
        elif what == "finished":
            self.finished = True
