"""The oracle: the best placement, found from counts of every page."""
