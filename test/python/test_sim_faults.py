# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim --faults: links, switches and hosts that fail; repair of routes, PFC watchdog."""
import unittest

from sim_case import SimCase

# Hosts 0 and 1 at the left, 2 and 3 at the right; switches 4 and 5. Host i sends 200 kB to host 2 +
# i.
DUMBBELL = ("--topology=dumbbell:switches=2,senders=2", "--workload=pairs:size=200kB")


class FaultTest(SimCase):
    def times(self):
        return [float(flow["fct_ns"]) for flow in self.flows()]

    def test_links_that_fail(self):
        """Flows are complete after the fault, what was lost has a reason, and a lossless fabric may
        lose it."""
        self.run_ok(*DUMBBELL)
        usual = self.times()
        self.write("faults", "# the link between the switches\n10us down 4 5\n500us up 4 5\n")
        for control in ("pfc", "credit", "none"):
            with self.subTest(control=control):
                self.run_ok(*DUMBBELL, "--faults=faults", f"--flow-control={control}", "--cc=none")
                self.assertEqual(self.summary()["status"], "complete")
                self.assertGreater(min(self.times()), 500e3)
                self.assertGreater(self.summary()["drops"]["link went down"], 0)
                self.assertEqual(self.summary()["options"]["faults"], "faults")
        self.assertLess(max(usual), 100e3)

    def test_rates(self):
        """A link at a tenth of its rate from the start takes ten times as long, and nothing is
        lost."""
        self.run_ok(*DUMBBELL, "--cc=none")
        usual = max(self.times())
        self.write("faults", "0us rate 5 4 10Gbps\n")
        self.run_ok(*DUMBBELL, "--cc=none", "--faults=faults")
        self.assertEqual(self.summary()["drops"], {})
        # 400 frames of 1082 B with gap at 10 Gb/s: 346 us
        self.assertGreater(max(self.times()), 346e3)
        self.assertLess(max(self.times()), 375e3)
        self.assertLess(usual, 60e3)

    def test_link_that_stays_down(self):
        """What can never be complete is reported, with the link."""
        self.write("faults", "10us down 0 4\n")
        run = self.sim(*DUMBBELL, "--faults=faults")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("the simulation is stuck", run.stderr)
        self.assertIn("ports whose link is down (2)", run.stderr)
        self.assertIn("node 0", run.stderr)
        self.assertNotIn("lossless", run.stderr)

    def test_one_packet_in_ten(self):
        """Runs that lose one packet in ten on each link end, although over six links seven tries in
        ten fail."""
        flows = {"hyperx:dims=3,links=2,hosts=2":
                 ("alltoall:size=20000", "--cc=dctcp", "--routing=shortest", "--lb=spray-rr",
                  "--flow-control=pfc", "--rate=1Gbps", "--seed=491037"),
                 "clos4": ("permutation:size=1000", "--cc=timely", "--lb=path-set:paths=4",
                           "--flow-control=none", "--switch-latency=0us", "--seed=606043"),
                 "leaf-spine:leaves=3,spines=2,hosts=3":
                 ("googlerpc", "--duration=50us", "--load=0.1", "--cc=dcqcn", "--lb=reps",
                  "--flow-control=none", "--seed=713050"),
                 "torus:dims=4x2x3,hosts=1":
                 ("googlerpc", "--duration=50us", "--load=0.1", "--cc=rocc", "--lb=plb",
                  "--flow-control=none", "--modifiers=ewma-gate", "--rate=10Gbps", "--delay=10us",
                  "--switch-latency=1us", "--seed=104955")}
        for topology, (workload, *options) in flows.items():
            with self.subTest(topology=topology):
                self.run_ok(f"--topology={topology}", f"--workload={workload}", "--error-rate=0.1",
                            *options)
                self.assertEqual(self.summary()["status"], "complete")
                # a try waits for at most sixteen times 200 base RTTs, and sixty in a row fail once
                # in 3e8
                base = max(float(flow["ideal_fct_ns"]) for flow in self.flows())
                self.assertLess(max(self.times()), 60 * 16 * 200 * base)

    def test_losses(self):
        """Losses and damage are counted apart, and do not make a run fail; the same seed loses the
        same."""
        self.write("faults", "0us loss 4 5 0.02\n0us corrupt 4 5 0.05\n")
        line = (*DUMBBELL, "--faults=faults", "--cc=none", "--ns3::FabricNic::AckTimeout=200us")
        self.run_ok(*line)
        drops = self.summary()["drops"]
        self.assertEqual(set(drops), {"lost on the wire", "corrupted on the wire"})
        # some 800 frames cross the link: 16 and 39 are expected; six standard deviations
        self.assertTrue(1 <= drops["lost on the wire"] <= 42, drops)
        self.assertTrue(3 <= drops["corrupted on the wire"] <= 78, drops)
        self.run_ok(*line)
        self.assertEqual(self.summary()["drops"], drops)
        self.run_ok(*line, "--seed=2")
        self.assertNotEqual(self.summary()["drops"], drops)

    def test_switch_that_fails(self):
        """What is in a switch that fails is lost; the flows go on when it is back."""
        self.write("faults", "10us switch-down 4\n500us switch-up 4\n")
        self.run_ok(*DUMBBELL, "--faults=faults", "--cc=none")
        self.assertEqual(self.summary()["status"], "complete")
        self.assertGreater(self.summary()["drops"]["switch is down"], 0)
        self.assertGreater(min(self.times()), 500e3)

    def test_storm(self):
        """A storm stops all that needs the same links, and is reported; a watchdog keeps it to the
        one host."""
        self.write("faults", "10us storm 2\n")
        self.refuse(*DUMBBELL, "--faults=faults", "--flow-control=credit",
                    words=("faults:1: ", "--flow-control=pfc"))
        self.refuse(*DUMBBELL, "--features=pfc-watchdog", "--flow-control=none",
                    words=("--flow-control=pfc",))
        line = (DUMBBELL[0], "--workload=pairs:size=20MB", "--faults=faults", "--cc=none")
        run = self.sim(*line)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("ports that are paused", run.stderr)
        self.assertIn("paused by node 2 (receiver-0) port 0", run.stderr)
        # a sender that has nothing to do with it
        self.assertIn("paused by node 4 (switch-0)", run.stderr)
        self.assertEqual(self.summary()["flows_completed"], 0)
        self.assertEqual(self.summary()["drops"], {})
        line += ("--features=pfc-watchdog", "--ns3::PfcWatchdogFeature::DetectionTime=100us")
        run = self.sim(*line, "--stop=5ms", "--force")
        self.assertEqual(self.summary()["flows_completed"], 1, run.stdout + run.stderr)
        self.assertNotIn("lossless", run.stderr)
        self.assertEqual(self.summary()["pfc_storms"], 1)
        self.assertEqual(self.summary()["drops"],
                         {"paused too long": self.summary()["pfc_watchdog_drops"]})
        # both flows share the link until the other one finds no room any more; 20 MB take 1.73 ms
        # alone
        other = [float(flow["fct_ns"]) for flow in self.flows() if flow["dst"] == "3"]
        self.assertLess(other[0], 4e6)
        self.write("calm", "10us storm 2\n1ms calm 2\n")
        self.run_ok(*DUMBBELL, "--faults=calm", "--cc=none")
        self.assertEqual(self.summary()["status"], "complete")

    def test_convergence(self):
        """A spine without its link to a leaf drops what comes for it, until all tables know."""
        # leaves 8 and 9, spines 10 and 11
        network = ("--topology=leaf-spine:leaves=2,spines=2,hosts=4",
                   "--workload=permutation:size=1MB", "--cc=none",
                   "--ns3::PerFlowLoadBalancer::RepathTimeouts=0",
                   "--ns3::FabricNic::AckTimeout=100us")
        self.write("faults", "10us down 10 9\n20ms up 10 9\n")
        self.refuse(*network, "--convergence=50us",
                    words=("--convergence=50us", "no link goes down"))
        self.refuse(*network, "--faults=faults", "--convergence=soon",
                    words=("--convergence", "soon"))
        self.run_ok(*network, "--faults=faults")
        self.assertGreater(max(self.times()), 20e6)  # stays on its path
        self.run_ok(*network, "--faults=faults", "--convergence=50us")
        self.assertLess(max(self.times()), 2e6)
        self.assertEqual(self.summary()["options"]["convergence"], "50us")

    def test_late_faults(self):
        """Faults that come too late to matter are named; a link that comes up late is waited
        for."""
        self.write("faults", "10us down 4 5\n12s up 4 5\n20s down 4 5\n")
        run = self.run_ok(*DUMBBELL, "--faults=faults", "--cc=none")
        self.assertIn("the run ended before 1 of the 3 faults of faults", run.stderr)
        self.assertGreater(min(self.times()), 12e9)

    def test_patience_knows_time_outs(self):
        """All data is there, and two time-outs of a sender have to go by until it knows: that is
        not stuck.

        A packet of 1000 B is there after 3 x 1086.56 ns; its ACK is on the last link until 4.27 us,
        and lost. So is the packet that is sent again after 6 s, when it has been on that link since
        2.17 us. The next one comes 12 s later.
        """
        self.write("faults", "3.5us down 1 3\n5us up 1 3\n6000002.5us down 1 3\n6000005us up 1 3\n")
        self.run_ok("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=1000",
                    "--cc=none", "--faults=faults", "--ns3::FabricNic::AckTimeout=6s")
        self.assertEqual(self.summary()["status"], "complete")
        (flow,) = self.flows()
        self.assertEqual(flow["fct_ns"], "3259.68")
        self.assertEqual(int(float(flow["sender_fct_ns"]) / 1e9), 18)
        self.assertEqual(flow["packets_retransmitted"], "2")

    def test_a_gap_is_a_loss_where_nothing_overtakes(self):
        """Packets that pass the link between the switches from 3.5 to 5 us are lost. Of 300 packets
        that is seen by the ACKs of the next three, in 24 + 3 us or so. Under RCM with detours it is
        seen by time, nine base RTTs later."""
        self.write("faults", "3.5us down 1 3\n5us up 1 3\n")
        times = {}
        for detour in ("true", "false"):
            self.run_ok("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=300kB",
                        "--cc=none", "--switch=voq", "--features=rcm",
                        f"--ns3::RcmFeature::Detour={detour}", "--faults=faults",
                        "--ns3::FabricNic::AckTimeout=10ms")
            (flow,) = self.flows()
            self.assertGreater(int(flow["packets_retransmitted"]), 0)
            times[detour] = float(flow["fct_ns"])
        self.assertLess(times["true"], 200e3)
        self.assertLess(times["false"], 60e3)

    def test_bad_files(self):
        """Status 2 with file and line, and nothing written."""
        for text, words in (("120us down 4\n", ("faults:1: ", "TIME down A B")),
                            ("#\n120us melt 4 5\n", ("faults:2: ", "'melt'", "down, up, rate")),
                            ("120 down 4 5\n", ("faults:1: ", "no unit")),
                            ("1us rate 4 5 fast\n", ("faults:1: ", "'fast'")),
                            ("1us rate 4 5 200Gbps\n", ("faults:1: ", "above that of the link")),
                            ("1us down 4 6\n", ("faults:1: ", "no node 6; nodes are 0 to 5")),
                            ("1us down 0 5\n", ("faults:1: ", "nodes 0 and 5 have no link")),
                            ("1us down 4:7 5\n", ("faults:1: ", "node 4 has no port 7")),
                            ("1us up 4 5\n", ("faults:1: ", "up already")),
                            ("2us down 4 5\n1us down 5 4\n", ("faults:1: ", "down already")),
                            ("1us rate 4 5 30Gbps\n", ("faults:1: ", "no code")),
                            ("1us loss 4 5 2\n", ("faults:1: ", "probability")),
                            ("1us switch-down 0\n", ("faults:1: ", "host, not a switch")),
                            ("1us storm 4\n", ("faults:1: ", "switch, not a host")),
                            ("1us calm 0\n", ("faults:1: ", "calm already"))):
            with self.subTest(text=text):
                self.write("faults", text)
                self.refuse(*DUMBBELL, "--faults=faults", words=words)
        self.refuse(*DUMBBELL, "--faults=missing", words=("missing: cannot be opened",))
        self.refuse(*DUMBBELL, "--faults=", words=("--faults needs a value",))


if __name__ == "__main__":
    unittest.main()
