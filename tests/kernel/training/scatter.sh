#!/bin/sh
# Policy scatter: the kernel has a quarter of the 4096 pages on the fast node, give or take four standard deviations.
export LD_PRELOAD=/lib/liblbhm.so LBHM_MACHINE=host LBHM_POLICY=scatter LBHM_FAST_SHARE=0.25 OMP_WAIT_POLICY=passive
kernel-planned 2 16 >said || exit
unset LD_PRELOAD
cat said
awk '/^nodes after-1-/ { found = $3 > 913 && $3 < 1135 && $3 + $4 == 4096 } END { exit !found }' said
