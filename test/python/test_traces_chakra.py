# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces as programs of ranks: dcfabric.traces. The traces are written here with
the protobuf library, as the generators of github.com/mlcommons/chakra do it
(src/generator/generator.py, src/converter/text_converter.py)."""
import contextlib
import csv
import gzip
import importlib.util
import io
import subprocess
import sys
import unittest
from pathlib import Path

from package_case import PackageCase, ROOT
from sim_case import SimCase

from dcfabric import DcfabricError
from dcfabric.traces import read_chakra
from dcfabric.traces.__main__ import main
from dcfabric.traces.chakra_schema import COLLECTIVES, NODE_TYPES, messages

HERE = Path(__file__).resolve().parent
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--cc=none")
HAS_PROTOBUF = importlib.util.find_spec("google") and importlib.util.find_spec("google.protobuf")
needs_protobuf = unittest.skipUnless(HAS_PROTOBUF, "protobuf is not installed")


def node(number, kind, name="", after=(), control=(), micros=0, **attributes):
    """A node. An attribute is a pair of its kind and value, such as ("int64", 5)."""
    made = messages()["Node"](id=number, name=name or kind, type=NODE_TYPES.index(kind),
                              data_deps=after, ctrl_deps=control,
                              duration_micros=micros)
    for key, (value_kind, value) in attributes.items():
        attribute = made.attr.add(name=key)
        if value_kind.endswith("_list"):
            getattr(attribute, value_kind).values.extend(value)
        else:
            setattr(attribute, f"{value_kind}_val", value)
    return made


def collective(number, kind, size, **rest):
    return node(number, "COMM_COLL_NODE", kind, comm_type=("int64", COLLECTIVES.index(kind)),
                comm_size=("uint64", size), **rest)


def write(prefix, ranks):
    """The files of some ranks, each a list of nodes."""
    from google.protobuf.internal.encoder import _VarintBytes
    for old in Path(prefix).parent.glob(f"{Path(prefix).name}.*.et"):
        old.unlink()
    for rank, nodes in enumerate(ranks):
        content = b""
        for message in (messages()["GlobalMetadata"](version="0.0.4"), *nodes):
            data = message.SerializeToString()
            content += _VarintBytes(len(data)) + data
        Path(f"{prefix}.{rank}.et").write_bytes(content)


def data_parallel(layers):
    """A step of training as text_converter has it for DATA: forward; then of each layer, the last
    one first, the weight gradient, its all-reduce, the input gradient. layers: (name, forward us,
    input us, weight us, bytes)."""
    nodes = []

    def add(make, *arguments, **rest):
        nodes.append(make(len(nodes), *arguments, **rest))
        return [len(nodes) - 1]

    before = []
    for name, forward, *_ in layers:
        before = add(node, "COMP_NODE", f"COMP_NODE_{name}_FWD", micros=forward, after=before)
    for name, _, inputs, weights, size in reversed(layers):
        gradient = add(node, "COMP_NODE", f"COMP_NODE_{name}_BWD_WG", micros=weights, after=before)
        add(collective, "ALL_REDUCE", size, after=gradient)
        if name != layers[0][0]:
            before = add(node, "COMP_NODE", f"COMP_NODE_{name}_BWD_IG", micros=inputs,
                         after=gradient)
    return nodes


def transformer():
    """Layers of a public workload."""
    rows = [line.split() for line in (HERE / "traces" / "transformer.txt").read_text().splitlines()
            if not line.startswith("#")]
    return [(row[0], int(row[2]), int(row[5]), int(row[8]), int(row[10])) for row in rows]


@needs_protobuf
class ChakraTest(PackageCase):
    def read(self, *ranks, **options):
        write("trace", ranks)
        return read_chakra("trace", **options).to_text()

    def test_nodes(self):
        """Numbers of nodes are free; both kinds of dependencies count; a later node may be waited
        for."""
        text = self.read(
            [node(70, "METADATA_NODE", "start", whatever=("double", 1.5)),
             node(7, "COMP_NODE", micros=5, is_cpu_op=("bool", False), num_ops=("uint64", 9)),
             node(8, "COMP_NODE", micros=6, after=[70], control=[7, 70], is_cpu_op=("bool", True)),
             node(1, "COMM_SEND_NODE", after=[9], comm_size=("int64", 1000), comm_dst=("int32", 1),
                  comm_src=("uint32", 0), comm_tag=("uint32", 3)),
             node(9, "COMP_NODE", micros=1)],
            [node(0, "COMM_RECV_NODE", comm_size=("int64", 1000), comm_src=("int32", 0),
                  comm_tag=("sint64", 3)), node(1, "COMP_NODE", after=[0])])
        self.assertEqual(text, """ranks 2 per-host 1
program 0 {
icompute 0 as=n0
icompute 5us as=n1 on=gpu
icompute 6us after=n1,n0 on=cpu
icompute 1us as=n4 on=gpu
isend 1 1000 tag=3 after=n4
wait
mark end
}
program 1 {
irecv 0 tag=3 as=n0
icompute 0us after=n0 on=gpu
wait
mark end
}
""")

    def test_collectives(self):
        """comm_size is a rank's input: of an all-gather a part of four, of an all-to-all four
        parts, rounded up."""
        nodes = [collective(index, kind, 4002) for index, kind in enumerate(
            ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "BROADCAST", "ALL_TO_ALL", "REDUCE_SCATTER",
             "REDUCE_SCATTER_BLOCK", "GATHER", "SCATTER"))]
        nodes.append(node(9, "COMM_COLL_NODE", comm_type=("uint32", COLLECTIVES.index("BARRIER"))))
        text = self.read(nodes, nodes, nodes, nodes)
        self.assertIn("program 0-3 {\niallreduce 4002 all\nireduce 4002 all\niallgather 16008 "
                      "all\nibroadcast 4002 all\n"
                      "ialltoall 1001 all\nireducescatter 4002 all\nireducescatter 4002 "
                      "all\nigather 16008 all\niscatter 4002 all\n"
                      "ibarrier all\nwait\n", text)

    def test_groups(self):
        """Process groups come from metadata nodes of PyTorch or from a file; an empty list of ranks
        is all of them."""
        described = node(0, "METADATA_NODE", "## process_group:init ##")
        described.inputs.values = ('["[{\\"pg_name\\": \\"0\\", \\"ranks\\": []}, {\\"pg_name\\": '
                                   '\\"tp/1\\", \\"ranks\\": [2, 0]}]"]'.replace("\\", ""))
        first = [described, collective(1, "ALL_REDUCE", 8, pg_name=("string", "tp/1")),
                 collective(2, "ALL_REDUCE", 9, pg_name=("string", "0"))]
        second = [collective(5, "ALL_REDUCE", 9, pg_name=("string", "0"))]
        (self.dir / "groups.json").write_text('{"0": [0, 1, 2], "5": [1]}')
        text = self.read(first, second, first, groups="groups.json")
        self.assertIn("ranks 3 per-host 1\ngroup pg_tp_1 0,2\nprogram 0,2 {\nicompute "
                      "0\niallreduce 8 pg_tp_1\niallreduce 9 all\n", text)
        with self.assertRaisesRegex(DcfabricError,
                                    r"trace.1.et: node 5 \(ALL_REDUCE\): no process group "
                                    r"'0'.*known: none"):
            self.read(first, second, first)
        for content, words in (("[1]", "expected process groups"), ("{", "is not JSON"),
                               ('{"0": ["a"]}', "expected process groups")):
            (self.dir / "groups.json").write_text(content)
            with self.assertRaisesRegex(DcfabricError, words):
                self.read(first, second, first, groups="groups.json")

    def test_refusals(self):
        send = {"comm_size": ("int64", 8), "comm_dst": ("int32", 1)}
        for nodes, words in (
                ([node(1, "MEM_LOAD_NODE", "load", tensor_size=("uint64", 8))],
                 r"trace.0.et: node 1 \(load\): a MEM_LOAD_NODE of 8 bytes \(tensor_size\) has no "
                 "duration; say with --memory"),
                ([node(1, "BATCH_NODE", "b")],
                 r"trace.0.et: node 1 \(b\): BATCH_NODE is not covered; covered: COMP_NODE"),
                ([node(1, "STORAGE_NODE")], "STORAGE_NODE is not covered"),
                ([node(1, "INVALID_NODE")], "INVALID_NODE is not covered"),
                ([node(1, "COMP_NODE", color=("int32", 5))],
                 "attribute 'color' of a COMP_NODE is not covered; skip it"),
                ([node(1, "COMM_COLL_NODE", comm_type=("int64", 10))],
                 "attribute 'comm_type' is 10; it must be a whole number from 0 to 9"),
                ([node(1, "COMM_COLL_NODE")], "a COMM_COLL_NODE needs the attribute 'comm_type'"),
                ([node(1, "COMM_SEND_NODE", comm_size=("int32", 5))],
                 "a COMM_SEND_NODE needs the attribute 'comm_dst'"),
                ([node(1, "COMM_SEND_NODE", **{**send, "comm_dst": ("int32", 2)})],
                 "attribute 'comm_dst' is 2; it must be a whole number from 0 to 1"),
                ([node(1, "COMM_SEND_NODE", **{**send, "comm_size": ("int32", -8)})],
                 "attribute 'comm_size' is -8"),
                ([node(1, "COMM_SEND_NODE", **{**send, "comm_src": ("int32", 1)})],
                 "attribute 'comm_src' is 1 in the trace of rank 0"),
                ([node(1, "COMM_SEND_NODE", **{**send, "comm_tag": ("string", "x")})],
                 "attribute 'comm_tag' is 'x'"),
                ([collective(1, "ALL_REDUCE", 8, involved_dim=("bool_list", [True, False]))],
                 "attribute 'involved_dim' picks dimensions"),
                ([collective(1, "ALL_REDUCE", 8, comm_priority=("uint32", 2))],
                 "attribute 'comm_priority' is 2"),
                ([node(1, "COMP_NODE"), node(1, "COMP_NODE")], "its number is given twice"),
                ([node(1, "COMP_NODE", "gemm", num_ops=("int64", 10**12))],
                 r"trace.0.et: node 1 \(gemm\): has no duration \(duration_micros\), only "
                 r"1000000000000 operations \(num_ops\); say with --compute"),
                ([node(1, "COMP_NODE", "copy", tensor_size=("uint64", 1))],
                 r"trace.0.et: node 1 \(copy\): has no duration \(duration_micros\), only "
                 r"1 byte \(tensor_size\); say with --compute"),
                ([node(1, "COMM_COLL_NODE", comm_type=("string", "ALL_GAZE"))],
                 "the collective ALL_GAZE is not covered"),
                ([node(1, "COMP_NODE", after=[2]), node(2, "COMP_NODE", control=[1])],
                 "rank 0: these operations wait for one another in a circle"),
                ([collective(1, "ALL_REDUCE", 8)],
                 r"collective 1 of group all: rank 0 does ALL_REDUCE of 8 bytes \(trace.0.et node "
                 r"1\), rank 1 does "
                                                   "nothing; all ranks")):
            with self.subTest(words), self.assertRaisesRegex(DcfabricError, words):
                self.read(nodes, [])
        order = [collective(1, "ALL_REDUCE", 8), collective(2, "ALL_REDUCE", 9)]
        with self.assertRaisesRegex(DcfabricError, "collective 1 of group all"):
            self.read(order, order[::-1])
        with self.assertRaisesRegex(DcfabricError, "none.0.et: cannot be opened"):
            read_chakra("none")
        with self.assertRaisesRegex(DcfabricError, "unknown node type 'X_NODE' to skip"):
            read_chakra("none", skip=["X_NODE"])
        text = self.read([node(1, "MEM_LOAD_NODE"),
                          node(2, "COMP_NODE", micros=3, after=[1], color=("int32", 5))],
                         skip=["MEM_LOAD_NODE", "color"])
        self.assertIn("icompute 0 as=n0\nicompute 3us after=n0 on=gpu\n", text)

    def test_operations_without_duration(self):
        """10^12 operations at 2 x 10^12 a second take half a second; a duration counts, and so does
        that there is nothing to do."""
        nodes = [node(1, "COMP_NODE", num_ops=("int64", 10**12)),
                 node(2, "COMP_NODE", micros=7, num_ops=("int64", 10**12)), node(3, "COMP_NODE")]
        self.assertIn("icompute 500000000000ps on=gpu\nicompute 7us on=gpu\nicompute 0us on=gpu\n",
                      self.read(nodes, tflops=2))
        for tflops in (0, -1, float("nan"), float("inf")):
            with self.assertRaisesRegex(DcfabricError, "tflops is .*; it must be above 0"):
                self.read(nodes, tflops=tflops)

    def test_roofline(self):
        """At 10^14 operations and 10^12 bytes a second, a product of matrices of 2 x 10^9
        operations on 6 x 10^6 bytes has an intensity of 333 a byte, above the 100 of the ridge:
        20 us. A sum of 10^6 operations on 4 x 10^6 bytes has 0.25: 0.25 x 10^12 a second, 4 us. At
        the ridge both roofs take the same; what only moves bytes takes their time; what is smaller
        than a picosecond takes one; a duration counts first."""
        def counted(number, operations, size, **rest):
            return node(number, "COMP_NODE", num_ops=("int64", operations),
                        tensor_size=("uint64", size), op_type=("string", "M"), **rest)

        nodes = [counted(1, 2 * 10**9, 6 * 10**6), counted(2, 10**6, 4 * 10**6),
                 counted(3, 10**8, 10**6), counted(4, 0, 5 * 10**6), counted(5, 1, 0),
                 counted(6, 10**12, 10**12, micros=3)]
        for compute in ("1e14,1e12", "100T,1T", "100TFLOPS,1000GB/s", "100TFLOP/s, 1TB/s"):
            self.assertIn("program 0 {\nicompute 20000000ps on=gpu\nicompute 4000000ps on=gpu\n"
                          "icompute 1000000ps on=gpu\nicompute 5000000ps on=gpu\n"
                          "icompute 1ps on=gpu\nicompute 3us on=gpu\n",
                          self.read(nodes, compute=compute))
        for compute in ("", "1e14", "1,2,3", "1e14,0", "0,1T", "1e14,-1", "100TB/s,1T", "nan,1",
                        "1e999,1", "1T,1TFLOPS", "inf,1"):
            with self.subTest(compute), self.assertRaisesRegex(
                    DcfabricError, "no roofline|no number|above 0"):
                self.read(nodes, compute=compute)
        with self.assertRaisesRegex(DcfabricError, "tflops and compute both say"):
            self.read(nodes, compute="1T,1T", tflops=1)

    def test_memory(self):
        """10^6 bytes at 100 GB/s take 10 us, and the latency 2 us; accesses follow one another
        beside CPU and GPU. A duration counts first."""
        nodes = [node(1, "MEM_LOAD_NODE", tensor_size=("uint64", 10**6)),
                 node(2, "MEM_STORE_NODE", after=[1], micros=7, tensor_size=("uint64", 10**6)),
                 node(3, "MEM_LOAD_NODE")]
        self.assertIn("icompute 12000000ps as=n0 on=mem\nicompute 7us after=n0 on=mem\n"
                      "icompute 2000000ps on=mem\n", self.read(nodes, memory="2us,100GB/s"))
        for memory in ("2us", "2,100GB/s", "2us,0", "us,1", "2us,1,1", "-2us,1G"):
            with self.subTest(memory), self.assertRaisesRegex(
                    DcfabricError, "is no memory|no number|above 0"):
                self.read(nodes, memory=memory)

    def test_very_large_numbers(self):
        """What no program can have is refused in a line: 2^62 ps are 4,611,686 s."""
        nodes = [node(1, "MEM_LOAD_NODE", tensor_size=("uint64", 1 << 60))]
        for memory, words in (("9" * 400 + "us,1", "latency 9{38}.*takes longer than 4611686 s"),
                              ("4611687s,1", "latency 4611687s: takes longer"),
                              ("1us,1", r"node 1 .*: 1152921504606846976 bytes: takes longer"),
                              ("1us,0." + "0" * 330 + "1", "a rate must be above 0"),
                              ("1us," + "9" * 400, "no more than 1e\\+24"),
                              ("1us," + "9" * 5000 + "X", "'9{40}' is no number")):
            with self.subTest(memory[:30]), self.assertRaisesRegex(DcfabricError, words) as found:
                self.read(nodes, memory=memory)
            self.assertLess(len(str(found.exception)), 250)
        nodes = [node(1, "COMP_NODE", num_ops=("uint64", 1 << 60))]
        with self.assertRaisesRegex(DcfabricError, "operations on 0 bytes: takes longer"):
            self.read(nodes, compute="1,1")
        with self.assertRaisesRegex(DcfabricError, "operations on 0 bytes: takes longer"):
            self.read(nodes, tflops=1e-12)
        with self.assertRaisesRegex(DcfabricError, "node 1 .*its duration of 18446744073709551615"):
            self.read([node(1, "COMP_NODE", micros=(1 << 64) - 1)])
        with contextlib.redirect_stderr(io.StringIO()) as error:
            self.assertEqual(main(["chakra", "trace", "--out=job.txt", "--memory=" + "9" * 400
                                   + "us,1G"]), 2)
        self.assertEqual(error.getvalue().count("\n"), 1)

    def test_counted_later(self):
        """The program says what is computed; durations stay."""
        nodes = [node(1, "COMP_NODE", num_ops=("uint64", 1000), tensor_size=("uint64", 20)),
                 node(2, "COMP_NODE", tensor_size=("uint64", 20)),
                 node(3, "COMP_NODE", micros=3, num_ops=("uint64", 1000)),
                 node(4, "COMP_NODE", num_ops=("uint64", 7), tensor_size=("uint64", 20),
                      is_cpu_op=("bool", True))]
        self.assertIn("icompute flops=1000 bytes=20 on=gpu\nicompute flops=0 bytes=20 on=gpu\n"
                      "icompute 3us on=gpu\nicompute flops=7 bytes=0 on=cpu\n",
                      self.read(nodes, compute="later"))

    def test_nodes_of_the_cpu(self):
        """A CPU takes durations, and those of the calls by which it begins a communication, which
        the GPU then does; they have none of its attributes."""
        nodes = [node(1, "COMM_COLL_NODE", "nccl:all_reduce", micros=9, is_cpu_op=("bool", True)),
                 collective(2, "ALL_REDUCE", 8, after=[1], is_cpu_op=("int32", 0)),
                 node(3, "COMP_NODE", is_cpu_op=("bool", True), tensor_size=("uint64", 99)),
                 collective(4, "ALL_REDUCE", 9, is_cpu_op=("bool", True))]
        self.assertIn("icompute 9us as=n0 on=cpu\niallreduce 8 all after=n0\n"
                      "icompute 0us on=cpu\niallreduce 9 all\n", self.read(nodes))
        self.assertEqual(read_chakra("trace").notes,
                         ["1 node of the CPU without the attributes of a communication takes only "
                          "the time of the CPU: node 1 (nccl:all_reduce) of trace.0.et"])

    def test_groups_by_number(self):
        """Earlier traces of the generator have a comm_group instead of a pg_name."""
        (self.dir / "groups.json").write_text('{"7": [0, 2]}')
        nodes = [collective(1, "ALL_REDUCE", 8, comm_group=("int32", 7))]
        self.assertIn("group pg_7 0,2\nprogram 0,2 {\niallreduce 8 pg_7\n",
                      self.read(nodes, [], nodes, groups="groups.json"))
        with self.assertRaisesRegex(DcfabricError, "no process group '7'"):
            self.read(nodes, [], nodes)

    def test_dependencies_elsewhere(self):
        """What waits for a node that is not in the file does not wait for it; a note has the number
        of such dependencies."""
        self.assertIn("icompute 3us as=n0 on=gpu\nicompute 4us after=n0 on=gpu\n",
                      self.read([node(1, "COMP_NODE", micros=3, after=[7]),
                                 node(2, "COMP_NODE", "last", micros=4, after=[1], control=[9])]))
        self.assertEqual(read_chakra("trace").notes,
                         ["2 dependencies are on nodes that are not in the file, and count as "
                          "complete: "
                          "node 1 (COMP_NODE) of trace.0.et waits for node 7 and others"])
        error = io.StringIO()
        with contextlib.redirect_stderr(error), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main(["chakra", "trace", "--out=job.txt"]), 0)
        self.assertIn("dcfabric.traces: note: 2 dependencies are", error.getvalue())

    def test_files(self):
        text = self.read([node(1, "COMP_NODE", micros=3)])
        whole = (self.dir / "trace.0.et").read_bytes()
        (self.dir / "trace.0.et").write_bytes(gzip.compress(whole))
        self.assertEqual(read_chakra("trace").to_text(), text)
        (self.dir / "trace.0.et").write_bytes(b"")
        with self.assertRaisesRegex(DcfabricError,
                                    "trace.0.et: is empty; a trace begins with its metadata"):
            read_chakra("trace")
        for content in (whole[:-3], b"\xff" * 20, gzip.compress(whole)[:-9],
                        whole + b"\x02\xff\xff"):
            (self.dir / "trace.0.et").write_bytes(content)
            with self.assertRaisesRegex(DcfabricError, "trace.0.et: is (cut off|no Chakra trace)"):
                read_chakra("trace")

    def test_missing_rank(self):
        self.read([], [], [])
        (self.dir / "trace.1.et").unlink()
        with self.assertRaisesRegex(DcfabricError,
                                    "trace.1.et: is not there, but one of rank 2 is"):
            read_chakra("trace")


class OutTest(PackageCase):
    """Neither a trace nor its groups are overwritten, which is found out before they are read."""

    def test_inputs(self):
        for name in ("t.0.et", "t.1.et", "groups"):
            (self.dir / name).write_text("kept")
            error = io.StringIO()
            with contextlib.redirect_stderr(error):
                self.assertEqual(main(["chakra", "t", "--groups=groups", f"--out={name}"]), 2)
            self.assertEqual(error.getvalue(),
                             f"dcfabric.traces: error: --out {name}: the trace is read from this "
                             "file; give another one\n")
            self.assertEqual((self.dir / name).read_text(), "kept")


class WithoutProtobufTest(PackageCase):
    def test_message(self):
        (self.dir / "trace.0.et").write_bytes(b"")
        hidden = ("import sys; sys.modules['google.protobuf'] = None; from "
                  "dcfabric.traces.__main__ import main; sys.exit(main(sys.argv[1:]))")
        done = subprocess.run([sys.executable, "-c", hidden, "chakra", "trace", "--out=x"],
                              cwd=self.dir, capture_output=True, text=True,
                              env={"PYTHONPATH": str(ROOT / "python")}, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("Chakra traces need the Python package protobuf: pip install protobuf",
                      done.stderr)


@needs_protobuf
class ChakraRunTest(SimCase):
    def run_job(self, *options):
        read_chakra(self.dir / "trace").write(self.dir / "job.txt")
        self.run_ok(*options, "--workload=program:job.txt")
        with (self.out / "marks.csv").open(newline="") as file:
            ends = [float(row["end_ns"]) for row in csv.DictReader(file)]
        with (self.out / "collectives.csv").open(newline="") as file:
            return ends, list(csv.DictReader(file))

    def test_times(self):
        """Two ranks compute for 5 us, reduce 2000 bytes in two steps of a ring and compute for 7
        us, beside 4 us on the CPU. A message takes 3259.68 ns; the second leaves behind the ACK of
        the first, 9.44 ns later."""
        nodes = [node(0, "COMP_NODE", micros=5), collective(1, "ALL_REDUCE", 2000, after=[0]),
                 node(2, "COMP_NODE", micros=7, after=[1]),
                 node(3, "COMP_NODE", micros=4, is_cpu_op=("bool", True))]
        write(self.dir / "trace", [nodes, nodes])
        ends, (one,) = self.run_job(*CHAIN)
        self.assertEqual((one["operation"], one["algorithm"], one["start_ns"], one["end_ns"]),
                         ("allreduce", "ring", "5000", "11528.8"))
        self.assertEqual(ends, [18528.8, 18528.8])

    def test_counted_later(self):
        """10^9 operations at 10^12 in a second are 1 ms, as in the converter."""
        write(self.dir / "trace", [[node(1, "COMP_NODE", num_ops=("uint64", 10**9))]] * 2)
        read_chakra(self.dir / "trace", compute="later").write(self.dir / "job.txt")
        self.refuse(*CHAIN, "--workload=program:job.txt", words=("icompute says what it does",))
        for compute, options in (("1T,1T", ()), ("later", ("--compute=1T,1T",))):
            read_chakra(self.dir / "trace", compute=compute).write(self.dir / "job.txt")
            self.run_ok(*CHAIN, "--workload=program:job.txt", *options)
            with (self.out / "marks.csv").open(newline="") as file:
                self.assertEqual([row["end_ns"] for row in csv.DictReader(file)], 2 * ["1000000"])

    def test_training_step(self):
        """A public workload. All computations of a rank follow one another, so that all all-reduces
        but the last one, which has no bytes, are hidden; the times in between are sums of the
        file's."""
        layers = transformer()
        self.assertEqual([layer[0] for layer in layers], ["layernorm6", "fc", "softmax"])
        nodes = data_parallel(layers)
        write(self.dir / "trace", [nodes, nodes])
        ends, rows = self.run_job(*CHAIN)
        forward = sum(layer[1] for layer in layers)
        softmax = forward + layers[2][3]
        fc = softmax + layers[2][2] + layers[1][3]
        norm = fc + layers[1][2] + layers[0][3]
        self.assertEqual([(float(row["start_ns"]), int(row["size_bytes"])) for row in rows],
                         [(1e3 * softmax, 0), (1e3 * fc, 18432000), (1e3 * norm, 0)])
        # each rank sends half of it twice at 100 Gb/s, 92.4 % of which is payload beside headers
        # and ACKs
        took = float(rows[1]["end_ns"]) - float(rows[1]["start_ns"])
        self.assertGreater(took, 18432000 * 0.08)
        self.assertLess(took, 18432000 * 0.08 * 1.25)
        # a byte: 3 x (1 us + 6.64 ns); the next one is behind the ACK of 118 bytes on all three
        # links
        self.assertEqual(ends, [1e3 * norm + 3019.92 + 3034.96] * 2)

    def test_all_collectives_run(self):
        kinds = ("ALL_REDUCE", "REDUCE", "ALL_GATHER", "BROADCAST", "ALL_TO_ALL", "REDUCE_SCATTER",
                 "GATHER", "SCATTER", "BARRIER")
        nodes = [collective(index, kind, 4000) for index, kind in enumerate(kinds)]
        write(self.dir / "trace", [nodes] * 4)
        _, rows = self.run_job("--topology=dumbbell:switches=2,senders=2", "--cc=none")
        # 2 x 3 x S; 3 S; 3 x 4 S; 3 S; 4 x 3 S/4; 3 S; three parts of S; three quarters of S; 4 x 2
        # bytes
        self.assertEqual({row["operation"]: int(row["sent_bytes"]) for row in rows},
                         {"allreduce": 24000, "reduce": 12000, "allgather": 48000,
                          "broadcast": 12000, "alltoall": 12000, "reducescatter": 12000,
                          "gather": 12000, "scatter": 3000, "barrier": 8})


if __name__ == "__main__":
    unittest.main()
