"""Where a result comes from."""

import os
import platform
import re
from pathlib import Path


def machine_facts() -> dict:
    info = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.MULTILINE)
    return {
        "cpu": model.group(1) if model else platform.processor() or "unknown",
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "load_average_1m": round(os.getloadavg()[0], 2),
    }


def busy_note(facts: dict) -> list[str]:
    """A remark if other programs are at work: their time would be measured, too."""
    load = facts["load_average_1m"]
    if load < 0.5:
        return []
    return [f"the load average was {load} at the start: figures of a busy machine are not worth much"]
