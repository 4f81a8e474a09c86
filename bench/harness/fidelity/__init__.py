"""How far the emulated machine can be believed: three comparisons, one module each."""
