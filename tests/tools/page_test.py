"""Does a browser draw the page, without errors? Only where Chromium is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from lbhm.report.html_page import page_of
from lbhm.report.picture import picture_of

sys.path.insert(0, str(Path(__file__).parent))

from made_reports import capacities_of, made_report

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
QUIET = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
QUIET += ["--disable-sync", "--hide-scrollbars", "--window-size=1200,1600"]


def chromium(folder, page, *options):
    """What it prints. Of its own it writes to the folder alone."""
    file = folder / "page.html"
    file.write_text(page)
    command = ["chromium", "--headless", "--no-sandbox", *QUIET, f"--user-data-dir={folder}/user", *options]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def drawn(folder, report):
    shown = chromium(folder, page_of(picture_of(report)), "--dump-dom")
    assert "data-error" not in shown.partition("<head>")[0]
    assert re.search(r'<html[^>]* data-drawn="\d+ ms"', shown)
    return shown


def test_a_page_of_a_hundred_objects(tmp_path):
    shown = drawn(tmp_path, made_report(objects=100, regions=30, instances=3))
    assert shown.count("field 99") >= 1
    assert "Task 3 is the last one, after 900 ns; the others wait 250 ns for it on average" in shown
    assert "<b>remark</b>" not in shown


def test_a_page_of_many_regions_opens(tmp_path):
    shown = drawn(tmp_path, made_report(regions=100_000, instances=1, lanes=2))
    assert "99800 shorter regions" in shown


def test_a_page_of_several_capacities(tmp_path):
    shown = drawn(tmp_path, capacities_of(made_report()))
    assert "What more fast memory buys" in shown
    assert shown.count("<circle") == 4


@pytest.mark.parametrize("dark", [False, True])
def test_it_is_not_empty(tmp_path, dark):
    target = tmp_path / "page.png"
    options = ["--blink-settings=preferredColorScheme=0"] if dark else []
    chromium(tmp_path, page_of(picture_of(made_report())), f"--screenshot={target}", *options)
    image = Image.open(target).convert("RGB").resize((300, 400))
    colours = image.getcolors(1 << 20)
    assert len(colours) > 100
    background = max(colours)[1]
    assert (sum(background) < 3 * 128) == dark
