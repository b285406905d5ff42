# SPDX-License-Identifier: GPL-2.0-only
"""Names in the drawing of a plan: of each node, or where there are many of the switches, and of the
hosts at each of them together. A name that would lie over another one is left out."""
from __future__ import annotations

import collections
import dataclasses
import re
from typing import Any, Mapping, Sequence

Place = tuple[float, float]

EACH = 40
"""A drawing of more nodes does not name each host."""
LETTER, LINE = 0.58, 1.15
"""Width and height of a letter, in sizes of the font."""
LARGE, SMALL = 7.0, 5.5
"""Sizes of the font for few nodes and for many, in points."""
AWAY, MARK = 6.0, 3.5
"""From the middle of a node to its name, and to the rim of a switch, in points."""


@dataclasses.dataclass(frozen=True)
class Name:
    """A text and where it stands."""

    text: str
    place: Place
    below: bool
    """whether it is under its place, and not above"""
    upright: bool
    size: float

    def box(self, scale: float) -> tuple[float, float, float, float]:
        """Left, right, bottom and top in points. scale: points of a unit of the drawing."""
        along, across = LETTER * self.size * len(self.text), LINE * self.size
        wide, high = (across, along) if self.upright else (along, across)
        x, y = self.place[0] * scale, self.place[1] * scale + (-AWAY if self.below else AWAY)
        return (x - wide / 2, x + wide / 2, *((y - high, y) if self.below else (y, y + high)))


def together(names: Sequence[str]) -> str:
    """Several names in one: "host-4 to 7"; with three points where numbers are missing."""
    if len(names) == 1:
        return names[0]
    numbers = [re.fullmatch(r"(.*?)(\d+)", name) for name in names]
    found = [(one[1], int(one[2])) for one in numbers if one]
    if len(found) < len(names) or len({before for before, _ in found}) > 1:
        return f"{names[0]} ... {names[-1]}"
    first, last = found[0][1], found[-1][1]
    word = "to" if last - first == len(names) - 1 else "..."
    return f"{names[0]} {word} {last}"


def hosts_at(nodes: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]],
             placed: Mapping[int, Place]) -> dict[int, list[int]]:
    """Hosts by the placed switch of their first port."""
    found: dict[int, list[int]] = collections.defaultdict(list)
    known = set()
    for link in links:
        for host, switch in ((link["a"], link["b"]), (link["b"], link["a"])):
            if nodes[host]["kind"] == "host" and switch in placed and host not in known:
                known.add(host)
                found[switch].append(host)
    return found


def least_gap(places: Sequence[Place]) -> float:
    """Between neighbors that stand at one height, infinite without any."""
    rows = collections.defaultdict(list)
    for x, y in places:
        rows[round(y, 3)].append(x)
    gaps = [b - a for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:])]
    return min(gaps, default=float("inf"))


def names_of(nodes: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]],
             places: Mapping[int, Place], scale: float) -> list[Name]:
    """Those that do not lie over one another. scale: points of a unit of the drawing."""
    size = LARGE if len(places) <= EACH else SMALL
    switches = [node for node in places if nodes[node]["kind"] != "host"]
    hosts = [node for node in places if nodes[node]["kind"] == "host"]
    above = [(str(nodes[node]["name"]), places[node]) for node in switches]
    if len(places) <= EACH:
        below = [(str(nodes[node]["name"]), places[node]) for node in hosts]
    else:
        below = [(together([nodes[node]["name"] for node in drawn]),
                  (sum(places[node][0] for node in drawn) / len(drawn),
                   min(places[node][1] for node in drawn)))
                 for some in hosts_at(nodes, links, {node: places[node] for node in switches}
                                      ).values()
                 if (drawn := [node for node in some if node in places])]
    found: list[Name] = []
    # switches themselves are not hidden, either
    boxes = [(x * scale - MARK, x * scale + MARK, y * scale - MARK, y * scale + MARK)
             for x, y in (places[node] for node in switches)]
    for under, wanted in ((False, above), (True, below)):
        widest = max((len(text) for text, _ in wanted), default=0) * LETTER * size
        upright = widest > scale * least_gap([place for _, place in wanted])
        for text, place in wanted:
            for name in (Name(text, place, side, upright, size) for side in (under, not under)):
                box = name.box(scale)
                if not any(box[0] < other[1] and other[0] < box[1] and box[2] < other[3]
                           and other[2] < box[3] for other in boxes):
                    found.append(name)
                    boxes.append(box)
                    break
    return found


def draw_names(axis: Any, names: Sequence[Name]) -> None:
    """On an axis of matplotlib, with a rim that keeps lines off."""
    from matplotlib.patheffects import withStroke

    for name in names:
        axis.annotate(name.text, name.place, (0, -AWAY if name.below else AWAY),
                      textcoords="offset points", ha="center",
                      va="top" if name.below else "bottom", fontsize=name.size, color="0.2",
                      rotation=90 if name.upright else 0, zorder=4,
                      path_effects=[withStroke(linewidth=1.5, foreground="white")])
