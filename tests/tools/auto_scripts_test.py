"""Does --machine auto see what scripts, shells, make and launchers start?"""

import pytest

EMULATED = (
    "was built with LB-HM's plugin for emulation, so the machine is optane, emulated; --machine host is this computer"
)
HOST = "so the machine is this computer; --machine optane is an emulated one"
FILES = {
    "run.sh": "cd .\n./good\n",
    "twice.sh": "sh run.sh\n",
    "variable.sh": "P=./good\nexec $P\n",
    "run.py": "import subprocess\nsubprocess.run(['./good'])\n",
    "Makefile": "PROGRAM = ./good\nrun:\n\t$(PROGRAM)\n",
    "other.mk": "run:\n\t@./uninstrumented\n",
    "there.sh": 'cd "$(dirname "$0")/below" || exit 1\nexec ./app\n',
    "in-folder.sh": 'B=.\nD="$B/below"\n"$D/app"\n',
    "below.mk": "D := below\nA = $(D)/app\nrun:\n\t@$(A)\n",
    "cd.mk": "run:\n\t@cd below && ./app\n",
    "plain.sh": "# as ./good\n./uninstrumented\n",
    "hidden.sh": 'a=$(printf goo)\n./${a}d "$@"\n',
}
EMULATE = (
    ("sh", "run.sh"),
    ("sh", "twice.sh"),
    ("bash", "variable.sh"),
    ("python3", "run.py"),
    ("make",),
    ("make", "-s", "run"),
    ("timeout", "50", "./good"),
    ("env", "A=b", "sh", "-c", "A=1 ./good x"),
    ("sh", "-c", "$LBHM_TEST_P"),
    ("nice", "sh", "run.sh"),
    ("sh", "there.sh"),
    ("bash", "in-folder.sh"),
    ("make", "-f", "below.mk"),
    ("make", "-f", "cd.mk"),
    ("sh", "-c", "cd below && ./app"),
    ("env", "-C", "below", "./app"),
)


@pytest.fixture
def folder(lbhm, tmp_path):
    """lbhm in a folder of its own with these files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    for name in ("good", "uninstrumented"):
        (tmp_path / name).symlink_to(lbhm.programs / name)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "app").symlink_to(lbhm.programs / "good")
    lbhm.programs = tmp_path
    return lbhm


@pytest.mark.parametrize("words", EMULATE, ids=" ".join)
def test_a_program_with_the_plugin_is_found(folder, words):
    done = folder("run", "--", *words, LBHM_TEST_P="./good")
    assert done.returncode == 0, done.stderr
    assert EMULATED in done.stderr and ("good" in done.stderr or "app" in done.stderr)


@pytest.mark.parametrize("words", [("sh", "plain.sh"), ("make", "-s", "-f", "other.mk"), ("sh", "-c", "true")])
def test_else_the_host_is_taken_and_how_to_choose_is_said(folder, words):
    done = folder("run", "--", *words)
    assert done.returncode == 0, done.stderr
    assert f"{words[0]} names no program that was built for emulated machines, {HOST}" in done.stderr


def test_one_that_nobody_saw_coming_is_said_afterwards(folder):
    done = folder("run", "--", "sh", "hidden.sh")
    assert HOST in done.stderr
    assert "was built with LB-HM's plugin for emulation and which sh started; --machine optane runs it" in done.stderr


def test_one_that_was_started_in_another_folder_is_said_too(folder):
    done = folder("run", "--", "sh", "-c", "cd below; a=ap; ./${a}p")
    assert HOST in done.stderr
    assert "the report is of ./app, which was built with LB-HM's plugin for emulation" in done.stderr


def test_what_a_program_of_openmp_reads_is_no_script(folder):
    done = folder("run", "--", "./uninstrumented", "./good")
    assert "./uninstrumented was not built with LB-HM's plugin, so the machine is this computer" in done.stderr
