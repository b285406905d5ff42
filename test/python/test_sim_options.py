# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: which option wins, what presets set, and what happens to runs that go wrong."""
import importlib
import json
import re
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

from sim_case import SIM, SMALL, SimCase

# Hosts 0 and 1 at switch 2; nearly nothing gets through the link to host 1.
DEAD = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0.9999999999\n"
LOSSY = DEAD.replace("0.9999999999", "0.01")


class PrecedenceTest(SimCase):
    def options(self, *arguments):
        self.run_ok(*SMALL, *arguments)
        return self.summary()["options"]

    def test_defaults_are_resolved(self):
        options = self.options()
        for name, value in (("cc", "hpcc"), ("lb", "symmetric-ecmp"), ("flow-control", "pfc"),
                            ("rate", "100Gbps"), ("delay", "1us"), ("payload", "1000"),
                            ("reliability", "selective-repeat"), ("seed", "1")):
            self.assertEqual(options[name], value, name)

    def test_options_win_over_the_preset_wherever_they_stand(self):
        before = self.options("--payload=500", "--preset=fncc24")
        after = self.options("--preset=fncc24", "--payload=500")
        self.assertEqual(before, after)
        self.assertEqual((after["payload"], after["delay"]), ("500", "1.5us"))
        self.assertEqual(self.flows()[0]["packets_sent"], "40")  # 20 kB in packets of 500 B

    def test_attributes_win_over_the_preset_wherever_they_stand(self):
        # PFC at 5 kB instead of 500 KB pauses an incast; at 500 KB it does not.
        incast = ("--topology=leaf-spine:leaves=2,spines=1,hosts=4", "--cc=none",
                  "--workload=incast:fan-in=4,size=50kB")
        xoff = "--ns3::SharedBuffer::XoffThreshold=5000"
        pauses = []
        for arguments in (("--preset=fncc24",), ("--preset=fncc24", xoff),
                          (xoff, "--preset=fncc24")):
            self.run_ok(*incast, *arguments)
            pauses.append(self.summary()["pfc_pause_frames"])
        self.assertEqual(pauses[0], 0)
        self.assertGreater(pauses[1], 0)
        self.assertEqual(pauses[1], pauses[2])

    def test_preset_leaves_links_of_a_file_alone(self):
        self.write("good.topo", LOSSY.replace("0.01", "0"))
        self.run_ok("--topology=file:good.topo", "--workload=pairs:size=1000", "--cc=none",
                    "--preset=fncc24")
        self.assertEqual(self.summary()["options"]["delay"], "")
        # 1000 + 82 bytes twice at 100 Gb/s, and 2 x 1 us.
        self.assertEqual(self.flows()[0]["fct_ns"], "2173.12")

    def test_run_number_changes_the_flows(self):
        arguments = ("--topology=fat-tree:k=4", "--workload=permutation:size=1kB")
        pairs = []
        for run in ("--RngRun=1", "--RngRun=1", "--RngRun=2"):
            self.run_ok(*arguments, run)
            pairs.append([f["dst"] for f in self.flows()])
        self.assertEqual(pairs[0], pairs[1])
        self.assertNotEqual(pairs[0], pairs[2])
        run = self.sim(*arguments, "--seed=3", "--RngRun=4", "--force")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--seed=3 contradicts --RngRun=4: the seed is ns-3's number of the run; give "
                      "one of them", run.stderr)

    def test_what_would_have_no_effect_is_refused(self):
        for option, word in (("--ns3::FabricNetDevice::DataRate=1Gbps", "--rate"),
                             ("--ns3::FabricChannel::Delay=1ms", "--delay"),
                             ("--load=0.9", "load"),  # a permutation has none
                             ("--trace-interval=2us", "--trace"),
                             ("--ns3::DcqcnCongestionControl::G=0.5", "DcqcnCongestionControl"),
                             ("--ns3::FnccCongestionControl::Eta=0.5", "FnccCongestionControl"),
                             ("--ns3::DeficitRoundRobinScheduler::Quanta=1", "Quanta"),
                             ("--ns3::HpccSimWireFormat::GapBytes=1", "HpccSimWireFormat"),
                             ("--ns3::LeafSpineTopology::Leaves=4", "LeafSpineTopology"),
                             ("--ns3::IncastWorkload::FanIn=4", "IncastWorkload"),
                             ("word", "word")):
            with self.subTest(option=option):
                self.refuse(*SMALL, option, words=(word,))
        self.refuse(*SMALL, "--payload=500", "--ns3::FabricNic::PayloadBytes=600",
                    words=("PayloadBytes",))

    def test_bad_attribute_values(self):
        for attribute in ("IntWindowCongestionControl::Eta=much",
                          "IntWindowCongestionControl::MinRate=slow",
                          "DcqcnCongestionControl::AlphaInterval=1parsec",
                          "SharedBuffer::Size=-1",
                          "CongestionAwareQueueDisc::Scheduler=ns3::NoSuchScheduler"):
            with self.subTest(attribute=attribute):
                self.refuse(*SMALL, f"--ns3::{attribute}", words=(attribute.split("=")[0],))
        for value in ("RngRun=x", "RngSeed=-1", "SchedulerType=ns3::Node",
                      "SimulatorImplementationType=ns3::HeapScheduler"):
            with self.subTest(value=value):
                self.refuse(*SMALL, f"--{value}", words=(value.split("=")[0],))
        # well-formed, but out of range
        self.refuse(*SMALL, "--ns3::WredMarkingProfile::Pmax=2",
                    words=("Pmax", "'2'", "from 0 to 1"))

    def test_inherited_attributes_go_by_both_names(self):
        # Eta belongs to the base class of HPCC and FNCC.
        slow = []
        for eta in ("0.95", "0.5"):
            for name in ("Hpcc", "IntWindow"):
                self.run_ok("--topology=fat-tree:k=4", "--workload=permutation:size=1MB",
                            f"--ns3::{name}CongestionControl::Eta={eta}")
                slow.append(self.summary()["slowdown"]["overall"]["mean"])
        self.assertEqual(slow[0], slow[1])
        self.assertEqual(slow[2], slow[3])
        self.assertLess(slow[0], slow[2])

    def test_attribute_that_is_an_object(self):
        self.run_ok(*SMALL, "--ns3::CongestionAwareQueueDisc::Scheduler="
                            "ns3::DeficitRoundRobinScheduler[Quanta=1,1,1,9000,1,1,0,0]")


class ManualTest(SimCase):
    """--help and --describe say what the tables of the program know."""

    def print_help(self, argument):
        run = subprocess.run([SIM, argument], capture_output=True, text=True, timeout=60)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout

    def test_value_behind_a_blank(self):
        self.refuse(*SMALL, "--cc", "hpcc", words=("'hpcc' is not an option; write --cc=hpcc",))
        self.refuse(*SMALL, "--cc=hpcc", "fncc",
                    words=("'fncc' is not an option; write --option=value",))
        self.refuse(*SMALL, "--out", "a\x01b",
                    words=("'a\\x01b' is not an option; write --option=value",))

    def test_version_and_short_help(self):
        header = Path(__file__).resolve().parents[2] / "helper" / "results" / "dcfabric-version.h"
        number = re.search(r'DCFABRIC_VERSION = "(.*)"', header.read_text())[1]
        self.assertRegex(self.print_help("--version"),
                         rf"^dcfabric {re.escape(number)} on ns-3 \S+\n$")
        self.assertEqual(self.print_help("-h"), self.print_help("--help"))

    def test_files_are_fresh(self):
        """What is made from the options: the table of doc/options.rst, the fields of Scenario in
        Python."""
        script = Path(__file__).resolve().parents[2] / ".ci" / "update-options"
        run = subprocess.run([sys.executable, script, "--check", SIM], capture_output=True,
                             text=True, timeout=60)
        self.assertEqual((run.returncode, run.stdout), (0, ""), run.stderr)

    def test_peers(self):
        """The table of who has what: each control and balancer of the program once, and one that no
        row names where the rest is."""
        sys.path.insert(0, str(Path(__file__).resolve().parents[2] / ".ci"))
        self.addCleanup(sys.path.pop, 0)
        peers_table = importlib.import_module("peers_table").peers_table
        options = json.loads(self.print_help("--describe=json"))["options"]
        table = peers_table(options)
        names = Counter(value["text"].partition(":")[0]
                        for option in options if option["name"] in ("cc", "lb", "modifiers")
                        for value in option["values"])
        for name, options_with_it in names.items():
            self.assertEqual(table.count(f"``{name}``"), options_with_it if name != "none" else 0,
                             name)
        rows = dict(re.findall(r"   \* - (.*)\n     - (.*)\n",
                               peers_table([{"name": "cc", "values": [{"text": "new:x=1"},
                                                                      {"text": "homa"},
                                                                      {"text": "none"}]}])))
        self.assertEqual(rows["receiver-driven control"], "``homa``")
        self.assertEqual(rows["ECN-, delay- or switch-based control"], "``new``")
        self.assertEqual(rows["INT-based control"], "--")
        self.assertEqual({row.count("\n     - ") for row in table.split("   * - ")[1:]}, {7})

    def test_lines_of_help_fit(self):
        """They were up to 1,543 letters long. Options stand 25 letters from the left: 4 blanks, two
        dashes, oversubscription, a colon and 2 blanks; only a word that is longer than the 75
        letters beside them may reach beyond 100."""
        text = self.print_help("--help")
        own = text[text.index("Program Options:"):text.index("General Arguments:")]
        for line in own.splitlines()[1:]:
            if len(line) > 100:
                self.assertRegex(line, "^ {25}[^ ]+$")
            if not line.startswith("    --"):
                self.assertRegex(line, "^( {25}[^ ]|$)")
        # a value in brackets does not stand alone, and is not broken from the last word
        self.assertRegex(own, r"\n    --seed: +seed of all random choices; the same seed gives the "
                              r"same bytes of\n {25}flows.csv \[1\]\n")

    def test_every_name_is_in_both(self):
        """All names that a refusal lists as known are in --help, and among the values that
        --describe tells."""
        options = json.loads(self.print_help("--describe=json"))["options"]
        values = {option["name"]: [value["text"] for value in option["values"]]
                  for option in options}
        unwrapped = re.sub(r"\n {20,}", " ", self.print_help("--help"))
        lines = dict(re.findall(r"^ +--([a-z-]+): +(.*)$", unwrapped, re.MULTILINE))
        names = 0
        for option in ("topology", "workload", "cc", "lb", "flow-control", "modifiers", "features",
                       "switch", "reliability", "messages", "match-table", "post-delay", "preset",
                       "trace", "export", "progress", "plan", "describe"):
            late = [] if option not in ("match-table", "post-delay") else ["--messages=rtw"]
            arguments = [a for a in SMALL if not a.startswith(f"--{option}=")]
            said = self.refuse(*arguments, *late, f"--{option}=bogus").stderr
            for name in re.search("known: (.*);", said)[1].split(", "):
                names += 1
                with self.subTest(option=option, name=name):
                    self.assertIn(name.partition(":")[0],
                                  [text.partition(":")[0] for text in values[option]])
                    self.assertRegex(lines[option], rf"(: |, ){re.escape(name)}\b")
        # topologies 6, workloads 16, controls 12, balancers 9, and those of the other options
        self.assertGreater(names, 6 + 16 + 12 + 9)


class QueueDiscTest(SimCase):
    """--queue-disc: any root queue disc, where it makes sense."""

    def test_discs_of_ns3(self):
        incast = ("--topology=fat-tree:k=4", "--workload=incast:fan-in=4,size=50kB", "--cc=hpcc",
                  "--flow-control=none")
        queues = {}
        for disc in ("CongestionAware", "Fifo", "FqCoDel"):
            self.run_ok(*incast, f"--queue-disc=ns3::{disc}QueueDisc")
            summary = self.summary()
            self.assertEqual(summary["status"], "complete", disc)
            self.assertEqual(summary["options"]["queue-disc"], f"ns3::{disc}QueueDisc")
            queues[disc] = summary["max_queue_bytes"]
        # four first packets of 1062 bytes and their INT meet at host 0's switch, one of them leaves
        self.assertGreater(queues["CongestionAware"], 3 * 1062)
        # a FIFO holds what the data class would: ACKs go the other way
        self.assertEqual(queues["Fifo"], queues["CongestionAware"])
        self.assertGreater(queues["FqCoDel"], 0)

    def test_refusals(self):
        self.refuse(*SMALL, "--queue-disc=ns3::FifoQueueDisc", words=("cannot pause a class",))
        self.refuse(*SMALL, "--queue-disc=Fifo", words=("unknown queue disc", "ns3::FifoQueueDisc"))
        self.refuse(*SMALL, "--queue-disc=ns3::FifoQueueDisc", "--flow-control=none", "--cc=dcqcn",
                    words=("needs ECN marks",))
        self.refuse(*SMALL, "--queue-disc=ns3::FifoQueueDisc", "--flow-control=none",
                    "--ns3::WredMarkingProfile::Kmin=1", words=("no effect",))


class DumbbellTest(SimCase):
    def test_flow_i_goes_from_i_to_n_plus_i(self):
        self.run_ok("--topology=dumbbell:switches=2,senders=3", "--cc=none")
        self.assertEqual([(f["flow"], f["src"], f["dst"]) for f in self.flows()],
                         [("0", "0", "3"), ("1", "1", "4"), ("2", "2", "5")])
        self.assertEqual(self.summary()["options"]["workload"], "pairs:size=2MB")

    def test_pairs_need_an_even_number(self):
        self.write("odd.topo", "4 1 3\n3\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n")
        self.refuse("--topology=file:odd.topo", "--workload=pairs:size=1kB", words=("pairs",))


class SeriesTest(SimCase):
    def series(self, name):
        lines = (self.out / f"{name}.csv").read_text().splitlines()[1:]
        return [line.split(",") for line in lines]

    def test_links_never_exceed_their_rate(self):
        self.run_ok(*SMALL, "--cc=none", "--trace=links", "--trace-interval=700ns")
        rows = self.series("links")
        self.assertTrue(rows)
        # 1062 of 1082 bytes, or 1078 of 1098 for larger frames; never all of the line.
        self.assertLess(max(float(row[4]) for row in rows), 1.0)
        self.assertGreater(max(float(row[4]) for row in rows), 0.9)

    def test_times_ascend_and_end_with_the_flows(self):
        self.write("two.flows", "2\n0 2 3 100 100000 0\n1 3 3 100 100000 2.0\n")
        self.run_ok("--topology=dumbbell:switches=2,senders=2", "--workload=flows:two.flows",
                    "--cc=hpcc", "--trace=queues,rates,links")
        for name in ("queues", "rates", "links"):
            times = [float(row[0]) for row in self.series(name)]
            self.assertEqual(times, sorted(times), name)
        # Samples every microsecond for two seconds would be two million.
        self.assertLess(len(self.series("rates")), 100)
        self.assertLess(self.summary()["sim_seconds"], 2.001)

    def test_old_series_do_not_stay_beside_new_results(self):
        self.run_ok(*SMALL, "--trace=queues")
        self.run_ok(*SMALL)
        self.assertFalse((self.out / "queues.csv").exists())


class ExportTest(SimCase):
    def test_fct_file_of_the_public_simulator(self):
        # Host 300 does not fit into one byte of an address: give 301 hosts a switch.
        links = "".join(f"{host} 301 100Gbps 1us 0\n" for host in range(301))
        self.write("wide.topo", f"302 1 301\n301\n{links}")
        self.write("three.flows", "3\n0 300 3 100 1000000 0\n1 2 3 100 1000 0\n0 300 3 100 500 2\n")
        self.run_ok("--topology=file:wide.topo", "--workload=flows:three.flows", "--cc=none",
                    "--export=hpcc-fct", "--ns3::SharedBuffer::Size=100000000")
        lines = [l.split() for l in (self.out / "fct.txt").read_text().splitlines()]
        # 300 = 1 x 256 + 44. In the order of completion; ports count the flows of a pair.
        self.assertEqual([l[:6] for l in lines],
                         [["0b000101", "0b000201", "10000", "100", "1000", "0"],
                          ["0b000001", "0b012c01", "10000", "100", "1000000", "0"],
                          ["0b000001", "0b012c01", "10001", "100", "500", "2000000000"]])
        # Base RTT: 4 x 1 us + 2 x 80 ns = 4160 ns; 1000 packets of 48 bytes of header.
        self.assertEqual([l[7] for l in lines],
                         [str(4160 + 1048 * 8 // 100), str(4160 + 1048000 * 8 // 100),
                          str(4160 + 548 * 8 // 100)])
        self.assertEqual([int(l[6]) for l in lines],
                         [int(float(f["sender_fct_ns"])) for f in
                          (self.flows()[1], self.flows()[0], self.flows()[2])])

    def test_unknown_format(self):
        self.refuse(*SMALL, "--export=bogus", words=("bogus", "hpcc-fct"))


class TroubleTest(SimCase):
    def test_stuck_run_says_what_is_stuck(self):
        self.write("dead.topo", DEAD)
        run = self.sim("--topology=file:dead.topo", "--workload=pairs:size=10kB", "--cc=none")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        for word in ("stuck", "flow 0 from 0 to 1", "time-outs"):
            self.assertIn(word, run.stderr)
        self.assertEqual(self.summary()["status"], "stuck")
        (flow,) = self.flows()
        self.assertEqual(flow["fct_ns"], "")
        self.assertEqual(int(flow["packets_sent"]), 10 + int(flow["packets_retransmitted"]))

    def test_lossy_links_are_no_violation(self):
        self.write("lossy.topo", LOSSY)
        for reliability in ("selective-repeat", "go-back-n"):
            self.run_ok("--topology=file:lossy.topo", "--workload=pairs:size=1MB", "--cc=none",
                        f"--reliability={reliability}")
            self.assertGreater(self.summary()["drops"]["lost on the wire"], 0)
            self.assertGreater(int(self.flows()[0]["packets_retransmitted"]), 0)

    def test_without_flow_control_drops_are_counted_and_no_violation(self):
        self.run_ok("--topology=leaf-spine:leaves=2,spines=1,hosts=8", "--cc=none",
                    "--workload=incast:fan-in=15,size=1MB", "--flow-control=none",
                    "--ns3::SharedBuffer::Size=300000")
        self.assertEqual(self.summary()["flows_completed"], 15)
        self.assertGreater(self.summary()["drops"]["above buffer threshold"], 0)

    def test_nothing_is_left_of_a_run_that_fails_while_running(self):
        # DCQCN finds at the first flow that its least rate is above that of the line.
        run = self.sim("--topology=fat-tree:k=4", "--rate=50Mbps", "--cc=dcqcn",
                       "--workload=permutation:size=1kB", "--trace=queues,pfc")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("MinRate", run.stderr)
        self.assertFalse(self.out.exists())

    def test_folders_made_for_a_refused_run_are_gone(self):
        run = self.sim(*SMALL, "--trace=bogus", out=self.dir / "a" / "b")
        self.assertEqual(run.returncode, 2)
        self.assertFalse((self.dir / "a").exists())

    def test_progress_on_demand(self):
        run = self.run_ok(*SMALL, "--progress=off")
        self.assertEqual(run.stderr, "")
        run = subprocess.run([SIM, "--help"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertIn("--topology", run.stdout)


if __name__ == "__main__":
    unittest.main()
