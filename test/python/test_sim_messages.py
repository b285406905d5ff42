# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: --messages, --post-delay, --match-table and --trace=messages."""
import csv
import itertools
import unittest

from sim_case import SMALL, SimCase

# Host 0, two switches, host 1: three links of 100 Gb/s and 1 us.
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--cc=none")
# Match header included, 1000 bytes take 80 ps x (1000 + 62 + 24 + 20) = 88.48 ns a link.
LATE = ("rtw", "deferrable", "rnr", "rendezvous")
COUNTERS = ("rtw_sent", "rts_sent", "rnr_sent", "unmatched_packets", "wasted_bytes",
            "match_lookups", "further_lookups")


class MessagesCase(SimCase):
    def messages(self, out=None):
        with ((out or self.out) / "messages.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def counters(self, out=None):
        summary = self.summary(out)
        return {name: summary[name] for name in COUNTERS}


class ResultTest(MessagesCase):
    def test_without_the_option_nothing_is_matched(self):
        self.run_ok(*SMALL)
        self.assertEqual(set(self.counters().values()), {0})
        self.assertEqual(self.summary()["options"]["messages"], "")

    def test_receives_in_time(self):
        """One look-up for each packet, and nothing else than without --messages but 24 bytes a
        packet."""
        self.run_ok(*CHAIN, "--workload=pairs:size=5000", "--messages=preposted",
                    "--trace=messages")
        self.assertEqual(self.counters(), {**dict.fromkeys(COUNTERS, 0), "match_lookups": 5})
        # 3 x (1 us + 88.48 ns) for the first packet, four more behind it
        self.assertEqual(self.flows()[0]["fct_ns"], "3619.36")
        rows = [(row["time_ns"], row["node"], row["role"], row["peer"], row["msn"], row["epoch"],
                 row["from"], row["to"]) for row in self.messages()]
        self.assertEqual(rows[:2], [("0", "0", "sender", "1", "0", "0", "nonexistent", "sending"),
                                    ("0", "1", "receiver", "0", "0", "0", "nonexistent", "posted")])
        self.assertEqual(rows[2], ("3619.36", "1", "receiver", "0", "0", "0", "posted", "complete"))
        # The last ACK, which names the message: 62 + 4 + 40 + 20 = 126 bytes, 10.08 ns a link.
        self.assertEqual(rows[3], ("6649.6", "0", "sender", "1", "0", "0", "sending", "complete"))
        self.assertEqual(len(rows), 4)

    def test_header_of_the_trace(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=1000", "--messages=rtw", "--trace=messages")
        header = (self.out / "messages.csv").read_text().splitlines()[0]
        self.assertEqual(header, "time_ns,node,role,peer,msn,epoch,from,to")

    def test_late_receive_under_rtw(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=3000", "--messages=rtw",
                    "--post-delay=fixed:20us",
                    "--trace=messages")
        self.assertEqual(self.counters(),
                         {"rtw_sent": 3, "rts_sent": 1, "rnr_sent": 0, "unmatched_packets": 3,
                          "wasted_bytes": 3000, "match_lookups": 6,
                                           # packet 0: among complete messages, and contexts
                          "further_lookups": 2})
        # The RTS has 62 + 16 + 20 = 98 bytes, 7.84 ns a link: it is there after 3 x 1007.84 ns;
        # then the message comes as if sent for the first time, 3 x 1088.48 + 2 x 88.48 ns.
        self.assertEqual(self.flows()[0]["fct_ns"], "26465.92")
        rows = [(row["role"], row["epoch"], row["from"], row["to"]) for row in self.messages()]
        self.assertEqual(rows, [("sender", "0", "nonexistent", "sending"),
                                ("sender", "0", "sending", "waiting"),
                                ("receiver", "0", "nonexistent", "posted"),
                                ("sender", "1", "waiting", "sending"),
                                ("receiver", "1", "posted", "complete"),
                                ("sender", "1", "sending", "complete")])
        self.assertEqual(self.messages()[2]["time_ns"], "20000")
        self.assertEqual(self.messages()[3]["time_ns"], "23023.52")

    def test_late_receive_under_rnr(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=1000", "--messages=rnr",
                    "--post-delay=fixed:20us",
                    "--trace=messages")
        # The RNR has 62 + 4 + 40 + 20 = 126 bytes, 10.08 ns a link: a refusal takes 3 x 1088.48 +
        # 3 x 1010.08 = 6295.68 ns. Attempts at 0, 16.29568 us (10 us later) and 42.59136 us (20
        # us). The second arrives at 19.56112 us, before the receive; the third is placed.
        self.assertEqual(self.counters()["rnr_sent"], 2)
        self.assertEqual(self.flows()[0]["fct_ns"], "45856.8")
        starts = [row["time_ns"] for row in self.messages() if row["to"] == "sending"]
        self.assertEqual(starts, ["0", "16295.68", "42591.36"])

    def test_rendezvous_in_time(self):
        """The first BDP is sent at once, the rest when the receiver asks."""
        self.run_ok(*CHAIN, "--workload=pairs:size=1MB", "--messages=rendezvous",
                    "--trace=messages")
        counters = self.counters()
        self.assertEqual({**counters, "match_lookups": 0},
                         {**dict.fromkeys(COUNTERS, 0), "rts_sent": 1})
        self.assertEqual(counters["match_lookups"], 1000)

    def test_look_ups_and_refusals_are_counted_once(self):
        for protocol in LATE:
            with self.subTest(protocol=protocol):
                self.run_ok(*SMALL, f"--messages={protocol}", "--post-delay=uniform:0us,40us")
                counters = self.counters()
                sent = sum(int(flow["packets_sent"]) for flow in self.flows())
                self.assertEqual(counters["match_lookups"], sent)
                self.assertEqual(counters["rtw_sent"] + counters["rnr_sent"],
                                 counters["unmatched_packets"])
                self.assertGreater(counters["unmatched_packets"], 0)
                self.assertEqual(counters["wasted_bytes"], 1000 * counters["unmatched_packets"])

    def test_delays_are_those_of_the_flow(self):
        """The same flow has the same delay under every protocol and control."""
        posted = []
        for protocol, cc in itertools.product(("rtw", "rnr"), ("hpcc", "none")):
            self.run_ok(*SMALL, f"--messages={protocol}", f"--cc={cc}",
                        "--post-delay=exponential:mean=20us",
                        "--trace=messages")
            posted.append(
                sorted((row["time_ns"], row["node"], row["peer"]) for row in self.messages()
                       if row["to"] == "posted"))
        self.assertEqual(len(set(map(tuple, posted))), 1)
        times = [float(time) for time, _, _ in posted[0]]
        self.assertEqual(len(set(times)), 16)
        self.run_ok(*SMALL, "--messages=rtw", "--post-delay=exponential:mean=20us", "--seed=2",
                    "--trace=messages")
        self.assertNotEqual(sorted(float(row["time_ns"]) for row in self.messages()
                                   if row["to"] == "posted"), times)

    def test_receives_of_a_pair_are_posted_in_order(self):
        self.write("many", "30\n"
                   + "".join(f"0 1 3 {1000 + i} {i * 1e-6:.6f}\n" for i in range(30)))
        self.run_ok(*CHAIN, "--workload=flows:many", "--messages=rtw",
                    "--post-delay=uniform:0us,20us",
                    "--trace=messages")
        posted = [row for row in self.messages() if row["to"] == "posted"]
        self.assertEqual([int(row["msn"]) for row in posted], list(range(30)))
        times = [float(row["time_ns"]) for row in posted]
        self.assertEqual(times, sorted(times))
        # some had to wait for the one before
        self.assertLess(len(set(times)), 30)
        self.assertEqual(len([row for row in self.messages() if row["to"] == "complete"]), 60)

    def test_collectives_wait_for_receives(self):
        """A step begins when the receive of the step before is complete."""
        for workload in ("alltoall:size=5kB", "allreduce-ring:size=50kB", "allreduce-hd:size=50kB"):
            for protocol in LATE:
                with self.subTest(workload=workload, protocol=protocol):
                    self.run_ok("--topology=leaf-spine:leaves=2,spines=2,hosts=2",
                                f"--workload={workload}", f"--messages={protocol}",
                                "--post-delay=fixed:15us", "--trace=messages")
                    self.assertEqual(self.summary()["status"], "complete")
                    starts = {float(flow["start_ns"]) for flow in self.flows()}
                    complete = {float(row["time_ns"]) for row in self.messages()
                                if row["role"] == "receiver" and row["to"] == "complete"}
                    self.assertLessEqual(starts - {0.0}, complete)
                    self.assertEqual(len(starts) > 1, workload[:3] == "all" and workload[3] == "r")
                    for flow in self.flows():
                        self.assertGreater(float(flow["fct_ns"]), 15000)

    def test_small_table(self):
        """A table of two entries: what finds no room waits, and all messages arrive."""
        self.run_ok("--topology=fat-tree:k=4", "--workload=alltoall:size=4kB", "--messages=rtw",
                    "--post-delay=uniform:0us,30us", "--match-table=tcam",
                    "--ns3::TcamMatchTable::Capacity=2")
        self.assertEqual(self.summary()["flows_completed"], 240)

    def test_schedulers_agree(self):
        """Ties of starts, postings and arrivals do not depend on the scheduler."""
        seen = set()
        for scheduler in ("LookAheadScheduler", "MapScheduler", "HeapScheduler"):
            self.run_ok("--topology=fat-tree:k=4", "--workload=alltoall:size=5kB", "--messages=rtw",
                        "--post-delay=fixed:10us", "--match-table=tcam",
                        "--ns3::TcamMatchTable::Capacity=3", "--trace=messages",
                        f"--SchedulerType=ns3::{scheduler}")
            seen.add((self.out / "flows.csv").read_text() + (self.out / "messages.csv").read_text())
        self.assertEqual(len(seen), 1)

    def test_stopped_before_the_receive(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=3000", "--messages=rtw",
                    "--post-delay=fixed:50us", "--stop=20us",
                    "--trace=messages")
        self.assertEqual(self.summary()["status"], "stopped")
        flow, = self.flows()
        self.assertEqual((flow["fct_ns"], flow["sender_fct_ns"], flow["packets_sent"]),
                         ("", "", "3"))
        self.assertEqual([row["to"] for row in self.messages()], ["sending", "waiting"])

    def test_stuck(self):
        """Nothing is stuck while receives are to be posted, however long that takes."""
        self.run_ok(*CHAIN, "--workload=pairs:size=1000", "--messages=rtw",
                    "--post-delay=fixed:25s")
        self.assertEqual(self.summary()["status"], "complete")


class RefusalTest(MessagesCase):
    def test_options_without_effect_name_both_sides(self):
        self.refuse(*SMALL, "--post-delay=fixed:1us",
                    words=("--post-delay=fixed:1us", "--messages"))
        self.refuse(*SMALL, "--match-table=tcam", words=("--match-table=tcam", "--messages"))
        self.refuse(*SMALL, "--trace=messages", words=("--trace=messages", "--messages"))
        self.refuse(*SMALL, "--messages=preposted", "--post-delay=fixed:1us",
                    words=("--messages=preposted", "--post-delay=fixed:1us"))
        self.refuse(*SMALL, "--messages=rtw",
                    "--ns3::ReceivePoster::Delay=ns3::ConstantRandomVariable",
                    words=("ns3::ReceivePoster::Delay", "--post-delay"))
        self.refuse(*SMALL, "--messages=rtw", "--ns3::ReceiverNotReady::RetryDelay=1us",
                    words=("no effect", "ns3::ReceiverNotReady"))
        self.refuse(*SMALL, "--ns3::MessageProtocol::StopTarget=true", words=("no effect",))

    def test_unknown_values_list_the_known_ones(self):
        self.refuse(*SMALL, "--messages=rtw", "--post-delay=soon",
                    words=("soon", "none", "fixed", "uniform", "exponential"))
        self.refuse(*SMALL, "--messages=rtw", "--match-table=list", words=("list", "hash", "tcam"))

    def test_malformed_delays(self):
        for delay in ("fixed", "fixed:", "fixed:5", "fixed:-1us", "fixed:x", "fixed:1us,2us",
                      "none:1us", "uniform:1us", "uniform:1us,", "uniform:3us,2us",
                      "uniform:1us,2us,3us", "uniform:1,2", "exponential", "exponential:20us",
                      "exponential:mean=5", "exponential:mean=-5us", "exponential:mean=",
                      "exponential:median=5us", ""):
            with self.subTest(delay=delay):
                self.refuse(*SMALL, "--messages=rtw", f"--post-delay={delay}",
                            words=("post-delay",))


if __name__ == "__main__":
    unittest.main()
