"""docs/results.md: the campaign beside the paper's numbers."""

from pathlib import Path

from harness.campaign.figures import draw_bandwidth, draw_boxes, draw_speedups
from harness.campaign.tables import tables_of
from harness.result import Table

MARK = "<!-- campaign: what follows is written by bench/run campaign --page -->"


def markdown(table: Table) -> str:
    right = "---:"
    lines = [table.columns, ["---", *([right] * (len(table.columns) - 1))], *table.rows]
    return f"**{table.title}**\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_page(target: Path, fields: dict) -> None:
    """Rewrites what is below the mark; what was written above it by hand stays."""
    folder = target.parent / target.stem
    folder.mkdir(parents=True, exist_ok=True)
    cells = fields["cells"]
    draw_speedups(cells, folder / "figure4.svg")
    draw_boxes(cells, folder / "figure5.svg")
    pictures = [
        ("Figure 4: performance at 25 % on optane, relative to slow-only", "figure4.svg"),
        ("Figure 5: task times relative to the mean of their region, at 25 % on optane", "figure5.svg"),
    ]
    if draw_bandwidth(cells, folder / "figure6.svg"):
        pictures.append(("Figure 6: bandwidth of both memories in pic (WarpX's role)", "figure6.svg"))
    parts = [MARK]
    parts += [f"![{title}]({folder.name}/{name})\n\n{title}" for title, name in pictures]
    parts += [markdown(table) for table in tables_of(fields)]
    before = target.read_text().split(MARK)[0].rstrip() if target.is_file() else "# Results"
    target.write_text(before + "\n\n" + "\n\n".join(parts) + "\n")
