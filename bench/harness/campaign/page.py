"""docs/results.md: the campaign beside the paper's numbers, and the generator's map."""

from pathlib import Path

from harness.campaign.figures import draw_bandwidth, draw_boxes, draw_speedups
from harness.campaign.generator_page import draw_map, map_table, means_table
from harness.campaign.tables import tables_of
from harness.result import Table

MARK = "<!-- campaign: what follows is written by bench/run campaign --page -->"
GENERATOR_MARK = "<!-- generator: what follows is written by bench/run campaign --generator --page -->"


def markdown(table: Table) -> str:
    right = "---:"
    lines = [table.columns, ["---", *([right] * (len(table.columns) - 1))], *table.rows]
    return f"**{table.title}**\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)


def replaced(text: str, mark: str, parts: list[str]) -> str:
    """The page with these parts below the mark; what stands above, and below the other mark, stays."""
    own_hand, *rest = [part.strip() for part in text.replace(GENERATOR_MARK, MARK).split(MARK)]
    order = [m for m in sorted((MARK, GENERATOR_MARK), key=text.find) if m in text]
    sections = dict(zip(order, rest, strict=True)) | {mark: "\n\n".join(parts)}
    written = [f"{m}\n\n{sections[m]}" for m in (MARK, GENERATOR_MARK) if m in sections]
    return "\n\n".join([own_hand or "# Results", *written]) + "\n"


def write_part(target: Path, mark: str, parts: list[str]) -> None:
    target.write_text(replaced(target.read_text() if target.is_file() else "", mark, parts))


def folder_of(target: Path) -> Path:
    folder = target.parent / target.stem
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_page(target: Path, fields: dict) -> None:
    folder = folder_of(target)
    cells = fields["cells"]
    draw_speedups(cells, folder / "figure4.svg")
    draw_boxes(cells, folder / "figure5.svg")
    pictures = [
        ("Figure 4: performance at 25 % on optane, relative to slow-only", "figure4.svg"),
        ("Figure 5: task times relative to the mean of their region, at 25 % on optane", "figure5.svg"),
    ]
    if draw_bandwidth(cells, folder / "figure6.svg"):
        pictures.append(("Figure 6: bandwidth of both memories in pic (WarpX's role)", "figure6.svg"))
    parts = [f"![{title}]({folder.name}/{name})\n\n{title}" for title, name in pictures]
    write_part(target, MARK, parts + [markdown(table) for table in tables_of(fields)])


def write_map(target: Path, entries: list[dict]) -> None:
    folder = folder_of(target)
    draw_map(entries, folder / "generator.svg")
    title = "Gains on generated programs (apps/imbalance) by imbalance, alignment, limit and capacity"
    parts = ["## Where load balance matters", f"![{title}]({folder.name}/generator.svg)\n\n{title}"]
    write_part(target, GENERATOR_MARK, parts + [markdown(table(entries)) for table in (means_table, map_table)])
