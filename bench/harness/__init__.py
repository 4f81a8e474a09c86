"""What the benchmarks have in common, and one module for each of them."""
