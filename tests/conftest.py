"""What every test leaves behind is removed before the next ones run."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
os.environ.pop("COLUMNS", None)  # of the terminal that the tests were started in: tables would depend on it


@pytest.fixture(scope="module", autouse=True)
def no_registrations_of_killed_programs():
    """Tests kill OpenMP programs, and a later one with the same process number would find their registrations."""
    yield
    subprocess.run([ROOT / "scripts" / "clear-registrations"], check=True)
