#!/bin/sh
# lbhm train --machine host from end to end: its memories are two tiers and equally fast, so f has nothing to learn.
export LBHM_BUILD=/ PYTHONPATH=/lbhm/tools:/lbhm/training:/lbhm/site OMP_WAIT_POLICY=passive
train() { python3 -m lbhm train --machine host --corpus /corpus --threads 2 --placements 2 --work /tmp/work >said 2>&1; }
has() { grep -q "$1" said || { echo "it did not say: $1"; exit 1; }; }

train || { cat said; echo "status $?"; exit 1; }
cat said
has "30 runs will take about"
has "f has nothing to learn: in .* series the times in slow and in fast memory differ by less than"
[ ! -e host.json ] || { echo "there is a model"; exit 1; }

echo "again: everything is kept"
train || { cat said; exit 1; }
cat said
has "f has nothing to learn"
! grep -q "runs will take" said || { echo "it measured again"; exit 1; }

echo "a full memory: what the command says"
LBHM_FAST_CAPACITY=1M train && { cat said; echo "no word of it"; exit 1; }
cat said
