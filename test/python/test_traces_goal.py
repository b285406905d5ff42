# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules as programs of ranks: dcfabric.traces."""
import csv
import os
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from package_case import PackageCase, ROOT
from sim_case import SimCase

from dcfabric import DcfabricError
from dcfabric.traces import read_goal

# Host 0, two switches, host 1: three links of 100 Gb/s and 1 us. 1000 bytes take 3 x (1 us + 86.56
# ns), their ACK of 118 bytes 3 x (1 us + 9.44 ns) more.
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--cc=none")
PAIR = """num_ranks 2
// of a schedule by hand: /* all kinds of lines */
rank 0 {
l1: calc 1000 cpu 1
l2: send 1000b to 1 tag 3 cpu 1 nic 0
l2 requires l1
l3: calc 5000
l3 irequires l2
/* over
lines */ send 10b to 1
}
rank 1 {
l1: recv 1000b from 0 tag 3
calc 7
l2: calc 2000
l2 requires l1
recv 10b from -1
}
"""


def broadcast(ranks):
    """A binomial tree, as schedgen of LogGOPSim makes it: with 2^k < rank + ranks of its subtree, a
    rank sends to rank + 2^k as soon as it has received from the rank without its highest bit (its
    binary_tree_16.goal is this one for 16 ranks)."""
    lines = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        lines.append(f"rank {rank} {{")
        if rank:
            lines.append(f"l1: recv 1b from {rank - (1 << (rank.bit_length() - 1))} tag 0")
        label = 2
        for bit in range(rank.bit_length(), 32):
            if rank + (1 << bit) >= ranks:
                break
            lines.append(f"l{label}: send 1b to {rank + (1 << bit)} tag 0")
            if rank:
                lines.append(f"l{label} requires l1")
            label += 1
        lines.append("}")
    return "\n".join(lines) + "\n"


def pack(ranks):
    """The binary form. ranks: of each, operations (type, peer, size, tag, cpu, nic) and edges
    (number, of whom it waits, whether for its begin)."""
    begin = 14 + 16 * len(ranks)
    table, body = b"", b""
    for operations, edges in ranks:
        needs = [sum(edge[0] == number for edge in edges) for number in range(len(operations))]
        roots = [number for number, count in enumerate(needs) if count == 0]
        nodes, appendix = b"", []
        for number, (kind, peer, size, tag, cpu, nic) in enumerate(operations):
            lists = b""
            for begins in (False, True):
                waiting = [edge[0] for edge in edges if edge[1:] == (number, begins)]
                lists += struct.pack("<II", len(waiting), len(appendix))
                appendix += waiting
            nodes += struct.pack("<IBIQIBB", needs[number], kind, peer, size, tag, cpu, nic) + lists
        start = begin - 8 + len(body)
        body += struct.pack(f"<{2 + len(roots)}I", len(operations), len(roots),
                            *roots) + nodes + struct.pack(f"<{len(appendix)}I", *appendix)
        table += struct.pack("<QQ", start, begin - 8 + len(body))
    return struct.pack("<QIBB", 4223, len(ranks), 1, 0) + table + body


class GoalTest(PackageCase):
    def read(self, text, **options):
        (self.dir / "trace").write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_goal("trace", **options).to_text()

    def test_operations(self):
        self.assertEqual(self.read(PAIR), """ranks 2 per-host 1
program 0 {
icompute 1000ns as=n0 on=cpu1
isend 1 1000 tag=3 begun=b1 after=n0 on=cpu1
icompute 5000ns after=b1 on=cpu0
isend 1 10 tag=0 on=cpu0
wait
mark end
}
program 1 {
irecv 0 tag=3 as=n0
icompute 7ns on=cpu0
icompute 2000ns after=n0 on=cpu0
irecv any tag=0
wait
mark end
}
""")
        self.assertIn("icompute 5000us", self.read(PAIR, unit="us"))

    def test_binary(self):
        """The same schedule in the binary form becomes the same program; 2^32 - 1 is any rank."""
        any_ = 0xFFFFFFFF
        ranks = [
            ([(3, 0, 1000, 0, 1, 0), (1, 1, 1000, 3, 1, 0), (3, 0, 5000, 0, 0, 0),
              (1, 1, 10, 0, 0, 0)], [(1, 0, False), (2, 1, True)]),
                 ([(2, 0, 1000, 3, 0, 0), (3, 0, 7, 0, 0, 0), (3, 0, 2000, 0, 0, 0),
                   (2, any_, 10, 0, 0, 0)], [(2, 0, False)])]
        binary = pack(ranks)
        self.assertEqual(self.read(binary), self.read(PAIR))
        for end in (8, 20, 50, len(binary) - 1):
            with self.assertRaisesRegex(DcfabricError, "trace: (is cut off|2 ranks in 20 bytes)"):
                self.read(binary[:end])
        ranks[1][0][3] = (2, any_, 10, any_, 0, 0)
        self.assertIn("irecv any tag=any", self.read(pack(ranks)))
        ranks[0][0][1] = (4, 1, 1000, 3, 1, 0)
        with self.assertRaisesRegex(DcfabricError, "operation 1 of rank 0: type 4 is not covered"):
            self.read(pack(ranks))
        # lists of others that are all the same part of the file
        edges = [(number, 0, False) for number in range(1, 200)]
        greedy = bytearray(pack([([(3, 0, 1, 0, 0, 0)] * 200, edges)]))
        first = 14 + 16 + 8 + 4  # behind the header, the table, two counts and the one root
        for number in range(200):
            struct.pack_into("<II", greedy, first + 39 * number + 23, 199, 0)
        with self.assertRaisesRegex(DcfabricError, "more operations wait for others than the file"):
            self.read(bytes(greedy))

    def test_order(self):
        """What waits for a later line comes behind it; ranks with the same operations share a
        program."""
        text = "num_ranks 3\n" + "".join(f"rank {rank} {{\nb: calc 2\na: calc 1\nb requires a\n}}\n"
                                         for rank in (0, 2, 1))
        self.assertEqual(self.read(text),
                         "ranks 3 per-host 1\nprogram 0-2 {\nicompute 1ns as=n1 on=cpu0\nicompute "
                         "2ns after=n1 on=cpu0\n"
                                          "wait\nmark end\n}\n")

    def test_refusals(self):
        def rank(*lines):
            return "\n".join(("num_ranks 2", "rank 0 {", *lines, "}", "rank 1 {", "}"))

        for text, words in (
                ("rank 0 {\n}\n", "trace:1: expected 'num_ranks COUNT'"),
                ("", "trace:1: expected 'num_ranks COUNT'"),
                ("num_ranks 99999999999\n",
                 "trace:1: num_ranks is 99999999999; a program has at most 10000000 ranks"),
                (f"num_ranks {'9' * 5000}\n", "a program has at most 10000000 ranks"),
                ("num_ranks 1\nrank 1 {\n}\n", "trace:2: rank 1 of 1"),
                ("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "trace:4: rank 0 is given twice"),
                ("num_ranks 1\nrank 0 {\ncalc 1\n",
                 "trace:2: rank 0, which begins here, has no '}'"),
                (rank("put 8b to 1"),
                 "trace:3: 'put 8b to 1' is not covered; expected '[LABEL:] send"),
                (rank("send 8b from 1"), "trace:3: 'send 8b from 1' is not covered"),
                (rank("send 8b to 2"), "trace:3: rank 2: there are ranks 0 to 1"),
                (rank("send 8b to -1"), "trace:3: a send needs the rank"),
                (rank("", "send 8b to 1 tag -1"), "trace:4: a send needs a tag"),
                (rank("send 8b to 1 tag 2147483648"), "tag 2147483648 is not covered"),
                (rank("send 8b to 1 nic 1"), "trace:3: nic 1 is not covered"),
                (rank("a: calc 1", "a: calc 2"), "trace:4: label 'a' is given twice"),
                (rank("a: calc 1", "a requires b"), "trace:4: there is no operation 'b' in rank 0"),
                (rank("a: calc 1", "b: calc 1", "a requires b", "b irequires a", "c: calc 1",
                      "c requires a"),
                 "rank 0: these operations wait for one another in a circle, or for such: a, b, c"),
                ("num_ranks 1\n\n/* open", "trace:3: the comment that begins here has no '*/'"),
                ("num_ranks 1\n" + "/* " * 60000, "trace:2: the comment that begins here has no"),
                ("num_ranks 1\n/*/", "trace:2: the comment that begins here has no '*/'"),
                (rank(f"send {'9' * 5000}b to 1"), f"'send {'9' * 75}' is not covered"),
                (rank(f"calc {'9' * 5000}"), "is not covered; expected"),
                (f"num_ranks 1\nrank {'9' * 5000} {{\n", "expected 'rank NUMBER {' instead of"),
                (b"\xff\xfe", "is neither a text nor a binary schedule")):
            with self.subTest(words), self.assertRaises(DcfabricError) as caught:
                self.read(text)
            self.assertIn(words, str(caught.exception))
        self.assertIn("irecv 1 tag=any", self.read(rank("recv 8b from 1 tag -1")))
        self.assertIn("irecv any tag=any", self.read(rank("recv 8b from -1 tag -1 cpu 1")))
        self.assertIn("isend 1 8 tag=0", self.read(rank("send 8b to 1 nic 1"), skip=["nic"]))
        with self.assertRaisesRegex(DcfabricError, "none: cannot be read"):
            read_goal("none")
        with self.assertRaisesRegex(DcfabricError, "unknown unit of calc 'h'"):
            read_goal("none", unit="h")

    def test_command(self):
        (self.dir / "trace").write_text(PAIR)

        def run(*arguments):
            return subprocess.run([sys.executable, "-m", "dcfabric.traces", *arguments],
                                  cwd=self.dir, env={"PYTHONPATH": str(ROOT / "python")},
                                  capture_output=True, text=True, check=False)

        done = run("goal", "trace", "--out=job.txt", "--per-host=2", "--unit=us")
        self.assertEqual((done.returncode, done.stdout), (0, "job.txt: 2 ranks, 8 operations\n"),
                         done.stderr)
        text = (self.dir / "job.txt").read_text()
        self.assertTrue(text.startswith("# from trace\nranks 2 per-host 2\n"), text)
        self.assertIn("icompute 1000us", text)
        for arguments, words in ((("goal", "none", "--out=x"), "none: cannot be read"),
                                 (("goal", "trace", "--out=no/x"), "--out no/x: no folder no"),
                                 (("goal", "trace", "--out=x", "--per-host=0"),
                                  "--per-host=0: it must be 1 to 10000000"),
                                 (("goal", "trace", "--out=x", "--skip=tag"),
                                  "invalid choice: 'tag'")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertFalse((self.dir / "x").exists())
        # a trace is never overwritten, whatever its other names are
        os.symlink("trace", self.dir / "link")
        for out in ("trace", "./trace", "link", str(self.dir / "trace")):
            done = run("goal", "trace", f"--out={out}")
            self.assertEqual((done.returncode, (self.dir / "trace").read_text()), (2, PAIR), out)
            self.assertIn(f"--out {Path(out)}: the trace is read from this file", done.stderr)
        for out in (".", ""):
            self.assertIn("--out .: is a folder", run("goal", "trace", f"--out={out}").stderr)
        os.mkfifo(self.dir / "pipe")
        with subprocess.Popen(["cat", self.dir / "pipe"], stdout=subprocess.PIPE,
                              text=True) as reader:
            done = run("goal", "trace", "--out=pipe", "--unit=us", "--per-host=2")
            self.assertEqual(reader.communicate()[0], text)
        self.assertEqual((done.stdout, done.stderr), ("", "pipe: 2 ranks, 8 operations\n"))
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()),
                         ["job.txt", "link", "pipe", "trace"])


    def test_very_large_numbers(self):
        """2^62 - 1 ps are 4611686018427387 ns, and a send has 2^62 bytes at most."""
        def read(line, unit="ns"):
            (self.dir / "large.goal").write_text(f"num_ranks 2\nrank 0 {{\n{line}\n}}\n")
            return read_goal("large.goal", unit).to_text()

        self.assertIn("icompute 4611686018427387ns", read("calc 4611686018427387"))
        for line, unit in (("calc 4611686018427388", "ns"), ("calc 99999999999999999999", "ps"),
                           ("calc 4611687", "s")):
            with self.subTest(line), self.assertRaisesRegex(DcfabricError,
                                                            "large.goal:3: a calc of .* too long"):
                read(line, unit)
        self.assertIn("isend 1 4611686018427387904", read("send 4611686018427387904b to 1"))
        with self.assertRaisesRegex(DcfabricError, "large.goal:3: 4611686018427387905 bytes"):
            read("send 4611686018427387905b to 1")


class GoalRunTest(SimCase):
    def marks(self):
        with (self.out / "marks.csv").open(newline="") as file:
            return {int(row["rank"]): float(row["end_ns"]) for row in csv.DictReader(file)}

    def run_text(self, text, *options):
        read_goal(self.dir / self.write("trace.goal", text)).write(self.dir / "job.txt")
        return self.run_ok(*options, "--workload=program:job.txt")

    def test_times(self):
        """The 10 bytes go at 0. The 1000 bytes go at 1 us and arrive at 4259.68 ns; the calc of 5
        us, which waits for their beginning, ends at 6 us, the last ACK is there at 7288 ns; with
        buffered sends only the calc counts. At rank 1 2 us follow."""
        self.run_text(PAIR, *CHAIN)
        self.assertEqual(self.marks(), {0: 7288, 1: 6259.68})
        self.run_text(PAIR, *CHAIN, "--ns3::RankRunner::EagerBytes=65535")
        self.assertEqual(self.marks(), {0: 6000, 1: 6259.68})

    def test_tree(self):
        """Every rank of a binomial tree passes its message on at the moment when it arrives, and to
        the right ones."""
        self.run_text(broadcast(16), "--topology=fat-tree:k=4", "--cc=none")
        flows = {int(flow["dst"]): flow for flow in self.flows()}
        self.assertEqual({dst: int(flow["src"]) for dst, flow in flows.items()},
                         {rank: rank - (1 << (rank.bit_length() - 1)) for rank in range(1, 16)})
        for flow in flows.values():
            parent = flows.get(int(flow["src"]))
            begun = float(parent["start_ns"]) + float(parent["fct_ns"]) if parent else 0
            self.assertAlmostEqual(float(flow["start_ns"]), begun, places=2)


if __name__ == "__main__":
    unittest.main()
