"""Does the harness of the kernel tests notice when a case, or the machine, fails?"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from vm.initramfs import Archive  # noqa: E402
from vm.results import Console  # noqa: E402


def read(*lines: str) -> Console:
    console = Console()
    console.read(lines)
    return console


def test_output_and_exit_status_belong_to_their_case():
    console = read(
        "boot message",
        "==kernel-test begin one",
        "hello",
        "no line end==kernel-test end one 0 0.25",
        "==kernel-test next",
        "==kernel-test begin two",
        "==kernel-test end two 137 3.5",
        "==kernel-test next",
        "==kernel-test finished",
    )
    one, two = console.results["one"], console.results["two"]
    assert (one.status, one.seconds, one.output) == (0, 0.25, ["hello", "no line end"])
    assert (two.status, two.output) == (137, [])
    assert console.outside == ["boot message"]
    assert console.finished


def test_a_machine_that_stops_in_a_case_has_not_finished():
    console = read("==kernel-test begin one", "hello")
    assert console.results["one"].status is None
    assert not console.finished


def test_a_kernel_that_the_emulation_killed_is_told_from_one_that_we_killed():
    oops = "[   65.371658] Oops: int3: 0000 [#2] PREEMPT SMP NOPTI"
    assert read("==kernel-test begin one", oops).lost_to_emulation
    assert not read("==kernel-test begin one", "Oops: 0002 [#1]").lost_to_emulation
    assert not read("==kernel-test begin one", oops, "==kernel-test next", "==kernel-test finished").lost_to_emulation


def test_files_of_a_case_come_back():
    lines = base64.encodebytes(b"\0binary" * 30).decode().splitlines()
    console = read(
        "==kernel-test begin one",
        "==kernel-test end one 0 1",
        "==kernel-test file report.json",
        *lines,
        "==kernel-test file-end report.json",
        "==kernel-test next",
    )
    assert console.results["one"].files == {"report.json": b"\0binary" * 30}
    assert console.results["one"].output == []


def result_of(results: Path, name: str) -> subprocess.CompletedProcess:
    command = [sys.executable, HERE / "result.py", "--results", results, name]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("status", "exit_status"), [(0, 0), (1, 1), (137, 1), (None, 1)])
def test_a_case_passes_only_with_exit_status_0(tmp_path: Path, status: int | None, exit_status: int):
    (tmp_path / "initramfs.cpio").touch()
    (tmp_path / "one").mkdir()
    (tmp_path / "one/output.txt").write_text("hello\n")
    (tmp_path / "one/result.json").write_text(json.dumps({"status": status, "seconds": 1}))
    done = result_of(tmp_path, "one")
    assert done.returncode == exit_status
    assert done.stdout.startswith("hello\n")


def test_a_case_that_did_not_run_fails_and_without_a_machine_it_is_skipped(tmp_path: Path):
    assert result_of(tmp_path, "one").returncode == 77
    (tmp_path / "initramfs.cpio").touch()
    assert result_of(tmp_path, "one").returncode == 1


@pytest.mark.parametrize(("required", "exit_status"), [("", 77), ("required", 1)])
def test_without_qemu_it_is_skipped_unless_it_must_not_be(tmp_path: Path, required: str, exit_status: int):
    (tmp_path / "cache/6.1/boot").mkdir(parents=True)
    (tmp_path / "cache/6.1/boot/vmlinuz-0").touch()
    command = [
        sys.executable,
        HERE / "boot.py",
        "--results",
        tmp_path / "r",
        "--cache",
        tmp_path / "cache",
        "/bin/true",
    ]
    environment = {"PATH": str(tmp_path), "LBHM_KERNEL_TESTS": required, "LBHM_KERNEL": "6.1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == exit_status, done.stderr
    assert "apt-get install busybox-static" in done.stdout


def test_the_initramfs_is_a_cpio_archive_that_others_can_read(tmp_path: Path):
    archive = Archive(tmp_path / "a.cpio")
    archive.add("lib/deep/name.txt", b"12345")
    archive.add("init", b"", 0o700)
    archive.close()
    content = (tmp_path / "a.cpio").read_bytes()
    assert len(content) % 4 == 0
    names, at = [], 0
    while True:
        fields = [int(content[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        size, length = fields[6], fields[11]
        assert content[at : at + 6] == b"070701"
        names.append(content[at + 110 : at + 110 + length - 1].decode())
        at += 110 + length + -(110 + length) % 4
        if names[-1] == "TRAILER!!!":
            break
        if names[-1] == "lib/deep/name.txt":
            assert content[at : at + size] == b"12345"
        at += size + -size % 4
    assert names == ["lib", "lib/deep", "lib/deep/name.txt", "init", "TRAILER!!!"]
