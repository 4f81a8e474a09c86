"""Are the caches read as Linux describes them, and made such that a machine file can hold them?"""

import pytest

from lbhm.measure.cache_geometry import Cache, read_caches


def describe(sysfs, index: int, **facts: str) -> None:
    folder = sysfs / f"index{index}"
    folder.mkdir()
    for name, text in facts.items():
        (folder / name).write_text(text + "\n")


def cache(level: int, kind: str, size: str, ways: int, cpus: str) -> dict[str, str]:
    return {
        "level": str(level),
        "type": kind,
        "size": size,
        "ways_of_associativity": str(ways),
        "shared_cpu_list": cpus,
    }


def test_three_levels(tmp_path):
    describe(tmp_path, 0, **cache(1, "Data", "48K", 12, "0"))
    describe(tmp_path, 1, **cache(1, "Instruction", "32K", 8, "0"))
    describe(tmp_path, 2, **cache(2, "Unified", "1024K", 16, "0"))
    describe(tmp_path, 3, **cache(3, "Unified", "32768K", 16, "0-7"))
    l1, l2, llc = read_caches(tmp_path)
    assert (l1.bytes, l1.ways, l1.shared) == (48 << 10, 12, False)
    assert (l2.bytes, l2.ways) == (1 << 20, 16)
    assert (llc.bytes, llc.shared) == (32 << 20, True)


def test_without_a_third_level_the_second_is_the_last(tmp_path):
    describe(tmp_path, 2, **cache(2, "Unified", "2M", 16, "0"))
    l1, l2, llc = read_caches(tmp_path)
    assert llc == l2
    assert l1.source.startswith("assumption")


def test_a_system_that_says_nothing(tmp_path):
    assert all(level.source.startswith("assumption") for level in read_caches(tmp_path / "none"))


@pytest.mark.parametrize(
    ("size", "ways", "any_sets", "expected"),
    [
        (48 << 10, 12, False, (48 << 10, 12)),  # 64 sets: as it is
        (1_310_720, 20, False, (1_310_720, 20)),  # 1,024 sets
        (37_486_592, 11, True, (37_486_592, 11)),  # any number of sets in the last level
        (37_486_592, 11, False, (65536 * 11 * 64, 11)),
        (64 << 10, 64, False, (64 << 10, 16)),  # more ways than a machine file holds
    ],
)
def test_allowed_sizes(size, ways, any_sets, expected):
    allowed = Cache(size, ways, False, "measured").as_allowed(any_sets)
    assert (allowed.bytes, allowed.ways) == expected
    assert ("nearest" in allowed.source) == (allowed.bytes != size)
