# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric-sim: everything it has to refuse, with status 2, a reason, and no partial output."""
import unittest

from sim_case import SMALL, SimCase

DUMBBELL = "--topology=dumbbell:switches=2,senders=2"
# Hosts 0 and 1, switch 2; one link each.
TOPOLOGY = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"


class OptionTest(SimCase):
    def test_unknown_policies_list_the_known_ones(self):
        for option, known in (
                ("--cc", ("fncc", "hpcc", "dcqcn", "rocc", "dctcp", "timely", "swift", "none")),
                              ("--lb", ("symmetric-ecmp", "ecmp", "spanning-trees", "spray-random",
                                         "spray-rr", "path-set", "reps")),
                              ("--flow-control", ("pfc", "none")),
                              ("--switch", ("shared-buffer",)),
                              ("--reliability", ("selective-repeat", "go-back-n")),
                              ("--messages", ("preposted", "rtw", "rnr", "rendezvous")),
                              ("--preset", ("fncc24", "hpcc-sigcomm19")),
                              ("--trace", ("queues", "rates", "pfc")),
                              ("--topology", ("fat-tree", "leaf-spine", "dumbbell", "file")),
                              ("--workload", ("websearch", "hadoop", "permutation", "incast"))):
            with self.subTest(option=option):
                arguments = [a for a in SMALL if not a.startswith(option + "=")]
                self.refuse(*arguments, f"{option}=bogus", words=("bogus", *known))

    def test_policies_of_later_systems_are_unknown(self):
        for option in ("--features=ccm", "--features=pft"):
            with self.subTest(option=option):
                self.refuse(*SMALL, option, words=(option.split("=")[1], "wreb", "rcm"))

    def test_regional_control_needs_input_queues_and_a_transport_for_detours(self):
        rcm = (*SMALL, "--features=rcm")
        self.refuse(*rcm, "--cc=none",
                    words=("--features=rcm", "--switch=shared-buffer", "use --switch=voq"))
        remedies = {"--reliability=go-back-n": "use --reliability=selective-repeat",
                    "--flow-control=voq-credit": "use another --flow-control",
                    "--cc=hpcc": "a --cc without INT"}
        for option, remedy in remedies.items():
            with self.subTest(option=option):
                control = () if "cc" in option else ("--cc=none",)
                self.refuse(*rcm, "--switch=voq", option, *control,
                            words=("--features=rcm", option, remedy))
        self.run_ok(*rcm, "--switch=voq", *remedies, "--ns3::RcmFeature::Detour=false")

    def test_unknown_option(self):
        self.refuse(*SMALL, "--no-such-option=1", words=("--no-such-option", "the nearest is"))

    def test_misspelt_attribute(self):
        self.refuse(*SMALL, "--ns3::HpccCongestionControl::Etaa=0.9",
                    words=("Etaa", "nearest is Eta"))

    def test_class_of_rate_messages(self):
        self.refuse(*SMALL, "--cc=rocc", "--ns3::RoccFeature::ControlClass=4",
                    words=("ns3::RoccFeature::ControlClass is 4", "class 6"))
        self.refuse(*SMALL, "--cc=rocc", "--ns3::RoccFeature::Qref=700000", words=("Qref",))

    def test_notifications_back_to_senders(self):
        self.refuse(*SMALL, "--cc=hpcc", "--features=wreb",
                    words=("--features=wreb", "--cc=hpcc", "--flow-control=pfc"))
        own = "--ns3::BackToSenderNotifier::Profile=ns3::PiecewiseMarkingProfile"
        self.refuse(*SMALL, "--cc=bts", own, "--ns3::WredMarkingProfile::Kmin=5",
                    words=("ns3::WredMarkingProfile",))
        self.refuse(*SMALL, "--cc=bts", "--ns3::PiecewiseMarkingProfile::Points=1:2",
                    words=("1:2",))
        self.refuse(*SMALL, "--cc=bts", "--queue-disc=ns3::FifoQueueDisc", "--flow-control=none",
                    words=("--cc=bts", "--queue-disc=ns3::FifoQueueDisc"))

    def test_modifiers(self):
        self.refuse(*SMALL, "--modifiers=bogus",
                    words=("bogus", "ratio-cut", "ewma-gate", "majority-gate",
                           "median-filter", "rtt-ecn-recovery"))
        self.refuse(*SMALL, "--modifiers=ratio-cut,ratio-cut",
                    words=("--modifiers", "ratio-cut twice"))
        self.refuse(*SMALL, "--modifiers=majority-gate",
                    words=("--modifiers=majority-gate", "--lb=symmetric-ecmp", "one path"))
        self.refuse(*SMALL, "--modifiers=majority-gate", "--cc=dctcp", "--lb=spray-random",
                    words=("--modifiers=majority-gate", "--lb=spray-random"))

    def test_bad_values(self):
        for option in ("--load=-0.5", "--load=0", "--load=abc", "--load=nan", "--duration=-1ms",
                       "--duration=5", "--duration=5parsecs", "--rate=0Gbps", "--rate=fast",
                       "--delay=-1us", "--delay=x", "--payload=0", "--payload=-1",
                       "--payload=1000x", "--stop=-1us", "--trace-interval=0us"):
            with self.subTest(option=option):
                run = self.sim("--topology=fat-tree:k=4", "--workload=websearch", option,
                               *([] if "--trace" not in option else ["--trace=queues"]))
                said = run.stdout + run.stderr
                self.assertEqual(run.returncode, 2, f"{option}\n{said}")
                self.assertFalse(self.out.is_dir() and list(self.out.iterdir()), option)

    def test_bad_topology_parameters(self):
        for spec in ("fat-tree:k=3", "fat-tree:k=0", "fat-tree:k=-4", "fat-tree:k=x",
                     "fat-tree:k=", "fat-tree:k", "fat-tree:z=4", "fat-tree:k=4,k=4",
                     "dumbbell:senders=0", "dumbbell:switches=0", "leaf-spine:leaves=0",
                     "leaf-spine:spines=0", "leaf-spine:hosts=0"):
            with self.subTest(spec=spec):
                self.refuse(f"--topology={spec}", "--workload=permutation:size=10kB")

    def test_bad_workload_parameters(self):
        for spec in ("permutation:size=0", "permutation:size=-5", "permutation:size=big",
                     "permutation:sise=5", "incast:fan-in=0,size=1kB", "incast:fan-in=16,size=1kB",
                     "incast:fan-in=2,size=1kB,dst=16", "cdf:", "flows:"):
            with self.subTest(spec=spec):  # k=4 has hosts 0 to 15
                self.refuse("--topology=fat-tree:k=4", f"--workload={spec}")

    def test_combinations_that_make_no_sense_name_both_sides(self):
        self.refuse(*SMALL, "--cc=fncc", "--lb=ecmp", words=("ecmp",))

    def test_spraying(self):
        for lb in ("spray-random", "spray-rr", "path-set:paths=257", "reps"):
            for cc in ("hpcc", "fncc"):
                with self.subTest(lb=lb, cc=cc):
                    words = (f"--lb={lb}", f"--cc={cc}", "one path", "--lb=symmetric-ecmp")
                    self.refuse(*SMALL, f"--cc={cc}", f"--lb={lb}", words=words)
            with self.subTest(lb=lb):
                self.refuse(*SMALL, "--cc=dctcp", f"--lb={lb}", "--reliability=go-back-n",
                            words=(f"--lb={lb}", "--reliability=go-back-n",
                                   "--reliability=selective-repeat"))

    def test_parameters_of_load_balancing(self):
        entropies = "ns3::RoundRobinSprayLoadBalancer::Entropies"
        for lb, *words in (("path-set:", "path-set:"), ("path-set:paths=0", "paths", "1"),
                           ("path-set:paths=65536", "paths", "65535"),
                           ("path-set:paths=x", "paths"),
                           ("path-set:path=8", "path", "paths"),
                           ("path-set:paths=8,paths=8", "paths"),
                           ("reps:paths=8", "unknown --lb 'reps:paths=8'")):
            with self.subTest(lb=lb):
                self.refuse(*SMALL, "--cc=dctcp", f"--lb={lb}", words=words)
        self.refuse(*SMALL, "--cc=dctcp", "--lb=path-set:paths=8", f"--{entropies}=4",
                    words=("--lb=path-set:paths=8", entropies, "the same thing"))
        reps = "ns3::RepsLoadBalancer"
        for argument, *words in ((f"--{reps}::Store={reps}", f"{reps}::Store", "no store"),
                                 (f"--{reps}::Fresh={reps}", f"{reps}::Fresh", "no fresh"),
                                 ("--ns3::SharedEntropyStore::Capacity=9", "has no effect")):
            with self.subTest(argument=argument):
                self.refuse(*SMALL, "--cc=dctcp", "--lb=reps", argument, words=words)
        for argument in (f"--{reps}::Store=bogus", f"--{reps}::Expiry=0ns",
                         "--ns3::PrivateEntropyStore::Capacity=0"):
            with self.subTest(argument=argument):
                self.refuse(*SMALL, "--cc=dctcp", "--lb=reps", argument,
                            words=(argument.split("=")[0],))

    def test_output_folder_that_cannot_be_made(self):
        self.write("file", "")
        run = self.sim(*SMALL, out=self.dir / "file" / "out")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)


class FileTest(SimCase):
    def refuse_file(self, name, text, option, line, *words):
        """The message names the file, and the line where one is at fault."""
        self.write(name, text)
        where = name if line is None else f"{name}:{line}"
        topology = [] if "--topology" in option else [DUMBBELL]
        workload = [] if "--workload" in option else ["--workload=permutation:size=10kB"]
        return self.refuse(*topology, *workload, f"{option}{name}", words=(where, *words))

    def test_missing_files(self):
        for option in ("--topology=file:", "--workload=flows:", "--workload=cdf:"):
            with self.subTest(option=option):
                other = ((DUMBBELL,) if "workload" in option
                         else ("--workload=permutation:size=1kB",))
                self.refuse(*other, f"{option}none.txt", words=("none.txt",))

    def test_good_topology_file(self):
        self.write("good.topo", TOPOLOGY)
        self.run_ok("--topology=file:good.topo", "--workload=permutation:size=10kB", "--cc=hpcc")
        self.assertEqual(len(self.flows()), 2)

    def test_malformed_topology_files(self):
        for title, text, line in (
                ("empty", "", None),
                ("header truncated", "3 1\n", None),
                ("header not numeric", "three 1 2\n2\n", 1),
                ("negative", "-3 1 2\n2\n", 1),
                ("more switches than nodes", "3 4 2\n2\n", None),
                ("unknown switch", TOPOLOGY.replace("\n2\n", "\n9\n"), 2),
                ("links missing", "\n".join(TOPOLOGY.split("\n")[:3]) + "\n", None),
                ("link truncated", TOPOLOGY.replace("1 2 100Gbps 1us 0", "1 2 100Gbps"), 4),
                ("unknown node", TOPOLOGY.replace("1 2 100Gbps", "7 2 100Gbps"), 4),
                ("negative node", TOPOLOGY.replace("1 2 100Gbps", "-1 2 100Gbps"), 4),
                ("bad rate", TOPOLOGY.replace("1 2 100Gbps", "1 2 quick"), 4),
                ("zero rate", TOPOLOGY.replace("1 2 100Gbps", "1 2 0Gbps"), 4),
                ("bad delay", TOPOLOGY.replace("1 2 100Gbps 1us", "1 2 100Gbps soon"), 4),
                ("negative delay", TOPOLOGY.replace("1 2 100Gbps 1us", "1 2 100Gbps -1us"), 4),
                ("error rate above one", TOPOLOGY.replace("1 2 100Gbps 1us 0", "1 2 100Gbps 1us 2"),
                 4),
                ("link to itself", TOPOLOGY.replace("1 2 100Gbps", "2 2 100Gbps"), 4)):
            with self.subTest(title):
                self.refuse_file("bad.topo", text, "--topology=file:", line)

    def test_unreachable_pair(self):
        # Hosts 0 and 1 at switch 4, hosts 2 and 3 at switch 5, nothing between the switches.
        self.write("split.topo", "6 2 4\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n"
                                 "2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n")
        self.write("cross.flows", "1\n0 2 3 100 1000 0\n")
        network = "--topology=file:split.topo"
        self.refuse(network, "--workload=flows:cross.flows",
                    words=("flow 0: no path between hosts 0 (host-0) and 2 (host-2): neither a "
                           "link nor switches join them",))
        self.refuse(network, "--workload=alltoall:size=1kB", words=("no path between hosts ",))
        self.write("cross.txt",
                   "ranks 4\nprogram 0 {\ncompute 1us\nsend 3 1kB\n}\nprogram 3 {\nrecv 0\n}\n")
        self.refuse(network, "--workload=program:cross.txt",
                    words=("cross.txt:4: send", "no path between hosts 0 (host-0) and 3"))
        # the network is none the worse for it: 1000 + 82 bytes over two links
        self.write("within.flows", "2\n0 1 3 100 1000 0\n3 2 3 100 1000 0\n")
        self.run_ok(network, "--workload=flows:within.flows", "--cc=none")
        self.assertEqual([flow["fct_ns"] for flow in self.flows()], ["2173.12"] * 2)
        self.assertEqual(self.sim(network, "--workload=flows:within.flows", "--list").returncode, 0)
        self.assertEqual(self.sim(network, "--plan=json").returncode, 0)

    def test_malformed_flow_files(self):
        good = "2\n0 2 3 100 1000 0\n1 3 3 100 1000 0\n"
        for title, text, line in (
                ("empty", "", None),
                ("count not numeric", good.replace("2\n0 2", "two\n0 2", 1), 1),
                ("negative count", "-" + good, 1),
                ("truncated", "\n".join(good.split("\n")[:2]) + "\n", None),
                ("line truncated", good.replace("1 3 3 100 1000 0", "1 3 3"), 3),
                ("unknown node", good.replace("1 3 3 100", "1 99 3 100"), 3),
                ("negative node", good.replace("1 3 3 100", "-1 3 3 100"), 3),
                ("to itself", good.replace("1 3 3 100", "1 1 3 100"), 3),
                ("negative size", good.replace("1 3 3 100 1000", "1 3 3 100 -1000"), 3),
                ("zero size", good.replace("1 3 3 100 1000", "1 3 3 100 0"), 3),
                ("size not numeric", good.replace("1 3 3 100 1000", "1 3 3 100 1k"), 3),
                ("negative start", good.replace("1 3 3 100 1000 0", "1 3 3 100 1000 -1"), 3),
                ("start not numeric", good.replace("1 3 3 100 1000 0", "1 3 3 100 1000 x"), 3)):
            with self.subTest(title):
                self.refuse_file("bad.flows", text, "--workload=flows:", line)

    def test_malformed_cdf_files(self):
        for title, text, line in (
                ("empty", "", None),
                ("one column", "0 0\n1000\n", 2),
                ("not numeric", "0 0\nbig 50\n2000 100\n", 2),
                ("negative", "0 0\n-5 50\n2000 100\n", 2),
                ("percentile falls", "0 0\n1000 60\n1500 50\n2000 100\n", 3),
                ("size falls", "0 0\n1000 50\n500 60\n2000 100\n", 3),
                ("above 100", "0 0\n1000 101\n", 2),
                ("ends below 100", "0 0\n1000 50\n", None)):
            with self.subTest(title):
                self.refuse_file("bad.cdf", text, "--workload=cdf:", line)


if __name__ == "__main__":
    unittest.main()
