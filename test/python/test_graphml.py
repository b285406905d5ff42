# SPDX-License-Identifier: GPL-2.0-only
"""Networks in GraphML, which dcfabric graphml makes topology files of."""
import json
import os
import subprocess
import sys
import unittest

from package_case import ROOT, SIM, PackageCase, needs_sim

from dcfabric import DcfabricError
from dcfabric.graphml import Settings, convert, delay_of, kilometers, rate_of

KEYS = {"label": "node", "Longitude": "node", "Latitude": "node", "LinkSpeedRaw": "edge",
        "LinkSpeed": "edge", "LinkSpeedUnits": "edge", "LinkLabel": "edge", "capacity": "edge",
        "delay": "edge"}


def data(values):
    return "".join(f'<data key="{name}">{value}</data>' for name, value in values.items())


def graphml(nodes, links, more="", space=' xmlns="http://graphml.graphdrawing.org/xmlns"',
            edges="undirected"):
    """nodes: attributes of each. links: both ends and attributes of each."""
    keys = "".join(f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="string"/>'
                   for name, of in KEYS.items())
    return (f'<?xml version="1.0"?>\n<graphml{space}>{keys}<graph edgedefault="{edges}">'
            + "".join(f'<node id="n{i}">{data(values)}</node>' for i, values in enumerate(nodes))
            + "".join(f'<edge source="n{a}" target="n{b}">{data(values)}</edge>'
                      for a, b, values in links) + more + "</graph></graphml>")


class GraphmlTest(PackageCase):
    def convert(self, nodes, links, settings=None, **more):
        (self.dir / "x.graphml").write_text(graphml(nodes, links, **more), encoding="utf-8")
        text, said = convert("x.graphml", Settings(**(settings or {})))
        return text.splitlines(), said

    def links(self, lines, hosts):
        """Rates and delays of links between switches."""
        count = int(lines[0].split()[2])
        return [line.split()[2:4] for line in lines[2 + hosts:2 + count]]

    def test_whole_file(self):
        """Hosts 0 and 1, switches 2 and 3, a kilometer of the equator apart: 1/111.19 degrees."""
        for space in ("", ' xmlns="http://graphml.graphdrawing.org/xmlns"'):
            lines, said = self.convert(
                [{"label": "New  York, NY", "Longitude": 0, "Latitude": 0},
                 {"Longitude": 0.00899320, "Latitude": 0}],
                [(0, 1, {"LinkSpeedRaw": "2500000000.0"})], space=space)
            self.assertEqual(lines, [
                "4 2 3", "2 3", "0 2 100Gbps 1us 0", "1 3 100Gbps 1us 0", "2 3 2500Mbps 5us 0",
                "node 0 host-New-York-NY", "node 1 host-n1", "node 2 New-York-NY 0 0",
                "node 3 n1 0.0089932 0"])
            self.assertEqual(said, "rates of links: 1 by LinkSpeedRaw; delays: 1 by distance")

    def test_distance(self):
        """Berlin to Hamburg: 255 km; a quarter of the equator, over the date line, too."""
        self.assertAlmostEqual(kilometers((13.405, 52.52), (9.993, 53.551)), 255, delta=1)
        for a, b in (((0, 0), (90, 0)), ((135, 0), (-135, 0)), ((0, 0), (77, 90))):
            self.assertAlmostEqual(kilometers(a, b), 6371 * 3.14159265 / 2, places=2)

    def test_rates(self):
        """Raw before the others, all of them before what the file does not say: the median of 1,
        10 and 40 Gb/s for the last link."""
        lines, said = self.convert([{}, {}], [
            (0, 1, {"LinkSpeedRaw": "1e9", "LinkSpeed": "3", "capacity": "7"}),
            (0, 1, {"LinkSpeed": "10", "LinkSpeedUnits": "G", "LinkLabel": "10G"}),
            (0, 1, {"capacity": "40"}), (0, 1, {"LinkSpeed": "fast"})])
        self.assertEqual([rate for rate, _ in self.links(lines, 2)],
                         ["1Gbps", "10Gbps", "40Gbps", "10Gbps"])
        self.assertEqual(said, "rates of links: 1 by LinkSpeedRaw, 1 by LinkSpeed, 1 by capacity, "
                         "1 of 10Gbps (the median, --rate: n0 to n1); delays: 4 of 1us (by "
                         "default, --delay: n0 to n1, n0 to n1, n0 to n1, 1 more); "
                         "attributes of links without effect: LinkLabel")
        lines, said = self.convert([{}, {}], [(0, 1, {"capacity": "40"}), (0, 1, {})],
                                   {"rate_unit": "Mbps", "rate": "1 Gb/s", "delay": "3ms"})
        self.assertEqual(self.links(lines, 2), [["40Mbps", "3000us"], ["1Gbps", "3000us"]])
        self.assertIn("1 of 1Gbps (--rate: n0 to n1); delays: 2 of 3000us (--delay: ", said)
        for name, rate in (("capacity", "7Gbps"), ("none", "100Gbps")):
            lines, _ = self.convert([{}, {}],
                                    [(0, 1, {"LinkSpeedRaw": "1e9", "capacity": "7"})],
                                    {"rate_from": name})
            self.assertEqual(self.links(lines, 2)[0][0], rate)

    def test_texts_of_rates_and_times(self):
        for text, rate in (("10", 1e10), ("10G", 1e10), ("2.5 Gbps", 2.5e9), ("155 Mb/s", 155e6),
                           ("1e9bps", 1e9), ("64kbps", 64000), ("1 Tbit/s", 1e12), ("0", None),
                           ("", None), (">=10G", None), ("OC-48", None), ("1.2.3", None),
                           ("-1Gbps", None), ("1e999", None)):
            self.assertEqual(rate_of(text, "Gbps"), rate, text)
        self.assertIsNone(rate_of("10"))
        for text, time in (("2", 2000), ("2us", 2), ("0.5 s", 5e5), ("1ns", 0.1), ("soon", None),
                           ("1e999", None), ("", None)):
            self.assertEqual(delay_of(text, "ms"), time, text)
        self.assertIsNone(delay_of("2"))

    def test_delays(self):
        """Those of the file before the distance; that of one place is 0.1 us."""
        here = {"Longitude": 8, "Latitude": 50}
        lines, said = self.convert([here, here, {}], [(0, 1, {}), (0, 1, {"delay": "2"}),
                                                      (1, 2, {}), (1, 2, {"delay": "50us"})])
        # 0.1, 2000 and 50: the median is 50
        self.assertEqual([delay for _, delay in self.links(lines, 3)],
                         ["0.1us", "2000us", "50us", "50us"])
        self.assertIn("delays: 1 by distance, 2 by delay, 1 of 50us (the median, --delay: n1 to "
                      "n2)", said)
        for name, delay in (("distance", "0.1us"), ("none", "1us"), ("delay", "2000us")):
            lines, _ = self.convert([here, here], [(0, 1, {"delay": "2"})], {"delay_from": name})
            self.assertEqual(self.links(lines, 2)[0][1], delay, name)

    def test_names_are_words_that_differ(self):
        lines, _ = self.convert([{"label": one} for one in
                                 ("Rom", "Rom", "12", "host-Rom", " , ", "Z\u00fcrich")], [])
        self.assertEqual([line.split()[2] for line in lines if line.startswith("node")][6:],
                         ["Rom", "Rom-2", "switch-12", "host-Rom", "switch-", "Z\u00fcrich"])
        self.assertEqual(len({line.split()[2] for line in lines if line.startswith("node")}), 12)
        lines, _ = self.convert([{}], [], {"hosts": 2, "host_rate": "25 Gbps"})
        self.assertEqual(lines, ["3 1 2", "2", "0 2 25Gbps 1us 0", "1 2 25Gbps 1us 0",
                                 "node 0 host-n0-0", "node 1 host-n0-1", "node 2 n0"])

    def test_links_of_one_way(self):
        """Two ways of a directed graph are one link; three one way and one back are three."""
        lines, _ = self.convert([{}, {}], [(0, 1, {}), (1, 0, {})], edges="directed")
        self.assertEqual(len(self.links(lines, 2)), 1)
        lines, _ = self.convert([{}, {}], [(0, 1, {}), (0, 1, {}), (1, 0, {}), (0, 1, {})],
                                edges="directed")
        self.assertEqual(len(self.links(lines, 2)), 3)
        lines, said = self.convert([{}, {}], [(0, 0, {}), (0, 1, {}), (1, 0, {})],
                                   more="<hyperedge/>")
        self.assertEqual(len(self.links(lines, 2)), 2)
        self.assertIn("left out: 1 link of a node to itself; left out: 1 hyperedge", said)

    def test_defaults_of_keys(self):
        text = graphml([{}, {}], [(0, 1, {}), (0, 1, {"capacity": "2"})])
        (self.dir / "x.graphml").write_text(text.replace(
            'attr.name="capacity" attr.type="string"/>',
            'attr.name="capacity" attr.type="string"><default>5</default></key>'))
        lines = convert("x.graphml")[0].splitlines()
        self.assertEqual([rate for rate, _ in self.links(lines, 2)], ["5Gbps", "2Gbps"])

    def test_refusals(self):
        good = graphml([{}, {}], [(0, 1, {"capacity": "1"})])
        for text, settings, words in (
                ("", {}, "no GraphML: no element found"), ("3 1 2\n", {}, "no GraphML"),
                ("<html/>", {}, "there is no <graph>"), ("<graphml/>", {}, "there is no <graph>"),
                ("<graphml><graph/></graphml>", {}, "there is no <node>"),
                (good.replace('target="n1"', 'target="n7"'), {}, "ends at 'n7', which is no node"),
                (good, {"rate": "fast"}, "--rate: 'fast' has to be such as 10Gbps"),
                (good, {"delay": "5"}, "--delay: '5' has to be such as 2ms"),
                (good, {"host_rate": "1"}, "--host-rate: '1'"),
                (good, {"rate_unit": "Gb"}, "--rate-unit: 'Gb' is none of bps, kbps, Mbps"),
                (good, {"delay_unit": "h"}, "--delay-unit: 'h'"),
                (good, {"rate_from": "Capacities"}, "no link of x.graphml has the attribute "
                 "'Capacities'; there are: capacity"),
                (good, {"delay_from": "length"}, "--delay-from")):
            with self.subTest(words):
                (self.dir / "x.graphml").write_text(text)
                with self.assertRaises(DcfabricError) as caught:
                    convert("x.graphml", Settings(**settings))
                self.assertIn(words, str(caught.exception))

    def call(self, *arguments):
        return subprocess.run([sys.executable, "-m", "dcfabric", "graphml", *arguments],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    def test_command(self):
        (self.dir / "x.graphml").write_text(graphml([{}, {}], [(0, 1, {"capacity": "1"})]))
        run = self.call("x.graphml", "--out=x.topo")
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)
        self.assertEqual(run.stderr, "dcfabric graphml: note: rates of links: 1 by capacity; "
                         "delays: 1 of 1us (by default, --delay: n0 to n1)\n")
        self.assertEqual(self.call("x.graphml").stdout, (self.dir / "x.topo").read_text())
        for arguments, words in ((["none.graphml"], "none.graphml: No such file"),
                                 (["x.topo"], "doc/howto/topology-zoo.rst"),
                                 (["x.graphml", "--out=none/x"], "no folder none"),
                                 (["x.graphml", "--hosts=0"], "0 is less than 1")):
            run = self.call(*arguments)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(words, run.stderr)

    @needs_sim
    def test_simulator_reads_it(self):
        """Names and places come back in the plan."""
        (self.dir / "x.graphml").write_text(graphml(
            [{"label": "A b", "Longitude": 0, "Latitude": 60}, {"label": "C"}, {}],
            [(0, 1, {}), (1, 2, {}), (2, 0, {})]), encoding="utf-8")
        self.assertEqual(self.call("x.graphml", "--out=x.topo").returncode, 0)
        plan = json.loads(subprocess.run([SIM, "--topology=file:x.topo", "--plan=json"],
                                         capture_output=True, check=True).stdout)
        self.assertEqual([node["name"] for node in plan["nodes"]],
                         ["host-A-b", "host-C", "host-n2", "A-b", "C", "n2"])
        self.assertEqual([node.get("place") for node in plan["nodes"]],
                         [None, None, None, [0, 60], None, None])
        # and the program says how a GraphML file itself is used
        said = subprocess.run([SIM, "--topology=file:x.graphml"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(said.returncode, 2)
        self.assertIn("this is XML, such as GraphML", said.stderr)
        for path in ("x.topo", "x.graphml", "graphml:x"):
            said = subprocess.run([SIM, f"--topology={path}"], capture_output=True, text=True,
                                  check=False)
            self.assertIn("a topology file is --topology=file:PATH (doc/howto/own-topology.rst), "
                          "and GraphML is converted to one first (doc/howto/topology-zoo.rst)",
                          said.stderr)


if __name__ == "__main__":
    unittest.main()
