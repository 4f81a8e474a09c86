"""Do the wrapper and the scripts say what to do when something is missing?"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_wrapper_without_python_names_quickstart(tmp_path):
    shutil.copy(ROOT / "lbhm", tmp_path / "lbhm")
    done = subprocess.run([tmp_path / "lbhm", "doctor"], capture_output=True, text=True)
    assert done.returncode == 2
    assert f"run {tmp_path}/quickstart once" in done.stderr


def test_wrapper_works_through_a_link(tmp_path):
    (tmp_path / "lbhm").symlink_to(ROOT / "lbhm")
    version = re.search(r"^project\(lbhm VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    for words in ("version", "--version"):
        done = subprocess.run([tmp_path / "lbhm", words], capture_output=True, text=True)
        assert done.stdout == f"lbhm {version}\n"


def test_packages_of_an_unknown_section():
    done = subprocess.run([ROOT / "scripts/install-packages", "games"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "'games' is no section" in done.stderr


def test_check_refuses_an_unknown_option():
    done = subprocess.run([ROOT / "check", "--fats"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "--fats is unknown" in done.stderr


def test_junit_counts(tmp_path):
    cases = '<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>'
    (tmp_path / "junit.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    for name, counts in (("junit.xml", "1 1\n"), ("absent.xml", "0 0\n")):
        command = [sys.executable, ROOT / "scripts/junit.py", tmp_path / name]
        assert subprocess.run(command, capture_output=True, text=True).stdout == counts
