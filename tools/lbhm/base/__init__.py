"""What all parts use: refusals, text, units, signals, where the tree is."""
