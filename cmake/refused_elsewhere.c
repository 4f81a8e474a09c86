/* A page of zeros with a segment of its own, which refused_elsewhere.py marks (lbhm_refused_elsewhere in
 * targets.cmake). */
__asm__(".pushsection .lbhm.refused_elsewhere, \"aw\", @nobits\n.zero 1\n.popsection");
