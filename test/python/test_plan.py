# SPDX-License-Identifier: GPL-2.0-only
"""Plans of networks: what --plan prints, what Python makes of it, and its drawing."""
import collections
import json
import math
import subprocess
import sys
import unittest

from package_case import ROOT, SIM, PackageCase, needs_sim
from sim_case import SimCase

from dcfabric import BadScenario, DcfabricError, Plan, Scenario
from dcfabric.plan import place_nodes

PLOT = ROOT / "examples" / "dcfabric-plot"
PNG = b"\x89PNG\r\n\x1a\n"
EVERY_SHAPE = ("fat-tree:k=4", "leaf-spine:leaves=4,spines=2,hosts=4,homes=2", "dumbbell", "clos4",
               "dragonfly", "dragonfly:groups=1", "dragonfly:groups=5,rails=2",
               "dragonfly-plus:groups=5", "torus:dims=5", "torus:dims=2", "torus:dims=4x3,hosts=2",
               "torus:dims=3x2x3,rails=2", "torus:dims=2x2x2x2x2", "hyperx:dims=3x3,links=2")


def matplotlib_is_there():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


class PrintTest(SimCase):
    """The program's answer."""

    def plan(self, *arguments):
        run = self.sim(*arguments)
        self.assertEqual((run.returncode, run.stderr), (0, ""), arguments)
        self.assertFalse(self.out.exists(), "a plan has no results")
        return run.stdout

    def test_text(self):
        """Three groups of two routers: each router has a host, a neighbor and one global link."""
        said = self.plan("--topology=dragonfly:hosts=1,routers=2,globals=1,groups=0", "--plan",
                         "--tier-rates=100Gbps,200Gbps,400Gbps", "--tier-delays=1us,2us,3us")
        # Hosts of 6 routers: 3 links to the neighbor in the group and to the peer of the global
        # link (2 of 5), 4 over one local link before or after the global one (2 of 5), 5 over both
        # (1 of 5): 3.8 on average. Half of the hosts send over links of 100 Gb/s; the network
        # between is faster, but for the two groups of the lower half.
        for line in ("Hosts         6, ports each: 1", "Switches      6 in 3 groups, ports each: 3",
                     "Links         12", "  local       3, 200 Gb/s, 2us",
                     "  global      3, 400 Gb/s, 3us",
                     "Diameter      5 links between hosts, 3.800 on average",
                     "  4 links     40.0 % of pairs",
                     "Bisection     300 Gb/s each way, 100.0 % of what half of the hosts can send",
                     "Usual routing ns3::DragonflyMinimalRouting",
                     "  7 router-0-1: host-1, router-0-0, router-2-0"):
            self.assertIn(line + "\n", said)

    def test_json_is_the_text(self):
        for topology in EVERY_SHAPE:
            with self.subTest(topology=topology):
                plan = json.loads(self.plan(f"--topology={topology}", "--plan=json"))
                text = self.plan(f"--topology={topology}", "--plan=text")
                self.assertEqual(plan["plan"], topology)
                kinds = collections.Counter(node["kind"] for node in plan["nodes"])
                self.assertEqual((kinds["host"], kinds["switch"]),
                                 (plan["hosts"], plan["switches"]))
                self.assertIn(f"Diameter      {plan['diameter_links']} links between hosts, "
                              f"{plan['mean_distance_links']:.3f} on average\n", text)
                peers = collections.defaultdict(list)
                for link in plan["links"]:
                    peers[link["a"]].append(plan["nodes"][link["b"]]["name"])
                    peers[link["b"]].append(plan["nodes"][link["a"]]["name"])
                for number, node in enumerate(plan["nodes"]):
                    self.assertIn(f"  {number} {node['name']}: {', '.join(peers[number])}\n", text)

    def test_files_and_other_options(self):
        self.write("star.topo", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.assertIn("Diameter      2 links", self.plan("--topology=file:star.topo", "--plan"))
        self.assertIn("dragonfly:groups=2",
                      self.plan("--plan", "--topology=dragonfly:groups=2", "--force"))

    def test_letters_of_papers(self):
        for letters, words in (("dragonfly:p=1,a=2,h=1,g=3",
                                "dragonfly:hosts=1,routers=2,globals=1,groups=3"),
                               ("hyperx:dims=3x3,t=1,k=2", "hyperx:dims=3x3,hosts=1,links=2")):
            plans = [self.plan(f"--topology={text}", "--plan").replace(text, "")
                     for text in (letters, words)]
            self.assertEqual(*plans)
        self.refuse("--topology=dragonfly:p=1,hosts=2", "--plan",
                    words=["key 'hosts' is given twice"])

    def test_refusals(self):
        self.refuse("--topology=torus", "--plan=xml", words=["--plan", "'xml'", "text, json"])
        self.refuse("--topology=torus:dims=4x1", "--plan", words=["torus: dims=4x1"])
        self.refuse("--topology=torus", "--plan", "--plan=json", words=["--plan is given twice"])
        self.refuse("--topology=torus", "--pan", words=["the nearest is --plan"])

    def test_names_that_a_run_refuses(self):
        """Typos of --cc and --routing made a plan, and the run that followed was refused."""
        described = json.loads(self.sim("--describe=json").stdout)
        choices = [option["name"] for option in described["options"]
                   if option["kind"] == "choice" and option["role"] == "simulation"]
        self.assertLessEqual({"cc", "lb", "routing", "modifiers", "trace", "workload"},
                             set(choices))
        small = ("--topology=fat-tree:k=4", "--workload=permutation:size=10kB")
        for name in choices:
            with self.subTest(option=name):
                options = [one for one in small if not one.startswith(f"--{name}=")]
                said = [self.sim(*options, f"--{name}=xyzzy", action)
                        for action in ("--check", "--plan")]
                self.assertEqual([run.returncode for run in said], [2, 2])
                self.assertEqual(said[0].stderr, said[1].stderr)
        for wrong in ("--cc=hpcc,dctcp", "--lb=path-set:ways=3", "--queue-disc=ns3::Fifo",
                      "--convergence=soon", "--export=fct", "--lb=path-set:paths=0"):
            with self.subTest(option=wrong):
                said = [self.sim(*small, wrong, action) for action in ("--check", "--plan")]
                self.assertEqual([run.returncode for run in said], [2, 2], said[1].stdout)
                self.assertEqual(said[0].stderr, said[1].stderr)
        self.write("rules", "0 * cc=hpc\n")
        self.refuse(*small, "--policies=rules", "--plan", words=["hpc"])


@needs_sim
class PackageTest(PackageCase):
    def test_scenario(self):
        plan = Scenario(topology="torus:dims=4x3,hosts=2",
                        tier_rates=["1Gbps", "2Gbps", "3Gbps"]).plan(program=SIM)
        self.assertEqual((plan.topology, plan.figures["grid"]), ("torus:dims=4x3,hosts=2", [4, 3]))
        self.assertEqual(plan.degrees(), [1] * 24 + [2 + 4] * 12)
        self.assertEqual(plan.nodes[24 + 5]["coordinates"], [1, 1])
        self.assertEqual({(link["kind"], link["rate_bps"]) for link in plan.links},
                         {("host", 10**9), ("dimension 1", 2 * 10**9), ("dimension 2", 3 * 10**9)})

    def test_bad_scenario(self):
        with self.assertRaisesRegex(BadScenario, "groups=10 cannot all reach one another"):
            Scenario(topology="dragonfly:groups=10").plan(program=SIM)

    def test_every_node_has_a_place_of_its_own(self):
        for topology in EVERY_SHAPE:
            with self.subTest(topology=topology):
                plan = Scenario(topology=topology).plan(program=SIM)
                places = place_nodes(plan)
                self.assertEqual(set(places), set(range(len(plan.nodes))))
                order = sorted(places.values())
                self.assertGreater(
                    min(math.dist(a, b) for i, a in enumerate(order) for b in order[i + 1:]), 1e-3)

    def test_many_hosts_are_left_out(self):
        plan = Scenario(topology="torus:dims=4x4,hosts=30").plan(program=SIM)
        self.assertEqual(set(place_nodes(plan)), set(range(480, 496)))


class FileTest(PackageCase):
    def test_what_is_no_plan(self):
        for text in ("", "[]", '{"plan": "x"}', "\xff"):
            with self.subTest(text=text):
                (self.dir / "x.json").write_bytes(text.encode("latin-1"))
                with self.assertRaisesRegex(DcfabricError, "x.json: not a plan"):
                    Plan.read("x.json")
        (self.dir / "x.topo").write_text("3 1 2\n")
        with self.assertRaisesRegex(DcfabricError, "--topology=file:x.topo --plan=json"):
            Plan.read("x.topo")

    def test_programs_that_are_another(self):
        with self.assertRaisesRegex(DcfabricError, "is it dcfabric-sim"):
            Scenario().plan(program=self.program("echo hello"))

    @needs_sim
    @unittest.skipUnless(matplotlib_is_there(), "needs matplotlib")
    def test_drawing(self):
        for topology in EVERY_SHAPE:
            with self.subTest(topology=topology):
                plan = Scenario(topology=topology).plan(program=SIM)
                plan.draw().savefig("net.png", dpi=30)
                self.assertTrue((self.dir / "net.png").read_bytes().startswith(PNG))

    @unittest.skipUnless(matplotlib_is_there(), "needs matplotlib")
    def test_names_rates_and_delays(self):
        """Of small networks each node has its name; the legend has what links are."""
        links = [{"a": 0, "b": 2, "kind": "host", "rate_bps": 10**11, "delay_ps": 10**6},
                 {"a": 1, "b": 2, "kind": "host", "rate_bps": 4 * 10**11, "delay_ps": 50000}]
        plan = Plan("two", ({"name": "gpu-0", "kind": "host", "tier": 0, "pod": 0},
                            {"name": "gpu-1", "kind": "host", "tier": 0, "pod": 0},
                            {"name": "leaf", "kind": "switch", "tier": 1, "pod": 0}),
                    tuple(links), {"hosts": 2, "switches": 1, "groups": 0, "grid": [],
                                   "diameter_links": 2, "mean_distance_links": 2.0,
                                   "half_hosts_bps": 0})
        figure = plan.draw()
        self.assertEqual([text.get_text() for text in figure.axes[0].texts],
                         ["leaf", "gpu-0", "gpu-1"])
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()],
                         ["host (2: 100 Gb/s to 400 Gb/s, 50 ns to 1 us)"])

    @unittest.skipUnless(matplotlib_is_there(), "needs matplotlib")
    def test_legend_fits(self):
        """Three kinds of links, whose names have rates and delays, are wider than a figure."""
        kinds = ("host", "dimension 1", "dimension 2")
        links = [{"a": 0, "b": 1, "kind": kind, "rate_bps": rate, "delay_ps": 10**6}
                 for kind in kinds for rate in (10**11, 4 * 10**11)]
        plan = Plan("three", ({"name": "gpu-0", "kind": "host", "tier": 0, "pod": 0},
                              {"name": "leaf", "kind": "switch", "tier": 1, "pod": 0}),
                    tuple(links), {"hosts": 1, "switches": 1, "groups": 0, "grid": [],
                                   "diameter_links": 1, "mean_distance_links": 1.0,
                                   "half_hosts_bps": 0})
        figure = plan.draw()
        figure.canvas.draw()
        extent = figure.legends[0].get_window_extent()
        self.assertGreaterEqual(extent.x0, 0)
        self.assertLessEqual(extent.x1, figure.bbox.x1)

    def test_names_of_many_nodes(self):
        """42 nodes: hosts are named together at their switch; legends of many kinds of links lie
        within the figure."""
        nodes = [*({"name": f"host-{i}", "kind": "host", "tier": 0, "pod": 0} for i in range(40)),
                 *({"name": f"leaf-{i}", "kind": "switch", "tier": 1, "pod": 0} for i in range(2))]
        links = [{"a": i, "b": 40 + i // 20, "kind": f"a long kind of links {i % 5}",
                  "rate_bps": 10**11, "delay_ps": 10**6} for i in range(40)]
        plan = Plan("two", tuple(nodes), tuple(links),
                    {"hosts": 40, "switches": 2, "groups": 0, "grid": [], "diameter_links": 2,
                     "mean_distance_links": 2.0, "half_hosts_bps": 0})
        figure = plan.draw()
        self.assertEqual([text.get_text() for text in figure.axes[0].texts],
                         ["leaf-0", "leaf-1", "host-0 to 19", "host-20 to 39"])
        legend = figure.legends[0].get_window_extent()
        self.assertGreaterEqual(legend.x0, 0)
        self.assertLessEqual(legend.x1, figure.bbox.width)

    def test_names_do_not_lie_over_one_another(self):
        """A name of 10 letters of 5.5 points is 31.9 points wide. Of 60 switches 10 points apart it
        is upright; of 4 points apart every other one fits, 6.3 points wide."""
        from dcfabric.plan_names import names_of, together
        nodes = [{"name": f"switch-{i:03}", "kind": "switch", "tier": 1, "pod": 0}
                 for i in range(60)]
        for apart, upright, shown in ((40, False, 60), (10, True, 60), (4, True, 30)):
            found = names_of(nodes, [], {i: (i * apart, 0.0) for i in range(60)}, 1.0)
            above = [name for name in found if not name.below]
            self.assertEqual({name.upright for name in found}, {upright})
            self.assertEqual(len(above), shown)
        # what does not fit above may fit below
        self.assertEqual(len(found), 60)
        self.assertEqual([together(names) for names in (["a-1"], ["a-1", "a-2"], ["a-1", "a-3"],
                                                        ["a-1", "b-2"], ["x", "y"])],
                         ["a-1", "a-1 to 2", "a-1 ... 3", "a-1 ... b-2", "x ... y"])

    @needs_sim
    @unittest.skipUnless(matplotlib_is_there(), "needs matplotlib")
    def test_plot(self):
        """dcfabric-plot draws plans beside other folders, and refuses other files."""
        printed = subprocess.run([SIM, "--topology=torus:dims=4", "--plan=json"],
                                 capture_output=True, check=True)
        (self.dir / "net.json").write_bytes(printed.stdout)
        (self.dir / "other.json").write_text("{}")
        run = self.plot("net.json", "--prefix=a-")
        self.assertEqual((run.returncode, run.stdout), (0, "figures/a-net.png\n"), run.stderr)
        self.assertTrue((self.dir / "figures" / "a-net.png").read_bytes().startswith(PNG))
        run = self.plot("net.json", "other.json", "--prefix=b-")
        self.assertEqual(run.returncode, 2)
        self.assertIn("other.json: not a plan", run.stderr)
        self.assertEqual([path.name for path in (self.dir / "figures").iterdir()], ["a-net.png"])

    def plot(self, *arguments):
        return subprocess.run([sys.executable, PLOT, *arguments, "--out=figures"],
                              capture_output=True, text=True,
                              check=False)


if __name__ == "__main__":
    unittest.main()
