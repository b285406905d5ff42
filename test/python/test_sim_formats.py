# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: files of the htsim simulators, workloads with dependencies, and presets."""
import unittest

from sim_case import SMALL, SimCase

# Eight hosts at two ToRs and two spines.
TOPO = """Nodes 8
Tiers 2
Podsize 8
Tier 0
Downlink_speed_Gbps 100
Radix_Down 4
Radix_Up 2
Oversubscribed 2
Queue_Up 20000
Downlink_Latency_ns 1000
Tier 1
Downlink_speed_Gbps 100
Radix_Down 2
Downlink_Latency_ns 1000
Switch_Latency_ns 500
"""
CHAIN = """Nodes 8
Connections 3
Triggers 2
0->1 id 1 start 2.5 size 1000 recv_done_trigger 1
1->2 id 2 trigger 1 size 1000 send_done_trigger 2
2->3 id 3 trigger 2 size 1000
trigger id 1 oneshot
trigger id 2 oneshot
"""


class HtsimTest(SimCase):
    def setUp(self):
        super().setUp()
        self.write("t.topo", TOPO)
        self.write("m.cm", CHAIN)

    def test_chain_of_triggers_to_the_picosecond(self):
        self.run_ok("--topology=topo:t.topo", "--workload=cm:m.cm,unit=us", "--cc=none")
        starts = [flow["start_ns"] for flow in self.flows()]
        # 1082 B twice at 100 Gb/s and 2 us: 2173.12 ns; the second packet waits for the ACK of the
        # first (118 B, 9.44 ns); its own ACK takes 2 us + 2 x 9.44 ns.
        self.assertEqual(starts, ["2500", "4673.12", "8874.56"])
        self.assertEqual(self.summary()["status"], "complete")
        self.assertEqual(self.summary()["flows_started"], 3)

    def test_unit_is_asked_for(self):
        self.refuse("--topology=topo:t.topo", "--workload=cm:m.cm", words=("m.cm:4", "unit"))

    def test_switch_latency_is_on_the_path(self):
        self.write("far.cm", "Nodes 8\nConnections 1\n0->7 start 0 size 1000\n")
        self.run_ok("--topology=topo:t.topo", "--workload=cm:far.cm", "--cc=none")
        # four links of 1 us, the spine's 500 ns, four times 86.56 ns
        self.assertEqual(self.flows()[0]["fct_ns"], "4846.24")
        self.assertEqual(self.flows()[0]["slowdown"], "1.000000")

    def test_queue_sizes_hold_without_flow_control_and_are_reported_with_it(self):
        self.write("burst.cm", "Nodes 8\nConnections 4\n" + "".join(
            f"{i}->{i + 4} start 0 size 200000\n" for i in range(4)))
        run = self.run_ok("--topology=topo:t.topo", "--workload=cm:burst.cm", "--cc=none",
                          "--flow-control=none")
        self.assertNotIn("note", run.stderr)
        self.assertGreater(sum(self.summary()["drops"].values()), 0)
        run = self.run_ok("--topology=topo:t.topo", "--workload=cm:burst.cm", "--cc=none")
        self.assertIn("note: the queue sizes", run.stderr)
        self.assertEqual(sum(self.summary()["drops"].values()), 0)

    def test_refusals_name_file_and_line(self):
        for name, text, line in (
                ("unknown key", TOPO.replace("Radix_Up", "Radix"), 7),
                ("oversubscription", TOPO.replace("Oversubscribed 2", "Oversubscribed 4"), 8),
                ("speed", TOPO.replace("Gbps 100", "Gbps fast", 1), 5)):
            with self.subTest(name):
                self.write("bad.topo", text)
                self.refuse("--topology=topo:bad.topo", "--workload=permutation:size=1kB",
                            words=(f"bad.topo:{line}",))
        for name, text, line in (
                ("unknown word", CHAIN.replace("size 1000 recv", "site 1000 recv"), 4),
                ("no such node", CHAIN.replace("2->3", "2->8"), 6),
                ("no such trigger", CHAIN.replace("trigger 2 size", "trigger 3 size"), 6),
                ("cycle", CHAIN.replace("start 2.5", "trigger 2"), 8)):
            with self.subTest(name):
                self.write("bad.cm", text)
                self.refuse("--topology=topo:t.topo", "--workload=cm:bad.cm,unit=us",
                            words=("bad.cm:",) if name == "cycle" else (f"bad.cm:{line}",))
        self.write("fail.cm", "Nodes 8\nConnections 0\nFailures 1\n"
                              "failure switch_type TOR switch_id 0 link_id 0\n")
        self.refuse("--topology=topo:t.topo", "--workload=cm:fail.cm", words=("fail.cm:4", "fail"))
        self.refuse("--topology=topo:t.topo", "--rate=10Gbps", "--workload=cm:m.cm,unit=us",
                    words=("rate", "topo:t.topo"))


    def test_a_thousand_hosts_at_an_odd_rate(self):
        """The file of a fat-tree of 16-port switches, and flows beyond 4 GB that are cut short."""
        tier = "Downlink_speed_Gbps 33.3\nDownlink_Latency_ns 1000\n"
        self.write("large.topo", f"Nodes 1024\nTiers 3\nPodsize 64\n"
                                 f"Tier 0\n{tier}Radix_Down 8\nRadix_Up 8\n"
                                 f"Tier 1\n{tier}Radix_Down 8\nRadix_Up 8\n"
                                 f"Tier 2\n{tier}Radix_Down 16\n")
        self.write("large.cm", "Nodes 1024\nConnections 2\n0->1023 start 0 size 20000\n"
                               "512->1 start 1000 size 5000000000\n")
        self.run_ok("--topology=topo:large.topo", "--workload=cm:large.cm,unit=ns", "--cc=none",
                    "--stop=30us")
        self.assertEqual([flow["size_bytes"] for flow in self.flows()], ["20000", "5000000000"])
        # a byte takes 240.24 ps: each packet is rounded to whole picoseconds
        self.assertAlmostEqual(float(self.flows()[0]["slowdown"]), 1, places=5)
        self.assertEqual(self.summary()["status"], "stopped")


    def test_a_flow_of_size_0_goes_on_until_the_end(self):
        self.write("endless.cm",
                   "Nodes 8\nConnections 2\n0->1 start 0 size 0\n2->3 start 0 size 20000\n")
        run = ("--topology=topo:t.topo", "--workload=cm:endless.cm", "--cc=none")
        self.refuse(*run, words=("flow 0 has no end (size 0)", "--stop"))
        self.refuse(*run, "--stop=100us", "--messages=rtw",
                    words=("flow 0 has no end", "--messages=rtw"))
        self.run_ok(*run, "--stop=100us", "--trace=rates", "--trace-interval=3us")
        endless, other = self.flows()
        self.assertEqual(
            [endless[c]
             for c in ("size_bytes", "fct_ns", "sender_fct_ns", "ideal_fct_ns", "slowdown")],
                         ["0", "", "", "", ""])
        self.assertEqual(other["slowdown"], "1.000000")
        summary = self.summary()
        self.assertEqual((summary["status"], summary["flows_started"], summary["flows_completed"]),
                         ("complete", 2, 1))
        # The n-th packet has begun its way by (n - 1) x 86.56 ns and takes 2173.12 ns:
        # 1 + floor((100000 - 2173.12) / 86.56) = 1131 have arrived, and 20 of the other flow.
        self.assertAlmostEqual(summary["goodput_gbps"], 1151 * 8000 / 100000)
        self.assertEqual(self.received(3000), {"0": 1131000, "1": 20000})
        # the other flow is not complete yet
        self.run_ok(*run, "--stop=2us")
        self.assertEqual(self.summary()["status"], "stopped")
        self.write("endless.cm", "Nodes 8\nConnections 1\n0->1 start 0 size 0\n")
        self.run_ok(*run, "--stop=5us")
        self.assertEqual(self.summary()["status"], "complete")

    def test_pull_priorities_have_no_effect_and_msg_is_refused(self):
        self.write("msg.cm", "Nodes 8\nConnections 1\n0->1 id 1 msg 7 start 0 size 1000\n")
        self.refuse("--topology=topo:t.topo", "--workload=cm:msg.cm",
                    words=("msg.cm:3: msg numbers",))
        self.write("prio.cm", "Nodes 8\nConnections 2\n0->1 start 0 size 1000 prio 5\n"
                              "2->3 start 0 size 1000\n")
        run = self.run_ok("--topology=topo:t.topo", "--workload=cm:prio.cm")
        self.assertIn("dcfabric-sim: warning: prio.cm:3: prio has no effect", run.stderr)


class WorkloadTest(SimCase):
    def test_collectives(self):
        for spec, flows in (("alltoall:size=2kB", 16 * 15), ("allreduce-ring:size=16kB", 16 * 30),
                            ("allreduce-hd:size=16kB", 16 * 8)):
            with self.subTest(spec):
                self.run_ok("--topology=fat-tree:k=4", f"--workload={spec}")
                self.assertEqual(len(self.flows()), flows)
                self.assertEqual(self.summary()["flows_completed"], flows)
                self.assertNotIn("", [flow["start_ns"] for flow in self.flows()])

    def test_distributions_and_hot_spot(self):
        # 8 hosts; data-mining flows have 12.7 MB on average, so that 20 of them take 5 ms at load
        # 0.5
        for spec, duration in (("enterprise", "100us"), ("datamining", "5ms"),
                               ("alistorage", "20us"), ("googlerpc", "20us"),
                               ("hotspot:size=10kB", "20us")):
            with self.subTest(spec):
                self.run_ok("--topology=leaf-spine:leaves=2,spines=2,hosts=4", f"--workload={spec}",
                            "--load=0.5", f"--duration={duration}", "--stop=40us", "--seed=3")
                self.assertTrue(self.flows())

    def test_multi_homed_hosts(self):
        leaves = "--topology=leaf-spine:leaves=4,spines=2,hosts=2,homes=2"
        for cc in ("hpcc", "dcqcn"):
            self.run_ok(leaves, f"--cc={cc}", "--workload=alltoall:size=50kB")
            self.assertEqual(self.summary()["flows_completed"], 12)


class HpccTest(SimCase):
    """Files of the HPCC simulator."""

    STAR = "4 1 3\n3\n" + "".join(f"{host} 3 100Gbps 1us 0\n" for host in range(3))

    def test_fct_file_keeps_the_destination_port(self):
        # two incast flows and a normal one; the script of that simulator picks them by port
        self.write("star.txt", self.STAR)
        self.write("f.txt", "3\n0 2 3 200 5000 0\n1 2 3 200 5000 0\n0 1 3 100 1000 0\n")
        self.run_ok("--topology=file:star.txt", "--workload=flows:f.txt", "--export=hpcc-fct")
        lines = [line.split() for line in (self.out / "fct.txt").read_text().splitlines()]
        self.assertEqual(sorted((line[4], line[3]) for line in lines),
                         [("1000", "100"), ("5000", "200"), ("5000", "200")])

    def test_ports_nobody_gives_are_100(self):
        self.run_ok(*SMALL, "--export=hpcc-fct")
        lines = [line.split() for line in (self.out / "fct.txt").read_text().splitlines()]
        self.assertEqual({line[3] for line in lines}, {"100"})

    def test_entropies_of_a_run_are_those_of_the_next(self):
        # 20 packets for each connection, none of them marked: as many entropies come back
        reps = (*SMALL, "--cc=dctcp", "--lb=reps", "--ns3::RepsLoadBalancer::Recurrent=true")
        self.run_ok(*reps, "--export=entropies")
        (self.dir / "kept.txt").write_text((self.out / "entropies.txt").read_text())
        kept = [line.split() for line in (self.dir / "kept.txt").read_text().splitlines()]
        self.assertEqual(kept[0], "# host destination class entropies".split())
        self.assertEqual(sorted((src, dst) for src, dst, *_ in kept[1:]),
                         sorted((row["src"], row["dst"]) for row in self.flows()))
        self.assertEqual({len(line) - 3 for line in kept[1:]}, {20})
        self.write("one.txt", f"1\n{kept[1][0]} {kept[1][1]} 3 100 1000 0\n")
        self.run_ok(*reps[2:], SMALL[0], "--workload=flows:one.txt", "--export=entropies",
                    "--ns3::EntropyFile::From=kept.txt", "--seed=2")
        again = [line.split() for line in (self.out / "entropies.txt").read_text().splitlines()]
        self.assertEqual(again[1][3:], kept[1][4:] + kept[1][3:4],
                         "the oldest was used and came back last")
        self.assertEqual(again[2:], kept[2:], "the others were not used")

    def test_entropies_that_nobody_keeps(self):
        run = self.run_ok(*SMALL, "--cc=dctcp", "--lb=reps", "--export=entropies",
                          out=self.dir / "other")
        self.assertIn("no connection keeps any", run.stderr)
        self.write("kept.txt", "0 1 3 5\n")
        self.refuse(*SMALL, "--ns3::EntropyFile::From=kept.txt",
                    words=("kept.txt:1", "keep no entropies", "Recurrent"))
        self.refuse(*SMALL, "--ns3::EntropyFile::From=none.txt", words=("none.txt",))

    def test_more_than_promised(self):
        self.write("star.txt", self.STAR + "0 1 100Gbps 1us 0\n")
        self.write("f.txt", "2\n0 2 3 100 5000 0\n")
        self.refuse("--topology=file:star.txt", "--workload=flows:f.txt",
                    words=("f.txt:2", "1 of 2 flows"))
        self.write("f.txt", "1\n0 2 3 100 5000 0\n1 2 3 100 5000 0\n")
        run = self.run_ok("--topology=file:star.txt", "--workload=flows:f.txt")
        self.assertEqual(run.stderr.splitlines(), [
            "dcfabric-sim: warning: star.txt promises 3 links, 4 follow: the first 3 are taken, as "
            "the HPCC "
            "simulator does",
            "dcfabric-sim: warning: f.txt promises 1 flow, 2 follow: the first is taken, as the "
            "HPCC "
            "simulator does"])
        self.assertEqual(len(self.flows()), 1)


class ClassTest(SimCase):
    """Flow files with several pg: a data class each.

    Hosts 0 and 1 at switch 5, hosts 2, 3 and 4 at switch 6. Host 4 and, across the link between the
    switches, host 0 send to host 2, so that switch 6 pauses class 3 of that link. Host 1 sends
    across it to host 3."""

    def setUp(self):
        super().setUp()
        links = ((0, 5), (1, 5), (2, 6), (3, 6), (4, 6), (5, 6))
        self.write("net.txt",
                   "7 2 6\n5 6\n" + "".join(f"{a} {b} 100Gbps 1us 0\n" for a, b in links))

    def run_classes(self, pg, *arguments):
        self.write("f.txt",
                   f"3\n0 2 3 100 2000000 0\n4 2 3 100 2000000 0\n1 3 {pg} 100 1000000 0.00001\n")
        if not any(argument.startswith("--cc=") for argument in arguments):
            arguments = ("--cc=none", *arguments)
        return self.run_ok("--topology=file:net.txt", "--workload=flows:f.txt", *arguments,
                           "--trace=queues,pfc")

    def column(self, name, column):
        lines = [line.split(",") for line in (self.out / name).read_text().splitlines()[1:]]
        return {line[column] for line in lines}

    def test_a_paused_class_does_not_stop_the_other(self):
        low = ("--ns3::SharedBuffer::XoffThreshold=20000", "--ns3::SharedBuffer::PortReserve=20000")
        self.run_classes(3, *low)
        self.assertGreater(float(self.flows()[2]["slowdown"]), 1.3)  # behind the packets of flow 0
        self.run_classes(4, *low)
        # of higher priority: between the switches it waits for one packet at most, 86.56 ns in 91
        # us
        self.assertLess(float(self.flows()[2]["slowdown"]), 1.01)
        self.assertEqual(self.column("pfc.csv", 3), {"3"})
        self.assertEqual(self.summary()["status"], "complete")

    def test_each_class_is_paused_by_itself(self):
        # Two senders of class 4 to host 2: only that class is paused.
        self.write("f.txt", "3\n0 2 4 100 2000000 0\n4 2 4 100 2000000 0\n1 3 3 100 1000 0\n")
        self.run_ok("--topology=file:net.txt", "--workload=flows:f.txt", "--cc=none",
                    "--trace=queues,pfc", "--ns3::SharedBuffer::XoffThreshold=20000",
                    "--ns3::SharedBuffer::PortReserve=20000")
        self.assertEqual(self.column("pfc.csv", 3), {"4"})
        self.assertIn("4", self.column("queues.csv", 3))

    def test_other_flow_controls_and_congestion_controls(self):
        for arguments in (("--flow-control=credit",), ("--cc=hpcc",), ("--cc=dcqcn",),
                          ("--cc=swift",),
                          ("--flow-control=voq-credit", "--switch=voq"), ("--cc=rocc",)):
            with self.subTest(arguments):
                self.run_classes(4, *arguments)
                self.assertEqual(self.summary()["flows_completed"], 3)
                self.assertEqual(self.summary()["drops"], {})

    def test_presets_whose_control_packets_are_in_the_data_class(self):
        run = self.run_classes(4, "--preset=hpcc-sigcomm19", "--cc=hpcc")
        self.assertIn("note: the flows are of several classes: control packets have class 6",
                      run.stderr)
        self.assertEqual(self.summary()["flows_completed"], 3)
        run = self.run_classes(3, "--preset=hpcc-sigcomm19", "--cc=hpcc")
        self.assertEqual(run.stderr, "")

    def test_fncc_needs_one_class(self):
        self.write("f.txt", "2\n0 2 3 100 2000 0\n3 2 4 100 2000 0\n")
        self.refuse("--topology=file:net.txt", "--workload=flows:f.txt", "--cc=fncc",
                    words=("flow 1 has priority 4 and flow 0 priority 3: --cc=fncc reads the queue "
                           "of",))


class PresetTest(SimCase):
    def test_presets_run_every_congestion_control(self):
        for preset in ("conweave23", "dcqcn-paper", "mellanox-100g", "rcm17"):
            for cc in ("hpcc", "dcqcn"):
                with self.subTest(preset=preset, cc=cc):
                    self.run_ok(*SMALL, f"--preset={preset}", f"--cc={cc}")

    def test_presets_of_dcqcn_mean_dcqcn(self):
        for preset in ("dcqcn-paper", "mellanox-100g", "rcm17"):
            with self.subTest(preset=preset):
                self.run_ok(*SMALL, f"--preset={preset}")
                self.assertEqual(self.summary()["options"]["cc"], "dcqcn")
                run = self.run_ok(*SMALL, f"--preset={preset}", "--cc=hpcc")
                self.assertEqual(self.summary()["options"]["cc"], "hpcc")
                self.assertEqual(
                    run.stderr, f"dcfabric-sim: note: --preset={preset}: its values of "
                    "ns3::DcqcnCongestionControl have no effect under --cc=hpcc\n")

    def test_presets_of_several_controls(self):
        """fncc24 has values of FNCC, HPCC and DCQCN: each of them has its own, Swift has none."""
        for cc in ("fncc", "hpcc", "dcqcn"):
            self.assertEqual(self.run_ok(*SMALL, "--preset=fncc24", f"--cc={cc}").stderr, "")
        self.assertEqual(
            self.run_ok(*SMALL, "--preset=fncc24", "--cc=swift").stderr,
            "dcfabric-sim: note: --preset=fncc24: its values of ns3::DcqcnCongestionControl, "
            "ns3::FnccCongestionControl, ns3::HpccCongestionControl, "
            "ns3::IntWindowCongestionControl have no effect under --cc=swift\n")
        # a preset without any says nothing
        self.assertEqual(self.run_ok(*SMALL, "--preset=mprdma", "--cc=dctcp").stderr, "")
        # in a part of the network they have an effect
        self.write("some", "0 * cc=dcqcn\n")
        self.assertEqual(self.run_ok(*SMALL, "--preset=dcqcn-paper", "--cc=dctcp",
                                     "--policies=some").stderr, "")

    def test_adapters(self):
        """Two hosts send into one. Alpha keeps 1019/1024 of itself in each microsecond without CNP,
        so that the first cut, 4 us after the first CNP, is by (1019/1024)^4 / 2; cuts are a
        multiple of 4 us apart. The target rate stays at line rate as long as there was no increase:
        the first one, 300 us after the last cut, goes half the way. Then come those of the byte
        counter, 31 packets of 1062 B, which at 50 Gb/s take 5.3 us."""
        self.run_ok("--topology=leaf-spine:leaves=1,spines=1,hosts=3",
                    "--workload=incast:fan-in=2,size=1MB", "--preset=mellanox-100g",
                    "--trace=rates", "--trace-interval=100ns")
        rows = [row.split(",") for row in (self.out / "rates.csv").read_text().split()[1:]]
        rates = [(float(row[0]), float(row[2])) for row in rows if row[1] == "0"]
        changes = [new for old, new in zip(rates, rates[1:]) if old[1] != new[1]]
        self.assertAlmostEqual(changes[0][1], 100e9 * (1 - (1019 / 1024) ** 4 / 2), delta=1)
        first = next(i for i in range(1, len(changes)) if changes[i][1] > changes[i - 1][1])
        self.assertGreater(first, 5)  # cuts
        for i in range(1, first):
            self.assertEqual((changes[i][0] - changes[i - 1][0]) % 4000, 0)
        self.assertEqual(changes[first][0] - changes[first - 1][0], 300e3)
        for i in (first, first + 1, first + 2):
            self.assertAlmostEqual(changes[i][1], (changes[i - 1][1] + 100e9) / 2, delta=1)
        # part of the bytes came before
        self.assertLessEqual(changes[first + 1][0] - changes[first][0], 5400)
        # at 75 Gb/s
        self.assertLess(changes[first + 2][0] - changes[first + 1][0], 5400 / 1.5 + 100)

    def test_rcm17(self):
        """432 hosts, 180 switches with virtual queues of 100 kB: what one host sends through the
        core."""
        self.run_ok("--preset=rcm17",
                    "--workload=flows:" + self.write("one.txt", "1\n0 431 3 100 100000 0\n"))
        options = self.summary()["options"]
        self.assertEqual([options[name] for name in ("topology", "switch", "lb", "flow-control")],
                         ["fat-tree:k=12", "voq", "ecmp", "pfc"])
        self.assertAlmostEqual(float(self.flows()[0]["slowdown"]), 1, places=6)
        # Two senders fill the output queue and their two virtual queues, then PFC stops both: at
        # most 300 kB wait, and what comes until the pause takes effect.
        self.run_ok("--preset=rcm17", "--topology=leaf-spine:leaves=1,spines=1,hosts=3",
                    "--cc=none", "--workload=incast:fan-in=2,size=1MB")
        summary = self.summary()
        self.assertGreater(summary["pfc_pause_frames"], 0)
        self.assertGreaterEqual(summary["max_queue_bytes"], 300e3)
        self.assertLess(summary["max_queue_bytes"], 370e3)

    def test_dcqcn_timers(self):
        """Where marks come as CNPs, alpha's timer is longer than their interval: 55 us is what the
        preset has, and with 50 us, as long as that, alpha falls between CNPs and the same incast
        takes another course."""
        incast = ("--topology=leaf-spine:leaves=1,spines=1,hosts=9",
                  "--workload=incast:fan-in=8,size=2MB", "--cc=dcqcn")
        alpha = "--ns3::DcqcnCongestionControl::AlphaInterval="
        for preset in ("fncc24", "dcqcn-paper"):
            courses = []
            for given in ((), (alpha + "55us",), (alpha + "50us",)):
                self.run_ok(*incast, f"--preset={preset}", *given)
                courses.append(self.flows())
            with self.subTest(preset=preset):
                self.assertEqual(courses[0], courses[1])
                self.assertNotEqual(courses[0], courses[2])

    def test_fncc24_table_and_u(self):
        """FNCC has a table that is updated each 1.5 us, and a U that begins at 1, by itself and in
        fncc24."""
        incast = ("--topology=leaf-spine:leaves=1,spines=1,hosts=5",
                  "--workload=incast:fan-in=4,size=1MB", "--cc=fncc")
        table = "--ns3::FnccIntFeature::RefreshInterval="
        begin = "--ns3::FnccCongestionControl::InitialUtilization="
        for preset in (("--preset=fncc24",), ()):
            self.run_ok(*incast, *preset)
            alone = self.flows()
            for given, same in (((table + "1500ns", begin + "1"), True), ((table + "0ns",), False),
                                ((begin + "0",), False)):
                with self.subTest(preset=preset, given=given):
                    self.run_ok(*incast, *preset, *given)
                    self.assertEqual(self.flows() == alone, same)

    def test_marking_thresholds(self):
        """What starts at line rate from two hosts fills one queue at line rate: marks begin at
        Kmin."""
        incast = ("--topology=leaf-spine:leaves=1,spines=1,hosts=3", "--cc=dcqcn")
        # conweave23: 100 kB at any rate. Two senders of 90 kB leave at most 90 kB waiting.
        for preset, rate, size, marks in (("conweave23", "100Gbps", "90kB", False),
                                          ("conweave23", "100Gbps", "500kB", True),
                                          ("conweave23", "25Gbps", "90kB", False),
                                          ("conweave23", "400Gbps", "500kB", True),
                                          # dcqcn-paper: 5 kB at 40 Gb/s, 12.5 kB at 100 Gb/s
                                          ("dcqcn-paper", "40Gbps", "4kB", False),
                                          ("dcqcn-paper", "100Gbps", "11kB", False),
                                          ("dcqcn-paper", "40Gbps", "2MB", True)):
            with self.subTest(preset=preset, rate=rate, size=size):
                self.run_ok(*incast, f"--preset={preset}", f"--rate={rate}",
                            f"--workload=incast:fan-in=2,size={size}")
                self.assertEqual(self.summary()["ecn_marks"] > 0, marks)

    def test_marking_under_credits(self):
        """DCTCP marks from 300 kB on, but under credits from what an ingress buffer holds by
        default: 542 units of 64 bytes, 34,688 bytes. Of three senders at line rate, 90 kB or 97.4
        kB with headers each, one's credits are on the wire and two ingress buffers fill. Three
        times 15 kB leave two thirds of 48.7 kB waiting, 32.5 kB. With 1 MB for each, or under PFC,
        two thirds of 292 kB wait, below 300 kB."""
        incast = "--topology=leaf-spine:leaves=1,spines=1,hosts=4"
        large = "--ns3::CreditFlowControl::BufferBytes=1000000"
        kmin, kmax = (f"--ns3::WredMarkingProfile::{end}=300000" for end in ("Kmin", "Kmax"))
        for cc, flow_control, size, marks, more in (
                ("dctcp", "credit", "90kB", True, ()), ("dctcp", "credit", "15kB", False, ()),
                ("dctcp", "pfc", "90kB", False, ()),
                ("dctcp", "credit", "90kB", False, (large,)),
                ("dctcp", "credit", "90kB", False, (kmin, kmax)),
                ("dcqcn", "credit", "90kB", False, ("--preset=conweave23",)),
                ("dctcp", "voq-credit", "90kB", False, ("--switch=voq",))):
            with self.subTest(cc=cc, flow_control=flow_control, size=size, more=more):
                self.run_ok(incast, f"--cc={cc}",
                            f"--flow-control={flow_control}",
                            f"--workload=incast:fan-in=3,size={size}", *more)
                self.assertEqual(self.summary()["ecn_marks"] > 0, marks)
        # at 25 Gb/s the buffer holds less: what is on the wire for 2 us is a quarter, packets are
        # as long
        self.run_ok(incast, "--cc=dctcp", "--rate=25Gbps", "--flow-control=credit",
                    "--workload=incast:fan-in=3,size=15kB")
        self.assertGreater(self.summary()["ecn_marks"], 0)


if __name__ == "__main__":
    unittest.main()
