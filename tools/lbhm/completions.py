"""python -m lbhm.completions SHELL: on stdout, what makes bash, zsh or fish complete lbhm's words."""

import sys

from typer.completion import get_completion_script

from lbhm.packages import COMPLETING


def script(shell: str) -> str:
    text = get_completion_script(prog_name="lbhm", complete_var=COMPLETING, shell=shell).strip() + "\n"
    # zsh takes the file itself for the function at first, and the file makes the function.
    return text + '_lbhm_completion "$@"\n' if shell == "zsh" else text


if __name__ == "__main__":
    sys.stdout.write(script(sys.argv[1]))
