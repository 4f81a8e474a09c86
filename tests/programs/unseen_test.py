"""Does the run report say how much of the program the emulated machine could not see?"""

import re


def test_a_library_without_the_plugin_is_named(program, run):
    outcome = run(program("filters"), "2000")
    assert outcome.status == 0, outcome.stderr
    (remark,) = outcome.remarks("accesses were not seen")
    assert re.search(r"about \d{8,} accesses were not seen", remark)
    assert "libvendor.so" in remark
    assert "libimage.so" not in remark
    assert "blur.so" not in remark


def test_no_remark_when_nearly_all_was_seen(program, run):
    assert run(program("clocks"), "durations").remarks("accesses were not seen") == []


def test_a_library_that_was_unloaded_keeps_its_buffers(program, run):
    """Threads that used blur.so go on after dlclose."""
    outcome = run(program("filters"))
    assert outcome.stdout.endswith("verified\n")
