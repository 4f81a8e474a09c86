"""The names of the oracle's plans, for who has no need of scipy to say them (docs/oracle.md)."""

STATIC = "static"  # every page stays where it appears
MOVING = "moving"  # pages move when epochs begin
INNER = "inner"  # and at barriers inside of epochs
SLOW = "slow"  # nothing is in fast memory
PLANS = (STATIC, MOVING, INNER, SLOW)
