"""What mkdocs asks of us while it builds the site (mkdocs.yml): README.md is its first page, and what pages link to
outside of docs/ comes along as text in source/. On GitHub the same links lead to the repository's files."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = re.compile(r"\]\(\.\./([^)#]*)(#[^)]*)?\)")
FROM_README = re.compile(r"\]\((?!https?:|docs/)([^)#]*)(#[^)]*)?\)")


def text_of(name: str) -> Path:
    """The file that shows what a link means: of a folder its README.md."""
    path = ROOT / name
    return path / "README.md" if path.is_dir() else path


def address(name: str) -> str:
    return f"source/{text_of(name).relative_to(ROOT).as_posix()}.txt"


def first_page() -> str:
    """README.md as a page of docs/. It stands in the repository's root, and links from there."""
    return FROM_README.sub(r"](../\1\2)", (ROOT / "README.md").read_text()).replace("](docs/", "](")


def lists_of_markdown(text: str) -> str:
    """On our pages, as on GitHub, what belongs to an item of a list stands below the item's text, and a list needs no
    empty line before it. mkdocs wants four columns and that line."""
    lines, more, apart, fenced = [""], 0, True, False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        item = None if fenced else re.match(r"- |\d+\. ", line)
        if item and apart and lines[-1]:
            lines.append("")
        if item:
            more, apart = 4 - len(item[0]), False
        elif not line or (not more and not line[0].isspace()):
            apart = True
        elif not line[0].isspace() and not lines[-1]:
            more, apart = 0, True
        elif not fenced and line[0].isspace():
            line = " " * more + line
        lines.append(line)
    return "\n".join(lines)


def on_files(files, config):
    texts = [path.read_text() for path in Path(config.docs_dir).glob("*.md")] + [first_page()]
    files.append(File.generated(config, "index.md", content=first_page()))
    for name in sorted({address(link[1]) for text in texts for link in OUTSIDE.finditer(text)}):
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name[len("source/") : -len(".txt")])))
    return files


def on_page_markdown(markdown, **_):
    return OUTSIDE.sub(lambda link: f"]({address(link[1])})", lists_of_markdown(markdown))
