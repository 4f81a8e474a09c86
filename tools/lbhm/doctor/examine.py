"""What lbhm doctor looks at, in the order in which it is shown."""

from __future__ import annotations

from lbhm.doctor.doctor import Finding
from lbhm.doctor.examine_build import examine_build
from lbhm.doctor.examine_memory import examine_memory
from lbhm.doctor.examine_process import examine_process
from lbhm.doctor.examine_sampling import examine_sampling
from lbhm.system.system import System


def examine(system: System | None = None) -> list[Finding]:
    """Never raises: what cannot be found out is a finding, too."""
    system = system or System()
    return [*examine_build(), *examine_memory(system), *examine_sampling(system), *examine_process(system)]
