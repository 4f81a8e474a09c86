"""Does a program that needs to be one thread stay one, and do threads of ours sleep while there is nothing to place?"""

import shutil

import pytest

MACHINES = {"two": {}, "emulated": {"LBHM_MACHINE": "optane"}}
UNSHARE = shutil.which("unshare")
FEW, SOME = 3, 15  # wake-ups in half a second; at work it is hundreds


@pytest.mark.parametrize("heap", [False, True])
@pytest.mark.parametrize("machine", MACHINES)
def test_a_new_user_namespace_needs_a_process_of_one_thread(two_nodes, machine, heap):
    """unshare(2) with CLONE_NEWUSER, as containers' and chroots' tools call it; the shell has large blocks."""
    script = f"x=$(head -c 300000 /dev/zero | tr '\\0' x); exec {UNSHARE} -Ur id -u"
    words = ["/bin/sh", "-c", script]
    alone = two_nodes.run(words, policy=None)
    if not UNSHARE or alone.status != 0:
        pytest.skip(f"no user namespaces here: {alone.stderr}")
    preload = two_nodes.environment("lbhm", MACHINES[machine])["LD_PRELOAD"]
    if heap:
        preload += f":{two_nodes.library.with_name('liblbhm-heap.so')}"
    ours = two_nodes.run(words, env={"LD_PRELOAD": preload} | MACHINES[machine])
    assert (ours.status, ours.stdout, ours.stderr) == (0, alone.stdout, ""), ours.stderr


@pytest.mark.parametrize("heap", [False, True])
def test_threads_begin_with_something_to_place_and_sleep_without(two_nodes, heap):
    preload = two_nodes.environment("lbhm")["LD_PRELOAD"]
    if heap:
        preload += f":{two_nodes.library.with_name('liblbhm-heap.so')}"
    outcome = two_nodes.run(["two-alone"], env={"LD_PRELOAD": preload, "OMP_NUM_THREADS": "1"})
    assert outcome.status == 0, outcome.stderr
    rows = {name: (int(threads), int(woken)) for name, threads, woken in map(str.split, outcome.stdout.splitlines())}
    assert rows["start"] == (1, 0), "blocks of malloc alone begin nothing"
    if not heap:  # else variables of libraries are objects
        assert rows["region"] == (1, 0), "nor do regions without objects"
        assert rows["idle"][1] <= FEW, rows
    assert rows["object"][0] == 2
    asleep = [woken for moment, (_, woken) in rows.items() if moment != "at-work"]
    assert max(asleep) <= SOME, rows
    assert rows["at-work"][1] > 2 * max(asleep), "else the other lines say nothing"
