"""lbhm machine: measures this machine, makes machine files, shows them."""
