"""Does a region keep its id when nothing about it changes, and do different regions have different ids?"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lbhm.regions.region_table import regions_in

from .conftest import HERE, mark

SHARED = ("-fPIC", "-shared")


def ids(path: Path) -> dict[tuple[str, int], str]:
    """By function and which of its regions it is."""
    found: dict[tuple[str, int], str] = {}
    for region in regions_in(path):
        function = re.sub(r"\.\d+$", "", region["function"])
        number = sum(name == function for name, _ in found)
        found[function, number] = region["id"]
    return found


def project_with(tmp_path: Path, change) -> Path:
    """The project's part.c, changed, in a folder of its own."""
    shutil.copytree(HERE / "project", tmp_path / "project")
    source = tmp_path / "project/part.c"
    source.write_text(change(source.read_text()))
    return mark(tmp_path / "changed.so", "-O2", "-g", *SHARED, "part.c", root=tmp_path / "project")


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    return mark(tmp_path_factory.mktemp("part") / "part.so", "-O2", "-g", *SHARED, "part.c", root=HERE / "project")


def test_every_loop_has_an_id_of_its_own(part):
    assert len(regions_in(part)) == 4, "the sum, and inlined: two loops of the product and the sum again"
    assert len(set(ids(part).values())) == 4
    assert {region["file"] for region in regions_in(part)} == {"part.c"}


def test_comments_and_another_folder_change_lines_only(part, tmp_path):
    changed = project_with(
        tmp_path, lambda text: "/* a\n long\n comment */\n\n" + text.replace("{\n", "{  // here\n\n")
    )
    assert ids(changed) == ids(part)
    assert [region["line"] for region in regions_in(changed)] != [region["line"] for region in regions_in(part)]


def test_a_changed_loop_is_another_region_and_its_neighbours_are_not(part, tmp_path):
    def subtract(text):
        return text.replace("result *= values[i];\n  for", "result -= values[i] * values[0];\n  for")

    before, after = ids(part), ids(project_with(tmp_path, subtract))
    assert before.keys() == after.keys()
    assert [key for key in before if before[key] != after[key]] == [("part_product", 0)]


@pytest.mark.parametrize("source", ["parallel.c", "random_access.c", "ways_out.cpp"])
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_debug_information_changes_nothing(built, source, level):
    assert ids(built(source, level, "-g", "-fopenmp")) == ids(built(source, level, "-fopenmp"))


def test_a_template_in_two_files_is_one_region(tmp_path):
    sources = [HERE / "project" / name for name in ("main.cpp", "other.cpp", "shared.cpp")]
    mark(tmp_path / "part.o", "-O2", "-c", HERE / "project/part.c")
    program = mark(tmp_path / "app", "-O2", *sources, tmp_path / "part.o")
    assert sum("largest" in region["function"] for region in regions_in(program)) == 1


def test_static_functions_of_one_name_and_file_are_told_apart(tmp_path):
    for name in ("first", "second"):
        mark(tmp_path / f"{name}.o", "-O1", "-fPIC", f"-DNAME={name}", "-fno-inline", "-c", "same_name.c")
    both = mark(tmp_path / "both.so", *SHARED, tmp_path / "first.o", tmp_path / "second.o")
    assert [region["function"] for region in regions_in(both)] == ["total", "total"]
    assert len({region["id"] for region in regions_in(both)}) == 2


def test_the_table_survives_strip_and_garbage_collection(tmp_path):
    flags = ("-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-s")
    program = mark(tmp_path / "program", *flags, "ways_out.cpp")
    subprocess.run(["strip", "--strip-all", program], check=True)
    assert len(regions_in(program)) >= 6
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "20 30 160\n"
