"""Does the portable id of a site survive a rebuild, and does another site have another one?"""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from lbhm.program.site_ids import SiteIds
from lbhm.program.symbols import Symbols

SOURCE = """#include <stdlib.h>
#include <stdio.h>
static void* helper(int n) { return malloc(n); }
void* first(int n) {
  puts("first");
  void* a = malloc(n);  // comment A
  /* comment B */
  void* b = malloc(2 * n);
  return a < b ? a : b;
}
void* (*pointer)(int) = helper;
static double grid[1 << 16];
int main(int argc, char** argv) {
  grid[argc] = 1;
  return first(argc) == pointer(argc) || grid[argc + 1] > argc;
}
"""


def build(folder: Path, source: str, *options: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "app.c").write_text(source)
    subprocess.run(["gcc", "-O1", *options, "-o", "app", "app.c"], cwd=folder, check=True)
    return folder / "app"


def places(program: Path) -> list[str]:
    """Where calls return to, in the order of the code."""
    listing = subprocess.run(["objdump", "-d", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in listing.splitlines() if line.startswith(" ") and line.count("\t") == 2]
    begins = [int(row[0].strip(" :"), 16) for row in rows]
    functions = Symbols(program)
    names = ("first", "helper", "main")
    known = [(functions.at(at), at, end) for at, end in pairwise(begins)]
    calls = {at for row, at in zip(rows, begins, strict=True) if row[2].startswith("call")}
    return [f"app+{end:#x}" for function, at, end in known if at in calls and function and function.name in names]


def ids(program: Path) -> list[str | None]:
    known = SiteIds([program])
    return [known.of({"site": "0", "name": place, "kind": "calls", "calls": [place]}) for place in places(program)]


@pytest.fixture
def before(tmp_path):
    found = ids(build(tmp_path / "before", SOURCE))
    assert len(found) >= 5 and None not in found
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#include <stdlib.h>", "// a comment above\n\n#include <stdlib.h>"),
        ("/* comment B */", "/* a longer\n\n\ncomment */"),
        ("int main", 'int unused(void) { return printf("%d", 7); }\nint main'),
        ("int main", "void* another(void) { return malloc(9); }\nint main"),
    ],
    ids=["comment above", "comment inside", "function", "function with a call"],
)
def test_ids_survive_a_rebuild(tmp_path, before, old, new):
    after = build(tmp_path / "after", SOURCE.replace(old, new))
    assert set(before) <= set(ids(after))


def test_debug_information_changes_nothing(tmp_path, before):
    assert ids(build(tmp_path / "after", SOURCE, "-g")) == before


def test_a_call_of_something_else_in_front_changes_nothing(tmp_path, before):
    after = ids(build(tmp_path / "after", SOURCE.replace('puts("first");', 'puts("first"); srand(n);')))
    assert set(before) < set(after)


def test_every_call_has_an_id_of_its_own(before):
    assert len(set(before)) == len(before)


def test_without_symbols_there_is_no_id(tmp_path):
    program = build(tmp_path / "stripped", SOURCE)
    site = {"site": "0", "name": places(program)[0], "kind": "calls", "calls": places(program)[:1]}
    subprocess.run(["strip", program], check=True)
    assert SiteIds([program]).of(site) is None
    assert SiteIds([]).of(site) is None


def test_names_and_variables_have_ids(tmp_path):
    def variable_id(program: Path) -> str | None:
        grid = next(symbol for symbol in Symbols(program, "STT_OBJECT").all if symbol.name == "grid")
        return SiteIds([program]).of({"site": "0", "name": f"app+{grid.begin:#x}", "kind": "variable", "calls": []})

    before = build(tmp_path / "before", SOURCE)
    after = build(tmp_path / "after", SOURCE.replace("static double grid", "int more[99];\nstatic double grid"))
    assert variable_id(before) == variable_id(after) is not None
    name = {"site": "0", "name": "matrix", "kind": "name", "calls": []}
    assert SiteIds([before]).of(name) == SiteIds([]).of(name) is not None
