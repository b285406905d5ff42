# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim --config: configuration files of the HPCC and ConWeave simulators, and the options
that they need."""
import itertools
import re
import unittest
from pathlib import Path

from sim_case import SMALL, SimCase

ROOT = Path(__file__).resolve().parent.parent.parent

# The keys of the HPCC simulator's quick start (mix/config.txt) with its values.
HPCC = """ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1

PACKET_PAYLOAD_SIZE 1000

TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
TRACE_FILE mix/trace.txt
TRACE_OUTPUT_FILE mix/mix.tr
FCT_OUTPUT_FILE mix/fct.txt
PFC_OUTPUT_FILE mix/pfc.txt

SIMULATOR_STOP_TIME 4.00

CC_MODE 3
ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 900\x20
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 50Mb/s
RATE_HAI 100Mb/s
MIN_RATE 100Mb/s
DCTCP_RATE_AI 1000Mb/s

ERROR_RATE_PER_LINK 0.0000
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
L2_BACK_TO_ZERO 0

HAS_WIN 1
GLOBAL_T 1
VAR_WIN 1
FAST_REACT 1
U_TARGET 0.95
MI_THRESH 0
INT_MULTI 1
MULTI_RATE 1
SAMPLE_FEEDBACK 0

RATE_BOUND 1

ACK_HIGH_PRIO 0

LINK_DOWN 0 0 0

ENABLE_TRACE 1

KMAX_MAP 3 25000000000 400 50000000000 800 100000000000 1600
KMIN_MAP 3 25000000000 100 50000000000 200 100000000000 400
PMAX_MAP 3 25000000000 0.2 50000000000 0.2 100000000000 0.2
BUFFER_SIZE 32
QLEN_MON_FILE mix/qlen.txt
QLEN_MON_START 2000000000
QLEN_MON_END 2010000000
"""
# Switch 0, hosts 1 to 4, of which host 4 is slower. Delays of 1 us, as in that file.
HPCC_TOPOLOGY = """5 1 4
0
0 1 100Gbps 0.001ms 0
0 2 100Gbps 0.001ms 0
0 3 100Gbps 0.001ms 0
0 4 25Gbps 0.001ms 0
"""
HPCC_FLOWS = "3\n2 1 3 100 200000 2\n3 1 3 100 200000 2\n4 1 3 100 100000 2.000001\n"

# What run.py of ConWeave writes for --lb fecmp --cc dcqcn --pfc 1 --irn 0 at 100 Gb/s.
CONWEAVE = """TOPOLOGY_FILE config/leaf_spine_4_100G_OS1.txt
FLOW_FILE config/L_25.00_flow.txt

FLOW_INPUT_FILE mix/output/7/7_in.txt
CNP_OUTPUT_FILE mix/output/7/7_out_cnp.txt
FCT_OUTPUT_FILE mix/output/7/7_out_fct.txt
PFC_OUTPUT_FILE mix/output/7/7_out_pfc.txt
QLEN_MON_FILE mix/output/7/7_out_qlen.txt
VOQ_MON_FILE mix/output/7/7_out_voq.txt
VOQ_MON_DETAIL_FILE mix/output/7/7_out_voq_per_dst.txt
UPLINK_MON_FILE mix/output/7/7_out_uplink.txt
CONN_MON_FILE mix/output/7/7_out_conn.txt
EST_ERROR_MON_FILE mix/output/7/7_out_est_error.txt

QLEN_MON_START 2.0
QLEN_MON_END 2.1
SW_MONITORING_INTERVAL 10000

FLOWGEN_START_TIME 2.0
FLOWGEN_STOP_TIME 2.1
BUFFER_SIZE 9

CC_MODE 1
LB_MODE 0
ENABLE_PFC 1
ENABLE_IRN 0

CONWEAVE_TX_EXPIRY_TIME 1000
CONWEAVE_REPLY_TIMEOUT_EXTRA 4
CONWEAVE_PATH_PAUSE_TIME 16
CONWEAVE_EXTRA_VOQ_FLUSH_TIME 64
CONWEAVE_DEFAULT_VOQ_WAITING_TIME 400

ALPHA_RESUME_INTERVAL 1
RATE_DECREASE_INTERVAL 4
CLAMP_TARGET_RATE 0
RP_TIMER 300\x20
FAST_RECOVERY_TIMES 1
EWMA_GAIN 0.00390625
RATE_AI 40.0Mb/s
RATE_HAI 100.0Mb/s
MIN_RATE 100Mb/s
DCTCP_RATE_AI 1000Mb/s

ERROR_RATE_PER_LINK 0.0000
L2_CHUNK_SIZE 4000
L2_ACK_INTERVAL 1
L2_BACK_TO_ZERO 0

RATE_BOUND 1
HAS_WIN 0
VAR_WIN 0
FAST_REACT 0
MI_THRESH 0
INT_MULTI 1
GLOBAL_T 1
U_TARGET 0.95
MULTI_RATE 0
SAMPLE_FEEDBACK 0

ENABLE_QCN 1
USE_DYNAMIC_PFC_THRESHOLD 1
PACKET_PAYLOAD_SIZE 1000


LINK_DOWN 0 0 0
KMAX_MAP 6 20000000000 400 50000000000 400 100000000000 400 200000000000 400 250000000000 400 400000000000 400
KMIN_MAP 6 20000000000 100 50000000000 100 100000000000 100 200000000000 100 250000000000 100 400000000000 100
PMAX_MAP 6 20000000000 0 50000000000 0 100000000000 0.20 200000000000 0.20 250000000000 0.20 400000000000 0.20
LOAD 50
RANDOM_SEED 1
"""  # noqa: E501
# Hosts 0 to 3, leaves 4 and 5, spines 6 and 7.
CONWEAVE_TOPOLOGY = "8 4 8\n4 5 6 7\n" + "".join(
    f"{a} {b} 100Gbps 1000ns 0.000000\n"
    for a, b in ((0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (4, 7), (5, 6), (5, 7)))
CONWEAVE_FLOWS = "3\n0 2 3 300000 2.000000000\n1 2 3 300000 2.000000100\n3 0 3 5000 2.0002\n"

# The keys of the examples of ns3-datacenter (PowerTCP, Reverie) where they differ from those above.
DATACENTER = ("SIMULATOR_STOP_TIME 0.2", "MI_THRESH 5", "MULTI_RATE 0", "BUFFER_SIZE 4",
              "SAMPLE_FEEDBACK 0\nPINT_LOG_BASE 1.05\nPINT_PROB 1.0",
              "TOPOLOGY_FILE examples/PowerTCP/topology.txt",
              "FLOW_FILE examples/PowerTCP/flow.txt")
# Hosts 0 to 3, ToRs 4 and 5, spines 6 and 7: line 1 has the number of ToRs, rates have no unit.
DATACENTER_TOPOLOGY = "8 4 2 8\n4 5 6 7 \n" + "".join(
    f"{a} {b} {rate}000000000.0 1us 0\n"
    for a, b, rate in ((0, 4, 25), (1, 4, 25), (2, 5, 25), (3, 5, 25), (4, 6, 100), (4, 7, 100),
                       (5, 6, 100), (5, 7, 100)))
DATACENTER_FLOWS = "3\n0 2 3 10000 200000 0.1\n1 2 3 10001 200000 0.1\n3 2 3 11000 2800 0.10001\n"
# What simulation/run.py of HPCC sets for each --cc, of the keys that differ.
HPCC_VARIANTS = {
    "dcqcn": ("CC_MODE 1", "HAS_WIN 0", "VAR_WIN 0", "FAST_REACT 0", "RP_TIMER 300",
              "ACK_HIGH_PRIO 1"),
    "dcqcn_paper": ("CC_MODE 1", "HAS_WIN 0", "VAR_WIN 0", "ALPHA_RESUME_INTERVAL 50",
                    "RATE_DECREASE_INTERVAL 50", "RP_TIMER 55", "ACK_HIGH_PRIO 1"),
    "hp": ("CC_MODE 3", "MULTI_RATE 0", "INT_MULTI 4", "MIN_RATE 1000Mb/s"),
    "dctcp": ("CC_MODE 8", "FAST_REACT 0", "DCTCP_RATE_AI 615Mb/s", "EWMA_GAIN 0.0625"),
    "timely": ("CC_MODE 7", "HAS_WIN 0", "VAR_WIN 0", "FAST_REACT 0", "RATE_AI 100Mb/s",
               "RATE_HAI 500Mb/s", "ACK_HIGH_PRIO 1"),
    "dcqcn_vwin": ("CC_MODE 1",), "timely_vwin": ("CC_MODE 7", "RATE_HAI 500Mb/s"),
    "timely with a fixed window": ("CC_MODE 7", "RATE_HAI 500Mb/s", "VAR_WIN 0"),
    "hp without window": ("CC_MODE 3", "HAS_WIN 0", "VAR_WIN 0", "MULTI_RATE 0"),
    "hpccPint": ("CC_MODE 10", "MULTI_RATE 0")}


def changed(text, *lines):
    """The text with the line of each key replaced; a line that is a key alone is taken out."""
    for line in lines:
        key, _, value = line.partition(" ")
        text = re.sub(rf"^{key} .*\n", f"{line}\n" if value else "", text, flags=re.MULTILINE)
    return text


class FreshRefusals(SimCase):
    """Refusals after runs, in a folder that has no results yet."""

    def refuse(self, *arguments, **expected):
        self.out, used = self.dir / "refused", self.out
        run = super().refuse(*arguments, **expected)
        self.out = used
        return run


class ConfigCase(FreshRefusals):
    """Folders as the quick starts have them."""

    def hpcc(self, *lines):
        """Write the files of the HPCC simulator with some lines of the configuration changed."""
        (self.dir / "mix").mkdir(exist_ok=True)
        self.write("mix/topology.txt", HPCC_TOPOLOGY)
        self.write("mix/flow.txt", HPCC_FLOWS)
        return f"--config={self.write('mix/config.txt', changed(HPCC, *lines))}"

    def conweave(self, *lines):
        """The same of ConWeave."""
        (self.dir / "mix" / "output" / "7").mkdir(parents=True, exist_ok=True)
        (self.dir / "config").mkdir(exist_ok=True)
        self.write("config/leaf_spine_4_100G_OS1.txt", CONWEAVE_TOPOLOGY)
        self.write("config/L_25.00_flow.txt", CONWEAVE_FLOWS)
        return f"--config={self.write('mix/output/7/config.txt', changed(CONWEAVE, *lines))}"

    def datacenter(self, *lines, topology=DATACENTER_TOPOLOGY):
        """The same of ns3-datacenter."""
        (self.dir / "examples" / "PowerTCP").mkdir(parents=True, exist_ok=True)
        self.write("examples/PowerTCP/topology.txt", topology)
        self.write("examples/PowerTCP/flow.txt", DATACENTER_FLOWS)
        config = changed(HPCC, *DATACENTER, *lines)
        return f"--config={self.write('examples/PowerTCP/config-burst.txt', config)}"

    def expect(self, **values):
        """Options and attributes of the run; of an attribute Class__Attribute is written."""
        options = self.summary()["options"]
        for name, value in values.items():
            name = "ns3::" + name.replace("__", "::") if "__" in name else name.replace("_", "-")
            self.assertEqual(options[name], value, name)


class QuickStartTest(ConfigCase):
    def test_hpcc(self):
        """The quick start of HPCC runs to completion; each key has arrived."""
        run = self.run_ok(self.hpcc())
        self.assertEqual(self.summary()["status"], "complete")
        self.assertEqual(self.summary()["drops"], {})
        self.expect(topology="file:mix/topology.txt", workload="flows:mix/flow.txt",
                    preset="hpcc-sigcomm19",
                    cc="hpcc", lb="ecmp", payload="1000", stop="4s", reliability="go-back-n",
                    base_rtt="largest", link_down="", error_rate="0.0000", export="hpcc-fct",
                    trace="pfc",
                    flow_control="pfc",
                    # KB of 1000 B, as ConfigEcn() there
                    marking="25Gbps:100000B,400000B,0.2;50Gbps:200000B,800000B,0.2;"
                            "100Gbps:400000B,1600000B,0.2",
                    SharedBuffer__Size=str(32 * 1024 * 1024), SharedBuffer__XoffThreshold="0",
                    IntWindowCongestionControl__Eta="0.95",
                    IntWindowCongestionControl__MaxStage="0",
                    IntWindowCongestionControl__AdditiveIncrease="50000000bps",
                    IntWindowCongestionControl__MinRate="100000000bps",
                    IntWindowCongestionControl__FastReaction="true",
                    HpccCongestionControl__PerLink="true",
                    IntFormat__ByteUnit="128", IntFormat__QueueUnit="80", FabricNic__AckEvery="1",
                    DcqcnCongestionControl__AlphaInterval="1us",
                    DcqcnCongestionControl__DecreaseInterval="4us",
                    DcqcnCongestionControl__IncreaseInterval="900us",
                    DcqcnCongestionControl__G="0.00390625",
                    DcqcnCongestionControl__FastRecoveryStages="1",
                    DcqcnCongestionControl__ClampTargetRate="false",
                    DcqcnCongestionControl__AdditiveIncrease="50000000bps",
                    DcqcnCongestionControl__HyperIncrease="100000000bps",
                    DctcpCongestionControl__AdditiveIncrease="1000000000bps",
                    TimelyCongestionControl__HyperFactor="2",
                    TimelyCongestionControl__ReferenceRate="0bps")
        # 100 packets of 1000 + 48 B at 25 Gb/s and the last once more at 100 Gb/s, over 2 us,
        # without INT: 100 x 335.36 + 83.84 + 2000 ns
        self.assertEqual(float(self.flows()[2]["ideal_fct_ns"]), 35619.84)
        self.assertEqual(len((self.out / "fct.txt").read_text().splitlines()), 3)
        self.assertTrue((self.out / "pfc.csv").is_file())
        self.assertIn("TOPOLOGY_FILE is mix/topology.txt, FLOW_FILE is mix/flow.txt", run.stderr)
        notes = [line for line in run.stderr.splitlines() if "no effect here" in line]
        self.assertEqual(len(notes), 1)
        for key in ("ENABLE_TRACE", "TRACE_FILE", "TRACE_OUTPUT_FILE", "QLEN_MON_FILE",
                    "QLEN_MON_START", "QLEN_MON_END", "L2_CHUNK_SIZE"):
            self.assertIn(key, notes[0])

    def test_conweave(self):
        """The configuration that run.py of ConWeave writes runs to completion from the folder above
        all."""
        self.run_ok(self.conweave())
        self.assertEqual(self.summary()["status"], "complete")
        self.expect(topology="file:config/leaf_spine_4_100G_OS1.txt",
                    workload="flows:config/L_25.00_flow.txt",
                    preset="conweave23", cc="dcqcn", lb="ecmp", flow_control="pfc",
                    reliability="go-back-n",
                    # flows end at 2.1 s, 10 s more
                    stop="12.1s", seed="1", trace_interval="10000ns",
                    marking="20Gbps:100000B,400000B,0;50Gbps:100000B,400000B,0;100Gbps:100000B,"
                            "400000B,0.2;"
                            "200Gbps:100000B,400000B,0.2;250Gbps:100000B,400000B,0.2;"
                            "400Gbps:100000B,400000B,0.2",
                    SharedBuffer__Size=str(9 * 1024 * 1024), FabricNic__ControlClass="6",
                    DcqcnCongestionControl__AdditiveIncrease="40000000bps",
                    DcqcnCongestionControl__HyperIncrease="100000000bps",
                    DcqcnCongestionControl__IncreaseInterval="300us",
                    HpccCongestionControl__PerLink="false")
        self.assertGreater(self.summary()["ecn_marks"], 0)

    def test_conweave_irn(self):
        """ENABLE_IRN and LetFlow: IRN without flow control, flowlets."""
        self.run_ok(self.conweave("ENABLE_PFC 0", "ENABLE_IRN 1", "LB_MODE 6"))
        self.expect(lb="flowlet", flow_control="none", reliability="irn",
                    IrnRepeat__RtoHigh="320us", IrnRepeat__RtoLow="100us")

    def test_hpcc_variants(self):
        """What run.py of HPCC writes for each --cc."""
        for name, lines in HPCC_VARIANTS.items():
            with self.subTest(name=name):
                self.run_ok(self.hpcc(*lines))
                self.assertEqual(self.summary()["status"], "complete")

    def test_conweave_variants(self):
        """What run.py of ConWeave writes for each --lb, lossless and with IRN."""
        for lines in itertools.product((f"LB_MODE {mode}" for mode in (0, 2, 3, 6, 9)),
                                       ("ENABLE_PFC 1", "ENABLE_PFC 0\nENABLE_IRN 1")):
            with self.subTest(lines=lines):
                irn = ("ENABLE_IRN",) if "IRN" in lines[1] else ()
                if lines == ("LB_MODE 2", "ENABLE_PFC 1"):
                    # go-back-N there sends again whatever came late
                    run = self.sim(self.conweave(*irn, *lines), "--force")
                    self.assertEqual(run.returncode, 2, run.stderr)
                    self.assertIn("--lb=drill spreads a flow over several paths", run.stderr)
                    continue
                self.run_ok(self.conweave(*irn, *lines))
                self.assertEqual(self.summary()["status"], "complete")

    def test_datacenter(self):
        """The configuration of ns3-datacenter's examples: ToRs in line 1 of the topology, rates
        without unit, PowerTCP by an option as there."""
        run = self.run_ok(self.datacenter())
        self.assertEqual(self.summary()["status"], "complete")
        self.expect(cc="hpcc", stop="0.2s", topology="file:examples/PowerTCP/topology.txt",
                    IntWindowCongestionControl__MaxStage="5",
                    HpccCongestionControl__PerLink="false",
                    SharedBuffer__Size=str(4 * 1024 * 1024))
        self.assertIn("PINT_LOG_BASE (of CC_MODE 10 alone; 1.05 here)", run.stderr)
        # 200 packets of 1000 + 48 B at 25 Gb/s, the last once more at 100, 100 and 25 Gb/s, 4 us
        self.assertEqual(float(self.flows()[0]["ideal_fct_ns"]),
                         200 * 335.36 + 2 * 83.84 + 335.36 + 4000)
        first = self.flows()
        # Reverie: two rates behind, maps with more pairs than promised, no HAS_WIN, none of VAR_WIN
        maps = [line for line in HPCC.splitlines() if re.match("K|PMAX", line)]
        run = self.run_ok(self.datacenter("HAS_WIN", "VAR_WIN",
                                          *(f"{line} 400000000000 1" for line in maps),
                                          topology=DATACENTER_TOPOLOGY.replace(
                                              "8 4 2 8\n", "8 4 2 8 25000000000 25000000000\n")))
        self.assertEqual(self.flows(), first)
        for key in ("KMIN_MAP", "KMAX_MAP", "PMAX_MAP"):
            self.assertRegex(run.stderr,
                             rf"config-burst\.txt:\d+: {key}: more pairs than promised")

    def test_conweave_load_balancing(self):
        """All LB_MODEs run, the last with its times."""
        for mode, balancer in ((2, "drill"), (3, "conga")):
            self.run_ok(self.conweave("ENABLE_PFC 0", "ENABLE_IRN 1", f"LB_MODE {mode}"))
            self.expect(lb=balancer, reliability="irn")
        self.run_ok(self.conweave("ENABLE_PFC 0", "ENABLE_IRN 1", "LB_MODE 9",
                                  "CONWEAVE_TX_EXPIRY_TIME 301",
                                  "CONWEAVE_REPLY_TIMEOUT_EXTRA 5"))
        self.expect(lb="conweave", ConweaveFeature__Expiry="301us",
                    ConweaveFeature__ReplyExtra="5us")

    def test_files_are_found_from_anywhere(self):
        """Beside the file, in the current folder, or up to three folders above the file."""
        config = self.hpcc()
        self.run_ok(config)
        first = self.flows()
        other = self.dir / "other"
        other.mkdir()
        # one above the file, seen from a folder beside it
        self.dir, top = other, self.dir
        run = self.run_ok("--config=../mix/config.txt")
        self.dir = top
        self.assertIn("FLOW_FILE is ../mix/flow.txt", run.stderr)
        self.assertEqual(self.flows(), first)
        # beside the file wins over the current folder
        (self.dir / "mix" / "mix").mkdir()
        self.write("mix/mix/flow.txt", "1\n2 1 3 100 1000 2\n")
        run = self.run_ok(config)
        self.assertIn("FLOW_FILE is mix/mix/flow.txt", run.stderr)
        self.assertEqual(len(self.flows()), 1)
        self.refuse(self.hpcc("FLOW_FILE mix/none.txt"),
                    words=("mix/config.txt:7: FLOW_FILE: there is no such file; tried ",
                           "mix/mix/none.txt", f"{self.dir}/mix/none.txt"))


class MappingTest(ConfigCase):
    def test_options_override(self):
        """The command line wins over the file, options and attributes alike."""
        self.run_ok(self.hpcc("CC_MODE 10"), "--cc=dcqcn", "--payload=500", "--stop=3s",
                    "--ns3::DcqcnCongestionControl::G=0.5",
                    "--workload=incast:fan-in=2,size=10kB,dst=1")
        self.expect(cc="dcqcn", payload="500", stop="3s", DcqcnCongestionControl__G="0.5",
                    workload="incast:fan-in=2,size=10kB,dst=1")
        self.refuse(self.hpcc(), "--preset=fncc24", words=("--config brings the preset",))

    def test_modes(self):
        """Every mode of the congestion control that exists."""
        for lines, cc in ((("CC_MODE 1", "HAS_WIN 0"), "dcqcn"),
                          (("CC_MODE 7", "HAS_WIN 0"), "timely"),
                          (("CC_MODE 8",), "dctcp"), (("CC_MODE", "HAS_WIN 0"), "dcqcn")):
            with self.subTest(lines=lines):
                self.run_ok(self.hpcc(*lines))
                self.expect(cc=cc)
                self.assertEqual(self.summary()["status"], "complete")

    def test_units(self):
        """INT_MULTI, BUFFER_SIZE, MULTI_RATE, ENABLE_QCN, ACK_HIGH_PRIO, ERROR_RATE_PER_LINK and
        RATE_HAI."""
        self.run_ok(self.hpcc("INT_MULTI 4", "BUFFER_SIZE 16", "MULTI_RATE 0", "ENABLE_QCN 0",
                              "ACK_HIGH_PRIO 1", "ERROR_RATE_PER_LINK 0.01", "RATE_HAI 75Mb/s",
                              "SIMULATOR_STOP_TIME 2.5"))
        self.expect(marking="none", stop="2.5s", error_rate="0.01", IntFormat__ByteUnit="512",
                    IntFormat__QueueUnit="320", SharedBuffer__Size=str(16 * 1024 * 1024),
                    HpccCongestionControl__PerLink="false", FabricNic__ControlClass="6",
                    TimelyCongestionControl__HyperFactor="1.5")
        self.run_ok(self.hpcc("ACK_HIGH_PRIO 1"), "--ns3::FabricNic::ControlClass=3")
        self.expect(FabricNic__ControlClass="3")
        self.run_ok(self.hpcc("ERROR_RATE_PER_LINK 0.01"))
        # 500 packets and their ACKs over two links: 20 losses expected
        self.assertGreater(sum(self.summary()["drops"].values()), 3)

    def test_link_down(self):
        """LINK_DOWN counts from the begin of flows: 2 s there, FLOWGEN_START_TIME in ConWeave."""
        run = self.sim(self.hpcc("LINK_DOWN 5 0 2"), "--force")
        self.assertEqual(self.summary()["options"]["link-down"], "2.000005s,0,2")
        self.assertGreater(self.summary()["drops"]["link went down"], 0)
        # the flow of host 2 can not end; the run stops at 4 s
        self.assertEqual(self.summary()["flows_completed"], 2, run.stderr)
        self.sim(self.conweave("FLOWGEN_START_TIME 1.5", "LINK_DOWN 120 4 6"), "--force")
        self.expect(link_down="1.50012s,4,6")
        self.run_ok(self.hpcc("LINK_DOWN 0 7 7"))
        self.expect(link_down="")

    def test_refusals(self):
        """With file, line, key and what to do."""
        for lines, words in ((("CC_MODE 2",), ("unknown mode 2", "3 HPCC", "8 DCTCP")),
                             (("HAS_WIN 0", "CC_MODE 8"), ("HAS_WIN", "--cc=dctcp", "write 1")),
                             (("VAR_WIN 0",), ("VAR_WIN", "write 1")),
                             (("SAMPLE_FEEDBACK 1",), ("SAMPLE_FEEDBACK", "write 0")),
                             (("RATE_BOUND 0",), ("RATE_BOUND", "write 1")),
                             (("L2_BACK_TO_ZERO 1",), ("L2_BACK_TO_ZERO", "go-back-0")),
                             (("L2_ACK_INTERVAL 2",),
                              ("L2_ACK_INTERVAL", "--ns3::FabricNic::AckEvery")),
                             (("USE_DYNAMIC_PFC_THRESHOLD 0",),
                              ("--ns3::SharedBuffer::XoffThreshold",)),
                             (("BUFFER_SIZE 0",), ("BUFFER_SIZE", "from 1")),
                             (("INT_MULTI 0",), ("INT_MULTI", "from 1")),
                             (("U_TARGET 0",), ("mix/config.txt:36: U_TARGET", "0.01")),
                             (("PACKET_PAYLOAD_SIZE 0",),
                              ("mix/config.txt:4: PACKET_PAYLOAD_SIZE",)),
                             (("SIMULATOR_STOP_TIME 0",), ("SIMULATOR_STOP_TIME", "above 0")),
                             (("ERROR_RATE_PER_LINK 1",), ("ERROR_RATE_PER_LINK", "nothing pass")),
                             (("LINK_DOWN 5 0 9",), ("--link-down=2.000005s,0,9", "no node 9")),
                             (("KMIN_MAP 1 50000000000 100", "KMAX_MAP 1 50000000000 100",
                               "PMAX_MAP 1 50000000000 1"),
                              ("mix/config.txt: the maps KMIN_MAP",
                               "no thresholds for the links of 100Gbps")),
                             (("KMAX_MAP",), ("KMAX_MAP beside it",)),
                             (("KMIN_MAP 1 25000000000 100",),
                              ("KMIN_MAP", "lacks the rate 50000000000")),
                             (("PMAX_MAP 1 25000000000 0.2",),
                              ("PMAX_MAP", "lacks the rate 50000000000")),
                             (("KMAX_MAP 3 25000000000 50 50000000000 800 100000000000 1600",),
                              ("below KMIN_MAP",)),
                             (("KMAX_MAP 3 25000000000 0 50000000000 800 100000000000 1600",),
                              ("ENABLE_QCN 0",)),
                             (("RATE_HAI 10Mb/s", "CC_MODE 7", "HAS_WIN 0"),
                              ("RATE_HAI", "at least RATE_AI")),
                             (("FLOW_FILE",), ("has no FLOW_FILE", "--workload")),
                             (("RATE_AI 50Mb/s\nRATEAI 50Mb/s",),
                              ("'RATEAI'; the nearest known one is RATE_AI",)),
                             (("RATE_AI 50",), ("mix/config.txt:22: RATE_AI", "no unit"))):
            with self.subTest(lines=lines):
                self.refuse(self.hpcc(*lines), words=words)
        for lines, words in ((("LB_MODE 1",), ("unknown mode 1",)),
                             (("LOAD 50\nSIMULATOR_STOP_TIME 4",),
                              ("FLOWGEN_STOP_TIME", "SIMULATOR_STOP_TIME"))):
            with self.subTest(lines=lines):
                self.refuse(self.conweave(*lines), words=words)
        self.refuse("--config=none.txt", words=("none.txt",))
        self.refuse("--config=", words=("--config needs a value",))
        # what is refused gives way to an option
        self.run_ok(self.conweave("LB_MODE 9"), "--lb=flowlet")
        self.run_ok(self.hpcc("L2_ACK_INTERVAL 2"), "--ns3::FabricNic::AckEvery=2")


class ChapterTest(SimCase):
    """doc/migrating.rst."""

    TEXT = (ROOT / "doc" / "migrating.rst").read_text(encoding="utf-8")

    def test_keys(self):
        """Every key that the reader knows has a row, and there are no others."""
        source = (ROOT / "helper" / "formats" / "hpcc-config-file.cc").read_text(encoding="utf-8")
        known = re.findall(r'^    \{"([A-Z0-9_]+)", ValueKind::', source, re.MULTILINE)
        cells = "".join(re.findall(r"^   \* - (``.*\n(?:       .*\n)*)",
                                   self.TEXT.split("htsim\n-----")[0], re.MULTILINE))
        self.assertGreater(len(known), 60)
        self.assertEqual(sorted(known), sorted(re.findall(r"``([A-Z0-9_]+)``", cells)))

    def test_htsim_commands(self):
        """The options on the right of the table of htsim run, each row for itself."""
        self.write("FILE.topo", "Nodes 8\nTiers 2\nPodsize 8\n"
                   "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns "
                   "1000\n"
                   "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 1000\n")
        self.write("FILE.cm", "Nodes 8\nConnections 1\n0->4 start 10 size 20000\n")
        rows = re.findall(r"^   \* - ``-.*\n     - (.*)\n", self.TEXT.split("htsim\n-----")[1],
                          re.MULTILINE)
        self.assertGreater(len(rows), 20)
        for row in rows:
            with self.subTest(row=row):
                options = [o.replace("topo:FILE", "topo:FILE.topo").replace("cm:FILE", "cm:FILE.cm")
                           for o in re.findall(r"``(--[^`]*)``", row) if not o.startswith("--out")]
                cc = [f"--cc={name.lower()}"
                      for name in re.findall(r"ns3::(\w+)CongestionControl", row)]
                if "--lb" in row or "--marking" in row:
                    cc = ["--cc=dctcp"]
                placed = ("--topology", "--rate", "--delay", "switch-latency")
                topology = ([] if any(option in row for option in placed)
                            else ["--topology=topo:FILE.topo"])
                workload = [] if "--workload" in row else ["--workload=permutation:size=20kB"]
                # attributes of one control only under that
                for one in cc or [""]:
                    chosen = [o for o in options
                              if "CongestionControl" not in o or one[5:] in o.lower()]
                    self.run_ok(*topology, *workload, *filter(None, [one]), *chosen)


class LinkOptionTest(FreshRefusals):
    """The options that files need, on their own."""

    # Hosts 0 and 1 at the left, 2 and 3 at the right; switches 4 and 5.
    LINE = ("--topology=dumbbell:switches=2,senders=2", "--workload=pairs:size=1kB", "--cc=none")

    def test_switch_latency(self):
        """A way over two switches takes the latency twice, on every topology."""
        self.run_ok(*self.LINE)
        usual = float(self.flows()[0]["fct_ns"])
        self.run_ok(*self.LINE, "--switch-latency=300ns")
        self.assertAlmostEqual(float(self.flows()[0]["fct_ns"]) - usual, 600, places=3)
        self.assertEqual(float(self.flows()[0]["slowdown"]), 1)
        self.write("topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
        self.write("flows", "1\n0 1 3 1000 0\n")
        network = ("--topology=file:topology", "--workload=flows:flows", "--cc=none")
        self.run_ok(*network)
        usual = float(self.flows()[0]["fct_ns"])
        self.run_ok(*network, "--switch-latency=300ns")
        self.assertAlmostEqual(float(self.flows()[0]["fct_ns"]) - usual, 300, places=3)
        for value, word in (("300", "has no unit"), ("3ps", "even number of ps"),
                            ("2s", "at most 1 s")):
            self.refuse(*self.LINE, f"--switch-latency={value}", words=("--switch-latency", word))
        self.write("two.topo", "Nodes 4\nTiers 2\nPodsize 4\n"
                   "Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\nDownlink_Latency_ns "
                   "1000\n"
                   "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nDownlink_Latency_ns 1000\n")
        self.refuse("--topology=topo:two.topo", "--workload=permutation:size=1kB",
                    "--switch-latency=2ns",
                    words=("--switch-latency", "Switch_Latency_ns"))

    def test_base_rtt(self):
        """T of each pair: its INT window begins with less for hosts that are near."""
        network = ("--topology=fat-tree:k=4", "--workload=flows:flows", "--trace=rates",
                   "--cc=hpcc", "--preset=hpcc-sigcomm19")
        # hosts 0 and 1 at one switch, 0 and 15 in two pods
        self.write("flows", "2\n0 1 3 200000 0\n2 15 3 200000 0\n")
        windows = {}
        for value in ("largest", "pair", "10us"):
            self.run_ok(*network, f"--base-rtt={value}")
            rows = [line.split(",")
                    for line in (self.out / "rates.csv").read_text().splitlines()[1:]]
            windows[value] = [max(int(float(row[3])) for row in rows if row[1] == flow)
                              for flow in "01"]
        # T = 2 x 6 x 1 us + 6 x 80 ns = 12,480 ns over six links, 4,160 ns over two; times 12.5
        # B/ns
        self.assertEqual(windows["largest"], [156000, 156000])
        self.assertEqual(windows["pair"], [52000, 156000])
        self.assertEqual(windows["10us"], [125000, 125000])
        self.refuse(*network, "--base-rtt=none", words=("'none'", "largest, pair"))
        self.refuse(*network, "--base-rtt=12", words=("12", "unit"))
        self.refuse(*network, "--base-rtt=0s", words=("above zero",))
        self.refuse(*network, "--ns3::FabricNic::BaseRtt=1us", words=("--base-rtt",))

    def test_link_down(self):
        """As a line of a fault file, and beside one."""
        self.write("faults", "10us down 4 5\n500us up 4 5\n")
        line = (*self.LINE[:1], "--workload=pairs:size=200kB", "--cc=none")
        self.run_ok(*line, "--faults=faults")
        run = self.sim(*line, "--faults=faults", "--link-down=9ms,0,4", "--stop=10ms", "--force")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("the run ended before 1 of the 3 faults", run.stderr)
        run = self.sim(*line, "--link-down=10us,4,5", "--stop=1ms", "--force")
        self.assertEqual(self.summary()["status"], "stopped")
        self.assertGreater(self.summary()["drops"]["link went down"], 0)
        for named in ("10us,switch-0,switch-1", "10us,4,switch-1:2"):
            by_number = self.summary()["drops"]["link went down"]
            self.sim(*line, f"--link-down={named}", "--stop=1ms", "--force")
            self.assertEqual(self.summary()["drops"]["link went down"], by_number, named)
        for value, word in (("10us,4", "two nodes"), ("10,4,5", "a time with a unit"),
                            ("10us,switch-0,switch-9", "nearest is switch-0; nodes are 0 to 5"),
                            ("10us,4,4", "4 twice"),
                            ("10us,4,99", "there is no node 99"), ("10us,0,1", "have no link"),
                            ("25h,4,5", "24 h")):
            self.refuse(*line, f"--link-down={value}", words=("--link-down", word))

    def test_error_rate(self):
        """Links without a rate of their own lose; the fabric then counts as lossy."""
        line = (*self.LINE[:1], "--workload=pairs:size=200kB", "--cc=none")
        self.run_ok(*line, "--error-rate=0.01")
        self.assertGreater(sum(self.summary()["drops"].values()), 0)
        for value in ("-0.1", "2", "x"):
            self.refuse(*line, f"--error-rate={value}", words=("--error-rate",))
        self.refuse(*line, "--error-rate=1", words=("nothing pass",))

    def test_marking(self):
        """Thresholds by rate: marks only where the queue is above those of the link."""
        self.write("topology", "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 25Gbps 1us 0\n")
        network = ("--topology=file:topology", "--workload=incast:fan-in=2,size=50kB,dst=2")
        # 100 kB arrive at 200 Gb/s and leave at 25 Gb/s: at most 90 kB wait
        for at25, marked in (("10kB,20kB,1", True), ("100kB,200kB,1", False)):
            self.run_ok(*network, "--cc=dcqcn", f"--marking=25Gbps:{at25};100Gbps:1kB,1kB,1")
            self.assertEqual(self.summary()["ecn_marks"] > 0, marked)
        self.run_ok(*network, "--marking=none", "--cc=none")
        self.assertEqual(self.summary()["ecn_marks"], 0)
        for value, word in (("100Gbps:1kB,2kB,1", "no thresholds for the links of 25Gbps"),
                            ("25Gbps:1kB,2kB", "expected Kmin,Kmax,Pmax"),
                            ("25Gbps:2kB,1kB,1", "Kmin is above Kmax"),
                            ("25Gbps", "RATE:Kmin,Kmax,Pmax"),
                            ("25:1kB,2kB,1", "not a rate with a unit"),
                            ("25Gbps:1kB,2kB,2", "Pmax"),
                            ("25Gbps:1kB,2kB,1;25Gbps:1kB,2kB,1", "given twice")):
            self.refuse(*network, f"--marking={value}", words=("--marking", word))
        self.refuse(*network, "--marking=25Gbps:1kB,2kB,1;100Gbps:1kB,2kB,1",
                    "--ns3::WredMarkingProfile::Pmax=1",
                    words=("name the same thing",))
        # queues that notify do so by the same profile: from 2 kB on of each packet, by default of 3
        # % from 25 kB on
        self.run_ok(*SMALL, "--cc=bts")
        seldom = self.summary()["bts_sent"]
        self.run_ok(*SMALL, "--cc=bts", "--marking=100Gbps:1kB,2kB,1")
        self.assertGreater(self.summary()["bts_sent"], seldom)
        # no switch, no queue that marks
        self.write("direct.topo", "2 0 1\n\n0 1 100Gbps 1us 0\n")
        self.refuse("--topology=file:direct.topo", "--workload=permutation:size=20kB", "--cc=dcqcn",
                    "--marking=100Gbps:1kB,2kB,1",
                    words=("--marking has no effect",))


if __name__ == "__main__":
    unittest.main()
