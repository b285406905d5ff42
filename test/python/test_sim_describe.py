# SPDX-License-Identifier: GPL-2.0-only
"""What dcfabric-sim tells programs: --describe, and the events of --progress=json:FD
(doc/describe.rst)."""
import json
import os
import signal
import subprocess
import unittest

from sim_case import SIM, SMALL, SimCase

LONG = ("--topology=fat-tree:k=4", "--duration=1s", "--load=0.3")


class DescribeTest(SimCase):
    def ask(self, what, *arguments):
        told = subprocess.run([SIM, *arguments, f"--describe={what}"], cwd=self.dir,
                              capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        return json.loads(told.stdout)

    def test_options(self):
        told = self.ask("json")
        options = {option["name"]: option for option in told["options"]}
        self.assertEqual(options["payload"], {
            "name": "payload", "kind": "integer", "role": "simulation", "default": "1000",
            "unit": "B",
            "min": 1, "max": 65535, "help": "bytes of payload of a full packet", "values": []})
        self.assertEqual([options["tier-rates"][key] for key in ("kind", "separator", "unit")],
                         ["rate", ",", "bps"])
        self.assertEqual([name for name, option in options.items() if option["kind"] == "file"],
                         ["config", "policies", "library", "faults"])
        files = {value["file"]: name for name, option in options.items()
                 for value in option["values"]
                 if "file" in value}
        self.assertEqual(files, {"file:": "partition", "topo:": "topology", "cdf:": "workload",
                                 "program:": "workload", "flows:": "workload", "cm:": "workload"})
        self.assertEqual(
            [name for name, option in options.items() if option["role"] != "simulation"],
                         ["partition", "cores", "head-start", "out", "progress", "force", "list",
                          "check", "plan", "describe"])
        self.assertEqual({name: option["without_value"] for name, option in options.items()
                          if "without_value" in option},
                         {"progress": "on", "force": "true", "list": "true", "check": "true",
                          "plan": "text",
                          "describe": "json"})
        values = {value["text"]: value for value in options["cc"]["values"]}
        self.assertEqual(values["hpcc"]["type"], "ns3::HpccCongestionControl")
        self.assertEqual(values["external-int"]["sets"],
                         {"ns3::ExternalCongestionControl::DataInt": "true"})
        presets = {value["text"]: value["sets"] for value in options["preset"]["values"]}
        self.assertEqual(presets["fncc24"]["payload"], "1456")
        self.assertEqual(told["inputs"], [])

    def test_check(self):
        """Builds and says nothing, or refuses what a run would refuse; writes nothing."""
        run = self.sim(*SMALL, "--check")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        for arguments, words in ((("--cc=hpcc", "--features=rcm"), "compares INT records"),
                                 (("--workload=flows:none",), "none"),
                                 (("--workload=incast:dst=999",), "999")):
            run = self.sim("--topology=fat-tree:k=4", *arguments, "--check")
            self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1))
            self.assertIn(words, run.stderr)
        self.assertFalse(self.out.exists())

    def test_actions_are_no_results(self):
        """Exactly the other options are in summary.json, in this order."""
        self.run_ok(*SMALL)
        names = [option["name"] for option in self.ask("json")["options"]
                 if option["role"] != "action"]
        self.assertEqual([*self.summary()["options"]], names)

    def test_ranges_are_kept(self):
        """A number beyond its bounds is refused; the bounds themselves are not, where they make
        sense."""
        options = {option["name"]: option for option in self.ask("json")["options"]
                   if "max" in option}
        self.assertEqual([*options], ["payload", "error-rate", "load", "cores", "seed"])
        for name, option in options.items():
            for value in (option["min"] - 1, option["max"] + 1):
                with self.subTest(name=name, value=value):
                    run = self.sim("--topology=fat-tree:k=4", "--stop=1us", f"--{name}={value}")
                    self.assertEqual(run.returncode, 2, run.stderr)

    def test_classes_are_those_of_the_list(self):
        listed = subprocess.run([SIM, "--list"], capture_output=True, text=True, timeout=60).stdout
        classes = self.ask("json")["classes"]
        self.assertGreater(len(classes), 100)
        for one in classes:
            for attribute in one["attributes"]:
                line = f"    --{one['type']}::{attribute['name']}={attribute['default']}\n"
                self.assertIn(line, listed)
        hpcc = next(one for one in classes if one["type"] == "ns3::HpccCongestionControl")
        self.assertEqual((hpcc["chosen_by"], hpcc["kind"]),
                         (["--cc=hpcc", "--cc=hpcc-rate"], "Congestion control (--cc)"))
        eta = next(one for one in hpcc["attributes"] if one["name"] == "Eta")
        self.assertEqual((eta["default"], eta["type"]), ("0.95", "ns3::DoubleValue"))

    def test_inputs(self):
        for name in ("a.flows", "e.txt"):
            self.write(name, "")
        self.write("sizes.cdf", "1000 0\n2000 100\n")
        for arguments, inputs in (
                (SMALL, []), (("--workload=flows:a.flows",), ["a.flows"]),
                (("--workload=incast:fan-in=4,size=1MB+flows:a.flows",), ["a.flows"]),
                (("--workload=cm:b.cm,unit=us+flows:a.flows",), ["a.flows", "b.cm"]),
                (("--workload=flows:c,1.flows",), ["c,1.flows"]),
                (("--workload=flows:d+e.flows",), ["d+e.flows"]),
                (("--workload=flows:f=g.flows", "--faults=two words"), ["f=g.flows", "two words"]),
                (("--workload=cdf:sizes.cdf",), ["sizes.cdf"]),
                (("--workload=hotspot:sizes=cdf:sizes.cdf",), ["sizes.cdf"]),
                (("--topology=file:t.topo", "--partition=file:p", "--policies=q"),
                 ["p", "q", "t.topo"]),
                (("--topology=topo:t.topo", "--faults=t.topo"), ["t.topo"]),
                (("--ns3::EntropyFile::From=e.txt",), ["e.txt"])):
            with self.subTest(arguments):
                self.assertEqual(self.ask("inputs", *arguments), {"inputs": inputs})
                self.assertEqual(self.ask("json", *arguments)["inputs"], inputs)

    def test_inputs_of_a_configuration(self):
        """ConWeave's lies three folders below what it names, HPCC's beside it."""
        folder = self.dir / "mix" / "output" / "7"
        folder.mkdir(parents=True)
        (self.dir / "config").mkdir()
        self.write("config/topo.txt", "")
        self.write("mix/output/7/flow.txt", "")
        self.write("mix/output/7/config.txt", "TOPOLOGY_FILE config/topo.txt\nFLOW_FILE flow.txt\n")
        config = "--config=mix/output/7/config.txt"
        told = subprocess.run([SIM, config, "--describe=inputs"], cwd=self.dir, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(json.loads(told.stdout)["inputs"],
                         ["config/topo.txt", "mix/output/7/config.txt", "mix/output/7/flow.txt"])
        told = subprocess.run([SIM, config, "--topology=fat-tree:k=4", "--describe=inputs"],
                              cwd=self.dir,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(json.loads(told.stdout)["inputs"],
                         ["mix/output/7/config.txt", "mix/output/7/flow.txt"])

    def test_refusals(self):
        self.refuse("--describe=jsno", words=("unknown --describe 'jsno'", "nearest is json"))
        self.refuse("--describe=", words=("--describe needs a value",))
        self.refuse("--workload=flow:x", "--describe=inputs", words=("unknown workload 'flow'",))


class EventsTest(SimCase):
    def begin(self, *arguments, **named):
        """A run whose events come through a pipe; returns it and the end for reading."""
        reader, writer = os.pipe()
        process = subprocess.Popen([SIM, *arguments, f"--out={self.out}",
                                    f"--progress=json:{writer}"],
                                   cwd=self.dir, pass_fds=[writer], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, **named)
        os.close(writer)
        self.addCleanup(process.stderr.close)
        return process, os.fdopen(reader)

    def test_end(self):
        process, events = self.begin(*SMALL)
        with events:
            self.assertEqual([json.loads(line) for line in events],
                             [{"event": "end", "status": "complete", "exit_status": 0,
                               "folder": str(self.out)}])
        self.assertEqual((process.wait(), process.stderr.read()), (0, ""))
        self.assertEqual(self.summary()["options"]["progress"], "json")
        # and the same results may be written over these, as progress does not count
        self.assertEqual(self.sim(*SMALL, "--progress=off").returncode, 0)

    def test_progress_and_interrupt(self):
        process, events = self.begin(*LONG)
        with events:
            first, second = (json.loads(events.readline()) for _ in range(2))
            process.send_signal(signal.SIGINT)
            *_, last = map(json.loads, events)
        self.assertEqual([*first], ["event", "fraction", "flows_completed", "flows", "sim_seconds",
                                    "wall_seconds", "eta_seconds"])
        self.assertEqual(first["event"], "progress")
        for name in ("fraction", "flows_completed", "sim_seconds", "wall_seconds"):
            self.assertLess(first[name], second[name])
        wall, fraction = second["wall_seconds"], second["fraction"]
        self.assertAlmostEqual(second["eta_seconds"], wall * (1 - fraction) / fraction, 3)
        self.assertEqual(last,
                         {"event": "end", "status": "partial", "exit_status": 130,
                          "folder": str(self.out)})
        self.assertEqual(process.wait(), 130)

    def test_reader_goes_away(self):
        process, events = self.begin(*LONG, "--stop=4ms")
        with events:
            events.readline()
        self.assertEqual((process.wait(), process.stderr.read()), (0, ""))
        self.assertEqual(self.summary()["status"], "stopped")

    def test_reader_does_not_read(self):
        """The pipe is full from the beginning."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)
        run = subprocess.run([SIM, *SMALL, f"--out={self.out}", f"--progress=json:{writer}"],
                             pass_fds=[writer], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        os.close(reader)
        os.close(writer)

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([SIM, *SMALL, f"--out={self.out}",
                                  f"--progress=json:{full.fileno()}"],
                                 pass_fds=[full.fileno()], capture_output=True, text=True,
                                 timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_errors(self):
        process, events = self.begin(*SMALL, "--lb=repss")
        with events:
            [event] = map(json.loads, events)
        self.assertEqual(process.wait(), 2)
        self.assertEqual((event["event"], event["exit_status"]), ("error", 2))
        self.assertEqual(f"dcfabric-sim: {event['text']}\n", process.stderr.read())

    def test_descriptors_that_are_none(self):
        for progress, words in (("json:250", "is not open;"), ("json:0", "is not open for writing"),
                                ("json:x", "'x' is not a whole number"),
                                ("json:", "'' is not a whole"),
                                ("json:-1", "'-1' is not a whole"), ("json", "'' is not a whole"),
                                ("json:99999999999", "is not a whole number from 0 to 2147483647"),
                                ("jsno:1", "known: auto, on, off, json:FD"),
                                ("on:1", "unknown --progress")):
            with self.subTest(progress), open(os.devnull) as nothing:
                run = subprocess.run([SIM, *SMALL, f"--out={self.out}", f"--progress={progress}"],
                                     stdin=nothing, capture_output=True, text=True, timeout=60)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn("--progress", run.stderr)
                self.assertIn(words, run.stderr)
                self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
