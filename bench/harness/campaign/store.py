"""Finished cells on disk: a campaign that was interrupted goes on where it stopped, with the same build alone."""

import hashlib
import json
from pathlib import Path

from harness.build import ROOT, Build
from harness.campaign.cells import ORACLE, Application, Cell


def digest(*parts: object) -> str:
    """Of files (their bytes) and of everything else (its text)."""
    sum_ = hashlib.sha256()
    for part in parts:
        sum_.update(part.read_bytes() if isinstance(part, Path) else str(part).encode())
        sum_.update(b"\0")
    return sum_.hexdigest()[:16]


class Store:
    """A file a cell, with a key that says what it was measured with: another program, runtime, machine, model, command
    line or other paddings make it stale, and it is measured again."""

    def __init__(self, folder: Path, build: Build, short: bool, paddings: tuple[int, ...]):
        self.folder = folder
        self._build = build
        self._short = short
        self._paddings = paddings
        folder.mkdir(parents=True, exist_ok=True)
        self._runtime = digest(build.library)
        self._programs: dict[str, str] = {}

    def key(self, application: Application, cell: Cell) -> str:
        if application.program not in self._programs:
            self._programs[application.program] = digest(self._build.program(application.program))
        machines = self._build.folder / "share" / "lbhm" / "machines" / f"{cell.preset}.json"
        models = self._build.folder / "share" / "lbhm" / "models" / f"{cell.preset}.json"
        files = [file for file in (machines, models) if file.is_file()]
        if cell.policy == ORACLE:  # its plans are made by the command
            files += sorted((ROOT / "tools" / "lbhm" / "oracle").glob("*.py"))
        if application.heap:
            files += [self._build.library.with_name("liblbhm-heap.so")]
        return digest(
            self._runtime,
            self._programs[application.program],
            *files,
            cell,
            application.arguments_for(self._short),
            self._paddings,
        )

    def load(self, cell: Cell, key: str) -> dict | None:
        """The cell's result; None if there is none, or a stale one."""
        try:
            saved = json.loads((self.folder / f"{cell.name}.json").read_text())
        except (OSError, json.JSONDecodeError):
            return None
        return saved["result"] if saved.get("key") == key else None

    def save(self, cell: Cell, key: str, result: dict) -> None:
        target = self.folder / f"{cell.name}.json"
        fresh = target.with_suffix(".tmp")
        fresh.write_text(json.dumps({"key": key, "result": result}))
        fresh.replace(target)
