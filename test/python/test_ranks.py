# SPDX-License-Identifier: GPL-2.0-only
"""One simulation of dcfabric-sim on several MPI ranks: the same bytes as on one."""
import fcntl
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from ranks_case import MPI_SIM, MPIEXEC, RanksCase
from sim_case import SIM, SMALL, SimCase
from test_sim_combinations import TABLES

LEAF_SPINE = "--topology=leaf-spine:leaves=4,spines=2,hosts=2"
PERMUTATION = "--workload=permutation:size=20kB"


class RanksTest(RanksCase):
    def test_numbers_of_ranks(self):
        self.check(LEAF_SPINE, PERMUTATION, ranks=(2, 3, 4))
        self.check(*SMALL, ranks=(2, 3, 4))

    def test_report(self):
        """The same lines, but for the speed and the folder; also of a run that is stopped."""
        for options in ((), ("--stop=10us", "--cc=dctcp", "--preset=hpcc-sigcomm19")):
            reports = []
            for ranks in (1, 2, 3):
                run = self.start(ranks, LEAF_SPINE, PERMUTATION, *options,
                                 out=self.dir / f"out{ranks}")
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                reports.append([line for line in run.stdout.splitlines()
                                if not line.startswith(("Speed ", "Results "))])
            self.assertTrue(reports[0][0].startswith("Network       leaf-spine:"), reports[0][0])
            self.assertEqual(reports[1:], [reports[0]] * 2)

    def test_congestion_controls(self):
        for cc in ("hpcc", "fncc", "hpcc-rate", "powertcp", "theta-powertcp", "hpcc-pint", "dcqcn",
                   "dcqcn+win", "dcqcn-plus", "rocc", "dctcp", "timely", "timely+win", "swift",
                   "falcon", "mprdma", "nscc", "ib", "bts", "bolt", "rccc", "nscc+rccc",
                   "swift+rccc", "ndp", "homa", "none"):
            self.check(LEAF_SPINE, "--workload=incast:fan-in=5,size=50kB", f"--cc={cc}")

    def test_load_balancers(self):
        for lb in ("ecmp", "weighted-ecmp", "spanning-trees", "spray-random", "spray-rr",
                   "path-set", "reps",
                   "reps-ring", "oblivious", "bitmap", "mixed", "mrc", "plb", "flowlet",
                   "adaptive", "drill", "conga", "conweave", "hermes", "falcon"):
            self.check("--topology=fat-tree:k=4", PERMUTATION, "--cc=dcqcn", f"--lb={lb}")

    def test_flow_controls(self):
        for flow_control in ("credit", "voq-credit", "none"):
            self.check("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=50kB",
                       "--cc=none", f"--flow-control={flow_control}",
                       f"--switch={'voq' if 'voq' in flow_control else 'shared-buffer'}")

    def test_buffers(self):
        for switch in ("abm", "reverie"):
            for flow_control in ("pfc", "none"):
                self.check("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=50kB",
                           "--cc=none", f"--flow-control={flow_control}", f"--switch={switch}",
                           "--ns3::SharedBuffer::Size=600000")

    def test_slow_hosts_and_links_that_sleep(self):
        """Memory of NICs that pauses, gives credits back or drops; energies of all ranks."""
        host = ("--ns3::HostLink::Rate=60Gbps", "--ns3::HostLink::BufferBytes=300000")
        sleep = ("--ns3::FabricEnergy::PortWatts=4", "--ns3::FabricEnergy::JoulePerBit=1e-11",
                 "--ns3::FabricEnergy::SleepAfter=2us", "--ns3::FabricEnergy::WakeTime=700ns")
        for options in (("--cc=swift", *host), ("--cc=rccc", "--flow-control=none", *host),
                        ("--cc=dcqcn", "--flow-control=credit", *host), ("--cc=dctcp", *sleep),
                        ("--cc=hpcc", "--error-rate=0.002", *host, *sleep)):
            _, _, summary, _ = self.check("--topology=fat-tree:k=4",
                                          "--workload=incast:fan-in=12,size=50kB", *options,
                                          ranks=(2, 4) if len(options) > 6 else (2,))
            self.assertEqual("energy_joule" in summary, sleep[0] in options)

    def test_link_retry(self):
        for flow_control in ("none", "pfc", "cbfc"):
            self.check("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=50kB",
                       "--cc=none", f"--flow-control={flow_control}", "--link-retry=llr",
                       "--error-rate=0.003", "--trace=retries")

    def test_ultra_ethernet(self):
        """Switches of one rank trim what receivers of another one answer; marks, credit, probes and
        repetitions go both ways."""
        for options in (*((f"--preset={name}",) for name in ("uet", "uet-rccc", "uet-both", "mrc")),
                        *(("--preset=uet", f"--cc={cc}") for cc in ("ndp", "homa", "swift+rccc"))):
            _, _, summary, _ = self.check(
                "--topology=fat-tree:k=4", "--error-rate=0.002",
                "--workload=permutation:size=60kB+incast:size=150kB,fan-in=12", *options,
                "--trace=queues,trims", ranks=(2,) if "--preset=uet" in options[:-1] else (2, 3, 4))
            self.assertGreater(summary["trimmed_packets"], 50, options)
        for options in (("--reliability=sleek",), ("--reliability=rack",),
                        ("--reliability=idempotent",), ("--link-retry=llr",),
                        ("--trimming=none", "--flow-control=cbfc")):
            self.check("--topology=fat-tree:k=4", "--error-rate=0.002",
                       "--workload=incast:size=150kB,fan-in=12", "--preset=uet", *options)

    def test_topologies(self):
        for topology in ("dragonfly:hosts=2,routers=4,globals=2,groups=9", "torus:dims=4x4,hosts=1",
                         "hyperx:dims=4x4,hosts=2", "dumbbell:switches=3,senders=4",
                         "clos4:racks=2,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2"):
            workload = "--workload=pairs:size=30kB" if "dumbbell" in topology else PERMUTATION
            self.check(f"--topology={topology}", workload, "--cc=swift",
                       ranks=(2, 3) if "dumbbell" not in topology else (2,))

    def test_random_arrivals(self):
        for workload in ("websearch", "hadoop"):
            self.check("--topology=fat-tree:k=4", f"--workload={workload}", "--load=0.6",
                       "--duration=100us")

    def test_triggers(self):
        for workload in ("allreduce-ring:size=64kB", "allreduce-hd:size=64kB"):
            self.check("--topology=fat-tree:k=4", f"--workload={workload}", "--cc=dcqcn",
                       ranks=(2, 3))
        # flow 1, from host 2 to 0, starts when flow 0, from host 0 to 1, has arrived
        self.write("across.cm",
                   "Nodes 8\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 20000 "
                   "recv_done_trigger 1\n"
                                "2->0 id 2 trigger 1 size 20000\ntrigger id 1 oneshot\n")
        self.refuse_together(LEAF_SPINE, "--workload=cm:across.cm",
                             words=("trigger 1", "hosts 1 and 2", "there are 2"),
                             partition="1 0-1 8\n0 2-7 9-13\n")
        self.check(LEAF_SPINE, "--workload=cm:across.cm")

    def test_services(self):
        """Datagrams that are lost leave flows that never arrive, and the run ends all the same."""
        incast = ("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=20kB")
        for options in (("--service=rod", "--cc=dctcp"),
                        ("--service=rudi", "--cc=dctcp", "--error-rate=0.01"),
                        ("--service=rudi", "--cc=none", "--lb=spray-random"),
                        ("--service=uud",),
                        ("--service=uud", "--flow-control=none", "--error-rate=0.02"),
                        ("--service=uud", "--error-rate=0.02", "--trace=queues",
                         "--trace-interval=100us")):
            self.check(*incast, *options)

    def test_closed_contexts(self):
        self.check("--topology=fat-tree:k=4", PERMUTATION, "--ns3::FabricNic::PdcClose=true",
                   "--ns3::FabricNic::PdcTimeout=20us", "--error-rate=0.01")

    def test_messages(self):
        for options in (("--messages=preposted",),
                        ("--messages=rtw", "--post-delay=exponential:mean=20us"),
                        ("--messages=deferrable", "--post-delay=exponential:mean=20us"),
                        ("--messages=rnr", "--post-delay=uniform:0us,10us"),
                        ("--messages=rendezvous", "--post-delay=fixed:5us")):
            self.check("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=20kB",
                       "--cc=dcqcn", *options)

    def test_messages_with_triggers(self):
        """The rank of a receiver hears of each message when it starts."""
        for workload in ("allreduce-ring:size=64kB", "allreduce-hd:size=64kB"):
            for messages in ("preposted", "rtw", "rendezvous"):
                self.check("--topology=fat-tree:k=4", f"--workload={workload}", "--cc=dcqcn",
                           f"--messages={messages}", ranks=(2, 3))

    def test_full_match_tables(self):
        """Twelve messages to host 0, and room for three. With delays receives of one time are
        posted in the order of senders; without, that of twelve receives at once would depend on the
        ranks, so no table may get full."""
        incast = ("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=20kB", "--cc=dcqcn",
                  "--match-table=tcam")
        for options in (("--messages=rtw", "--post-delay=exponential:mean=20us"),
                        ("--messages=rnr", "--post-delay=fixed:1us"),
                        ("--messages=rendezvous", "--post-delay=uniform:0us,10us")):
            self.check(*incast, *options, "--ns3::TcamMatchTable::Capacity=3", ranks=(2, 4))
        for messages in ("preposted", "rtw"):
            for capacity in (3, 12):
                self.refuse_together(*incast, f"--messages={messages}",
                                     f"--ns3::TcamMatchTable::Capacity={capacity}",
                                     words=(f"({capacity} entries) is full",
                                            "ns3::TcamMatchTable::Capacity", f"2 {self.NOUN}"))
            self.check(*incast, f"--messages={messages}", "--ns3::TcamMatchTable::Capacity=13")

    def test_traces(self):
        """Intervals that meet the times of packets, and one that does not; idle times; faults; a
        run that is stopped. Rates take what arrives at one rank and is sent by another; captures
        are of all ports."""
        incast = "--workload=incast:fan-in=5,size=50kB"
        self.write("pause.txt",
                   "5\n0 4 3 100 20000 0\n1 5 3 100 20000 0.000001\n2 6 3 100 20000 0.0001\n3 4 3 "
                   "100 20000 0.0001\n5 4 3 100 20000 0.0001\n")
        for options in ((incast, "--trace-interval=1us"),
                        (incast, "--trace-interval=37ns", "--stop=2us"),
                        (incast, "--trace-interval=2us", "--stop=7us", "--cc=dcqcn"),
                        ("--workload=flows:pause.txt",)):
            _, files, _, _ = self.check(LEAF_SPINE, "--trace=queues,rates,windows,links,pfc,pcap",
                                        "--ns3::PcapPorts::Ports=all", *options, ranks=(2, 3))
            for name in ("queues.csv", "rates.csv", "windows.csv", "links.csv"):
                self.assertGreater(files[name].count(b"\n"), 5, name)
            # 8 hosts, 4 leaves with 2 hosts and 2 spines each, 2 spines: 8 + 16 + 8 ports; a header
            # has 24 bytes
            self.assertEqual(sum(name.endswith(".pcap") for name in files), 32)
            self.assertGreater(len(files["pcap-8-0.pcap"]), 24)
        _, files, _, _ = self.check("--topology=fat-tree:k=4",
                                    "--workload=incast:fan-in=12,size=50kB", "--cc=none",
                                    "--trace=pfc",
                                    "--ns3::SharedBuffer::XoffThreshold=10000", ranks=(2, 4))
        self.assertGreater(files["pfc.csv"].count(b"\n"), 5,
                           "there are pauses, or nothing was tested")
        _, files, _, _ = self.check("--topology=fat-tree:k=4",
                                    "--workload=incast:fan-in=12,size=20kB", "--cc=dcqcn",
                                    "--messages=rtw",
                                    "--post-delay=uniform:0us,10us", "--trace=messages",
                                    ranks=(2, 4))
        self.assertGreater(files["messages.csv"].count(b"\n"), 24)

    def test_stop_time(self):
        self.check(*SMALL, "--stop=3us")

    def test_faults(self):
        self.write("faults",
                   "2us down 0 16\n9us up 0 16\n1us down 24 32\n20us up 24 32\n3us rate 5 18 "
                   "40Gbps\n"
                             "0us loss 17 25 0.01\n4us corrupt 19 27 0.01\n6us switch-down "
                             "33\n30us switch-up 33\n")
        self.check("--topology=fat-tree:k=4", "--workload=permutation:size=100kB",
                   "--flow-control=none", "--faults=faults",
                   "--cc=swift", "--lb=reps", ranks=(2, 4))

    def test_what_switches_tell_of_their_links(self):
        """Routers of a group on different ranks, and a link between groups that goes down."""
        self.write("ranks", "".join(f"{node % 2} {node}\n" for node in range(72)))
        for routing in ("par", "piggyback", "par-piggyback"):
            self.check("--topology=dragonfly:hosts=1", "--workload=shift:by=4,size=50kB",
                       "--cc=dctcp", f"--routing={routing}", "--partition=file:ranks",
                       "--link-down=5us,36,40")
        self.write("ranks", "".join(f"{node % 2} {node}\n" for node in range(32)))
        self.check("--topology=hyperx:dims=4x4,hosts=1", "--workload=shift:by=5,size=50kB",
                   "--cc=dctcp", "--routing=hyperx-par-piggyback", "--partition=file:ranks",
                   "--link-down=5us,17,21")

    def test_self_healing(self):
        """Dead links and a switch that comes back without one of its links; what switches of one
        rank have lost, those of the others are told."""
        self.write("faults",
                   "2us down 16 24\n5us down 20 28\n60us up 20 28\n4us switch-down 33\n"
                   "40us switch-up 33\n20us down 26 33\n")
        _, _, summary, _ = self.check("--topology=fat-tree:k=4",
                                      "--workload=permutation:size=300kB", "--cc=dctcp",
                                      "--flow-control=none", "--lb=ecmp", "--features=shield",
                                      "--faults=faults", ranks=(2, 3, 4))
        self.assertGreater(summary["shield_moved_packets"], 50)

    def test_coordination_and_throttling(self):
        incast = ("--topology=fat-tree:k=4", "--workload=incast:fan-in=12,size=100kB")
        self.check(*incast, "--cc=dcqcn", "--features=rcm", "--switch=voq")
        self.check(*incast, "--cc=dcqcn", "--coordination=ccm")
        self.check(*incast, "--cc=none", "--flow-control=credit", "--throttle=pft")

    def test_partition_file(self):
        self.write("ranks",
                   "# hosts 0 to 7 with leaves 8 to 11, spines 12 and 13\n1 0-3 8 9\n0 4-7 10-13\n")
        self.check(LEAF_SPINE, PERMUTATION, "--partition=file:ranks")

    def refuse_together(self, *arguments, words, partition=None):
        if partition:
            arguments += ("--partition=file:" + self.write("partition", partition),)
        run = self.start(2, *arguments, out=self.out)
        self.assertEqual(run.returncode, 2, f"{arguments}\n{run.stdout}{run.stderr}")
        for word in words:
            self.assertIn(word, run.stderr)
        self.assertFalse((self.out / "summary.json").exists())

    def test_combinations(self):
        self.write("pingpong.txt",
                   "ranks 2\nprogram 0 {\n  send 1 1kB\n}\nprogram 1 {\n  recv 0\n}\n")
        for column, cell in (TABLES["Several ranks, and what is around them"]["mpiexec -n 2"]
                             .items()):
            options = column.split()
            fabric = [SMALL[0], *([] if "--workload" in column else [SMALL[1]])]
            if "ccm" in column or "rcm" in column:
                fabric.append("--cc=dcqcn")
            with self.subTest(column=column):
                if cell == "yes":
                    run = self.start(2, *fabric, *options, out=self.out)
                    self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                    shutil.rmtree(self.out)
                else:
                    self.refuse_together(*fabric, *options, words=(options[0], f"2 {self.NOUN}"))

    def test_refusals(self):
        self.write("flows", "0 1\n")
        for arguments, words in (
                (("--cc=nonsense",), ("nonsense",)),
                (("--partition=nonsense",), ("--partition", "nonsense")),
                (("--partition=file:flows",), ("flows", "node")),
                (("--workload=program:none",), ("none",))):
            with self.subTest(arguments=arguments):
                self.refuse_together(*SMALL, *arguments, words=words)

    def test_enquiries(self):
        for enquiry in ("--help", "--list", "--plan", "--PrintVersion"):
            run = self.start(2, *SMALL, enquiry, out=self.out)
            alone = self.start(1, *SMALL, enquiry, out=self.out)
            self.assertEqual((run.returncode, run.stdout), (alone.returncode, alone.stdout),
                             run.stderr)

    def test_signal(self):
        """To any rank, here the last one: all end, and rank 0 writes what there is."""
        self.write("long.flows", "1\n0 1 3 100 400000000000 0\n")
        environment = dict(os.environ, OMPI_MCA_btl="self,vader,tcp")
        mpiexec = subprocess.Popen([*MPIEXEC, "-n", "2", MPI_SIM,
                                    "--topology=dumbbell:switches=2,senders=1",
                                    "--workload=flows:long.flows",
                                    "--progress=on", f"--out={self.out}"], cwd=self.dir,
                                   env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        for line in mpiexec.stdout:
            if "simulated" in line:
                break  # it runs
        ranks = Path(f"/proc/{mpiexec.pid}/task/{mpiexec.pid}/children").read_text().split()
        os.kill(int(ranks[-1]), signal.SIGINT)
        said = mpiexec.communicate(timeout=60)[0]
        self.assertEqual(mpiexec.returncode, 130, said)
        self.assertEqual(self.summary()["status"], "partial")

    def test_folder_is_in_use(self):
        """Rank 0 alone owns it: all end with its refusal, and what is there stays."""
        self.out.mkdir()
        (self.out / "flows.csv").write_text("of another run")
        with open(self.out / ".dcfabric-lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = subprocess.run([*MPIEXEC, "-n", "2", MPI_SIM, *SMALL, f"--out={self.out}"],
                                 cwd=self.dir, capture_output=True, text=True, timeout=120,
                                 env=dict(os.environ, OMPI_MCA_btl="self,vader,tcp"))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stderr.count("is in use by another process"), 1, run.stderr)
        self.assertEqual((self.out / "flows.csv").read_text(), "of another run")
        self.assertEqual(sorted(path.name for path in self.out.iterdir()),
                         [".dcfabric-lock", "flows.csv"])

    def test_one_rank_fails(self):
        """Here by an option that it alone is given: all end, with its reason and status."""
        command = [*MPIEXEC, "-n", "1", MPI_SIM, *SMALL, f"--out={self.out}",
                   ":", "-n", "1", MPI_SIM, *SMALL, "--sead=3", f"--out={self.out}"]
        run = subprocess.run(command, cwd=self.dir, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("dcfabric-sim: rank 1: unknown option '--sead'", run.stderr)
        self.assertFalse((self.out / "summary.json").exists())

    def test_more_ranks_than_parts(self):
        run = self.start(3, "--topology=dumbbell:switches=2,senders=2", out=self.out)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn(f"3 {self.NOUN}", run.stderr)


@unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
class WithoutMpiTest(SimCase):
    def test_several_processes_are_refused(self):
        """Or each of them would simulate all, into one folder. Where the program has MPI, this is
        no refusal."""
        if MPI_SIM and shutil.which("mpiexec") and os.path.samefile(MPI_SIM, SIM):
            self.skipTest("the program was built with MPI")
        environment = dict(os.environ, OMPI_COMM_WORLD_SIZE="2")
        run = subprocess.run([SIM, *SMALL, f"--out={self.out}"], cwd=self.dir, env=environment,
                             capture_output=True,
                             text=True, timeout=60)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--enable-mpi", run.stderr)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
