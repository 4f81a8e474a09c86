"""Is the engine's way held against the raw call that does the same work?"""

from harness import migration


def measured(copies: bool) -> dict:
    figures = {
        "raw_query": {"64": [60, 50], "4096": [70, 55]},
        "raw_move": {"64": [1000, 900], "4096": [600, 500]},
        "engine": {"64": [1200, 1100], "4096": [550, 650]},
        "engine_2_threads": {"64": [900, 950], "4096": [300, 350]},
    }
    return {"copies": copies, "nodes": [0, 1][: 1 + copies], "pages": 8192, "lost": 0, "ns_a_page": figures}


def test_with_two_nodes_moves_are_compared():
    fields = migration.compare(measured(copies=True))
    assert fields["engine_over_raw"] == 1.1 == fields["engine_over_raw_move"]
    assert fields["pages_per_s"]["raw_move"] == 2_000_000


def test_with_one_node_the_raw_side_only_asks():
    fields = migration.compare(measured(copies=False))
    assert fields["engine_over_raw"] == 11
    assert "in place" in fields["compared"]


def test_with_little_memory_the_largest_batch_counts():
    small = measured(copies=True)
    for way in small["ns_a_page"].values():
        del way["4096"]
    assert migration.compare(small)["engine_over_raw"] == round(1100 / 900, 3)
