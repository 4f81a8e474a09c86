"""The command with a build tree of its own: a fake runtime, one preset, and small programs of each kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LIBOMP = Path("/usr/lib/llvm-19/lib")
WITH_LIBOMP = [f"-L{LIBOMP}", "-Wl,--no-as-needed", "-lomp", f"-Wl,-rpath,{LIBOMP}"]
KINDS = {
    "good": ["-DWITH_SECTION=7", *WITH_LIBOMP],  # 7: the version of data/fake_runtime.c
    "old": ["-DWITH_SECTION=6", *WITH_LIBOMP],
    "mixed": ["-DWITH_SECTION=7", "-DWITH_OTHER_SECTION=6", *WITH_LIBOMP],
    "uninstrumented": WITH_LIBOMP,
    "looked-at": ["-DWITH_PATTERNS", *WITH_LIBOMP],
    "serial": ["-DWITH_SECTION=7"],
    "gnu": ["-DWITH_SECTION=7", "-fopenmp", "-Wl,--no-as-needed", "-lgomp"],
    "static": ["-DWITH_SECTION=7", "-static"],
    "no-loader": ["-DWITH_SECTION=7", *WITH_LIBOMP, "-Wl,--dynamic-linker=/none/ld.so"],
}
SCRIPTS = {
    "script": "#!/bin/sh\nexec {folder}/good\n",
    "no-interpreter": "#!/none/sh -e\n",
    "no-env-interpreter": "#!/usr/bin/env none-sh\n",
    "dos": "#!/bin/sh\r\necho\r\n",
    "no-shebang": "echo\n",
}


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """A build tree with a fake runtime."""
    tree = tmp_path_factory.mktemp("build")
    for folder in ("lib/host", "share/lbhm/machines"):
        (tree / folder).mkdir(parents=True)
    fake = str(HERE / "data/fake_runtime.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", str(tree / "lib/liblbhm.so"), fake], check=True)
    (tree / "lib/host/liblbhm.so").symlink_to("../liblbhm.so")
    preset = {"schema": "lbhm.machine/2", "name": "optane", "description": "DRAM and Optane.", "tiers": []}
    preset["core"] = {"hardware_threads": {"value": 24}}
    (tree / "share/lbhm/machines/optane.json").write_text(json.dumps(preset))
    return tree


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """Programs of each kind in one folder, scripts among them."""
    folder = tmp_path_factory.mktemp("programs")
    for name, flags in KINDS.items():
        subprocess.run(["gcc", "-o", str(folder / name), str(HERE / "data/program.c"), *flags], check=True)
    compile_with_library_of_old_plugin(folder)
    for name, text in SCRIPTS.items():
        (folder / name).write_text(text.format(folder=folder))
        (folder / name).chmod(0o755)
    (folder / "no-program").write_text("text\n")
    return folder


def compile_with_library_of_old_plugin(folder: Path) -> None:
    """The program `part-old` is new, its library libold.so is not."""
    library = folder / "libold.so"
    source = str(HERE / "data/program.c")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-DWITH_SECTION=6", "-Dmain=in_library", "-o", str(library), source], check=True
    )
    flags = ["-DWITH_SECTION=7", *WITH_LIBOMP, str(library), f"-Wl,-rpath,{folder}"]
    subprocess.run(["gcc", "-o", str(folder / "part-old"), source, *flags], check=True)


class Command:
    """Runs lbhm in the programs' folder, with a temporary folder in which nothing may stay."""

    def __init__(self, build: Path, programs: Path, temporary: Path) -> None:
        self.programs, self.temporary = programs, temporary
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}
        self.environment |= {"LBHM_BUILD": str(build), "PYTHONPATH": str(ROOT / "tools"), "TMPDIR": str(temporary)}
        self.environment["XDG_DATA_HOME"] = str(temporary.parent / "data")

    def start(self, *words: str, **environment: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "lbhm", *words],
            cwd=self.programs,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *words: str, **environment: str) -> subprocess.CompletedProcess:
        process = self.start(*words, **environment)
        stdout, stderr = process.communicate(timeout=60)
        return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)

    def leftovers(self) -> list[Path]:
        return list(self.temporary.iterdir())


@pytest.fixture
def lbhm(build, programs, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = Command(build, programs, temporary)
    yield command
    assert command.leftovers() == []
