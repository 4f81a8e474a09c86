"""What a benchmark returns, and how it is shown."""

from dataclasses import dataclass, field


@dataclass
class Table:
    columns: list[str]
    rows: list[list[str]]
    title: str = ""  # where a benchmark has several tables


@dataclass
class Result:
    fields: dict  # go to the top level of the JSON file
    tables: list[Table]
    notes: list[str] = field(default_factory=list)


def show(title: str, result: Result) -> None:
    """Prints the tables, prettier if rich is installed. title: for tables without one."""
    try:
        from rich.console import Console
        from rich.table import Table as RichTable
    except ImportError:
        for table in result.tables:
            print(plain(table.title or title, table))
    else:
        for table in result.tables:
            pretty = RichTable(title=table.title or title, title_justify="left")
            for number, column in enumerate(table.columns):
                # Names are cut nowhere: two programs may differ in their ends.
                pretty.add_column(column, **({"overflow": "fold"} if number == 0 else {"justify": "right"}))
            for row in table.rows:
                pretty.add_row(*row)
            Console().print(pretty)
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
