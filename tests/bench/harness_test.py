"""Runs of measured programs: what they print, what they cost, and how failures read."""

import pytest
from harness.determinism import without_real_clocks
from harness.errors import BenchError
from harness.process import peak_memory, run_json, run_text
from harness.result import Result, Table, show

MIB = 1 << 20


def python(code):
    return ["python3", "-c", code]


def test_text_and_json():
    assert run_text(python("print('hello')")) == "hello\n"
    assert run_json(python("print('{\"a\": 1}')")) == {"a": 1}


def test_settings_reach_the_program_and_those_of_the_user_do_not(monkeypatch):
    monkeypatch.setenv("LBHM_POLICY", "mine")
    show_both = "import os; print(os.environ.get('LBHM_POLICY'), os.environ['OMP_NUM_THREADS'])"
    assert run_text(python(show_both), OMP_NUM_THREADS="3") == "None 3\n"


@pytest.mark.parametrize("runner", [run_text, run_json, peak_memory])
def test_a_program_that_fails_is_shown_with_its_words(runner):
    with pytest.raises(BenchError, match=r"(?s)A=1 python3 .* status 3:.*too bad"):
        runner(python("import sys; sys.stderr.write('too bad'); sys.exit(3)"), A="1")


def test_what_is_not_json_is_refused():
    with pytest.raises(BenchError, match="did not print JSON"):
        run_json(python("print('hello')"))


def touch(mebibytes):
    return python(f"b = bytearray({mebibytes * MIB}); b[::4096] = b'x' * len(b[::4096])")


def test_peak_memory_is_that_of_the_program():
    assert 60 * MIB < peak_memory(touch(576)) - peak_memory(touch(512)) < 70 * MIB


def test_real_clocks_do_not_count_as_a_difference():
    unseen = "about 101000000 accesses were not seen: 101 ms of 143 ms of processor time passed in libvendor.so"
    one = {"makespan_ns": 5, "decision_ns": 1, "plans": [{"scope": 0, "decision_ns": 1}], "remarks": []}
    other = {"makespan_ns": 5, "decision_ns": 2, "plans": [{"scope": 0, "decision_ns": 3}], "remarks": [unseen]}
    assert without_real_clocks(one) == without_real_clocks(other)
    assert without_real_clocks(one) != without_real_clocks(other | {"makespan_ns": 6})


def test_all_tables_and_notes_are_shown(capsys):
    tables = [Table(["kernel", "error"], [["lu", "1 %"]], "the first"), Table(["a", "b"], [["c", "d"]])]
    show("others", Result({}, tables, ["it was noisy"]))
    printed = capsys.readouterr().out
    for expected in ("the first", "lu", "others", "note: it was noisy"):
        assert expected in printed
