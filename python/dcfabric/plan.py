# SPDX-License-Identifier: GPL-2.0-only
"""The plan of a network: what ``dcfabric-sim --plan=json`` prints, and its drawing."""
from __future__ import annotations

import collections
import dataclasses
import functools
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Mapping, Sequence

from .errors import BadScenario, DcfabricError
from .plan_names import Place, draw_names, names_of
from .plan_places import links_over_nodes, place_nodes
from .program import find_program, last_event, refusal, require
from .wording import count_of

STYLES: dict[str, dict[str, Any]] = {
    "host": {"color": "0.6", "linewidth": 0.6},
    "local": {"color": "#0072b2", "linewidth": 0.8},
    "global": {"color": "#d55e00", "linewidth": 0.9, "linestyle": "--"},
}
"""Lines of links by kind; others take the next of OTHERS."""
OTHERS = ({"color": "#0072b2"}, {"color": "#d55e00", "linestyle": "--"},
          {"color": "#009e73", "linestyle": "-."},
          {"color": "#cc79a7", "linestyle": ":"}, {"color": "#000000"})


@dataclasses.dataclass(frozen=True)
class Plan:
    """A network before it is built. ``nodes`` and ``links`` are by number, as mappings with the
    keys of doc/topologies.rst; ``figures`` has the rest, such as ``figures["diameter_links"]``."""

    topology: str
    """as given to ``--topology``"""
    nodes: tuple[Mapping[str, Any], ...]
    links: tuple[Mapping[str, Any], ...]
    figures: Mapping[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """From a file. Raises DcfabricError if there is no plan in it."""
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise DcfabricError(
                f"{path}: not a plan, which is JSON; if it is a topology, this writes its plan: "
                f"dcfabric-sim --topology=file:{path} --plan=json > PLAN.json") from error
        except (OSError, ValueError) as error:
            raise DcfabricError(
                f"{path}: not a plan of dcfabric-sim --plan=json: {error}") from error

    @classmethod
    def parse(cls, text: str) -> Plan:
        """From what the program printed. Raises ValueError if it is no plan."""
        found = json.loads(text)
        missing = [key for key in ("plan", "nodes", "links")
                   if not isinstance(found, dict) or key not in found]
        if missing:
            raise ValueError(f"no {', '.join(missing)}")
        return cls(found.pop("plan"), tuple(found.pop("nodes")), tuple(found.pop("links")), found)

    def degrees(self) -> list[int]:
        """Number of ports of each node."""
        ends = collections.Counter(link[end] for link in self.links for end in ("a", "b"))
        return [ends[node] for node in range(len(self.nodes))]

    @functools.cached_property
    def places(self) -> Mapping[int, Place]:
        """Where drawings have each node; hosts are left out where there are many."""
        return place_nodes(self)

    def draw(self) -> Any:
        """A figure of matplotlib."""
        return draw_plan(self)


def ask_plan(arguments: Sequence[str], program: str | os.PathLike[str] | None = None) -> Plan:
    """What dcfabric-sim plans with these options. Raises as Scenario.plan()."""
    command = [str(find_program(program)), *arguments, "--plan=json"]
    with tempfile.TemporaryFile() as events:
        told = events.fileno()
        done = subprocess.run([*command, f"--progress=json:{told}"], stdin=subprocess.DEVNULL,
                              pass_fds=[told],
                              capture_output=True, text=True, check=False)
        event = last_event(events)
    try:
        if done.returncode == 0:
            return Plan.parse(done.stdout)
    except ValueError as error:
        raise DcfabricError(f"{command[0]} --plan=json: {error}; is it dcfabric-sim?") from error
    raise BadScenario(refusal(event) or done.stderr.strip().replace("dcfabric-sim: ", "", 1),
                      command=command,
                      status=done.returncode, stderr=done.stderr)


def curve(a: Place, b: Place, bend: float) -> list[Place]:
    """A line between two places that is bent aside by a share of its length."""
    control = ((a[0] + b[0]) / 2 - bend * (b[1] - a[1]), (a[1] + b[1]) / 2 + bend * (b[0] - a[0]))
    steps = [i / 12 for i in range(13)]
    return [((1 - t) ** 2 * a[0] + 2 * t * (1 - t) * control[0] + t * t * b[0],
             (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * control[1] + t * t * b[1]) for t in steps]


def bend_of(plan: Plan, link: Mapping[str, Any], parallel: int, side: int) -> float:
    """Links of a grid that leap over switches, those that would pass over a node, and parallel ones
    are bent. side: to which, of those that would, else 0; for the end with the lower number."""
    ends = [plan.nodes[link[end]].get("coordinates") for end in ("a", "b")]
    far = (None not in ends and len(plan.figures["grid"]) > 1
           and sum(abs(x - y) for x, y in zip(*ends)) > 1)
    if side:
        return (side if link["a"] < link["b"] else -side) * (0.15 + 0.08 * parallel)
    return (0.2 if far else 0.0) + 0.08 * parallel


def link_curves(plan: Plan,
                places: Mapping[int, Place]) -> list[tuple[Mapping[str, Any], list[Place]]]:
    """Each link between placed nodes and the line that draws it, from ``a`` to ``b``."""
    found = []
    drawn: collections.Counter[tuple[int, int]] = collections.Counter()
    over = links_over_nodes(plan, places)
    for link in plan.links:
        if link["a"] in places and link["b"] in places:
            pair = min(link["a"], link["b"]), max(link["a"], link["b"])
            found.append(
                (link, curve(places[link["a"]], places[link["b"]],
                             bend_of(plan, link, drawn[pair], over.get(pair, 0)))))
            drawn[pair] += 1
    return found


def link_ports(plan: Plan) -> list[tuple[int, int]]:
    """Number of each link's port at ``a`` and at ``b``: ports are in the order of links."""
    used: collections.Counter[int] = collections.Counter()
    found = []
    for link in plan.links:
        ports = []
        for end in (link["a"], link["b"]):
            ports.append(used[end])
            used[end] += 1
        found.append((ports[0], ports[1]))
    return found


MARKS = (("host", 0, "o", 5, "0.4"), ("switch", 1, "s", 26, "#000000"),
         ("switch", 2, "D", 30, "#009e73"),
         ("switch", 3, "^", 36, "#cc79a7"), ("switch", 4, "P", 40, "#e69f00"))
"""Of nodes by kind and tier: marker, its area in square points, color. Higher tiers are as the
last."""


def draw_nodes(axis: Any, plan: Plan, places: Mapping[int, Place], gray: bool = False) -> None:
    """Switches by tier, hosts as dots, on an axis without ticks whose directions have the same
    scale. gray: where colors mean something else."""
    for kind, tier, marker, size, color in MARKS:
        chosen = [places[i] for i, node in enumerate(plan.nodes)
                  if i in places and node["kind"] == kind
                  and (kind == "host" or min(node["tier"], len(MARKS) - 1) == tier)]
        if chosen:
            axis.scatter(*zip(*chosen), marker=marker, s=size, color="0.25" if gray else color,
                         zorder=3)
    axis.set(xticks=[], yticks=[])
    axis.grid(visible=False)
    axis.set_aspect("equal")
    axis.margins(0.03)
    axis.autoscale_view()
    for side in axis.spines.values():
        side.set_visible(False)


def name_nodes(axis: Any, plan: Plan, places: Mapping[int, Place]) -> None:
    """Write the names of those nodes, as far as there is room, on an axis of known size."""
    left, right = axis.transData.transform([(0, 0), (1, 0)])
    # names make the panel smaller, and one node alone has no size
    scale = max(1e-9, float(0.94 * 72 * (right[0] - left[0]) / axis.figure.dpi))
    draw_names(axis, names_of(plan.nodes, plan.links, places, scale))


def shape_of(places: Mapping[int, Place]) -> float:
    """Width over height of what is placed, with a margin."""
    xs, ys = zip(*places.values())
    ratio: float = (max(xs) - min(xs) + 0.3) / (max(ys) - min(ys) + 0.3)
    return ratio


def draw_plan(plan: Plan) -> Any:
    """A figure of matplotlib: switches by tier, hosts as dots, links by kind. Raises DcfabricError
    without matplotlib."""
    require("matplotlib")
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection

    from .drawing import HANDLE, LETTER, leave_room, panels, wrapped

    places = plan.places
    figure, axes = panels(1, 1, min(14.0, max(6.0, 6.5 * shape_of(places))), 7.0)
    axis = axes[0][0]
    kinds: dict[str, list[list[Place]]] = collections.defaultdict(list)
    for link, line in link_curves(plan, places):
        kinds[link["kind"]].append(line)
    others = iter(OTHERS * len(kinds))
    for kind, lines in kinds.items():
        style = STYLES.get(kind) or {"linewidth": 0.9, **next(others)}
        axis.add_collection(LineCollection(lines, zorder=1, label=links_text(plan, kind), **style))
    draw_nodes(axis, plan, places)
    figure.suptitle(f"{wrapped(plan.topology, 70)}\n{caption(plan)}", fontsize=10)
    longest = max((len(links_text(plan, kind)) for kind in kinds), default=0)
    width = figure.get_size_inches()[0]
    columns = max(1, min(len(kinds), int(width / (9 / 8 * (HANDLE + LETTER * longest)))))
    figure.legend(loc="lower center", ncol=columns, fontsize=9, frameon=False)
    leave_room(figure, below=0.03 + 0.03 * -(-len(kinds) // columns))
    figure.draw_without_rendering()  # so that the size of the panel is known
    name_nodes(axis, plan, places)
    plt.close(figure)  # a notebook shows what a cell returns; it would show an open figure, too
    return figure


def rate_text(bits_per_second: float) -> str:
    """A rate of a link."""
    return (f"{bits_per_second / 1e9:g} Gb/s" if bits_per_second >= 1e9
            else f"{bits_per_second / 1e6:g} Mb/s")


def delay_text(picoseconds: float) -> str:
    """A delay of a link."""
    return f"{picoseconds / 1e6:g} us" if picoseconds >= 1e5 else f"{picoseconds / 1e3:g} ns"


def links_text(plan: Plan, kind: str) -> str:
    """Links of a kind for the legend: how many, their rates and delays."""
    links = [link for link in plan.links if link["kind"] == kind]
    parts = []
    for key, text in (("rate_bps", rate_text), ("delay_ps", delay_text)):
        values = sorted({link[key] for link in links if key in link})
        if values:
            parts.append(text(values[0]) if len(values) == 1
                         else f"{text(values[0])} to {text(values[-1])}")
    return f"{kind} ({len(links)}{': ' if parts else ''}{', '.join(parts)})"


def caption(plan: Plan) -> str:
    """What a reader asks first."""
    figures = plan.figures
    text = (f"{count_of(figures['hosts'], 'host')}, "
            f"{count_of(figures['switches'], 'switch', 'switches')}, "
            f"{count_of(len(plan.links), 'link')}\nat most "
            f"{count_of(figures['diameter_links'], 'link')} between hosts, "
            f"{figures['mean_distance_links']:.2f} on average")
    if figures["half_hosts_bps"]:
        text += (f"\nbisection {figures['bisection_bps'] / figures['half_hosts_bps']:.1%} of what "
                 "half of the hosts can send")
    return text


def ways_of(plan: Plan) -> dict[tuple[int, int], str]:
    """From which node to which the link of each port leads, by name."""
    names = [node["name"] for node in plan.nodes]
    ways = {}
    for link, (port_a, port_b) in zip(plan.links, link_ports(plan)):
        ways[link["a"], port_a] = f"{names[link['a']]} to {names[link['b']]}"
        ways[link["b"], port_b] = f"{names[link['b']]} to {names[link['a']]}"
    return ways
