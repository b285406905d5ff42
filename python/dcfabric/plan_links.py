# SPDX-License-Identifier: GPL-2.0-only
"""Which nodes of a plan links join."""
from __future__ import annotations

import collections
from typing import Mapping, Sequence

from .plan_names import Place

Pair = tuple[int, int]


def components(nodes: Sequence[int], pairs: Sequence[Pair]) -> list[list[int]]:
    """Nodes that links join, each list in the order of nodes."""
    peers = neighbors(pairs)
    found, known = [], set()
    for node in nodes:
        if node not in known:
            members = set(hops_from(node, peers))
            known |= members
            found.append([one for one in nodes if one in members])
    return found


def neighbors(pairs: Sequence[Pair]) -> Mapping[int, list[int]]:
    """Of each node that is in a pair."""
    peers: dict[int, list[int]] = collections.defaultdict(list)
    for a, b in pairs:
        peers[a].append(b)
        peers[b].append(a)
    return peers


def hops_from(node: int, peers: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Links from a node to each that it reaches."""
    found = {node: 0}
    waiting = collections.deque([node])
    while waiting:
        one = waiting.popleft()
        for peer in peers.get(one, ()):
            if peer not in found:
                found[peer] = found[one] + 1
                waiting.append(peer)
    return found


def filled(places: Mapping[int, Place], nodes: Sequence[int], pairs: Sequence[Pair]
           ) -> dict[int, Place]:
    """The places of all nodes: of those that have none of their own, the mean of their neighbors,
    and below all others where no neighbor has one."""
    peers = neighbors(pairs)
    found = dict(places)
    left = [node for node in nodes if node not in found]
    while left:
        near = {node: known for node in left
                if (known := [found[peer] for peer in peers.get(node, ()) if peer in found])}
        if not near:
            low = min((y for _, y in found.values()), default=0.0)
            found.update({node: (float(i), low - 1.0) for i, node in enumerate(left)})
            break
        found.update({node: (sum(x for x, _ in known) / len(known),
                             sum(y for _, y in known) / len(known))
                      for node, known in near.items()})
        left = [node for node in left if node not in near]
    return found
