"""Of which programs are blocks of malloc objects unless --no-heap says otherwise?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lbhm.base.errors import Refusal
from lbhm.program.elf import inspect
from lbhm.program.program import nobody_manages

from .conftest import WITH_LIBOMP

SOURCES = {
    "plain": "int main(void) { return 0; }",
    "asks": "void* omp_alloc(unsigned long, unsigned long); int main(void) { return omp_alloc(8, 0) == 0; }",
    "directive": "void* __kmpc_alloc(int, unsigned long, void*); int main(void) { return __kmpc_alloc(0, 8, 0) == 0; }",
    # A function of its own by that name, which other files see: nothing of OpenMP's is called.
    "defines": "void* omp_alloc(unsigned long a, unsigned long b) { return (void*)(a + b); } int main(void) {}",
}


def built(folder: Path, name: str, source: str, *flags: str) -> Path:
    target = folder / name
    words = ["gcc", "-x", "c", "-", "-rdynamic", "-o", target, *flags]
    subprocess.run(words, input=source, text=True, check=True)
    return target


@pytest.mark.parametrize(
    ("name", "expected"), [("plain", True), ("asks", False), ("directive", False), ("defines", True)]
)
def test_programs_that_ask_no_openmp_allocator(tmp_path, name, expected):
    assert nobody_manages(inspect(built(tmp_path, name, SOURCES[name], *WITH_LIBOMP))) is expected


def test_a_library_may_be_the_one_that_asks(tmp_path):
    library = "void* omp_alloc(unsigned long, unsigned long); void* get(void) { return omp_alloc(8, 0); }"
    built(tmp_path, "libget.so", library, "-shared", "-fPIC")
    flags = (f"-L{tmp_path}", "-lget", f"-Wl,-rpath,{tmp_path}", *WITH_LIBOMP)
    program = built(tmp_path, "user", "void* get(void); int main(void) { return get() == 0; }", *flags)
    assert not nobody_manages(inspect(program))


def test_scripts_and_programs_without_openmp_are_left_alone(tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert not nobody_manages(inspect(script))
    assert not nobody_manages(inspect(built(tmp_path, "serial", SOURCES["plain"])))


def test_without_ldd_nothing_is_known_of_a_program(tmp_path, monkeypatch):
    program = built(tmp_path, "plain", SOURCES["plain"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refusal, match=r"ldd, which tells a program's libraries, .* install it"):
        inspect(program)
