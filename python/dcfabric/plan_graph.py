# SPDX-License-Identifier: GPL-2.0-only
"""Places for the switches of a network that has no regular form: neighbors near one another, others
the farther apart the more links are between them. The same network gives the same places."""
from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

import numpy as np

from .plan_links import Pair, components, hops_from, neighbors
from .plan_names import Place

STEPS = 60
"""Improvements of a layout; what comes after them is not seen."""
MOST, PIVOTS = 400, 60
"""Nodes of a component all of whose distances count, as time grows by their square; of more nodes
the distances to so many of them do."""
NEAR = 0.15
"""A link that passes a third node at less than this share of a mean link is drawn over it."""


def circle(count: int, radius: float = 1.0) -> Any:
    """Places in order around a circle, clockwise from the top."""
    angles = math.pi / 2 - 2 * np.pi * np.arange(count) / max(count, 1)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def scaled(distances: Any) -> Any:
    """Classical multidimensional scaling: places whose distances are about these."""
    squares = distances**2
    centered = squares - squares.mean(0) - squares.mean(1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centered / 2)
    return vectors[:, -1:-3:-1] * np.sqrt(np.maximum(values[-1:-3:-1], 1e-9))


def scaled_roughly(distances: Any) -> Any:
    """The same of distances to some of the places only, a column for each of these."""
    squares = distances**2
    centered = squares - squares.mean(0) - squares.mean(1)[:, None] + squares.mean()
    return -centered @ np.linalg.svd(centered, full_matrices=False)[2][:2].T


def improved(places: Any, distances: Any) -> Any:
    """Majorization of the stress: sum of (distance in the drawing / distance - 1)^2."""
    weights = 1 / np.where(distances > 0, distances, np.inf)**2
    laplacian = np.diag(weights.sum(1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(STEPS):
        lengths = lengths_of(places)
        ratio = -weights * distances / np.where(lengths > 1e-9, lengths, np.inf)
        np.fill_diagonal(ratio, 0)
        np.fill_diagonal(ratio, -ratio.sum(1))
        places = inverse @ (ratio @ places)
    return places


def lengths_of(places: Any) -> Any:
    """Of all pairs of places."""
    return np.hypot(*(places[:, None, :] - places[None, :, :]).transpose(2, 0, 1))


def stress_of(places: Any, distances: Any) -> float:
    """Mean over all pairs, of places at the scale that suits them best."""
    upper = np.triu_indices(len(places), 1)
    drawn, wanted = lengths_of(places)[upper], distances[upper]
    scale = (drawn / wanted).sum() / max(1e-9, (drawn**2 / wanted**2).sum())
    return float(((scale * drawn / wanted - 1)**2).mean())


def passed(places: Any, links: Sequence[Pair], near: float) -> list[int]:
    """Of each link 0, or if its line passes a node that is none of its ends at less than near, on
    which side there is more room: 1 on the left, as seen from its first end, -1 on the right."""
    found = []
    places = np.asarray(places)
    for a, b in links:
        along = places[b] - places[a]
        length = max(1e-12, float(along @ along))
        share = np.clip((places - places[a]) @ along / length, 0, 1)
        away = np.hypot(*(places - places[a] - share[:, None] * along).T)
        away[[a, b]] = np.inf
        x, y = places[away.argmin()] - places[a]
        side = -1 if along[0] * y - along[1] * x > 1e-9 else 1
        found.append(side if away.min() < near else 0)
    return found


def crossings(places: Any, links: Sequence[Pair]) -> int:
    """Pairs of links without a common end whose lines cross."""
    ends = np.array(sorted({(min(pair), max(pair)) for pair in links}))
    a, b = places[ends[:, 0]], places[ends[:, 1]]

    def sides(p: Any, q: Any, r: Any) -> Any:
        """Of a line from p to q, of each of the points r."""
        d, e = (q - p)[:, None, :], r[None, :, :] - p[:, None, :]
        return np.sign(np.round(d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0], 9))

    apart = sides(a, b, a) * sides(a, b, b) < 0
    return int((apart & apart.T).sum() // 2)


def spread_component(members: Sequence[int], peers: Mapping[int, Sequence[int]],
                     drawn: Sequence[Pair]) -> Any:
    """Places of a component, at about one unit for each link. drawn: pairs of members that have a
    link."""
    count = len(members)
    if count < 3:
        return circle(count, 0.5)
    at = {node: i for i, node in enumerate(members)}
    pivots = members if count <= MOST else members[::count // PIVOTS]
    distances = np.zeros((count, len(pivots)))
    for column, node in enumerate(pivots):
        for peer, hops in hops_from(node, peers).items():
            if peer in at:
                distances[at[peer], column] = hops
    if count > MOST:
        rough = scaled_roughly(distances)
        return upright(rough * count**0.5 / max(1e-9, float(np.ptp(rough, axis=0).max())))
    links = [(at[a], at[b]) for a, b in drawn]
    round_ = circle(count, count / 6)
    choices = [round_, improved(round_, distances), improved(scaled(distances), distances)]

    def cost(places: Any) -> float:
        mean = np.mean([math.dist(places[a], places[b]) for a, b in links]) if links else 1.0
        over = sum(map(abs, passed(places, links, NEAR * float(mean))))
        return (stress_of(places, distances)
                + (over + 0.2 * crossings(places, links)) / max(1, len(links)))

    costs = [cost(places) for places in choices]
    # what is but a little better may be another on another machine
    best = next(places for places, one in zip(choices, costs) if one <= min(costs) + 0.01)
    return upright(best)


def upright(places: Any) -> Any:
    """Turned so that the longest direction is from left to right, and the first node is left, or
    above, of the middle."""
    centered = places - places.mean(0)
    values, vectors = np.linalg.eigh(centered.T @ centered)
    if values[1] > 1.2 * values[0]:  # else it is as wide as high, and stands as it is
        centered = centered @ vectors[:, ::-1]
        if centered[0, 0] > 0:
            centered[:, 0] *= -1
        if centered[0, 1] < 0:
            centered[:, 1] *= -1
    return centered


def spread(nodes: Sequence[int], pairs: Sequence[Pair], through: Sequence[Pair] = ()
           ) -> dict[int, Place]:
    """Places of nodes. pairs: of them that links join. through: further pairs that bring nodes
    together, such as those of a switch and a host with several links; a node of these that is none
    of nodes gets no place. Components are side by side, the largest first."""
    peers = neighbors([*pairs, *through])
    found: dict[int, Place] = {}
    edge = 0.0
    parts = components(nodes, [*pairs, *through])
    for members in sorted(parts, key=len, reverse=True):
        own = set(members)
        places = spread_component(members, peers,
                                  [pair for pair in pairs if pair[0] in own])
        shift = edge - places[:, 0].min()
        found.update({node: (float(x + shift), float(y))
                      for node, (x, y) in zip(members, places)})
        edge = max(x for x, _ in found.values()) + 1.0
    return found


def kept_apart(places: Mapping[int, Place], gap: float) -> dict[int, Place]:
    """The same places, but where two are nearer than gap, moved until they are not, or hardly."""
    nodes = list(places)
    if len(nodes) < 2:
        return dict(places)
    at = np.array([places[node] for node in nodes], dtype=float)
    at += 1e-3 * gap * circle(len(nodes))  # of two in one place it is not known which goes where
    for _ in range(STEPS):
        lengths = lengths_of(at)
        np.fill_diagonal(lengths, np.inf)
        if not (lengths < gap).any():
            break
        push = np.maximum(0, gap / np.maximum(lengths, 1e-12) - 1) / 2
        at += (push[:, :, None] * (at[:, None, :] - at[None, :, :])).sum(1)
    return {node: (float(x), float(y)) for node, (x, y) in zip(nodes, at)}
