"""Is the documentation whole: every page in the navigation, every link right, on the site and in the repository?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#[^)]*)?\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """As `mkdocs build --strict` makes it: a page that nothing leads to, a link or an anchor that is wrong ends it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_all_pages_are_there(site):
    made = {path.stem for path in site.glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} | {"index"} <= made
    assert "LB-HM places the data of OpenMP programs" in (site / "index.html").read_text()


def test_what_stands_outside_of_docs_comes_along(site):
    assert "model/model.h.txt" in (site / "model.html").read_text()
    assert (site / "source/model/model.h.txt").read_text() == (ROOT / "model/model.h").read_text()


def test_lists_are_lists_and_what_is_in_them_is(site):
    """CMake's lines in docs/install.md are code in an item; the table in docs/policies.md stands in one, too."""
    install, policies = ((site / name).read_text() for name in ("install.html", "policies.html"))
    assert re.search(r"<li>\s*<p>CMake: .*?<div class=\"highlight\"", install, re.S)
    assert re.search(
        r"<li>\s*<p><strong>Pace.</strong>.*?<table>.*?</table>.*?</li>\s*<li>\s*<p><strong>Cost", policies, re.S
    )


def test_nothing_is_loaded_from_elsewhere(site):
    loaded = re.findall(
        r'<(?:script|link rel="stylesheet"|img)[^>]+(?:src|href)="(https?:[^"]*)', (site / "index.html").read_text()
    )
    assert loaded == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_of_the_repository(page):
    targets = [target for target in LINK.findall(page.read_text()) if target]
    assert [target for target in targets if not (page.parent / target).exists()] == []
