"""H2M's Figure 3 from our data: times by capacity and placement, all-slow and all-fast as lines."""

from __future__ import annotations

from pathlib import Path

SHOWN = {"h2m-fcfs": "IDP-FCFS", "h2m-initial": "IDP-RT", "h2m-lifetime": "IDP-RT-LT", "h2m-phases": "PBDP-RT"}
COLOURS = {"h2m-fcfs": "0.65", "h2m-initial": "#4878a8", "h2m-lifetime": "#5fa055", "h2m-phases": "#d08030"}
WIDTH = 0.2

Times = dict[str, dict[str, dict[str, float]]]  # ns by program, policy and capacity


def draw(file: Path, by_machine: dict[str, Times], published: dict[str, str]) -> None:
    """published: by program, what the paper says of its own figure. Needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "lbhm"  # the same data, the same file
    import matplotlib.pyplot as plt

    columns = max(len(times) for times in by_machine.values())
    size = (3.1 * columns, 3.0 * len(by_machine))
    figure, grid = plt.subplots(len(by_machine), columns, figsize=size, squeeze=False)
    for row, (machine, times) in zip(grid, by_machine.items(), strict=True):
        for axes in row[len(times) :]:
            axes.set_axis_off()
        for axes, (name, of) in zip(row, times.items(), strict=False):
            draw_program(axes, of)
            axes.set_title(f"{name}, {machine}", fontsize=8)
            if machine == "icelake-optane":
                axes.set_xlabel(f"paper: {published[name]}", fontsize=6.5, wrap=True)
        row[0].set_ylabel("virtual time in ms", fontsize=8)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="upper center", ncols=6, fontsize=7)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.25 / size[1]))
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    plt.close(figure)


def draw_program(axes, of: dict[str, dict[str, float]]) -> None:
    shares = list(of["h2m-fcfs"])
    for place, (policy, label) in enumerate(SHOWN.items()):
        heights = [of[policy][share] / 1e6 for share in shares]
        at = [k + (place - 1.5) * WIDTH for k in range(len(shares))]
        axes.bar(at, heights, WIDTH, label=label, color=COLOURS[policy])
    for policy, style in (("slow-only", "--"), ("fast-only", ":")):
        axes.axhline(
            min(of[policy].values()) / 1e6, linestyle=style, color="black", linewidth=1, label=f"all {policy[:4]}"
        )
    axes.set_xticks(range(len(shares)), shares, fontsize=8)
    axes.tick_params(axis="y", labelsize=7)
