# SPDX-License-Identifier: GPL-2.0-only
"""Where the drawing of a plan has its nodes: groups on circles, grids as such, tiers in rows, and
all other networks by coordinates, or so that neighbors are near one another."""
from __future__ import annotations

import collections
import math
import re
from typing import TYPE_CHECKING, Callable, Mapping, Sequence

from .plan_links import Pair, filled, neighbors
from .plan_names import Place, hosts_at

if TYPE_CHECKING:
    from .plan import Plan

MOST_HOSTS = 400
"""A drawing of more hosts shows switches only."""


def rail_of(name: str) -> int:
    """Which copy of the network a switch belongs to."""
    found = re.match(r"rail-(\d+)-", name)
    return int(found[1]) if found else 0


def around(count: int, radius: float, center: Place = (0.0, 0.0),
           start: float = math.pi / 2) -> list[Place]:
    """Places on a circle, clockwise."""
    angles = [start - 2 * math.pi * i / count for i in range(count)]
    return [(center[0] + radius * math.cos(a), center[1] + radius * math.sin(a)) for a in angles]


def place_groups(plan: Plan, switches: list[int]) -> dict[int, Place]:
    """Groups on a circle; the switches of each on a small one, or leaves outside and spines
    inside."""
    count = plan.figures["groups"]
    size = 0.8 * min(1.0, math.sin(math.pi / max(count, 2)))
    places: dict[int, Place] = {}
    for group, center in enumerate(around(count, 1.0)):
        members = [node for node in switches if plan.nodes[node]["pod"] == group]
        tiers = sorted({plan.nodes[node]["tier"] for node in members})
        outward = math.pi / 2 - 2 * math.pi * group / count
        if len(tiers) == 1:
            places.update(zip(members, around(len(members), 0.7 * size, center, outward)))
            continue
        for tier in tiers:
            row = [node for node in members if plan.nodes[node]["tier"] == tier]
            out = size * (0.45 if tier == tiers[0] else -0.45)
            for i, node in enumerate(row):
                along = 1.4 * size * ((i + 0.5) / len(row) - 0.5)
                places[node] = (center[0] + out * math.cos(outward) + along * math.sin(outward),
                                center[1] + out * math.sin(outward) - along * math.cos(outward))
    return places


def place_grid(plan: Plan, switches: list[int]) -> dict[int, Place]:
    """A ring as a circle; planes as such, a third dimension aslant, further ones as copies."""
    sizes = plan.figures["grid"]
    if len(sizes) == 1:
        return dict(zip(switches, around(len(switches), 1.0)))
    axes: list[Place] = [(1.0, 0.0), (0.0, 1.0), (0.7 / (sizes[2] if len(sizes) > 2 else 1), 0.0)]
    axes[2] = (axes[2][0], axes[2][0] * 0.8)
    wide, high = sizes[0] + 0.8, sizes[1] + 0.8
    for number, size in enumerate(sizes[3:]):
        axes.append((wide, 0.0) if number % 2 == 0 else (0.0, high))
        wide, high = (wide * size + 0.5, high) if number % 2 == 0 else (wide, high * size + 0.5)
    span = max(sizes[:2])
    return {
        node: (sum(x * axis[0] for x, axis in zip(plan.nodes[node]["coordinates"], axes)) / span,
               sum(x * axis[1] for x, axis in zip(plan.nodes[node]["coordinates"], axes)) / span)
            for node in switches}


def switch_pairs(plan: Plan) -> list[Pair]:
    """Both ends of each link between two switches."""
    return [(link["a"], link["b"]) for link in plan.links
            if all(plan.nodes[link[end]]["kind"] == "switch" for end in ("a", "b"))]


def ordered_rows(plan: Plan, switches: Sequence[int]) -> list[list[int]]:
    """Switches by tier, those nearest to the hosts first; in each row those with the same neighbors
    beside one another, else by number."""
    tiers = collections.defaultdict(list)
    for node in switches:
        tiers[plan.nodes[node]["tier"]].append(node)
    rows = [tiers[tier] for tier in sorted(tiers)]
    peers = neighbors(switch_pairs(plan))
    ups = list(zip(rows[1:], rows))
    for row, other in [*ups, *((below, above) for above, below in reversed(ups)), *ups]:
        at = {node: (i + 0.5) / len(other) for i, node in enumerate(other)}
        here = {node: (i + 0.5) / len(row) for i, node in enumerate(row)}
        wanted = {node: [at[peer] for peer in peers.get(node, ()) if peer in at] or [here[node]]
                  for node in row}
        row.sort(key=lambda node: round(sum(wanted[node]) / len(wanted[node]), 9))
    return rows


def is_tiered(plan: Plan, switches: Sequence[int]) -> bool:
    """Whether rows show the network: links within one join neighbors."""
    at = {node: i for row in ordered_rows(plan, switches) for i, node in enumerate(row)}
    tier = [node["tier"] for node in plan.nodes]
    return all(tier[a] != tier[b] or abs(at[a] - at[b]) == 1
               for a, b in switch_pairs(plan) if a in at and b in at)


def place_tiers(plan: Plan, switches: list[int]) -> dict[int, Place]:
    """A row for each tier, above the hosts."""
    return {node: ((i + 0.5) / len(row) * 2, 0.5 + height * 0.5)
            for height, row in enumerate(ordered_rows(plan, switches))
            for i, node in enumerate(row)}


def place_row(plan: Plan, places: Mapping[int, Place]) -> dict[int, Place]:
    """Hosts in a row below switches, in the order of these."""
    homes = hosts_at(plan.nodes, plan.links, places)
    switch_of = {host: switch for switch, hosts in homes.items() for host in hosts}
    hosts = [i for i, node in enumerate(plan.nodes) if node["kind"] == "host"]
    hosts.sort(key=lambda host: places[switch_of[host]][0] if host in switch_of else 0.0)
    left = min((x for x, _ in places.values()), default=0.0)
    right = max((x for x, _ in places.values()), default=0.0)
    wide = max(2.0, left + right)
    return {host: ((i + 0.5) / len(hosts) * wide, 0.0) for i, host in enumerate(hosts)}


def place_graph(plan: Plan, switches: list[int]) -> dict[int, Place]:
    """Neighbors near one another, also those that hosts with several links join."""
    from .plan_graph import spread

    inside = set(switches)
    pairs = [pair for pair in switch_pairs(plan) if inside.issuperset(pair)]
    through = [(link[end], link[other]) for link in plan.links
               for end, other in (("a", "b"), ("b", "a"))
               if link[end] in inside and plan.nodes[link[other]]["kind"] == "host"]
    return spread(switches, pairs, through)


def place_coordinates(plan: Plan, switches: list[int]) -> dict[int, Place]:
    """Where the file has them; others between their neighbors."""
    from .plan_graph import kept_apart

    places = {node: (float(plan.nodes[node]["place"][0]), float(plan.nodes[node]["place"][1]))
              for node in switches if "place" in plan.nodes[node]}
    places = filled(places, switches, switch_pairs(plan))
    wide, high = (max(ends) - min(ends) for ends in zip(*places.values()))
    return kept_apart(places, 0.5 * max(wide, high, 1e-6) / max(8.0, len(places)**0.5))


def place_hosts(plan: Plan, places: dict[int, Place], center: Place) -> dict[int, Place]:
    """Hosts around the switch of their first port, on the side away from the center."""
    homes = hosts_at(plan.nodes, plan.links, places)
    if not homes:
        return {}
    near = 0.25 * min((math.dist(places[a], places[b]) for a in homes for b in homes if a != b),
                      default=1.0)
    found = {}
    for switch, hosts in homes.items():
        x, y = places[switch]
        away = math.atan2(y - center[1], x - center[0])
        for i, host in enumerate(hosts):
            angle = away + (i + 0.5 - len(hosts) / 2) * min(0.6, 2.4 / len(hosts))
            found[host] = (x + near * math.cos(angle), y + near * math.sin(angle))
    return found


def place_beside(plan: Plan, places: dict[int, Place]) -> dict[int, Place]:
    """Hosts beside the switch of their first port, where the gap between its links is widest."""
    homes = hosts_at(plan.nodes, plan.links, places)
    nearest = sorted(min((math.dist(places[a], places[b]) for b in places if b != a), default=1.0)
                     for a in places)
    near = 0.3 * nearest[len(nearest) // 2] if nearest else 1.0
    peers = neighbors(switch_pairs(plan))
    found = {}
    for switch, hosts in homes.items():
        x, y = places[switch]
        angles = sorted({math.atan2(places[peer][1] - y, places[peer][0] - x)
                         for peer in peers.get(switch, ())} or {-math.pi / 2})
        gaps = [(round(after - before, 6), -i) for i, (before, after) in
                enumerate(zip(angles, [*angles[1:], angles[0] + 2 * math.pi]))]
        gap, first = max(gaps)
        step = min(0.6, 0.8 * gap / len(hosts))
        for i, host in enumerate(hosts):
            angle = angles[-first] + gap / 2 + (i + 0.5 - len(hosts) / 2) * step
            found[host] = (x + near * math.cos(angle), y + near * math.sin(angle))
    return found


Layout = Callable[["Plan", "list[int]"], "dict[int, Place]"]


def layout_of(plan: Plan) -> Layout:
    """How the switches of a network are placed."""
    switches = [i for i, node in enumerate(plan.nodes) if node["kind"] == "switch"]
    if any("place" in plan.nodes[node] for node in switches):
        return place_coordinates
    if plan.figures["groups"] > 1:
        return place_groups
    if plan.figures["grid"]:
        return place_grid
    return place_tiers if is_tiered(plan, switches) else place_graph


def links_over_nodes(plan: Plan, places: Mapping[int, Place]) -> dict[Pair, int]:
    """Links between switches that a straight line would draw over another switch, and the side to
    which they are bent: 1 to the left, -1 to the right. By both ends, the lower number first. None
    where the form of the network says how links lie."""
    if layout_of(plan) not in (place_coordinates, place_graph):
        return {}
    switches = [node for node in places if plan.nodes[node]["kind"] == "switch"]
    at = {node: i for i, node in enumerate(switches)}
    pairs = sorted({(min(pair), max(pair)) for pair in switch_pairs(plan) if at.keys() >= {*pair}})
    if not pairs:
        return {}
    from .plan_graph import NEAR, passed

    mean = sum(math.dist(places[a], places[b]) for a, b in pairs) / len(pairs)
    over = passed([places[node] for node in switches], [(at[a], at[b]) for a, b in pairs],
                  NEAR * mean)
    return {pair: side for pair, side in zip(pairs, over) if side}


def place_nodes(plan: Plan) -> dict[int, Place]:
    """Where each node is drawn; hosts are left out where there are many. Rails are side by side."""
    switches = [i for i, node in enumerate(plan.nodes) if node["kind"] == "switch"]
    layout = layout_of(plan)
    places: dict[int, Place] = {}
    rails = collections.defaultdict(list)
    for node in switches:
        rails[0 if layout is place_coordinates else rail_of(plan.nodes[node]["name"])].append(node)
    for _, members in sorted(rails.items()):
        found = layout(plan, members)
        left = min(x for x, _ in found.values())
        shift = max(x for x, _ in places.values()) + 0.3 - left if places else 0.0
        places.update({node: (x + shift, y) for node, (x, y) in found.items()})
    if sum(node["kind"] == "host" for node in plan.nodes) <= MOST_HOSTS:
        if layout is place_tiers:
            places.update(place_row(plan, places))
        elif layout in (place_coordinates, place_graph):
            places.update(place_beside(plan, places))
        else:
            # outside of circles, below and left of the switches of a plane
            circle = layout is place_groups or len(plan.figures["grid"]) == 1
            places.update(place_hosts(plan, places, (0.0, 0.0) if circle else (1e3, 1e3)))
    return places
