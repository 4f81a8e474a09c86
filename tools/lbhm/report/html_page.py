"""The pictures of a run as one page that needs nothing else: no network, no other file."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from lbhm import __version__
from lbhm.base.text import printable
from lbhm.report.picture import Picture

_PARTS = Path(__file__).parent / "page"
_SCRIPTS = ("draw.js", "tables.js", "charts.js", "page.js")


def page_of(picture: Picture) -> str:
    """page/page.html with style, scripts and data in it. The data is JSON that no name in it can end."""
    data = json.dumps(picture, separators=(",", ":"), allow_nan=False)
    parts = {
        "title": escape(printable(f"{picture['title']} on {picture['machine']}")),
        "version": escape(__version__),
        "style": (_PARTS / "page.css").read_text(),
        "script": "\n".join((_PARTS / name).read_text() for name in _SCRIPTS),
        "data": data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"),
    }
    found = (_PARTS / "page.html").read_text().split("@@")
    return "".join(text if at % 2 == 0 else parts[text] for at, text in enumerate(found))
