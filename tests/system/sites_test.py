"""Is an object known by where the program gets it from, whatever was allocated before it and by which thread?"""

import pytest

from lbhm.files.page_counts import read_page_counts

FIRST, SECOND = 3, 5  # pages


def sites(runner, *orders: str, threads: int = 4) -> dict[int, list[tuple[str, int]]]:
    """(site, nth) of the objects, sorted, by their pages."""
    file = runner.folder / "counts"
    outcome = runner.run(
        "two_sites", *orders, threads=threads, machine="optane", policy="slow-only", page_counts=str(file)
    )
    assert outcome.stdout.startswith("objects: "), outcome.stderr
    counts = read_page_counts(file)
    found: dict[int, list[tuple[str, int]]] = {}
    for pages, site in zip(counts.object_pages.tolist(), counts.sites, strict=True):
        found.setdefault(pages, []).append(site)
    return {pages: sorted(known) for pages, known in found.items()}


def test_two_places_of_the_source_are_two_sites(runner):
    found = sites(runner, "first", "second")
    assert found[FIRST][0][0] != found[SECOND][0][0]
    assert found[FIRST][0][1] == found[SECOND][0][1] == 0


@pytest.mark.parametrize("orders", [("second", "first"), ("second", "second", "first")])
def test_the_order_of_allocations_does_not_matter(runner, orders):
    assert sites(runner, *orders)[FIRST] == sites(runner, "first", "second")[FIRST]


def test_racing_threads_do_not_matter(runner):
    runs = [sites(runner, "together") for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    assert [nth for _, nth in runs[0][FIRST]] == [0, 1]
    assert len({site for site, _ in runs[0][FIRST]}) == 1


def test_another_run_has_the_same_sites(runner):
    assert sites(runner, "first") == sites(runner, "first")
