# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric.Scenario: options, flows, how it shows itself, and where the program is looked for."""
import contextlib
import dataclasses
import inspect
import json
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from package_case import DUMBBELL, SIM, PackageCase, ROOT, dcfabric, needs_sim

from dcfabric import BadScenario, CongestionControl, DcfabricError, Flow, Scenario
from dcfabric.faults import flapping, write_faults
from dcfabric.flows import as_flows, flow_file_text
from dcfabric.option_values import FURTHER, OF_RUN
from dcfabric.program import trees_folder


class ScenarioTest(unittest.TestCase):
    def test_fields_are_options(self):
        scenario = Scenario(topology="fat-tree:k=4", rate="40Gbps", load=0.3, seed=7,
                            tier_rates=["1Gbps", "2Gbps"],
                            trace=["queues", "pfc"], flow_control="none", coordination="ccm",
                            attributes={"ns3::IntFormat::Exact": True},
                            options={"faults": "cuts.txt"})
        self.assertEqual(scenario.arguments(), [
            "--topology=fat-tree:k=4", "--rate=40Gbps", "--tier-rates=1Gbps,2Gbps", "--load=0.3",
            "--seed=7", "--flow-control=none", "--coordination=ccm", "--trace=queues,pfc",
            "--faults=cuts.txt", "--ns3::IntFormat::Exact=true"])

    def test_fault_files(self):
        self.assertEqual(flapping(5, 2, "3:1", 1.5, 2, 2),
                         ["5.000000us down 2 3:1", "6.500000us up 2 3:1",
                          "8.500000us down 2 3:1", "10.000000us up 2 3:1"])
        for down, up in ((0, 1), (1, -1)):
            with self.assertRaisesRegex(DcfabricError, "above zero"):
                flapping(5, 2, 3, down, up, 2)
        with tempfile.TemporaryDirectory() as folder:
            path = write_faults(os.path.join(folder, "new", "faults.txt"),
                                ["1us switch-down 4", "2us switch-up 4"])
            self.assertEqual(path.read_text(), "1us switch-down 4\n2us switch-up 4\n")
        self.assertEqual(Scenario(faults="f", convergence="50us").arguments(),
                         ["--seed=1", "--faults=f", "--convergence=50us"])

    def test_defaults_are_left_to_the_program(self):
        # The seed is always said: results carry it.
        self.assertEqual(Scenario().arguments(), ["--seed=1"])

    @needs_sim
    def test_every_option_has_a_field(self):
        """The program's options, but for those that are about one run and not about what is
        simulated."""
        told = subprocess.run([SIM, "--describe=json"], capture_output=True, check=True).stdout
        names = {option["name"] for option in json.loads(told)["options"]
                 if option["role"] == "simulation"}
        fields = {field.name.replace("_", "-") for field in dataclasses.fields(Scenario)}
        self.assertEqual(fields - names,
                         {"attributes", "flows", "cc-parameters", "cores", "options"})
        self.assertEqual(names - fields, set())

    def test_signature(self):
        """What editors and notebooks complete: all fields, the topology also without its name."""
        signature = inspect.signature(Scenario)
        self.assertEqual([*signature.parameters],
                         [field.name for field in dataclasses.fields(Scenario)])
        self.assertEqual([name for name, one in signature.parameters.items()
                          if one.kind is not one.KEYWORD_ONLY],
                         ["topology"])
        self.assertEqual(signature.parameters["load"].annotation,
                         "float | str | os.PathLike[str] | None")
        changes = inspect.signature(Scenario().replace).parameters
        self.assertEqual([*changes], [*signature.parameters])
        self.assertEqual({one.kind for one in changes.values()}, {inspect.Parameter.KEYWORD_ONLY})
        self.assertEqual(Scenario("dumbbell:senders=2"), Scenario(topology="dumbbell:senders=2"))
        with self.assertRaisesRegex(TypeError, "positional"):
            Scenario("dumbbell:senders=2", "pairs")

    def test_unknown_names(self):
        for fields, words in (({"flow_contorl": "pfc"},
                               "no field 'flow_contorl'; the nearest is flow_control"),
                              ({"out": "results"}, "no field 'out': give it to run"),
                              ({"tracing": 1}, "no field 'tracing'")):
            with self.subTest(fields), self.assertRaisesRegex(DcfabricError, words):
                Scenario(**fields)

    def test_values_are_checked(self):
        """At once, in Python's words; what only the program can know is left to it."""
        for fields, words in (
                ({"cc": "fnc"}, "^unknown cc 'fnc'; known: hpcc, .*; the nearest is fncc$"),
                ({"cc": 5}, "^cc is 5; expected a name, such as cc='hpcc', or a subclass"),
                ({"cc": int}, "^cc is <class 'int'>; expected a name"),
                ({"lb": CongestionControl}, "^lb is <class .*; expected a name, such as lb='"),
                ({"lb": "path:paths=8"}, "^unknown lb 'path:paths=8'; .*nearest is path-set$"),
                ({"trace": ["queues", "rate"]}, "^unknown trace 'rate'; .*nearest is rates$"),
                ({"trace": "queues,rate"}, "^unknown trace 'rate'"),
                ({"workload": "alltoall+insect:start=50us"}, "unknown workload 'insect"),
                ({"topology": "fattree:k=4"}, "^unknown topology 'fattree:k=4'.*is fat-tree$"),
                ({"delay": "5"}, "^delay: '5' has no unit; a time is written like delay='5us'$"),
                ({"delay": 5}, "^delay: '5' has no unit"),
                ({"rate": "100Gbit"}, "^rate: '100Gbit' is not a rate; .* rate='100Gbps'"),
                ({"base_rtt": "small"}, "'small' is not a time; .*, or 'largest', or 'pair'$"),
                ({"tier_rates": ["1Gbps", "2"]}, "^tier_rates: '2' has no unit"),
                ({"load": 1.5}, "^load: '1.5' is not a number from 0 to 1$"),
                ({"load": float("nan")}, "^load: 'nan' is not a number from 0 to 1$"),
                ({"load": True}, "^load is True; expected a number$"),
                ({"load": "mylib"}, "'mylib' is not a number .*; a library .* is library=...$"),
                ({"library": 3}, "^library is 3; expected the path of a file$"),
                ({"faults": ["a.txt"]}, r"^faults is \['a.txt'\]; expected the path of a file$"),
                ({"only": 3}, "^only is 3; expected a text$"),
                ({"link_down": 120}, "^link_down is 120; expected a text$"),
                ({"payload": 0}, "^payload: '0' is not a whole number from 1 to 65535$"),
                ({"cores": 0}, "^cores: '0' is not a whole number from 1 to 256$"),
                ({"payload": 1e3}, "^payload: '1000.0' is not a whole number"),
                ({"seed": -1}, "^seed: '-1' is not a whole number from 0 to")):
            with self.subTest(fields), self.assertRaisesRegex(BadScenario, words):
                Scenario(**fields)
            with self.subTest(fields), self.assertRaises(ValueError):
                Scenario().replace(**fields)
        Scenario(cc="ns3::Mine", lb="path-set", load="libmine.so", stop="100 us", delay=0,
                 rate="1e2 Gb/s", base_rtt="pair", convergence="none", tier_delays="1us,2us",
                 workload="alltoall+incast:start=50us@2us", post_delay="fixed:2us",
                 topology="torus", payload="512", oversubscription=[2, "1.5"])

    def test_mappings_are_checked(self):
        """Names of options are known here; of attributes, and of global values, only the program
        knows them. What both say has no order."""
        for fields, words in (
                ({"options": "cc"}, "^options is 'cc'; expected a mapping, such as options={'head"),
                ({"options": {1: 2}}, "^options is {1: 2}; expected a mapping"),
                ({"attributes": 3}, "^attributes is 3; expected a mapping, .*{'ns3::FabricNic"),
                ({"cc_parameters": [1]}, r"^cc_parameters is \[1\]; expected a mapping, such as"),
                ({"options": {"ccc": "hpcc"}},
                 "^options: there is no option 'ccc'; the nearest is cc$"),
                ({"options": {"flow_control": "pfc"}}, "'flow_control'; .* is flow-control$"),
                ({"options": {"head-strat": "off"}}, "; the nearest is head-start$"),
                ({"options": {"xyz": 1}}, "^options: there is no option 'xyz'$"),
                ({"options": {"out": "x"}}, "^options: 'out' is none of a scenario; run"),
                ({"cc": "fncc", "options": {"cc": "hpcc"}},
                 "^options: 'cc' is the field cc, which is set, too; give it once, as cc='hpcc'$"),
                ({"options": {"seed": 2}}, "'seed' is the field seed, .*as seed=2$"),
                ({"options": {"cc": None}}, "^options: 'cc' is None; expected a text, a number"),
                ({"attributes": {"stop": "1ms"}},
                 "^attributes: 'stop' is no attribute of ns-3, .*; the nearest field is stop$"),
                ({"attributes": {"ns3::FabricNic::AckEvery": {}}}, "AckEvery' is {}; expected a")):
            with self.subTest(fields), self.assertRaisesRegex(BadScenario, words):
                Scenario(**fields)
        scenario = Scenario(options={"cc": "hpcc", "head-start": False, "RngRun": 2},
                            attributes={"ns3::X::Y": [1, 2], "SchedulerType": "ns3::MapScheduler"})
        self.assertEqual(scenario.arguments(), [
            "--seed=1", "--cc=hpcc", "--head-start=false", "--RngRun=2", "--ns3::X::Y=1,2",
            "--SchedulerType=ns3::MapScheduler"])

    @needs_sim
    def test_options_without_fields_are_those_of_the_program(self):
        described = json.loads(subprocess.run([SIM, "--describe=json"], capture_output=True,
                                              check=True).stdout)
        names = {one["name"] for one in described["options"] if one["role"] == "run"}
        self.assertEqual({*FURTHER, *OF_RUN, "cores"}, {*names, "force"})

    def test_a_library_is_no_load(self):
        """It may be given as either; the other one stays free."""
        scenario = Scenario(load="libmine.so")
        self.assertEqual(scenario, Scenario(library=["libmine.so"]))
        self.assertEqual(scenario.replace(load=0.5).arguments(),
                         ["--load=0.5", "--seed=1", "--library=libmine.so"])
        self.assertEqual(Scenario(library=Path("a.so"), load=Path("b")).arguments(),
                         ["--seed=1", "--library=a.so,b"])

    @needs_sim
    def test_what_is_refused_here_the_program_refuses(self):
        """And with the same words, but for the names."""
        for fields in ({"cc": "fnc"}, {"lb": "path:paths=8"}, {"trace": "rate"}, {"load": "1.5"},
                       {"delay": "5"}, {"rate": "100Gbit"}, {"payload": "0"},
                       {"error_rate": "2"}, {"duration": "2 hours"}, {"stop": "1us2"}):
            with self.subTest(fields), self.assertRaises(BadScenario) as caught:
                Scenario(**fields)
            [(name, value)] = fields.items()
            with self.subTest(fields), self.assertRaises(BadScenario) as theirs:
                Scenario(options={name.replace("_", "-"): value},
                         workload="websearch").run()
            # "unknown --cc", "--load: ...": up to the first quotation mark and the value in it
            said = str(theirs.exception)
            self.assertEqual(str(caught.exception).split("'")[:2], said.split("'")[:2])

    def test_help(self):
        """Fields are explained, those of Python alone as well."""
        for words in ("\nFields:\n", "\nrate:\n    rate of all links. With a unit.",
                      "\nflows:\n    your own flows instead of a workload"):
            self.assertIn(words, Scenario.__doc__)

    def test_lists(self):
        """A list, a tuple, text with commas; nothing is no option, in whichever way it is said."""
        for value in (["rates", "pfc"], ("rates", "pfc"), "rates,pfc"):
            self.assertEqual(Scenario(trace=value).arguments(), ["--seed=1", "--trace=rates,pfc"])
        for value in ((), [], None):
            scenario = Scenario(trace=value, tier_rates=value, oversubscription=value, export=value)
            self.assertEqual((scenario.arguments(), scenario.export), (["--seed=1"], ()))
        self.assertEqual(Scenario(oversubscription=2).arguments(),
                         ["--oversubscription=2", "--seed=1"])

    def test_files_and_links_of_other_simulators(self):
        scenario = Scenario(config="mix/config.txt", switch_latency="300ns", error_rate=0.01,
                            marking="none",
                            base_rtt="pair", link_down="120us,16,24")
        self.assertEqual(scenario.arguments(), [
            "--switch-latency=300ns", "--error-rate=0.01", "--seed=1", "--marking=none",
            "--base-rtt=pair", "--link-down=120us,16,24", "--config=mix/config.txt"])

    def test_replace_leaves_the_original(self):
        other = DUMBBELL.replace(cc="fncc", seed=2)
        self.assertEqual((DUMBBELL.cc, DUMBBELL.seed, other.cc, other.seed), ("hpcc", 1, "fncc", 2))
        self.assertEqual(other.topology, DUMBBELL.topology)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            other.cc = "dcqcn"
        with self.assertRaisesRegex(DcfabricError, "no field 'speed'"):
            DUMBBELL.replace(speed=9)

    def test_mappings_are_copies(self):
        attributes = {"ns3::FabricNic::AckEvery": 2}
        scenario = Scenario(attributes=attributes)
        attributes["ns3::FabricNic::AckEvery"] = 3
        self.assertEqual(scenario.attributes, {"ns3::FabricNic::AckEvery": 2})
        self.assertEqual(hash(scenario), hash(Scenario(attributes={})))  # usable as a key
        self.assertNotEqual(scenario, Scenario(attributes={}))

    def test_repr_can_be_evaluated(self):
        for scenario in (Scenario(), DUMBBELL.replace(trace=["rates"], attributes={"ns3::A::B": 1}),
                         Scenario(flows=[Flow(0, 1, 10, 2.5)])):
            self.assertEqual(eval(repr(scenario), vars(dcfabric)), scenario)
        self.assertEqual(repr(Scenario(cc="fncc")), "Scenario(seed=1, cc='fncc')")

    def test_repr_of_many_flows_is_short(self):
        scenario = Scenario(flows=[(0, 1, 1000, 0)] * 1000)
        self.assertLess(len(repr(scenario)), 300)
        self.assertIn("1000 flows", repr(scenario))

    def test_html(self):
        shown = Scenario(topology="fat-tree:k=4",
                         workload="<b>&").replace(trace=["rates", "pfc"])._repr_html_()
        for part in ("<table>", "fat-tree:k=4", "&lt;b&gt;&amp;", "rates,pfc"):
            self.assertIn(part, shown)
        self.assertNotIn("<b>&", shown)


class FlowsTest(unittest.TestCase):
    def test_file(self):
        # One microsecond is 1e-6 s; 0.5 ns is 5e-10 s; a picosecond is the smallest step.
        text = flow_file_text([Flow(0, 2, 5000, 1000), Flow(1, 3, 1, 0.5), Flow(3, 0, 2, 0.001),
                               Flow(0, 1, 9)])
        lines = text.splitlines()
        self.assertEqual(lines[0], "4")
        self.assertEqual([line.split()[:4] for line in lines[1:]],
                         [["0", "2", "3", "5000"], ["1", "3", "3", "1"], ["3", "0", "3", "2"],
                          ["0", "1", "3", "9"]])
        self.assertEqual([line.split()[4] for line in lines[1:]],
                         ["0.000001000000", "0.000000000500", "0.000000000001", "0.000000000000"])

    def test_frame(self):
        import pandas

        frame = pandas.DataFrame({"start_ns": [0.0, 10.5], "src": [0, 1], "dst": [2, 3],
                                  "size_bytes": [5, 6],
                                  "slowdown": [1.0, 2.0]})
        self.assertEqual(Scenario(flows=frame).flows, (Flow(0, 2, 5, 0.0), Flow(1, 3, 6, 10.5)))
        with self.assertRaisesRegex(DcfabricError, "lacks dst.*it has start_ns"):
            Scenario(flows=frame.drop(columns="dst"))

    def test_refusals(self):
        for flows, words in (([(0, 1)], "missing"), ([(0, 1, 0, 0)], "size_bytes of flow 0 is 0"),
                             (7, "iterable"),
                             ([(0, 1, 10, -1)], "start_ns of flow 0"),
                             ([(0, 1, 9, 0), (0, 1.5, 9, 0)], "dst of flow 1"),
                             ([(0, 1, 10, float("nan"))], "start_ns"),
                             ([(0, 1, 10, math.inf)], "start_ns of flow 0 is inf"),
                             ([(math.nan, 1, 10, 0)], "src of flow 0 is nan"),
                             ([(0, math.inf, 10, 0)], "dst of flow 0 is inf"),
                             ([("a", 1, 10, 0)], "src of flow 0 is 'a'"),
                             ([(0, 1, 10, "1us")], "start_ns of flow 0 is '1us'")):
            with self.subTest(flows=flows), self.assertRaisesRegex(DcfabricError, words):
                Scenario(flows=flows)

    def test_numbers_of_numpy(self):
        """Starts by numpy.arange ended in a TypeError of decimal."""
        import numpy
        flows = as_flows(
            [Flow(i, 5, numpy.int32(10), start) for i, start in enumerate(numpy.arange(0, 30, 10))])
        self.assertEqual(flow_file_text(flows).splitlines()[3], "2 5 3 10 0.000000020000")
        self.assertEqual({type(value) for flow in flows for value in flow}, {int})
        self.assertEqual(as_flows([(0, 1, 2, numpy.float64(0.5))])[0].start_ns, 0.5)

    def test_either_flows_or_workload(self):
        with self.assertRaisesRegex(DcfabricError, "one of them"):
            Scenario(flows=[], workload="websearch")


class FindProgramTest(PackageCase):
    def test_given_and_environment(self):
        path = self.program("")
        self.assertEqual(dcfabric.find_program(path), path)
        with mock.patch.dict(os.environ, {"DCFABRIC_SIM": str(path)}):
            self.assertEqual(dcfabric.find_program(), path)
        for wrong in ("/nowhere", str(self.dir), __file__):
            with mock.patch.dict(os.environ, {"DCFABRIC_SIM": wrong}), \
                    self.assertRaisesRegex(DcfabricError, "in DCFABRIC_SIM.*not a program"):
                dcfabric.find_program()

    def test_command_of_pip(self):
        """A command of pip is a script that starts find_program()'s program: to take the script
        would go round for ever."""
        real, folder = self.program(""), self.dir / "bin"
        folder.mkdir()
        (folder / "python3").write_text('#!/bin/sh\n[ -z "$DCFABRIC_SIM" ] && [ "$*" = "-m '
                                        f'dcfabric where program" ] && echo {real}\n')
        command = folder / "dcfabric-sim"
        command.write_text("#!/usr/bin/python3\nfrom dcfabric.commands import sim\nsim()\n")
        for path in (folder / "python3", command):
            path.chmod(0o755)
        with mock.patch.dict(os.environ, {"DCFABRIC_SIM": str(command)}):
            self.assertEqual(dcfabric.find_program(), real)
        with self.checkout("none"), mock.patch.dict(os.environ,
                                                    {"PATH": f"{folder}:/usr/bin:/bin"}):
            self.assertEqual(dcfabric.find_program(), real)
        with self.checkout("none"), mock.patch.dict(
                os.environ,
                {"PATH": f"{self.built(self.dir / 'dcfabric-sim').parent}:/usr/bin:/bin"}):
            with self.assertRaisesRegex(DcfabricError, "call .*quickstart"):
                dcfabric.find_program()
        (folder / "python3").write_text("#!/bin/sh\necho no module >&2; exit 1\n")
        with self.assertRaisesRegex(DcfabricError,
                                    "is a command of pip without its program: no module"):
            dcfabric.find_program(command)

    def test_cache(self):
        """Trees of the cache: optimized before the wheel's, and that before the one with
        assertions."""
        folders = ("ns-3.37-1-default/build/contrib/dcfabric/examples/ns3.37-dcfabric-sim-default",
                   "wheel-3.44-release/cmake-cache/examples/dcfabric-sim",
                   "ns-3.37-1-optimized/build/contrib/dcfabric/examples/"
                   "ns3.37-dcfabric-sim-optimized")
        with self.checkout("none"):
            with self.assertRaisesRegex(DcfabricError, "call .*quickstart"):
                dcfabric.find_program()
            for name in folders:  # each is better than those before
                program = self.built(trees_folder() / name)
                self.assertEqual(dcfabric.find_program(), program)

    def test_other_checkout(self):
        """What another checkout has built is not taken: it once was, with results of other
        sources."""
        name = "wheel-3.44-release/cmake-cache/examples/dcfabric-sim"
        with self.checkout("one"):
            one = self.built(trees_folder() / name)
        with self.checkout("two"):
            with self.assertRaisesRegex(DcfabricError, "call .*two/quickstart"):
                dcfabric.find_program()
            two = self.built(trees_folder() / name)
            self.assertEqual(dcfabric.find_program(), two)
        with self.checkout("one"):
            self.assertEqual(dcfabric.find_program(), one)

    def test_older_than_sources(self):
        """A program is not taken once a source has changed, until it or its library is built
        again."""
        with self.checkout("mine"):
            program = self.built(trees_folder()
                                 / "wheel-3.44-release/cmake-cache/examples/dcfabric-sim")
            source = self.dir / "mine" / "model" / "link" / "port.cc"
            source.parent.mkdir(parents=True)
            source.write_text("")
            for made, good in ((999, False), (1000, True)):
                os.utime(program, (made, made))
                os.utime(source, (1000, 1000))
                if good:
                    self.assertEqual(dcfabric.find_program(), program)
                else:
                    with self.assertRaisesRegex(DcfabricError,
                                                "is older than .*model/link/port.cc"):
                        dcfabric.find_program()
            os.utime(program, (999, 999))
            library = self.built(program.parent.parent / "libdcfabric.so")
            os.utime(library, (1001, 1001))
            self.assertEqual(dcfabric.find_program(), program)

    def test_same_folder_in_shell(self):
        """./quickstart builds in the folder in which the package looks."""
        script = ". .ci/setup-ns3.sh; find_trees; printf %s \"$TREES\""
        with mock.patch.dict(os.environ, {"DCFABRIC_CACHE": str(self.dir)}):
            told = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True,
                                  check=True)
            self.assertEqual(told.stdout, str(trees_folder()))
            self.assertEqual((trees_folder() / "checkout").read_text(), str(ROOT))

    def test_folders_of_gone_checkouts(self):
        """The next set-up removes them, and no other."""
        for name, checkout in (("gone", self.dir / "nowhere"), ("there", self.dir)):
            folder = self.dir / "trees" / name
            folder.mkdir(parents=True)
            (folder / "checkout").write_text(str(checkout))
        with mock.patch.dict(os.environ, {"DCFABRIC_CACHE": str(self.dir)}):
            subprocess.run(["bash", "-c", ". .ci/setup-ns3.sh; find_trees"], cwd=ROOT,
                           capture_output=True, check=True)
        self.assertFalse((self.dir / "trees" / "gone").exists())
        self.assertTrue((self.dir / "trees" / "there").exists())

    @contextlib.contextmanager
    def checkout(self, name):
        """As if the package lay in a checkout of that name, with a cache of the test's own."""
        clean = {"DCFABRIC_CACHE": str(self.dir), "DCFABRIC_SIM": ""}
        with mock.patch.dict(os.environ, clean), mock.patch("dcfabric.program.ROOT",
                                                            self.dir / name):
            yield

    @staticmethod
    def built(path):
        """An empty program at that place."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
        return path


if __name__ == "__main__":
    unittest.main()
