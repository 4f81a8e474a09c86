"""The build tree: its programs are brought up to date before anything is measured."""

import shutil
import subprocess
from pathlib import Path

from harness.errors import BenchError

ROOT = Path(__file__).resolve().parents[2]


class Build:
    """A configured CMake build tree. Raises BenchError if there is none or if benchmarks are off in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        if not (folder / "build.ninja").is_file():
            raise BenchError(f"{folder} is no configured build; run `cmake --preset release`, or name one with --build")
        cache = (folder / "CMakeCache.txt").read_text()
        if "LBHM_BENCH:BOOL=OFF" in cache:
            raise BenchError(f"{folder} is configured without benchmarks; run `cmake {folder} -DLBHM_BENCH=ON`")

    def make(self, targets: list[str]) -> None:
        ninja = shutil.which("ninja")
        if ninja is None:
            raise BenchError("ninja is not installed; `apt-get install ninja-build`")
        done = subprocess.run([ninja, "-C", str(self.folder), *targets], capture_output=True, text=True)
        if done.returncode != 0:
            tail = "\n".join(done.stdout.splitlines()[-15:])
            hint = ""
            if "unknown target" in done.stderr + done.stdout:
                hint = "; install libbenchmark-dev and configure again"
            raise BenchError(f"{' '.join(targets)} could not be built in {self.folder}{hint}:\n{tail}\n{done.stderr}")

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name

    @property
    def library(self) -> Path:
        return self.folder / "lib" / "liblbhm.so"

    @property
    def library_for_hosts(self) -> Path:
        return self.folder / "lib" / "host" / "liblbhm.so"
