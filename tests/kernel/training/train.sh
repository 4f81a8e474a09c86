#!/bin/sh
# lbhm train --machine host from end to end: its memories are two tiers and equally fast, so f has nothing to learn.
export LBHM_BUILD=/ PYTHONPATH=/lbhm/tools:/lbhm/training:/lbhm/site OMP_WAIT_POLICY=passive
printf '#!/bin/sh\nLD_TRACE_LOADED_OBJECTS=1 exec /lib64/ld-linux-x86-64.so.2 "$1"\n' >/bin/ldd  # glibc's, in short
chmod +x /bin/ldd
mkdir /lib/host
ln -s ../liblbhm.so /lib/host/  # where a build tree has it

wrong() { cat said; echo "wrong: $*"; exit 1; }
says() { grep -q "$1" said || wrong "it did not say: $1"; }
train() {
  echo "lbhm train --machine host $*"
  python3 -m lbhm train --machine host --corpus /corpus --threads 2 --placements 1 --work /tmp/work >said 2>&1
}

train || wrong "status $?"
cat said
says "12 runs will take about"
says "f has nothing to learn: in .* series the times in slow and in fast memory differ by less than"
[ ! -e host.json ] || wrong "there is a model"

train || wrong "status $?"
says "f has nothing to learn"
! grep -q "runs will take" said || wrong "what is there was measured again"

LBHM_TIERS=0,1 train && wrong "both nodes are one memory, and it was not refused"
says "this machine has one memory, so there is nothing to learn"
