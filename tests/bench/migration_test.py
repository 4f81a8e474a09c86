"""Is the engine's way held against the raw call that does the same work?"""

import pytest
from harness import guest, migration
from harness.errors import BenchError


def measured(copies: bool) -> dict:
    figures = {
        "raw_query": {"64": [60, 50], "4096": [70, 55]},
        "raw_move": {"64": [1000, 900], "4096": [600, 500]},
        "engine": {"64": [1200, 1100], "4096": [550, 650]},
        "engine_2_threads": {"64": [900, 950], "4096": [300, 350]},
    }
    return {"copies": copies, "nodes": [0, 1][: 1 + copies], "pages": 8192, "lost": 0, "ns_a_page": figures}


def test_with_two_nodes_moves_are_compared():
    fields = migration.compare(measured(copies=True))
    assert fields["engine_over_raw"] == 1.1 == fields["engine_over_raw_move"]
    assert fields["pages_per_s"]["raw_move"] == 2_000_000
    assert fields["engine_over_raw_by_batch"] == {"64": 1.222, "4096": 1.1}


def test_with_one_node_the_raw_side_only_asks():
    fields = migration.compare(measured(copies=False))
    assert fields["engine_over_raw"] == 11
    assert "in place" in fields["compared"]


def test_with_little_memory_the_largest_batch_counts():
    small = measured(copies=True)
    for way in small["ns_a_page"].values():
        del way["4096"]
    assert migration.compare(small)["engine_over_raw"] == round(1100 / 900, 3)


def test_what_the_program_says_in_the_guest_comes_back(monkeypatch, tmp_path):
    """The machine itself is booted by the kernel tests; here boot.py is another program that leaves the same files."""
    boot = tmp_path / "boot.py"
    boot.write_text(
        "import pathlib, sys\n"
        "words = sys.argv\n"
        "results = pathlib.Path(words[words.index('--results') + 1], 'bench')\n"
        "results.mkdir(parents=True)\n"
        "case = pathlib.Path(words[words.index('--cases') + 1]).read_text()\n"
        "assert words[-1].endswith('libnuma.so.1'), words\n"
        "assert case == 'bench 5 bench-migration 64 9 >result.json\\n', case\n"
        "(results / 'result.json').write_text('{\"copies\": true}')\n"
    )
    monkeypatch.setattr(guest, "BOOT", boot)
    assert guest.run_json_in_guest(tmp_path / "bench-migration", ["64", "9"], 5) == {"copies": True}


def test_a_guest_that_could_move_nothing_is_not_booted(monkeypatch, tmp_path):
    monkeypatch.setattr(guest, "LIBRARY_FOLDERS", [str(tmp_path)])
    with pytest.raises(BenchError, match=r"libnuma\.so\.1 is in none of .*; install libnuma1"):
        guest.run_json_in_guest(tmp_path / "bench-migration", [], 5)


def test_why_there_is_no_guest_is_told(monkeypatch, tmp_path):
    boot = tmp_path / "boot.py"
    boot.write_text("import sys\nprint('skipped: no qemu here: apt-get install it')\nsys.exit(77)\n")
    monkeypatch.setattr(guest, "BOOT", boot)
    with pytest.raises(BenchError, match="--guest: no qemu here: apt-get install it"):
        guest.run_json_in_guest(tmp_path / "bench-migration", [], 5)
