"""What a program printed, and what processor time it took, once it has ended."""

from __future__ import annotations

import os
import selectors
import subprocess

_CHUNK = 1 << 16


def collected(child: subprocess.Popen) -> tuple[bytes, bytes, float]:
    """As communicate(), which does not tell the processor time: stdout, stderr (empty where they are no pipes), and the
    seconds, user and system, of the program and of whatever it started and waited for."""
    printed: dict[int, list[bytes]] = {}
    with selectors.DefaultSelector() as selector:
        for stream in (child.stdout, child.stderr):
            if stream:
                selector.register(stream, selectors.EVENT_READ)
                printed[stream.fileno()] = []
        while selector.get_map():
            for key, _ in selector.select():
                if data := os.read(key.fd, _CHUNK):
                    printed[key.fd].append(data)
                else:
                    selector.unregister(key.fileobj)
    stdout, stderr = (b"".join(printed[stream.fileno()]) if stream else b"" for stream in (child.stdout, child.stderr))
    for stream in (child.stdout, child.stderr):
        if stream:
            stream.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return stdout, stderr, usage.ru_utime + usage.ru_stime
