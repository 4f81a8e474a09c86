"""An installed LB-HM, moved and read-only, and a person who has nothing else: no source, no build tree, no rights.

tests/install/bare-system runs the same tests on a bare Debian, where LBHM_PREFIX is what was installed and all of the
source but this folder is gone; tests with the mark `source` stay out there.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
PYTHON = Path(sys.executable).resolve()
AS_ROOT = os.geteuid() == 0
# Whoever is root becomes nobody, in a place where an empty folder stands over the source and the build tree.
HIDE = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(ROOT)]
NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
PLAIN = "/usr/local/bin:/usr/bin:/bin"


def pytest_configure(config):
    config.addinivalue_line("markers", "source: needs the source or the build tree")


def works(words: list[str]) -> bool:
    try:
        return subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def becoming() -> list[str]:
    """What stands in front of a command: as much of the above as this system allows."""
    return [word for part in (HIDE, NOBODY) if AS_ROOT and works(part) for word in part]


class Person:
    """Runs commands in a folder of their own with an environment of nothing but HOME and PATH."""

    def __init__(self, tree: Path, home: Path) -> None:
        self.tree, self.home, self.become = tree, home, becoming()

    @property
    def hidden(self) -> bool:
        return HIDE[0] in self.become

    def __call__(self, *words: str | Path, status: int = 0, **environment: str) -> subprocess.CompletedProcess:
        given = {"HOME": str(self.home), "PATH": f"{self.tree}/bin:{PLAIN}"} | environment
        command = [*self.become, *map(str, words)]
        done = subprocess.run(command, cwd=self.home, env=given, capture_output=True, text=True, check=False)
        assert done.returncode == status, f"{words}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    def write(self, name: str, text: str) -> None:
        (self.home / name).write_text(text)


def closure(names: set[str]) -> set[str]:
    """Names of installed packages, and of what these need."""
    known: set[str] = set()
    while names:
        known |= names
        needed = [line for name in names for line in importlib.metadata.requires(name) or [] if "extra ==" not in line]
        names = {name for line in needed if is_there(name := re.match(r"[\w.-]+", line)[0])} - known
    return known


def is_there(package: str) -> bool:
    try:
        return bool(importlib.metadata.version(package))
    except importlib.metadata.PackageNotFoundError:
        return False


def make_venv(folder: Path) -> None:
    """A venv with what lbhm needs; scipy, which few commands do, is left out, for it is large."""
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    for name in closure({"typer", "rich", "pyelftools", "jsonschema", "numpy"}):
        for file in importlib.metadata.files(name):
            if file.parts[0] != ".." and "tests" not in file.parts:
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file.locate(), packages / file)


@pytest.fixture(scope="session")
def place():
    """A folder that others may enter, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="lbhm-install-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def tree(place):
    """<prefix>, moved to another place, where nobody may write."""
    if "LBHM_PREFIX" in os.environ:
        return Path(os.environ["LBHM_PREFIX"])
    if not (BUILD / "lib/liblbhm.so").is_file():
        pytest.fail(f"LB-HM is not built in {BUILD}: run ./check, or set LBHM_BUILD")
    # As after ./quickstart, which does not make these: installing makes what is missing.
    for file in (BUILD / "install").glob("*"):
        if file.name.startswith(("lbhm.1", "complete.")):
            file.unlink()
    subprocess.run(["cmake", "--install", BUILD, "--prefix", place / "first"], check=True, capture_output=True)
    (place / "first").rename(place / "moved")
    make_venv(place / "moved/lib/lbhm/venv")
    subprocess.run(["chmod", "-R", "a-w", place / "moved"], check=True)
    return place / "moved"


@pytest.fixture
def person(tree, place):
    home = Path(tempfile.mkdtemp(dir=place))
    if AS_ROOT:
        shutil.chown(home, "nobody")
    return Person(tree, home)
