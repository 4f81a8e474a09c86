"""What a benchmark returns, and how it is shown."""

from dataclasses import dataclass, field


@dataclass
class Table:
    columns: list[str]
    rows: list[list[str]]


@dataclass
class Result:
    fields: dict  # go to the top level of the JSON file
    table: Table
    notes: list[str] = field(default_factory=list)


def show(title: str, result: Result) -> None:
    """Prints the table, prettier if rich is installed."""
    try:
        from rich.console import Console
        from rich.table import Table as RichTable
    except ImportError:
        print(plain(title, result.table))
    else:
        table = RichTable(title=title, title_justify="left")
        for number, column in enumerate(result.table.columns):
            table.add_column(column, justify="left" if number == 0 else "right")
        for row in result.table.rows:
            table.add_row(*row)
        Console().print(table)
    for note in result.notes:
        print(f"note: {note}")


def plain(title: str, table: Table) -> str:
    lines = [table.columns, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    text = [title]
    for line in lines:
        rest = "".join(f"  {cell:>{width}}" for cell, width in zip(line[1:], widths[1:], strict=True))
        text.append(f"{line[0]:<{widths[0]}}{rest}")
    return "\n".join(text)
