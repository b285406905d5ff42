# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: a table of wrong inputs. Each is refused at once in one line that says what is
wrong, and what would be right, with status 2."""
import os
import resource
import signal
import socket
import subprocess
import time
import unittest
from pathlib import Path

from sim_case import SIM, SMALL, SimCase

PAIRS = ("--topology=dumbbell:switches=2,senders=2", "--workload=pairs:size=1kB")
# Hosts 0 and 1, switch 2; one link each.
TOPOLOGY = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"
FLOWS = "1\n0 1 3 100 1000 0\n"

# What is written, and words of the message: the value, the range or known names, the nearest name.
OPTIONS = (
    # options that do not exist
    ("--lsit", "'--lsit'", "--list"),
    ("--hlep", "'--hlep'", "--help"),
    ("--toplogy=dumbbell", "'--toplogy'", "--topology"),
    ("--topolgy", "'--topolgy'", "--topology"),
    ("--CC=hpcc", "'--CC'", "--cc"),
    ("--flowcontrol=pfc", "'--flowcontrol'", "--flow-control"),
    ("--flow_control=pfc", "'--flow_control'", "--flow-control"),
    ("--rates=1Gbps", "'--rates'", "--rate"),
    ("--RngRum=1", "'--RngRum'", "--RngRun"),
    ("--SchedulerTyp=ns3::MapScheduler", "'--SchedulerTyp'", "--SchedulerType"),
    ("--PrintAtributes=ns3::Node", "'--PrintAtributes'", "--PrintAttributes"),
    ("-lsit", "'--lsit'", "--list"),
    ("rate=1Gbps", "'rate=1Gbps' is not an option", "--option=value"),
    ("--", "'--' is not an option"),
    ("--list=perhaps", "--list", "'perhaps'", "true or false"),
    ("--PrintAttributes=ns3::Nod", "'ns3::Nod'", "ns3::Node"),
    ("--PrintGroup=Dcfabrik", "'Dcfabrik'", "Dcfabric"),
    # attributes that do not exist
    ("--ns3::HpccCongestionControl::Etaa=0.9", "\"Etaa\"", "nearest is Eta"),
    ("--ns3::HpcCongestionControl::Eta=0.9", "'ns3::HpcCongestionControl'",
     "ns3::HpccCongestionControl"),
    ("--ns3::SharedBufer::Alpha=1", "'ns3::SharedBufer'", "ns3::SharedBuffer"),
    ("--ns3::SharedBuffer::alpha=1", "\"alpha\"", "nearest is Alpha"),
    ("--ns3::TcpSocket::SegmentSise=1", "\"SegmentSise\"", "nearest is SegmentSize"),
    ("--ns3::SharedBuffer=1", "'ns3'"),
    # values out of range
    ("--ns3::SharedBuffer::Alpha=0", "'0'", "above 0 and up to 1e+09", "by default 0.125"),
    ("--ns3::SharedBuffer::Alpha=-1", "'-1'", "above 0"),
    ("--ns3::SharedBuffer::Alpha=nan", "'nan'", "above 0"),
    ("--ns3::SharedBuffer::Alpha=1e999", "'1e999'", "above 0"),
    ("--ns3::SharedBuffer::EgressAlpha=-1", "'-1'", "from 0 to 1e+09"),
    ("--ns3::SharedBuffer::Size=0", "'0'", "from 1 to", "33554432"),
    ("--ns3::SharedBuffer::Size=-1", "'-1'", "from 1 to"),
    ("--ns3::SharedBuffer::Size=", "''", "from 1 to"),
    ("--ns3::HpccCongestionControl::Eta=2", "'2'", "from 0.01 to 1", "0.95"),
    ("--ns3::HpccCongestionControl::Eta=0", "'0'", "from 0.01 to 1"),
    ("--ns3::IntWindowCongestionControl::Eta=much", "'much'", "from 0.01 to 1"),
    ("--ns3::IntWindowCongestionControl::MinRate=slow", "'slow'", "a rate with a unit",
     "100000000bps"),
    ("--ns3::IntWindowCongestionControl::MinRate=100", "'100'", "a rate with a unit"),
    ("--ns3::FnccCongestionControl::Alpha=0", "'0'", "above 0"),
    ("--ns3::FnccCongestionControl::Beta=1.5", "'1.5'", "from 0.01 to 1"),
    ("--ns3::DcqcnCongestionControl::G=2", "'2'", "from 0 to 1"),
    ("--ns3::DcqcnCongestionControl::AlphaInterval=0ns", "'0ns'", "from 1ns to 86400s", "55us"),
    ("--ns3::DcqcnCongestionControl::AlphaInterval=5", "'5'", "a time with a unit"),
    ("--ns3::DcqcnCongestionControl::AlphaInterval=1parsec", "'1parsec'", "a time with a unit"),
    ("--ns3::DcqcnCongestionControl::MinRate=0bps", "'0bps'", "from 1bps"),
    ("--ns3::DctcpCongestionControl::MinWindow=0", "'0'", "from 1 to"),
    ("--ns3::SwiftCongestionControl::RttGain=0", "'0'", "above 0 and up to 1"),
    ("--ns3::TimelyCongestionControl::Alpha=0", "'0'", "above 0 and up to 1"),
    ("--ns3::TimelyCongestionControl::HyperFactor=0.5", "'0.5'", "from 1 to"),
    ("--ns3::WredMarkingProfile::Pmax=2", "'2'", "from 0 to 1", "0.2"),
    ("--ns3::FabricNic::AckEvery=0", "'0'", "from 1 to"),
    ("--ns3::FabricNic::PayloadBytes=70000", "'70000'", "from 1 to 65535"),
    ("--ns3::FabricNic::ControlClass=8", "'8'", "from 0 to 7"),
    ("--ns3::FabricNic::PdcPerMessage=perhaps", "'perhaps'", "true or false"),
    ("--ns3::PriorityFlowControl::Quanta=0", "'0'", "from 1 to 65535"),
    ("--ns3::CongestionAwareQueueDisc::MaxSize=many", "'many'", "a size"),
    ("--ns3::CongestionAwareQueueDisc::Scheduler=ns3::NoSuchScheduler", "'ns3::NoSuchScheduler'",
     "nearest"),
    ("--ns3::CongestionAwareQueueDisc::Scheduler=ns3::IntFormat", "'ns3::IntFormat'",
     "ns3::ClassScheduler"),
    ("--ns3::RepsLoadBalancer::Store=ns3::SharedStore", "'ns3::SharedStore'", "no class",
     "nearest is ns3::"),
    ("--ns3::RepsLoadBalancer::Expiry=0ns", "'0ns'", "from 1ns"),
    ("--ns3::PrivateEntropyStore::Capacity=0", "'0'", "from 1 to 65536"),
    ("--ns3::TcpSocketBase::MinRto=-", "'-'", "a time with a unit"),
    # globals
    ("--RngRun=x", "--RngRun", "'x'", "whole number"),
    ("--RngSeed=-1", "--RngSeed", "'-1'", "whole number"),
    ("--SchedulerType=ns3::HeapSchedular", "'ns3::HeapSchedular'", "ns3::HeapScheduler"),
    ("--SchedulerType=ns3::Node", "--SchedulerType", "ns3::Node is no ns3::Scheduler"),
    ("--SimulatorImplementationType=ns3::HeapScheduler", "ns3::SimulatorImpl"),
    ("--ChecksumEnabled=maybe", "--ChecksumEnabled", "'maybe'", "true or false"),
    # names
    ("--cc=hpc", "--cc", "'hpc'", "known: hpcc, fncc", "nearest is hpcc"),
    ("--lb=esmp", "--lb", "'esmp'", "nearest is ecmp"),
    ("--flow-control=pcf", "--flow-control", "'pcf'", "nearest is pfc"),
    ("--switch=vqo", "--switch", "'vqo'", "nearest is voq"),
    ("--reliability=go-back-m", "'go-back-m'", "nearest is go-back-n"),
    ("--messages=rwt", "'rwt'", "nearest is rtw"),
    ("--features=werb", "'werb'", "nearest is wreb"),
    ("--modifiers=ratiocut", "'ratiocut'", "nearest is ratio-cut"),
    ("--trace=queue", "'queue'", "nearest is queues"),
    ("--export=hpcc", "'hpcc'", "nearest is hpcc-fct"),
    ("--preset=fncc", "'fncc'", "nearest is fncc24"),
    ("--preset=hpcc", "'hpcc'", "nearest is hpcc-sigcomm19"),
    ("--progress=", "--progress", "needs a value"),
    ("--plan=", "--plan", "needs a value"),
    ("--cc=", "--cc", "needs a value"),
    ("--progress=auot", "'auot'", "nearest is auto"),
    ("--queue-disc=ns3::FifoQueuDisc", "ns3::FifoQueuDisc", "nearest is ns3::FifoQueueDisc"),
    # numbers and units
    ("--rate=100", "--rate", "'100'", "'100Gbps'"),
    ("--rate=0", "--rate", "'0'", "'0Gbps'"),
    ("--rate=100G", "--rate", "'100G'", "100Gbps"),
    ("--delay=5", "--delay", "'5'", "'5us'"),
    ("--stop=5", "--stop", "'5'", "'5us'"),
    ("--tier-rates=100Gbps,100", "--tier-rates", "'100'", "'100Gbps'"),
    ("--tier-delays=1us,1", "--tier-delays", "'1'", "'1us'"),
    ("--payload=0", "--payload", "'0'", "from 1 to 65535"),
    # IPv4 20, UDP 8, BTH 12, ICRC 4, INT of two switches under hpcc 4 + 2 x 8
    ("--payload=65472", "PayloadBytes: 65472", "64 bytes of headers and INT", "at most 65471"),
    ("--payload=65535", "PayloadBytes: 65535", "64 bytes of headers and INT", "at most 65471"),
    ("--payload=1\u00a0000", "--payload", r"'1\u00a0000'", "from 1 to 65535"),
    ("--seed=-1", "--seed", "'-1'", "from 0 to 4294967295"),
    ("--cc=", "--cc needs a value"),
)
TWICE = (
    (("--load=0.5", "--load=0.5"), ("--load is given twice",)),
    (("--cc=hpcc", "--cc=fncc"), ("--cc is given twice", "'--cc=hpcc'", "'--cc=fncc'")),
    (("--cc=hpcc", "-cc=fncc"), ("--cc is given twice",)),
    (("--list", "--list"), ("--list is given twice",)),
    (("--RngRun=1", "--RngRun=2"), ("--RngRun is given twice",)),
    (("--ns3::SharedBuffer::Size=1000000", "--ns3::SharedBuffer::Size=2000000"),
     ("--ns3::SharedBuffer::Size is given twice",)),
    # the same attribute, by the name of the class that owns it and of one that inherits it
    (("--ns3::HpccCongestionControl::Eta=0.9", "--ns3::IntWindowCongestionControl::Eta=0.8"),
     ("--ns3::IntWindowCongestionControl::Eta is given twice",
      "'--ns3::HpccCongestionControl::Eta=0.9'")),
)
# Advice is about options of the program, not types of C++.
ADVICE = (
    (("--cc=hpcc", "--lb=spray-random"),
     ("--cc=hpcc compares INT", "--lb=spray-random sprays", "use --lb=symmetric-ecmp")),
    (("--cc=fncc", "--lb=ecmp"),
     ("--cc=fncc needs", "--lb=ecmp chooses", "use --lb=symmetric-ecmp or "
                                           "--lb=spanning-trees")),
    (("--cc=dctcp", "--lb=spray-rr", "--reliability=go-back-n"),
     ("--reliability=go-back-n accepts", "--lb=spray-rr spreads",
      "use --reliability=selective-repeat")),
    (("--cc=hpcc", "--features=wreb"), ("--features=wreb notifies", "--cc=hpcc ignores",
                                        "--flow-control=pfc prevents", "--cc=bts",
                                        "--flow-control=none")),
    (("--cc=hpcc", "--queue-disc=ns3::FifoQueueDisc"),
     ("--flow-control=pfc pauses", "--queue-disc=ns3::FifoQueueDisc", "--flow-control=none")),
    (("--flow-control=voq-credit",),
     ("--flow-control=voq-credit", "--switch=shared-buffer has no queues",
      "use --switch=voq or --flow-control=credit")),
    (("--modifiers=majority-gate",), ("--modifiers=majority-gate", "--lb=symmetric-ecmp",
                                      "--modifiers=ewma-gate")),
    (("--ns3::SharedBuffer::Size=1000",), ("--ns3::SharedBuffer::Size: 1000 bytes",)),
    (("--ns3::DcqcnCongestionControl::G=0.5",), ("--ns3::DcqcnCongestionControl::G has no effect",
                                                 "--cc=dcqcn")),
)
FILES = ("--topology=file:", "--topology=topo:", "--workload=flows:", "--workload=cm:",
         "--workload=cdf:", "--faults=", "--policies=")


class InputTest(SimCase):
    def sim(self, *arguments, out=None):
        return subprocess.run([SIM, *arguments, f"--out={out or self.out}"], cwd=self.dir,
                              capture_output=True,
                              text=True, timeout=20, stdin=subprocess.DEVNULL)

    def refuse_in_a_line(self, arguments, words):
        run = self.refuse(*arguments, words=words)
        self.assertEqual(run.stdout, "", arguments)
        self.assertRegex(run.stderr, r"\Adcfabric-sim: [^\n]+\n\Z", arguments)
        return run.stderr

    def test_table(self):
        for option, *words in OPTIONS:
            with self.subTest(option=option):
                self.refuse_in_a_line([*PAIRS, option], words)

    def test_twice(self):
        for options, words in TWICE:
            with self.subTest(options=options):
                self.refuse_in_a_line([*PAIRS, *options], words)

    def test_advice(self):
        for options, words in ADVICE:
            with self.subTest(options=options):
                said = self.refuse_in_a_line([*SMALL, *options], words)
                self.assertNotRegex(said,
                                    r"(?<![=-])ns3::\w+(LoadBalancer|CongestionControl|FlowControl|"
                                          r"PathSelector|Feature|Buffer)\b(?!::)")

    def arguments(self, option, path):
        topology = [] if "--topology" in option else [PAIRS[0]]
        workload = [] if "--workload" in option else [PAIRS[1]]
        unit = ",unit=us" if "cm:" in option else ""
        return [*topology, *workload, f"{option}{path}{unit}"]

    def test_what_is_no_file(self):
        (self.dir / "folder").mkdir()
        os.mkfifo(self.dir / "fifo")
        (self.dir / "link").symlink_to("fifo")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        folder = os.getcwd()
        os.chdir(self.dir)  # names of sockets are short
        try:
            listener.bind("socket")
        finally:
            os.chdir(folder)
        for option in FILES:
            for path, what in (("folder", "is a directory, not a file"),
                               ("/dev/zero", "is a device, not a file"),
                               ("fifo", "is a FIFO, not a file"), ("link", "is a FIFO, not a file"),
                               ("socket", "is a socket, not a file"), ("none", "No such file")):
                with self.subTest(option=option, path=path):
                    self.refuse_in_a_line(self.arguments(option, path), (f"{path}: ", what))

    def test_what_cannot_be_read(self):
        """An error while reading is no end of the file, and nobody is waited for; a message has one
        line, whatever the path."""
        for option in FILES:
            for path, words in (("/proc/self/mem", ("/proc/self/mem: cannot be read: ",)),
                                ("/proc/kmsg", ("/proc/kmsg: cannot be ",)),
                                ("no\nfile", (r"no\nfile: cannot be opened",)),
                                ("x" * 6000, ("x" * 97 + "...x", ": cannot be opened"))):
                if Path(path[:200]).exists() or not path.startswith("/"):
                    with self.subTest(option=option, path=path[:20]):
                        said = self.refuse_in_a_line(self.arguments(option, path), words)
                        self.assertLess(len(said), 600)

    def test_long_lines(self):
        """A word of 4 MB is no known name, which took minutes to find out."""
        self.write("config", "x" * 4000000 + " 1\n")
        begun = time.monotonic()
        self.refuse(*PAIRS, "--config=config", words=("config:1: unknown key 'xxxx",))
        self.assertLess(time.monotonic() - begun, 20)

    def test_signals_while_reading(self):
        """Whoever reads a pipe that nobody fills ends at once, with the status of an interrupted
        run and without results."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = subprocess.Popen([SIM, *PAIRS, "--faults=/dev/stdin", "--out=out"], cwd=self.dir,
                                   stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            run.send_signal(number)
            self.assertEqual(run.wait(20), 128 + number)
            run.stdin.close()
            self.assertFalse(self.out.exists())

    def test_environment(self):
        """What ns-3 takes from the environment would change results, and summary.json would not
        tell."""
        for name, value in (("NS_ATTRIBUTE_DEFAULT", "ns3::SharedBuffer::Alpha=1"),
                            ("NS_ATTRIBUTE_DEFAULT", "ns3::No::Such=1"),
                            ("NS_GLOBAL_VALUE", "RngRun=7")):
            run = subprocess.run([SIM, *PAIRS, "--out=out"], cwd=self.dir,
                                 env={**os.environ, name: value}, capture_output=True, text=True,
                                 timeout=60)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(f"the environment variable {name} is set to '{value}'", run.stderr)
            self.assertFalse(self.out.exists())
        run = subprocess.run([SIM, *PAIRS, "--out=out"], cwd=self.dir,
                             env={**os.environ, "NS_GLOBAL_VALUE": ""}, timeout=60,
                             capture_output=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_memory(self):
        """With less memory than a network needs: a line, and no core."""
        limit = 400 << 20
        run = subprocess.run([SIM, "--topology=fat-tree:k=48", "--workload=permutation:size=1kB",
                              "--out=out"], cwd=self.dir,
                             capture_output=True, text=True, timeout=300,
                             preexec_fn=lambda: resource.setrlimit(
                                 resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertRegex(run.stderr,
                         r"\Adcfabric-sim: the run needs more memory than it may have; [^\n]*\n\Z")

    def test_closed_streams(self):
        """A report that goes nowhere is an error, as on a full disk; results do not go to where it
        would have gone."""
        command = f'"{SIM}" {" ".join(PAIRS)} --force --out=out'
        for closed, status in ((">&-", 2), ("> /dev/full", 2), ("2>&- < /dev/null", 0), ("<&-", 0)):
            run = subprocess.run(["sh", "-c", f"{command} {closed}"], cwd=self.dir,
                                 capture_output=True, text=True, timeout=60)
            self.assertEqual(run.returncode, status, f"{closed}: {run.stdout}{run.stderr}")
            self.assertEqual(len(self.flows()), 2)
            self.assertNotIn("Slowdown",
                             (self.out / "flows.csv").read_text()
                             + (self.out / "summary.json").read_text())

    def test_pipes_that_are_open(self):
        self.write("good.topo", TOPOLOGY)
        run = subprocess.run([SIM, "--topology=file:good.topo", "--workload=flows:/dev/stdin",
                              "--out=out"],
                             cwd=self.dir, input=FLOWS, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(self.flows()), 1)

    def test_marks_and_encodings(self):
        self.write("good.topo", "\ufeff" + TOPOLOGY.replace("\n", "\r\n"))
        self.write("mark.flows", "\ufeff" + FLOWS)
        (self.dir / "link").symlink_to("good.topo")
        self.run_ok("--topology=file:link", "--workload=flows:mark.flows")
        self.assertEqual(len(self.flows()), 1)

        (self.dir / "wide.flows").write_text(FLOWS, encoding="utf-16")
        self.out = self.dir / "wide"
        self.refuse_in_a_line(["--topology=file:good.topo", "--workload=flows:wide.flows"],
                              ("wide.flows: is text in UTF-16; save it as UTF-8",))

    def test_units_in_files(self):
        for text, line, *words in ((TOPOLOGY.replace("1 2 100Gbps", "1 2 100"), 4, "'100'",
                                    "'100Gbps'"),
                                   (TOPOLOGY.replace("1 2 100Gbps 1us", "1 2 100Gbps 1"), 4, "'1'",
                                    "'1us'"),
                                   (TOPOLOGY.replace("1 2 100Gbps", "1 2 100\u200bGbps"), 4,
                                    r"'100\u200bGbps'")):
            with self.subTest(text=text):
                self.write("bad.topo", text)
                self.refuse_in_a_line(["--topology=file:bad.topo", PAIRS[1]],
                                      (f"bad.topo:{line}: ", *words))
        for text, *words in (("10us rate 0 4 50\n", "'50'", "50Gbps"), ("10 down 0 4\n", "'10'"),
                             ("10us donw 0 4\n", "'donw'", "nearest is down")):
            with self.subTest(text=text):
                self.write("bad.faults", text)
                self.refuse_in_a_line([*PAIRS, "--faults=bad.faults"], ("bad.faults:1: ", *words))

    def test_policy_files(self):
        for text, *words in (("0 * cc=swfit\n", "'swfit'", "nearest is swift"),
                             ("0 * cc=swift ns3::SwiftCongestionControl::Beta=2\n", "'2'",
                              "from 0 to 1", "0.8"),
                             ("0 * cc=swift ns3::SwiftCongestionControl::Beat=1\n", "\"Beat\"",
                              "nearest is Beta")):
            with self.subTest(text=text):
                self.write("bad.policies", text)
                self.refuse_in_a_line([*PAIRS, "--policies=bad.policies"],
                                      ("bad.policies:1: ", *words))

    def test_what_ns3_answers(self):
        for option, word in (("--help", "--topology"), ("--PrintHelp", "--topology"),
                             ("--PrintGroup=Dcfabric", "ns3::FabricNic"),
                             ("--PrintGroups", "Dcfabric"),
                             ("--PrintGlobals", "RngRun"), ("--PrintTypeIds", "ns3::FabricNic"),
                             ("--PrintAttributes=ns3::FabricNic", "PayloadBytes")):
            with self.subTest(option=option):
                run = subprocess.run([SIM, option], capture_output=True, text=True, timeout=60)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(word, run.stdout)

    def test_slow_rates_with_a_unit_are_legal(self):
        self.run_ok(*PAIRS, "--rate=100kbps", "--cc=none", "--ns3::FabricNic::AckTimeout=10s",
                    "--ns3::SharedBuffer::Size=100000000")
        # 1062 + 20 bytes of frame and gap over three links at 100 kb/s: 3 x 86.56 ms, less the last
        # gap
        self.assertGreater(float(self.flows()[0]["fct_ns"]), 3 * 84e6)


if __name__ == "__main__":
    unittest.main()
