"""One run of a program with LB-HM in it: prepared, started, awaited; several side by side."""
