"""Boots the machine and hands back what it says, line by line."""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from vm.errors import Unavailable

# Node 0: 512 MiB with both processors. Node 1: 1 GiB without one, above 4 GiB, so that memmap= can call it special
# purpose (0xefffffff: from "usable" to "soft reserved"), as firmware does with HBM and CXL memory.
# Node 2: a module of 128 MiB, plugged in but offline: there are two tiers until a test brings it up.
# HMAT: latencies in ns and bandwidths of a fast and a slow memory; both run at the same real speed.
_OPTIONS = """
-accel tcg,thread=multi -cpu max,-cx16 -machine q35,hmat=on,max-ram-below-4g=512M
-nic none -nodefaults -display none -serial stdio -no-reboot
-m 1536M,slots=1,maxmem=4G -smp 2,sockets=1,cores=2,threads=1
-object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m1,size=1G
-numa node,nodeid=0,memdev=m0,cpus=0-1,initiator=0 -numa node,nodeid=1,memdev=m1,initiator=0
-object memory-backend-ram,id=m2,size=128M -device pc-dimm,memdev=m2,node=2 -numa node,nodeid=2,initiator=0
-numa dist,src=0,dst=1,val=28 -numa dist,src=1,dst=0,val=28
-numa dist,src=0,dst=2,val=31 -numa dist,src=2,dst=0,val=31 -numa dist,src=1,dst=2,val=31 -numa dist,src=2,dst=1,val=31
-numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-latency,latency=90
-numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-bandwidth,bandwidth=250G
-numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-latency,latency=300
-numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-bandwidth,bandwidth=20G
"""
_KERNEL_LINE = "console=ttyS0 panic=-1 quiet loglevel=1 memmap=1G%4G-1+0xefffffff memhp_default_state=offline"


def boot(kernel: Path, initramfs: Path, seconds: float) -> Iterator[str]:
    """The lines of the console until the machine stops or the time is over. Errors: Unavailable."""
    program = shutil.which("qemu-system-x86_64")
    if program is None:
        raise Unavailable("no qemu-system-x86_64 here: apt-get install qemu-system-x86")
    command = [program, *_OPTIONS.split(), "-kernel", str(kernel), "-initrd", str(initramfs), "-append", _KERNEL_LINE]
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    alarm = threading.Timer(seconds, machine.kill)
    alarm.start()
    try:
        for line in machine.stdout:
            yield line.decode(errors="replace").rstrip("\r\n")
    finally:
        alarm.cancel()
        machine.kill()
        machine.wait()
