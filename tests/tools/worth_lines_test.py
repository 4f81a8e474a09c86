"""Does lbhm compare say why pages lay where they lay, in words that a reader understands?"""

from lbhm.report.worth_lines import worth_lines

SITES = [{"site": f"{number:016x}", "name": f"app+0x{number}", "kind": "name", "calls": []} for number in range(9)]


def run(*worths):
    """(name, pages, pages in fast memory, worth) of sites."""
    objects = [
        {"name": name, "site": f"{number:016x}", "objects": 1, "bytes": [0], "tiers_bytes": [[0], [0]]}
        for number, (name, *_) in enumerate(worths)
    ]
    weighed = [
        {"site": f"{number:016x}", "pages": pages, "fast_pages": fast, "worth": worth}
        for number, (_, pages, fast, worth) in enumerate(worths)
    ]
    return {"policy": "lbhm", "timeline": {"objects": objects}, "sites": SITES, "worths": weighed}


def test_what_is_worth_most_comes_first():
    (line,) = worth_lines([run(("input", 6000, 600, 0), ("tables", 768, 730, 3.28e-3))])
    assert line == (
        "lbhm: in fast memory lay 95 % of tables, where a page saves 3.28 µs of each ms; "
        "10 % of input, where a page saves nothing"
    )


def test_three_are_told_and_none_that_hardly_has_pages():
    sites = [(f"array {number}", 100, 50, number * 1e-6) for number in range(5)]
    (line,) = worth_lines([run(*sites, ("a few pages", 0.5, 0.5, 1))])
    assert [part.split(",")[0] for part in line.split("; ")] == [
        "lbhm: in fast memory lay 50 % of array 4",
        "50 % of array 3",
        "50 % of array 2",
    ]


def test_objects_without_a_name_are_called_by_what_asked_for_them():
    (line,) = worth_lines([run(("", 100, 100, 1e-3))])
    assert "100 % of app+0x0, where a page saves 1.00 µs of each ms" in line


def test_what_one_function_asked_for_is_told_together(monkeypatch):
    calls = {"inner": "take < Block < Matrix", "other": "take < Pool < Matrix", "rest": "take < Table"}
    monkeypatch.setattr("lbhm.report.worth_lines.shown_names", lambda *_: calls)
    (line,) = worth_lines([run(("inner", 100, 100, 3e-6), ("other", 300, 100, 1e-6), ("rest", 100, 10, 1e-6))])
    assert line == (
        "lbhm: in fast memory lay 50 % of Matrix, where a page saves 1.50 ns of each ms; "
        "10 % of Table, where a page saves 1.00 ns of each ms"
    )


def test_nothing_is_said_of_policies_that_do_not_weigh_pages_and_of_runs_that_nobody_watched():
    weighed = run(("a", 1, 1, 1))
    assert worth_lines([{"policy": "memtis", "timeline": weighed["timeline"]}, weighed | {"timeline": None}]) == []
    assert worth_lines([weighed | {"worths": []}]) == []
