"""Does LD_PRELOAD name what must come first, first, and everything that the user preloads?"""

import subprocess
from pathlib import Path

import pytest

from lbhm.execute.execute import preload_list

OURS = Path("/build/lib/liblbhm.so")


@pytest.fixture(scope="module")
def with_gnu_sanitizer(tmp_path_factory):
    """with_gnu_sanitizer("address"): a program that gcc built with it."""
    folder = tmp_path_factory.mktemp("sanitized")

    def build(sanitizer: str) -> str:
        source, program = folder / "main.c", folder / sanitizer
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["gcc", f"-fsanitize={sanitizer}", "-o", program, source], check=True)
        return str(program)

    return build


def names(preload: str) -> list[str]:
    return [Path(library).name.split(".so")[0] for library in preload.split(":")]


@pytest.mark.parametrize(("sanitizer", "library"), [("address", "libasan"), ("thread", "libtsan"), ("leak", "liblsan")])
def test_the_runtime_that_the_program_needs_comes_first(with_gnu_sanitizer, sanitizer, library):
    assert names(preload_list(with_gnu_sanitizer(sanitizer), OURS, "")) == [library, "liblbhm"]


def test_what_the_user_preloads_stays_behind_ours(with_gnu_sanitizer):
    program = with_gnu_sanitizer("address")
    assert names(preload_list(program, OURS, "libm.so.6 libz.so")) == ["libasan", "liblbhm", "libm", "libz"]


def test_a_runtime_that_the_user_preloads_comes_first_and_once(with_gnu_sanitizer):
    """For programs that are no ELF files, or whose plug-ins need the runtime."""
    for program in (with_gnu_sanitizer("address"), "sh"):
        assert names(preload_list(program, OURS, "libm.so.6:libasan.so.8")) == ["libasan", "liblbhm", "libm"]


def test_ours_alone_where_nothing_else_is_wanted():
    assert preload_list("true", OURS, "") == str(OURS)


def test_the_front_of_malloc_comes_behind_ours_but_not_beside_a_sanitizer(with_gnu_sanitizer):
    heap = OURS.with_name("liblbhm-heap.so")
    assert names(preload_list("true", OURS, "libm.so.6", heap)) == ["liblbhm", "liblbhm-heap", "libm"]
    assert names(preload_list(with_gnu_sanitizer("address"), OURS, "", heap)) == ["libasan", "liblbhm"]
