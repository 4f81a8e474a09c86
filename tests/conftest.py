"""What every test leaves behind is removed before the next ones run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import patience

patience.install()

ROOT = Path(__file__).parents[1]
os.environ.pop("COLUMNS", None)  # of the terminal that the tests were started in: tables would depend on it


# Files that take longest come first, so that two processes that share the files (./check) end at the same time.
LONGEST = ("unchanged", "determinism", "generator_map", "programs", "measure", "page", "malloc_front", "plain_program")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name.removesuffix("_test.py") not in LONGEST)


@pytest.fixture(scope="module", autouse=True)
def no_settings_of_libomp():
    """scikit-learn sets some for its own process when it is imported, and whoever is started would inherit them."""
    for name in [name for name in os.environ if name.startswith("KMP_")]:
        del os.environ[name]


@pytest.fixture(scope="module", autouse=True)
def no_registrations_of_killed_programs():
    """Tests kill OpenMP programs, and a later one with the same process number would find their registrations."""
    yield
    subprocess.run([ROOT / "scripts" / "clear-registrations"], check=True)


@pytest.fixture(scope="session")
def built_blocks(tmp_path_factory):
    """The folder of libc-ext/programs/blocks.cpp, built: `blocks`, what it is linked with, and `library`."""
    folder = tmp_path_factory.mktemp("blocks")
    shared = ["-shared", "-fPIC"]
    programs = {"library": shared, "before": shared}
    programs["blocks"] = [
        "blocks_process.cpp",
        "blocks_pages.cpp",
        "blocks_small.cpp",
        folder / "before",
        f"-Wl,-rpath,{folder}",
        "-pthread",
        "-ldl",
    ]
    sources = ROOT / "tests" / "libc-ext" / "programs"
    for name, flags in programs.items():
        words = ["clang++-19", "-std=c++23", "-O1", "-o", folder / name, f"{name}.cpp", *flags]
        subprocess.run(words, cwd=sources, check=True)
    return folder
