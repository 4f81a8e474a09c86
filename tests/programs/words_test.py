"""Does main find what the kernel gives a program behind its arguments, and does virtual time depend on none of it?"""

import shutil
from pathlib import Path

ARGUMENTS = ("one", "a longer one", "", "4")
BEHIND = ["environ 1 third 1", "one piece 1", "entry 6 1", "entry 25 1"]


def test_the_environment_and_the_auxiliary_vector_are_behind_argv(program, run):
    for way, machine in (("native", None), ("native", "host"), ("emulated", "optane")):
        lines = run(program("words", way), *ARGUMENTS, machine=machine).stdout.splitlines()
        assert [line for line in lines if line.startswith(("environ", "one", "entry"))] == BEHIND * 2, (way, machine)


def test_a_name_that_a_program_gives_itself_is_shown(program, run):
    file = program("words")
    title = " ".join(("x" * len(str(file)), *ARGUMENTS, ""))
    assert title in run(file, *ARGUMENTS, machine=None).stdout.splitlines()
    assert title in run(file, *ARGUMENTS).stdout.splitlines()


def test_names_and_variables_move_no_virtual_time(program, run, tmp_path, monkeypatch):
    times = set()
    for folder, padding in (("a", 0), ("b" * 77, 10), ("c" * 200, 900), ("d", 9000)):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv("PADDING", "x" * padding)
        copy = Path(shutil.copy(program("words"), tmp_path / folder))
        times.add(run(copy, "count", *ARGUMENTS).report["makespan_ns"])
    assert len(times) == 1
