"""The fixture two_nodes: a host with two memory nodes."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from host import TwoNodes


@pytest.fixture
def two_nodes(tmp_path):
    return TwoNodes(tmp_path)


@pytest.fixture
def run_on_two_nodes(two_nodes):
    """run_on_two_nodes(program, policy="lbhm", env={...}): its Outcome; `program` is a list of words."""
    return two_nodes.run
