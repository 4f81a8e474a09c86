"""Figures of two memories as lbhm machine measure has them, for tests that place by them."""

from lbhm.optimize.memory_figures import MemoryFigures

FIGURES = MemoryFigures(
    names=["dram", "optane"],
    capacities=[1 << 30, 1 << 40],
    latencies_ns=[80, 240],
    read_gb_per_s=[160, 26],
    write_gb_per_s=[160, 9],
    lane_read_gb_per_s=[16, 6],
    lane_write_gb_per_s=[16, 3],
    page_move_ns=[[0, 600], [500, 0]],
    unimem={"source": "touches", "cf_bw": 1.0, "cf_lat": 1.0, "peak_gb_per_s": 26.0},
)
