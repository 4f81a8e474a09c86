"""The file system that the guest starts with: a cpio archive ("newc") of busybox, programs and their libraries."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from vm.errors import Unavailable

_LOADER = Path("/lib64/ld-linux-x86-64.so.2")
_LEFT_OUT = {"__pycache__", "test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip", "pydoc_data", "distutils"}


def with_libraries(programs: Iterable[Path]) -> dict[str, Path]:
    """Where each program (bin/) and each library that one of them needs (lib/) goes in the guest."""
    programs = list(programs)
    placed = {f"bin/{program.name}": program for program in programs if ".so" not in program.name}
    placed |= {f"lib/{library.name}": library for library in programs if ".so" in library.name}
    placed[str(_LOADER).lstrip("/")] = _LOADER
    for program in programs:
        for name, library in _needed_by(program).items():
            placed.setdefault(f"lib/{name}", library)
    return placed


def _needed_by(program: Path) -> dict[str, Path]:
    """Its libraries by name."""
    found = {}
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        name, _, rest = line.strip().partition(" => ")
        if "not found" in rest:
            raise Unavailable(f"{program} needs {name}, which is not installed here")
        if rest.startswith("/"):
            found[name] = Path(rest.split(" (")[0])
    return found


def folder_with_libraries(place: str, folder: Path) -> dict[str, Path]:
    """Where all of a folder of Python, or one file, goes in the guest: below `place`, without tests and what they
    left; and the libraries that its modules need."""
    if folder.is_file():
        return {place: folder}
    files = [
        path for path in folder.rglob("*") if path.is_file() and not _LEFT_OUT & set(path.relative_to(folder).parts)
    ]
    placed = {f"{place}/{path.relative_to(folder)}": path for path in files}
    for module in files:
        if ".so" in module.name:
            for name, library in _needed_by(module).items():
                if not library.is_relative_to(folder.parent):  # numpy brings some, and knows where they are
                    placed.setdefault(f"lib/{name}", library)
    return placed


def busybox() -> Path:
    """The shell and tools of the guest."""
    found = shutil.which("busybox")
    if found is None:
        raise Unavailable("no busybox here: apt-get install busybox-static")
    return Path(found)


class Archive:
    """Writes files one by one. Format: buffer-format of the kernel's documentation (early-userspace), magic 070701."""

    def __init__(self, path: Path):
        self._file = path.open("wb")
        self._inode = 0
        self._folders: set[str] = set()

    def add(self, name: str, content: bytes, mode: int = 0o755) -> None:
        """A file; its folders are made when needed."""
        parts = name.split("/")
        for depth in range(1, len(parts)):
            self.folder("/".join(parts[:depth]))
        self._entry(name, content, 0o100000 | mode)

    def folder(self, name: str) -> None:
        if name not in self._folders:
            self._folders.add(name)
            self._entry(name, b"", 0o040755)

    def close(self) -> None:
        self._entry("TRAILER!!!", b"", 0)
        self._file.close()

    def _entry(self, name: str, content: bytes, mode: int) -> None:
        self._inode += 1
        links, zeros = 1, (0,) * 4
        encoded = name.encode() + b"\0"
        numbers = (self._inode, mode, 0, 0, links, 0, len(content), *zeros, len(encoded), 0)
        self._file.write(b"070701" + b"".join(b"%08x" % number for number in numbers))
        self._padded(encoded, 6 + 8 * len(numbers))
        self._padded(content, 0)

    def _padded(self, content: bytes, before: int) -> None:
        self._file.write(content + b"\0" * (-(before + len(content)) % 4))
