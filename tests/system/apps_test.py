"""Do the applications compute the same everywhere: natively, emulated, under any policy, on any number of threads?"""

import pytest

APPLICATIONS = {
    "pic": ["--built-in", "small"],
}


def checksum(outcome):
    assert outcome.status == 0, outcome.stderr
    return outcome.stdout.splitlines()[-1]


@pytest.fixture(params=APPLICATIONS)
def application(request):
    return request.param, APPLICATIONS[request.param]


@pytest.mark.parametrize("policy", ["slow-only", "first-touch", "merchandiser"])
def test_emulated_result_is_the_native_one(runner, application, policy):
    name, arguments = application
    native = checksum(runner.run(name, *arguments, library=None))
    emulated = runner.run(f"{name}-emu", *arguments, machine="optane", policy=policy, fast_capacity="1M")
    assert checksum(emulated) == native
    assert emulated.report["regions"], "something was emulated"


def test_result_does_not_depend_on_the_threads(runner, application):
    name, arguments = application
    results = {checksum(runner.run(name, *arguments, library=None, threads=threads)) for threads in (1, 12)}
    assert len(results) == 1
