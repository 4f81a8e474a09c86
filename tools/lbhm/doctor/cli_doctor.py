"""lbhm doctor: what works here."""

from __future__ import annotations

import typer

from lbhm.doctor.doctor import able, doctor_json, doctor_table
from lbhm.doctor.examine import examine
from lbhm.options.options import Json
from lbhm.output import output

app = typer.Typer()


@app.command("doctor")
def doctor_command(json_file: Json = None) -> None:
    """Show what works here, and what to do about what does not."""
    findings = examine()
    output.write_json(json_file, doctor_json(findings))
    console = output.console()
    console.print(doctor_table(findings))
    if not able(findings):
        console.print("Programs cannot run on the emulated machine here: see what is marked NO.")
        raise typer.Exit(2)
    console.print("Programs can run on the emulated machine here.")
