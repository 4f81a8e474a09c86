"""Does a damaged or a foreign profile or placement end in a sentence, and never in an exception of Python's own?

As scripts/fuzz does for the readers in C++: files of tests/corpus are changed by chance, in their bytes and in their
content. LBHM_MUTANTS=20000 is a longer search; a finding says with which number it comes again."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lbhm.base.errors import Refusal
from lbhm.files.report import validator
from lbhm.objects.profile_objects import used_lines, used_table
from lbhm.optimize.optimize import METHODS, WORTHS, Task, placement_json, read_profile, solve
from lbhm.optimize.optimize_table import more_line, site_table, summary_line
from lbhm.run.placement_run import checked_for_machine, read_placement, with_sites

sys.path.insert(0, str(Path(__file__).resolve().parent))

from made_figures import FIGURES

ROOT = Path(__file__).parents[2]
MUTANTS = int(os.environ.get("LBHM_MUTANTS", "300"))
BUILT = (ROOT / "build/release/bin/lbhm-choose").is_file()
# What stands in place of something else.
STRANGE: list[Any] = [None, True, -1, 0, 1, 0.5, 1e308, 2**63, 2**80, "", "x" * 300, "\x00", [], {}, [[]], [0] * 9]
TOKENS = [b"NaN", b"Infinity", b"1e999", b"-", b'"', b"[", b"}", b"\xff", b"\x00", b"9" * 400, b"[" * 2000]


def places(node: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in it."""
    found, waiting = [], [node]
    while waiting:
        of = waiting.pop()
        keys = range(len(of)) if isinstance(of, list) else list(of)
        found += [(of, key) for key in keys]
        waiting += [of[key] for key in keys if isinstance(of[key], (list, dict))]
    return found


def changed_content(text: str, draw: random.Random) -> bytes:
    content = json.loads(text)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        of, key = draw.choice(places(content) or [([content], 0)])
        match draw.randrange(5):
            case 0:
                of[key] = draw.choice(STRANGE)
            case 1:
                del of[key]
            case 2:
                other, place = draw.choice(places(content) or [(of, key)])
                of[key] = json.loads(json.dumps(other[place]))
            case 3 if isinstance(of, list):
                of.insert(key, json.loads(json.dumps(of[key])))
            case _ if isinstance(of[key], (int, float)) and not isinstance(of[key], bool):
                of[key] = draw.choice((-of[key], of[key] + 1, of[key] * 1000, of[key] / 2, 10**17))
    return json.dumps(content).encode()


def changed_bytes(text: str, draw: random.Random) -> bytes:
    content = bytearray(text.encode())
    for _ in range(draw.choice((1, 1, 2, 8))):
        at = draw.randrange(len(content) or 1)
        match draw.randrange(4):
            case 0:
                del content[at:]
            case 1:
                del content[at : at + draw.randrange(1, 40)]
            case 2:
                content[at : at + draw.randrange(4)] = draw.choice(TOKENS)
            case _:
                content[at : at + 1] = bytes([draw.randrange(256)])
    return bytes(content)


def mutants(seeds: list[Path]):
    """(number, content)."""
    texts = [seed.read_text() for seed in seeds]
    for number in range(MUTANTS):
        draw = random.Random(number)
        change = changed_bytes if draw.random() < 0.3 else changed_content
        yield number, change(draw.choice(texts), draw)


def use_profile(path: Path, draw: random.Random) -> None:
    """All that is done with one."""
    profile = read_profile(path)
    for by_phase in (False, True):
        used_table(profile, by_phase)
        used_lines(profile, by_phase)
    pages = draw.choice((0, 1, 100, 1 << 20))
    method, worth = draw.choice(list(METHODS)), draw.choice(["", *WORTHS])
    task = Task(profile, FIGURES, "icelake-optane", method, [pages << 12, 1 << 40], draw.choice((1, 2, 99)), worth)
    solution = solve(task)
    site_table(task, solution)
    summary_line(task, solution)
    more_line(task, solution)
    validator("placement").validate(placement_json(task, solution))


def use_placement(path: Path) -> None:
    placement = read_placement(path)
    checked_for_machine(placement, path, "icelake-optane", str)
    with_sites(placement, {})


def read_all(file: Path, seeds: str, use: Callable[[int], None], blames: Callable[[str], bool]) -> None:
    """use: what is done with `file`, a mutant with this number; blames: whether a refusal says what is wrong."""
    used = refused = 0
    for number, content in mutants(sorted((ROOT / "tests/corpus" / seeds).glob("*.json"))):
        file.write_bytes(content)
        try:
            use(number)
            used += 1
        except Refusal as refusal:
            refused += 1
            assert blames(refusal.sentence), (number, refusal.sentence)
        except Exception as error:
            raise AssertionError(f"mutant {number}: {type(error).__name__}: {error}") from error
    assert min(used, refused) > MUTANTS / 20, "the changes are too hard or too soft to find anything"


@pytest.mark.skipif(not BUILT, reason="lbhm-choose is not built")
def test_a_damaged_profile_is_a_refusal_or_a_placement(tmp_path, monkeypatch):
    monkeypatch.setenv("LBHM_BUILD", str(ROOT / "build" / "release"))
    file = tmp_path / "p.json"
    read_all(
        file,
        "profile",
        lambda number: use_profile(file, random.Random(number)),
        lambda sentence: any(part in sentence for part in (str(file), "--worth unimem", "--method balanced")),
    )


def test_a_damaged_placement_is_a_refusal_or_read(tmp_path, monkeypatch):
    monkeypatch.setenv("LBHM_PRESETS", str(ROOT / "emulator" / "presets"))
    file = tmp_path / "q.json"
    read_all(file, "placement", lambda _: use_placement(file), lambda sentence: str(file) in sentence)
