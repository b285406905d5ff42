# SPDX-License-Identifier: GPL-2.0-only
"""Where drawings have the nodes of networks from files, which have no regular form."""
import itertools
import math
import random
import unittest

import numpy as np
from package_case import ROOT  # noqa: F401  (the package of the checkout)

from dcfabric.plan import Plan, link_curves
from dcfabric.plan_graph import crossings, kept_apart, passed
from dcfabric.plan_places import (layout_of, links_over_nodes, place_coordinates, place_graph,
                                  place_tiers)


def plan_of(edges, hosts=1, tiers=None, coordinates=None):
    """A network of switches 0 to n - 1, each with so many hosts if it is of tier 1."""
    count = 1 + max(max(edge) for edge in edges)
    tiers = tiers or [1] * count
    nodes = [{"name": f"switch-{i}", "kind": "switch", "tier": tiers[i], "pod": 0}
             for i in range(count)]
    for node, place in (coordinates or {}).items():
        nodes[node]["place"] = place
    links = [{"a": a, "b": b, "kind": "tier"} for a, b in edges]
    for switch in range(count):
        for _ in range(hosts if tiers[switch] == 1 else 0):
            links.append({"a": len(nodes), "b": switch, "kind": "host"})
            nodes.append({"name": f"host-{len(nodes)}", "kind": "host", "tier": 0, "pod": 0})
    return Plan("file:x", tuple(nodes), tuple(links), {"groups": 0, "grid": []})


def array_of(plan):
    return np.array([plan.places[node] for node in range(len(plan.nodes))])


RING = [(i, (i + 1) % 6) for i in range(6)]
LADDER = [(i, i + 1) for i in (0, 1, 2, 4, 5, 6)] + [(i, i + 4) for i in range(4)]


class GraphTest(unittest.TestCase):
    def test_a_ring_is_a_circle(self):
        """All six stood in one line, and the link from the last to the first lay over the others.
        Whatever the numbers: 0-3-1-4-2-5 in a ring are drawn in this order, too."""
        order = [0, 3, 1, 4, 2, 5]
        for edges in (RING, [(order[a], order[b]) for a, b in RING]):
            plan = plan_of(edges)
            self.assertIs(layout_of(plan), place_graph)
            at = array_of(plan)[:6]
            away = np.hypot(*(at - at.mean(0)).T)
            # a hexagon: radius and side are the same
            sides = [math.dist(at[a], at[b]) for a, b in edges]
            np.testing.assert_allclose(away, away[0], rtol=1e-3)
            np.testing.assert_allclose(sides, away[0], rtol=1e-3)

    def test_planar_networks_have_no_crossings(self):
        """A ladder of four rungs, a star and a binary tree."""
        tree = [((i - 1) // 2, i) for i in range(1, 15)]
        for edges in (LADDER, [(0, i) for i in range(1, 9)], tree):
            plan = plan_of(edges, hosts=2)
            at = array_of(plan)
            self.assertEqual(crossings(at, [(link["a"], link["b"]) for link in plan.links]), 0)
            self.assertEqual(links_over_nodes(plan, plan.places), {})

    def test_nodes_have_places_of_their_own(self):
        """Random networks, each twice: the same network gives the same drawing."""
        for seed in range(8):
            draw = random.Random(seed)
            count = draw.randrange(2, 60)
            edges = {(draw.randrange(i), i) for i in range(1, count)}
            edges |= {tuple(sorted(draw.sample(range(count), 2))) for _ in range(count // 2)}
            first, second = (array_of(plan_of(sorted(edges), hosts=1 + seed % 4)) for _ in (0, 1))
            least = min(math.dist(a, b) for a, b in itertools.combinations(first, 2))
            self.assertGreater(least, 1e-3, f"seed {seed}")
            np.testing.assert_array_equal(first, second)

    def test_islands_are_side_by_side(self):
        """Triangles of switches 0, 1, 2 and 3, 4, 5, without a link between them."""
        plan = plan_of([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
        at = array_of(plan)[:6]
        self.assertLess(at[:3, 0].max(), at[3:, 0].min())

    def test_switches_that_only_hosts_join(self):
        """A host with links to switches 2 and 3 brings the two lines 0-1-2 and 3-4-5 together."""
        plan = plan_of([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], hosts=0)
        nodes = (*plan.nodes, {"name": "h", "kind": "host", "tier": 0, "pod": 0})
        links = (*plan.links, {"a": 6, "b": 2, "kind": "host"}, {"a": 6, "b": 3, "kind": "host"})
        places = Plan("file:x", nodes, links, plan.figures).places
        gaps = {pair: math.dist(places[pair[0]], places[pair[1]])
                for pair in itertools.product(range(3), range(3, 6))}
        self.assertEqual(min(gaps, key=gaps.get), (2, 3))

    def test_more_switches_than_all_distances_are_asked_of(self):
        """500 in a ring: still a closed curve, each beside its neighbors."""
        plan = plan_of([(i, (i + 1) % 500) for i in range(500)], hosts=0)
        at = array_of(plan)
        sides = np.hypot(*(at - np.roll(at, 1, 0)).T)
        self.assertLess(sides.max(), 0.05 * np.ptp(at[:, 0]))
        self.assertGreater(np.ptp(at[:, 1]), 0.5 * np.ptp(at[:, 0]))

    def test_links_go_around_nodes(self):
        """By coordinates 1 is between 0 and 2: the link from 0 to 2 is bent, others are not."""
        plan = plan_of([(0, 1), (1, 2), (0, 2)],
                       coordinates={0: [0, 0], 1: [1, 0], 2: [2, 0]})
        self.assertEqual(links_over_nodes(plan, plan.places), {(0, 2): 1})
        bent = [max(abs(y - line[0][1]) for _, y in line) > 0.05
                for link, line in link_curves(plan, plan.places) if link["kind"] == "tier"]
        self.assertEqual(bent, [False, False, True])
        for up, sides in ((0.2, [0, 0]), (0.05, [-1, 1]), (-0.05, [1, -1])):
            self.assertEqual(passed([[0, 0], [1, up], [2, 0]], [(0, 2), (2, 0)], 0.1), sides)
        # whichever end comes first, the line of the link passes below a node that is above it
        for ends in ((0, 2), (2, 0)):
            plan = plan_of([(0, 1), (1, 2), ends],
                           coordinates={0: [0, 0], 1: [1, 0.05], 2: [2, 0]})
            lines = [line for link, line in link_curves(plan, plan.places)
                     if {link["a"], link["b"]} == {0, 2}]
            self.assertLess(min(y for _, y in lines[0]), -0.1)


class TiersTest(unittest.TestCase):
    def test_racks_stay_in_rows(self):
        """Four leaves, 0 to 3, and two spines. Tiers are in rows, hosts below their leaves."""
        edges = [(leaf, spine) for leaf in range(4) for spine in (4, 5)]
        plan = plan_of(edges, hosts=2, tiers=[1, 1, 1, 1, 2, 2])
        self.assertIs(layout_of(plan), place_tiers)
        places = plan.places
        self.assertEqual([places[node][1] for node in range(6)], [0.5] * 4 + [1.0] * 2)
        for host in range(6, 14):
            leaf = (host - 6) // 2
            self.assertEqual(min(range(4), key=lambda one, host=host: abs(
                places[one][0] - places[host][0])), leaf)

    def test_neighbors_are_beside_one_another(self):
        """Leaves 0 and 2 have links to 4, 1 and 3 to 5: by number those of 1 and 2 would cross, and
        then of their hosts. Hosts come in the order of their leaves."""
        plan = plan_of([(0, 4), (2, 4), (1, 5), (3, 5)], hosts=2, tiers=[1, 1, 1, 1, 2, 2])
        at = array_of(plan)
        self.assertEqual(crossings(at, [(link["a"], link["b"]) for link in plan.links]), 0)

    def test_a_row_in_which_links_join_neighbors(self):
        """A line of three stays a row; with a link from the first to the last it is none."""
        self.assertIs(layout_of(plan_of([(0, 1), (1, 2)])), place_tiers)
        self.assertIs(layout_of(plan_of([(0, 1), (1, 2), (0, 2)])), place_graph)

    def test_many_tiers_and_switches_that_no_host_reaches(self):
        """Tier 255 stands for none: it is a row above the others, not 127 units up."""
        plan = plan_of([(0, 1), (1, 2)], tiers=[1, 2, 255])
        self.assertEqual([plan.places[node][1] for node in range(3)], [0.5, 1.0, 1.5])

    def test_hosts_without_switches(self):
        plan = Plan("file:x", tuple({"name": f"h{i}", "kind": "host", "tier": 0, "pod": 0}
                                    for i in (0, 1)),
                    ({"a": 0, "b": 1, "kind": "host"},), {"groups": 0, "grid": []})
        self.assertEqual(plan.places, {0: (0.5, 0.0), 1: (1.5, 0.0)})


class CoordinatesTest(unittest.TestCase):
    def test_as_the_file_has_them(self):
        """Even where rows would do; a switch without any is between its neighbors."""
        plan = plan_of([(0, 1), (1, 2)], coordinates={0: [10, 50], 2: [20, 40]})
        self.assertIs(layout_of(plan), place_coordinates)
        np.testing.assert_allclose(array_of(plan)[:3], [[10, 50], [15, 45], [20, 40]], atol=0.01)

    def test_two_in_one_town(self):
        apart = kept_apart({0: (0.0, 0.0), 1: (0.0, 0.0), 2: (5.0, 0.0)}, 1.0)
        self.assertGreater(math.dist(apart[0], apart[1]), 0.99)
        self.assertLess(math.dist(apart[2], (5.0, 0.0)), 0.01)

    def test_an_island_without_any(self):
        """It is below the others, and not left out."""
        plan = plan_of([(0, 1), (2, 3)], coordinates={0: [0, 0], 1: [1, 0]})
        self.assertEqual(set(plan.places), set(range(8)))
        self.assertLess(plan.places[2][1], -0.9)


if __name__ == "__main__":
    unittest.main()
