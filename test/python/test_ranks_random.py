# SPDX-License-Identifier: GPL-2.0-only
"""Any combination of options on several MPI ranks: the same bytes as on one, or one of the refusals
that doc/distributed.rst has a table of."""
import os
import random
import re
import unittest
from pathlib import Path

from ranks_case import RanksCase

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "doc" / "distributed.rst"
# ./run-tests --all takes 12; the long run, of half an hour: DCFABRIC_MPI_RANDOM=400. To see one
# seed again: DCFABRIC_MPI_RANDOM_FIRST=SEED, and 1.
COMBINATIONS = int(os.environ.get("DCFABRIC_MPI_RANDOM", 4))
FIRST = int(os.environ.get("DCFABRIC_MPI_RANDOM_FIRST", 1))
# Topology, hosts, switches, and parts that --partition=pods finds.
TOPOLOGIES = (("leaf-spine:leaves=4,spines=2,hosts=2", 8, 6, 4), ("fat-tree:k=4", 16, 20, 4),
              ("dumbbell:switches=4,senders=3", 6, 4, 2),
              ("clos4:racks=2,hosts=2,l1=2,l2=2,switching-racks=2,l3=2,l4=2", 8, 16, 2),
              ("torus:dims=3x3,hosts=1", 9, 9, 9),
              ("hyperx:dims=3x3,hosts=1", 9, 9, 9),
              ("dragonfly:hosts=1,routers=2,globals=1,groups=3", 6, 6, 3),
              ("leaf-spine:leaves=4,spines=2,hosts=2,homes=2", 8, 6, 2))
WORKLOADS = ("permutation:size=30kB", "incast:fan-in=4,size=40kB", "alltoall:size=3kB",
             "allreduce-ring:size=32kB", "allreduce-hd:size=32kB", "shift:by=2,size=50kB",
             "hotspot:size=20kB", "websearch", "googlerpc",
             "permutation:size=20kB+incast:fan-in=3,size=9kB,start=2us", "program:job.txt",
             "flows:flows.txt", "cm:triggers.cm")
PROGRAMS = ("ranks 6\nprogram all {\n  repeat 2 {\n    allreduce 20kB\n    alltoall 1kB\n    "
            "compute 1us*(rank%3)\n  }\n}\n",
            "ranks 6\nprogram all {\n  irecv (rank+5)%6\n  compute 300ns\n  isend (rank+1)%6 "
            "7kB*(1+rank%3)\n  iput (rank+2)%6 3kB\n  wait\n"
            "  iget (rank+3)%6 2kB\n  wait\n}\n",
            "ranks 6\nprogram 0 {\n  repeat 3 {\n    recv any\n    compute 500ns\n  }\n}\nprogram "
            "1-3 {\n  compute 1us*rank\n  send 0 9kB\n}\n"
            "program 4-5 {\n}\n")
LBS = ("symmetric-ecmp", "ecmp", "weighted-ecmp", "spanning-trees", "spray-random", "spray-rr",
       "path-set:paths=4", "reps", "reps-ring", "oblivious", "bitmap", "mixed", "mrc", "plb",
       "flowlet", "adaptive", "drill", "conga", "conweave", "hermes", "falcon")
CONTROLS = ("hpcc", "fncc", "hpcc-rate", "powertcp", "theta-powertcp", "hpcc-pint", "dcqcn",
            "dcqcn+win", "dcqcn-plus", "rocc", "dctcp", "timely", "timely+win", "swift", "falcon",
            "mprdma", "nscc", "ib", "bts", "bolt", "rccc", "nscc+rccc", "swift+rccc", "ndp", "homa",
            "none")
TRACES = ("queues", "rates", "windows", "links", "pfc", "pcap", "messages")
# Beside what is always drawn: each with its probability.
EXTRAS = (("--modifiers=ratio-cut", 0.1), ("--modifiers=ewma-gate", 0.05),
          ("--modifiers=majority-gate", 0.05), ("--modifiers=median-filter", 0.05),
          ("--modifiers=rtt-ecn-recovery", 0.05), ("--features=wreb", 0.1), ("--features=rcm", 0.1),
          ("--coordination=ccm", 0.1),
          ("--throttle=pft", 0.05), ("--reliability=go-back-n", 0.1), ("--reliability=irn", 0.05),
          ("--error-rate=0.003", 0.1),
          ("--switch-latency=300ns", 0.1),
          ("--payload=1456", 0.1), ("--payload=333", 0.05), ("--rate=40Gbps", 0.1),
          ("--delay=137ns", 0.15), ("--delay=3us", 0.1),
          ("--base-rtt=pair", 0.1), ("--export=hpcc-fct", 0.1),
          ("--SchedulerType=ns3::MapScheduler", 0.1), ("--policies=policies.txt", 0.1),
          ("--convergence=2us", 0.1), ("--preset=fncc24", 0.03), ("--preset=hpcc-sigcomm19", 0.05),
          ("--ns3::FabricNic::PdcPerMessage=false", 0.2),
          ("--ns3::FabricNic::AckEvery=4", 0.1), ("--ns3::SharedBuffer::XoffThreshold=20000", 0.15),
          ("--ns3::FabricNic::EchoDelay=true", 0.05),
          ("--preset=uet", 0.05), ("--trimming=headers", 0.15), ("--link-retry=llr", 0.1),
          ("--reliability=sleek", 0.05), ("--ns3::FabricNic::AckBytes=8000", 0.05),
          ("--ns3::FabricNic::PdcClose=true", 0.05),
          ("--routing=ugal", 0.05), ("--routing=valiant", 0.05),
          ("--routing=par-piggyback", 0.05), ("--routing=par", 0.03), ("--routing=piggyback", 0.03),
          ("--routing=hyperx-par-piggyback", 0.05),
          ("--switch=abm", 0.05), ("--switch=reverie", 0.05),
          ("--ns3::HostLink::Rate=60Gbps", 0.05), ("--ns3::HostLink::Latency=500ns", 0.05),
          ("--ns3::FabricEnergy::PortWatts=4", 0.05), ("--ns3::FabricEnergy::SleepAfter=2us", 0.05),
          ("--routing=minimal-adaptive", 0.1), ("--tier-delays=500ns,2us", 0.05),
          ("--oversubscription=2", 0.05), ("--progress=on", 0.05),
          ("--partition=file:ranks.txt", 0.4), ("--faults=faults.txt", 0.25),
          ("--marking=100Gbps:5kB,50kB,0.3", 0.1), ("--queue-disc=ns3::FifoQueueDisc", 0.05),
          ("--RngSeed=7", 0.05))


def refusals():
    """What the table of refusals quotes: text that the messages have."""
    table = DOCUMENT.read_text(encoding="utf-8").split("What needs one rank\n")[1]
    return re.findall(r"^     - ``(.*)``$", table, flags=re.MULTILINE)


class RandomTest(RanksCase):
    def draw(self, draw, ranks):
        """Options; the files that they name are there."""
        topology, hosts, switches, parts = draw.choice(TOPOLOGIES)
        workload = draw.choice(WORKLOADS)
        messages = draw.random() < 0.3
        arguments = [f"--topology={topology}", f"--workload={workload}", "--load=0.4",
                     "--duration=30us",
                     f"--cc={draw.choice(CONTROLS)}", f"--seed={draw.randint(1, 1000)}"]
        if draw.random() < 0.6:
            arguments.append(f"--lb={draw.choice(LBS)}")
        if draw.random() < 0.5:
            arguments.append(f"--flow-control={draw.choice(('credit', 'voq-credit', 'none'))}")
        if draw.random() < 0.3 or "--flow-control=voq-credit" in arguments:
            arguments.append("--switch=voq")
        if messages:
            arguments.append(f"--messages={draw.choice(('preposted', 'rtw', 'rnr', 'rendezvous'))}")
            if draw.random() < 0.5:
                delays = ("exponential:mean=3us", "uniform:0us,10us", "fixed:2us")
                arguments.append(f"--post-delay={draw.choice(delays)}")
            if draw.random() < 0.3:
                arguments.append("--match-table=tcam")
        traces = [name for name in TRACES
                  if draw.random() < 0.35 and (messages or name != "messages")]
        if traces:
            arguments += [f"--trace={','.join(traces)}",
                          f"--trace-interval={draw.choice(('1us', '370ns', '5us', '40us'))}"]
        if "pcap" in traces:
            ports = draw.choice(("hosts", "all", "switches", "0", f"{hosts}:0,1"))
            arguments.append(f"--ns3::PcapPorts::Ports={ports}")
        extras = [extra for extra, probability in EXTRAS if draw.random() < probability]
        # else one that gets stuck takes samples for a second
        if draw.random() < 0.15 or "--faults=faults.txt" in extras:
            arguments.append(f"--stop={draw.choice(('4us', '7.77us', '20us', '100us'))}")
        names = [extra.split("=")[0] for extra in extras]
        arguments += [extra for i, extra in enumerate(extras) if names[i] not in names[:i]]
        if ranks > parts and "--partition" not in names:
            arguments.append("--partition=file:ranks.txt")
        self.write_files(draw, hosts, switches, ranks)
        return arguments

    def write_files(self, draw, hosts, switches, ranks):
        self.write("job.txt", draw.choice(PROGRAMS))
        flows = []
        for _ in range(12):
            src = draw.randrange(hosts)
            flows.append((src, (src + draw.randint(1, hosts - 1)) % hosts,
                          draw.choice((1, 999, 1000, 20000, 70000)),
                          draw.choice((0, 0, 0.000001, 0.0000013, 0.00003))))
        flows.sort(key=lambda flow: flow[3])
        self.write("flows.txt",
                   f"{len(flows)}\n" + "".join(f"{a} {b} 3 100 {size} {start:.9f}\n" for a, b, size,
                                               start in flows))
        # flow 1 starts when 0 has arrived at its sender, 2 when 1 has; 3 and 4 are there meanwhile
        a, b, c = draw.sample(range(hosts), 3)
        self.write("triggers.cm",
                   f"Nodes {hosts}\nConnections 5\nTriggers 2\n{a}->{b} id 1 start 0 size 20000 "
                   "recv_done_trigger 1\n"
                                  f"{b}->{c} id 2 trigger 1 size 30000 recv_done_trigger "
                                  f"2\n{c}->{a} id 3 trigger 2 size 5000\n"
                                  f"{a}->{c} id 4 start 1000000 size 40000\n{b}->{c} id 5 start "
                                  "2000000 size 9000\n"
                                  "trigger id 1 oneshot\ntrigger id 2 oneshot\n")
        self.write("policies.txt",
                   f"0,1 * cc=swift\n2 * modifiers=ratio-cut\n{hosts - 1} 0 cc=dctcp\n")
        owners = [draw.randrange(ranks) for _ in range(hosts + switches)]
        for rank, node in enumerate(draw.sample(range(hosts + switches), ranks)):
            owners[node] = rank
        self.write("ranks.txt", "".join(f"{rank} {node}\n" for node, rank in enumerate(owners)))
        host, switch = draw.randrange(hosts), hosts + draw.randrange(switches)
        self.write("faults.txt",
                   draw.choice((f"3us switch-down {switch}\n9us switch-up {switch}\n",
                                f"2us storm {host}\n6us calm {host}\n",
                                f"1us switch-down {switch}\n")))

    def test_random(self):
        compared = 0
        known = refusals()
        for seed in range(FIRST, FIRST + COMBINATIONS):
            draw = random.Random(seed)
            ranks = draw.randint(2, 4)
            while True:  # most combinations are legal
                arguments = self.draw(draw, ranks)
                print(seed, ranks, *arguments,
                      flush=True) if os.environ.get("DCFABRIC_MPI_RANDOM") else None
                alone = self.start(1, *arguments, out=self.dir / "out1")
                if alone.returncode != 2:
                    break
            with self.subTest(seed=seed, ranks=ranks, arguments=" ".join(arguments)):
                self.assertIn(alone.returncode, (0, 3), alone.stderr)
                many = self.start(ranks, *arguments, out=self.dir / "out")
                if many.returncode == 2:
                    self.assertFalse((self.dir / "out" / "summary.json").exists())
                    self.assertTrue([text for text in known if text in many.stderr], many.stderr)
                    continue
                self.compare(self.read(many, self.dir / "out"), self.read(alone, self.dir / "out1"))
                compared += 1
        print(f"random options, seeds {FIRST} to {FIRST + COMBINATIONS - 1}: {compared} compared, "
              f"{COMBINATIONS - compared} refused")
        self.assertGreaterEqual(2 * compared, COMBINATIONS - 1)


if __name__ == "__main__":
    unittest.main()
