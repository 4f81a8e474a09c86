"""A virtual machine with a stock Debian kernel and two memory tiers, for tests of the real machine."""
