"""Programs in the state in which their users start them: natively, or by ./lbhm on the emulated machine."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release")) / "bin"
OURS = re.compile(r"lbhm|lb_hm|omp_(alloc|calloc|realloc|free|aligned|init_allocator|control_tool)", re.IGNORECASE)
PLUGINS = re.compile(r"__(start_|stop_)?lbhm_\w+")


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def checksum(self) -> str:
        assert self.status == 0, self.out + self.err
        return re.search(r"^checksum: (0x[0-9a-f]{16})$", self.out, re.MULTILINE)[1]


@dataclass(frozen=True)
class PlainApp:
    """A program without any line for LB-HM; `small` makes it small."""

    name: str
    small: tuple[str, ...]

    def _start(self, words: list[str | Path], **environment: str) -> Ended:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}
        kept["OMP_WAIT_POLICY"] = "passive"  # there are more threads than processors
        done = subprocess.run(words, env=kept | environment, cwd=ROOT, capture_output=True, text=True, timeout=120)
        return Ended(done.returncode, done.stdout, done.stderr)

    def native(self, *more: str, emu: bool = False, **environment: str) -> Ended:
        return self._start([BIN / (self.name + "-emu" * emu), *self.small, *more], **environment)

    def emulated(self, threads: int, *options: str) -> Ended:
        words = ["./lbhm", "run", "--machine", "optane", "--fast", "256K", "--threads", str(threads), *options, "--"]
        return self._start([*words, BIN / f"{self.name}-emu", *self.small])

    def symbols(self, emu: bool) -> set[str]:
        path = BIN / (self.name + "-emu" * emu)
        listed = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
        return {line.split()[-1].split("@")[0] for line in listed.splitlines()}

    def verifies_everywhere(self) -> None:
        """The same standard output with every number of threads, natively and emulated, placed or not."""
        first = self.native("--threads", "1")
        assert "verified: yes" in first.out
        assert first.checksum
        others = {f"{n} threads": self.native("--threads", str(n)) for n in (3, 12)}
        others["OMP_NUM_THREADS"] = self.native(OMP_NUM_THREADS="5")
        others["instrumented, without LB-HM"] = self.native("--threads", "3", emu=True)
        others |= {f"emulated, {n} threads": self.emulated(n, "--policy", "first-touch") for n in (1, 3, 12)}
        others["emulated, placed"] = self.emulated(12, "--heap", "--policy", "lbhm")
        for name, other in others.items():
            assert other.checksum == first.checksum, name
            assert other.out.startswith(first.out), name

    def refuses(self, sentence: str, *arguments: str) -> None:
        ended = self.native(*arguments)
        assert (ended.status, ended.out) == (2, ""), ended
        assert ended.err.startswith(f"{self.name}: "), ended.err
        assert sentence in ended.err

    def has_nothing_of_ours(self) -> None:
        assert [symbol for symbol in self.symbols(emu=False) if OURS.search(symbol)] == []
        instrumented = [symbol for symbol in self.symbols(emu=True) if OURS.search(symbol)]
        assert instrumented, "not built with the plugin"
        assert [symbol for symbol in instrumented if not PLUGINS.fullmatch(symbol)] == []


@pytest.fixture(scope="module")
def app(request) -> PlainApp:
    """The program of the test file, which says its NAME and what makes it SMALL."""
    return PlainApp(request.module.NAME, request.module.SMALL)
