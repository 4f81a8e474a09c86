"""Are numbers read and written as people mean them?"""

import pytest

from lbhm.base.errors import Refusal
from lbhm.base.units import format_bytes, format_count, format_factor, format_time, parse_fast


@pytest.mark.parametrize(
    ("text", "footprint", "capacity"),
    [
        ("25%", 1 << 20, 1 << 18),
        ("12.5 %", 1 << 20, 1 << 17),
        ("100%", 8192, 8192),
        ("33%", 3 * 4096, None),
        ("50%", 3 * 4096, 4096),
        ("4096", 8192, 4096),
        ("64K", 1 << 20, 65536),
        ("0.5m", 1 << 20, 1 << 19),
        ("1MiB", 1 << 20, 1 << 20),
        ("1G", 1 << 30, 1 << 30),
        ("5000", 8192, 4096),
    ],
)
def test_capacity_is_whole_pages(text, footprint, capacity):
    if capacity is None:
        with pytest.raises(Refusal, match="less than one page"):
            parse_fast(text).capacity(footprint)
    else:
        assert parse_fast(text).capacity(footprint) == capacity


@pytest.mark.parametrize("text", ["0", "0%", "0K", "0.0%"])
def test_nothing_is_refused(text):
    with pytest.raises(Refusal, match=r"--fast .*0 bytes holds nothing; give a share"):
        parse_fast(text)


@pytest.mark.parametrize("text", ["", "many", "-1", "25 percent", "1T", "%", "0x10", "1e6", "nan%"])
def test_nonsense_is_refused(text):
    with pytest.raises(Refusal, match="neither a share nor a number of bytes"):
        parse_fast(text)


def test_more_than_the_footprint_is_refused():
    with pytest.raises(Refusal, match="footprint"):
        parse_fast("101%")
    with pytest.raises(Refusal, match=r"--fast 2M: .*footprint is 1.00 MiB \(1048576 bytes,.*--emulate.*\)"):
        parse_fast("2M").capacity(1 << 20)


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (format_bytes(0), "0 B"),
        (format_bytes(1023), "1023 B"),
        (format_bytes(1536), "1.50 KiB"),
        (format_bytes(128 << 20), "128 MiB"),
        (format_bytes(1536 << 30), "1.50 TiB"),
        (format_bytes(1 << 30), "1.00 GiB"),
        (format_time(0), "0"),
        (format_time(81), "81.0 ns"),
        (format_time(8_100_000), "8.10 ms"),
        (format_time(999_999_999), "1.00 s"),
        (format_time(12.34e9), "12.3 s"),
        (format_count(999), "999"),
        (format_count(1_234_567), "1.23 M"),
        (format_factor(1.4249), "1.42×"),
    ],
)
def test_numbers_look_good(shown, wanted):
    assert shown == wanted
