# SPDX-License-Identifier: GPL-2.0-only
"""Use of links over the plan of a network."""
from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

from ..drawing import label, note, panels, wrapped
from ..errors import DcfabricError
from ..plan import (Plan, ask_plan, draw_nodes, link_curves, link_ports, name_nodes, shape_of,
                    ways_of)
from ..plan_names import EACH, Place
from .data import Line, Run
from .over_time import use_by_port

SHAPING = ("topology", "rate", "delay", "oversubscription", "tier-rates", "tier-delays", "seed")
"""Options that decide which network there is."""
COLORS_OF_USE = "viridis_r"
"""From light to dark, also in black and white and for color-blind readers."""

Half = tuple[int, int, Sequence[Place]]
"""Node and port of one end of a link, and the half of its line that is at this end."""


def plan_of(run: Run) -> Plan:
    """The plan of a run's network: plan.json of its folder if there is one, else what dcfabric-sim
    says to its options. Raises DcfabricError."""
    stored = run.folder / "plan.json"
    if stored.is_file():
        return Plan.read(stored)
    if "topology" not in run.options:
        raise DcfabricError("summary.json has no options, and there is no plan.json")
    return ask_plan([f"--{name}={run.options[name]}" for name in SHAPING if run.options.get(name)])


def halves(plan: Plan, places: Mapping[int, Place]) -> list[Half]:
    """Both halves of each drawn link."""
    ports = {id(link): both for link, both in zip(plan.links, link_ports(plan))}
    found: list[Half] = []
    for link, line in link_curves(plan, places):
        middle, (port_a, port_b) = len(line) // 2, ports[id(link)]
        found.append((link["a"], port_a, line[:middle + 1]))
        found.append((link["b"], port_b, line[middle:]))
    return found


def mean_over_seeds(line: Line) -> dict[tuple[int, int], float]:
    """Use of each port, 0 to 1, the mean over the runs; a port without rows was never used."""
    found: dict[tuple[int, int], float] = {}
    for run in line.runs:
        for port, use in use_by_port(run).items():
            found[port] = found.get(port, 0.0) + use / len(line.runs)
    return found


def time_of_mean(line: Line) -> str:
    """Over which time that is the mean: runs are as long as their last flow takes."""
    begin = line.first.begin_ns / 1e3
    ends = [run.series["links"]["time_ns"].max() / 1e3 for run in line.runs]
    least, most = f"{min(ends):,.0f}", f"{max(ends):,.0f}"
    return f"from {begin:,.0f} to {least if least == most else f'{least}-{most}'} us"


def busy_ports(use: Mapping[tuple[int, int], float], count: int = 3) -> list[tuple[int, int]]:
    """Node and port of those that send most."""
    return sorted(use, key=lambda port: (-use[port], port))[:count]


def busiest(plan: Plan, use: Mapping[tuple[int, int], float],
            count: int = 3) -> list[tuple[str, float]]:
    """From which node to which, and the use, of the ports that send most."""
    ways = ways_of(plan)
    return [(ways.get(port, f"node {port[0]} port {port[1]}"), use[port])
            for port in busy_ports(use, count)]


def named(plan: Plan, places: Mapping[int, Place],
          use: Mapping[tuple[int, int], float]) -> dict[int, Place]:
    """The nodes that have their names: of a small network all, else the ends of the busiest
    links."""
    if len(places) <= EACH:
        return dict(places)
    found = []
    top = busy_ports(use)
    for link, (port_a, port_b) in zip(plan.links, link_ports(plan)):
        if (link["a"], port_a) in top or (link["b"], port_b) in top:
            found += [link["a"], link["b"]]
    return {node: places[node] for node in found if node in places}


def link_use(lines: Sequence[Line], plans: Mapping[str, Plan]) -> Any:
    """A panel for each line: the network, with each half of a link in the color and width of what
    its end sends. plans: by label."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    places = {line.label: plans[line.label].places for line in lines}
    columns = min(3, len(lines))
    rows = -(-len(lines) // columns)
    ratio = min(2.2, max(0.8, *(shape_of(one) for one in places.values())) if places else 1)
    high = 6.5 if columns == 1 else 4.8
    figure, axes = panels(rows, columns, 0.96 * high * min(1.6, ratio) * columns + 1, high * rows)
    uses = [mean_over_seeds(line) for line in lines]
    # a scale up to the line rate would have one color for a network that is used by a fifth
    most = 100 * max((value for use in uses for value in use.values()), default=0.0)
    scale = Normalize(0, min(100, max(10, 10 * math.ceil(most / 10))))
    for axis, line, use in zip(axes.flat, lines, uses):
        plan = plans[line.label]
        # busy ones above others
        drawn = sorted(halves(plan, places[line.label]), key=lambda half: use.get(half[:2], 0.0))
        values = [100 * use.get((node, port), 0.0) for node, port, _ in drawn]
        collection = LineCollection([points for _, _, points in drawn], cmap=COLORS_OF_USE,
                                    norm=scale, zorder=1,
                                    linewidths=[0.5 + 3.5 * value / scale.vmax for value in values],
                                    capstyle="butt")
        collection.set_array(values)
        axis.add_collection(collection)
        draw_nodes(axis, plan, places[line.label], gray=True)
        seeds = f"mean of {len(line.runs)} seeds" if len(line.runs) > 1 else "mean"
        top = "\n".join(f"{way}: {100 * value:.0f} %" for way, value in busiest(plan, use))
        title = wrapped(f"{line.label}: {seeds} {time_of_mean(line)}", 55)
        axis.set_title(f"{title}\n{top}", fontsize=9,
                       pad=14)  # above names of nodes
    for axis in list(axes.flat)[len(lines):]:
        axis.remove()
    figure.colorbar(ScalarMappable(scale, COLORS_OF_USE),
                    ax=[axis for axis in axes.flat if axis.figure is not None],
                    label=label("mean use of the line rate", "%"), shrink=0.7)
    note(figure, "each half of a link: what the node at its end sends"
         + ("; a longer run has lower means: --to-us cuts all at one time"
            if len(set(map(time_of_mean, lines))) > 1 else ""))
    figure.draw_without_rendering()  # so that the size of the panels is known
    for axis, line, use in zip(axes.flat, lines, uses):
        plan, of = plans[line.label], places[line.label]
        name_nodes(axis, plan, named(plan, of, use))
    return figure
