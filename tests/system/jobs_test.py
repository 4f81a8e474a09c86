"""Are runs side by side the same to the bit as one after the other, with the real runtime?"""

from __future__ import annotations

import re

import pytest

SOLVED = re.compile(r'"solve_seconds": [0-9.e-]+')  # of the oracle's optimum: real time
PEERS = "slow-only,first-touch,memtis,lbhm,fast-only"
CASES = {
    "oracle": (("--oracle", "--policies", PEERS, "--fast", "25%"), "spgemm-emu", "--kron", "8", "--inputs", "4"),
    "capacities": (
        ("--heap", "--policies", f"{PEERS},h2m-initial,lbhm-offline", "--fast", "10%,25%"),
        "multiphase-emu",
        *("--size", "160", "--phases", "6", "--buffers", "10"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_jobs_change_no_byte_of_a_comparison(tmp_path, command_with, case):
    options, program, *arguments = CASES[case]
    file, texts = tmp_path / "compare.json", []
    for jobs in ("1", "2"):
        words = ("compare", "--jobs", jobs, *options, "--threads", "4", "--json", str(file))
        printed = command_with(words, program, *arguments)
        texts.append((printed, SOLVED.sub("", file.read_text())))
    assert texts[0] == texts[1]
