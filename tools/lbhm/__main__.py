"""python -m lbhm"""

from lbhm.cli import main

main()
