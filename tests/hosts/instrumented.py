"""Small programs built with the plugin, and runs of them on an emulated machine."""

from __future__ import annotations

import json
from pathlib import Path

import outcome

PLUGIN = outcome.BUILD / "lib" / "liblbhm-plugin.so"


def build(source: str, folder: Path) -> Path:
    return outcome.build(source, folder / Path(source).stem, "-fopenmp", f"-fpass-plugin={PLUGIN}")


def run(*words: str | Path, **settings: str) -> tuple[outcome.Outcome, dict | None]:
    """On the machine optane; with the run report, if there is one."""
    report = Path(words[0]).parent / "report.json"
    report.unlink(missing_ok=True)
    settings = {"LBHM_MACHINE": "optane", "LBHM_REPORT": str(report)} | settings
    done = outcome.run(*words, preload="LD_PRELOAD" not in settings, **settings)
    return done, json.loads(report.read_text()) if report.exists() else None


def assert_the_same(*words: str | Path, **settings: str) -> None:
    """The program ends as without LB-HM, with tiers to place data in and without."""
    expected = outcome.run(*words, preload=False, **settings)
    assert expected.status >= 0, expected
    assert run(*words, **settings)[0] == expected
    assert run(*words, LBHM_POLICY="first-touch", LBHM_FAST_CAPACITY="1M", **settings)[0] == expected
