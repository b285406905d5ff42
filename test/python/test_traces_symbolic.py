# SPDX-License-Identifier: GPL-2.0-only
"""Chakra traces in the forms that the public generator of symbolic tensor graphs and Chakra's own
tools write: dcfabric.traces."""
import contextlib
import csv
import io
import json
import time
import unittest

from package_case import PackageCase
from sim_case import SimCase
from test_traces_chakra import needs_protobuf

import symbolic_traces as symbolic
from dcfabric import DcfabricError
from dcfabric.traces import read_chakra
from dcfabric.traces.__main__ import main

ROOFLINE = "100TFLOPS,1TB/s"
"""A product of matrices takes 20 us, a sum 4 us."""


@needs_protobuf
class FormsTest(PackageCase):
    def text(self, prefix):
        return read_chakra(prefix, f"{prefix}.json", compute=ROOFLINE).to_text()

    def test_all_forms_are_one_program(self):
        """Eight ranks: two tensor-parallel ones, two copies, two stages."""
        ranks, groups = symbolic.step(2, 2, 2)
        texts = []
        for number, form in enumerate(symbolic.FORMS):
            symbolic.write(f"t{number}", form, ranks, groups)
            texts.append(self.text(f"t{number}"))
        for form, text in zip(symbolic.FORMS, texts):
            with self.subTest(form.__name__):
                self.assertEqual(text, texts[0])
        self.assertIn("ranks 8 per-host 1\ngroup pg_1 0-1\n", texts[0])
        self.assertIn("icompute 20000000ps as=n0 on=gpu\niallreduce 1000000 pg_1 as=n1 after=n0\n"
                      "icompute 4000000ps as=n2 after=n1 on=gpu\n", texts[0])

    def test_64_ranks(self):
        """Of eight tensor-parallel ranks, four copies and two stages; a second is ample."""
        ranks, groups = symbolic.step(8, 4, 2)
        symbolic.write("t", symbolic.to_present, ranks, groups)
        begin = time.process_time()
        job = read_chakra("t", "t.json", compute=ROOFLINE)
        self.assertLess(time.process_time() - begin, 5)
        self.assertEqual((len(job.ranks), job.notes), (64, []))
        # three times two nodes, a message each way out and in, and the gradients
        self.assertEqual({len(operations) for operations in job.ranks}, {9})

    def test_operations_are_refused_without_roofline(self):
        ranks, groups = symbolic.step(1, 2, 1)
        for form in symbolic.FORMS:
            symbolic.write("t", form, ranks, groups)
            error = io.StringIO()
            with contextlib.redirect_stderr(error):
                self.assertEqual(main(["chakra", "t", "--groups=t.json", "--out=job.txt"]), 2)
            self.assertRegex(error.getvalue(), r"t\.0\.\w+: node 1 \(fwd0_COMP\): has no duration "
                             r"\(duration_micros\), only 2000000000 operations \(num_ops\); say "
                             "with --compute")
            self.assertFalse((self.dir / "job.txt").exists())
            for path in self.dir.iterdir():
                path.unlink()

    def test_first_schema(self):
        """Times are nanoseconds; without a communicator all ranks take part; fields of a later
        schema behind no metadata are refused."""
        from dcfabric.traces.chakra_schema import messages
        first = messages()["FirstNode"]
        nodes = [first(id=0, name="a", node_type=3, simulated_run_time=1500),
                 first(id=1, name="b", node_type=6, parent=[0], comm_type=3, comm_size=100,
                       involved_dim=[True]),
                 first(id=2, name="c", node_type=1, tensor_size=1000)]
        for rank in range(2):
            (self.dir / f"t.{rank}.eg").write_bytes(symbolic._delimited(nodes))
        self.assertIn("program 0-1 {\nicompute 1500ns as=n0 on=gpu\niallgather 200 all after=n0\n"
                      "icompute 1001000ps on=mem\n",
                      read_chakra("t", memory="1us,1TB/s").to_text())
        later = symbolic.step(1, 1, 1)[0][0]
        (self.dir / "t.0.eg").write_bytes(symbolic._delimited(map(symbolic._node, later)))
        with self.assertRaisesRegex(DcfabricError, "t.0.eg: node 1 has fields that schema 0.0.1 "
                                    "does not know"):
            read_chakra("t")
        for kind, words in ((first(id=1, name="x", node_type=9), "node type 9 is not covered"),
                            (first(id=1, name="x", node_type=6, comm_type=8),
                             "the collective communication type 8 is not covered")):
            (self.dir / "t.0.eg").write_bytes(symbolic._delimited([kind]))
            with self.assertRaisesRegex(DcfabricError, words):
                read_chakra("t")


class JsonTest(PackageCase):
    """JSON needs no protobuf."""

    def refuse(self, content, words):
        (self.dir / "t.0.json").write_bytes(content)
        begin = time.process_time()
        with self.subTest(content[:60]), self.assertRaisesRegex(DcfabricError, words):
            read_chakra("t")
        self.assertLess(time.process_time() - begin, 2)

    def test_groups_in_metadata(self):
        """Protobuf's JSON has them in a node's inputs; what is 0 or empty is left out."""
        metadata = {"type": "METADATA_NODE", "inputs": {"values": json.dumps(
            [{"pg_name": "3", "ranks": [0]}])}}
        nodes = [{"version": "0.0.4"}, metadata,
                 {"id": "1", "name": "sum", "type": "COMM_COLL_NODE", "ctrlDeps": ["0"],
                  "attr": [{"name": "comm_type", "int64Val": "0"}, {"name": "pg_name",
                                                                   "stringVal": "3"},
                           {"name": "comm_size", "uint64Val": "8"},
                           {"name": "involved_dim", "boolList": {"values": [True]}}]},
                 {"id": "2", "type": "COMP_NODE", "durationMicros": "5", "dataDeps": ["1"]}]
        for rank in range(2):
            (self.dir / f"t.{rank}.json").write_text(
                "\n".join(json.dumps(one, indent=1) for one in (nodes if rank == 0 else nodes[:1])))
        self.assertIn("group pg_3 0\nprogram 0 {\nicompute 0 as=n0\n"
                      "iallreduce 8 pg_3 as=n1 after=n0\nicompute 5us after=n1 on=gpu\n",
                      read_chakra("t").to_text())

    def test_hostile(self):
        """What is cut off, nested, cyclic or no trace ends at once."""
        whole = symbolic.to_json(symbolic.step(1, 1, 1)[0][0])[1]
        self.refuse(whole[:-20], "t.0.json: is not JSON, or cut off")
        self.refuse(b"[" * 200000, "is not JSON, or cut off")
        self.refuse(b'{"nodes": 5}', "expected 'nodes' or a 'workload_graph'")
        self.refuse(b"[1]", "expected 'nodes'")
        self.refuse(b" ", "t.0.json: is empty")
        self.refuse(b"\xff\xfe", "is not JSON, or cut off")
        self.refuse(b'{"nodes": [{"id": ' + b"9" * 6000 + b"}]}", "is not JSON, or cut off")
        for node, words in (({"id": -1}, "its number is -1"),
                            ({"id": 1.5}, "its number is 1.5"),
                            ({"id": True}, "its number is True"),
                            ({"id": 1, "node_type": {}}, "its type is {}"),
                            ({"id": 1, "data_deps": 4}, "data_deps is no list"),
                            ({"id": 1, "data_deps": ["x"]}, "data_deps is 'x'"),
                            ({"id": 1, "attr": [{}]}, "an attribute has no name"),
                            ({"id": 1, "attr": 7}, "an attribute has no name"),
                            ({"id": 1, "node_type": "comp_node", "num_ops": "many"},
                             "attribute 'num_ops' is 'many'"),
                            ({"id": 1, "node_type": "coll_comm_node", "comm_type": [1]},
                             r"attribute 'comm_type' is \[1\]"),
                            ({"id": 1, "node_type": "coll_comm_node", "comm_type": "ALL_REDUCE",
                              "involved_dim": 5}, "attribute 'involved_dim' picks dimensions"),
                            ({"id": 1, "node_type": "comp_node", "data_deps": [1]},
                             "wait for one another in a circle")):
            self.refuse(json.dumps({"nodes": [node]}).encode(), words)
        ring = [{"id": number, "node_type": "comp_node", "data_deps": [(number + 1) % 50000]}
                for number in range(50000)]
        (self.dir / "t.0.json").write_text(json.dumps({"nodes": ring}))
        with contextlib.redirect_stderr(io.StringIO()) as error:
            self.assertEqual(main(["chakra", "t", "--out=job.txt"]), 2)
        self.assertIn("rank 0: these operations wait for one another in a circle",
                      error.getvalue())


class SymbolicRunTest(SimCase):
    def ends(self, tensor, data, stages, per_host, *options):
        ranks, groups = symbolic.step(tensor, data, stages)
        prefix = self.dir / "t"
        symbolic.write(prefix, symbolic.to_json, ranks, groups)
        # the file of groups has the name that a trace of no rank would have
        read_chakra(prefix, f"{prefix}.json", compute=ROOFLINE).write(self.dir / "job.txt",
                                                                      per_host)
        self.run_ok("--workload=program:job.txt", "--cc=none", *options)
        with (self.out / "marks.csv").open(newline="") as file:
            ends = {int(row["rank"]): float(row["end_ns"]) for row in csv.DictReader(file)}
        return [ends[rank] for rank in range(len(ranks))]

    def test_computations(self):
        """All eight ranks on one host, where communication takes no time: forward and back through
        two stages of 20 us + 4 us; the second stage is done before the first one."""
        ends = self.ends(2, 2, 2, 8, "--topology=dumbbell:switches=2,senders=1")
        self.assertEqual(ends, [4 * 24e3] * 4 + [3 * 24e3] * 4)

    def test_ranks(self):
        """16 ranks on eight hosts of one switch, two of them, which are tensor-parallel, on each.
        To the four times 24 us of the stages come a message forward and one back, of 10^6 bytes
        from each rank: at 100 Gb/s 160 us for both ranks of a host; and the gradients of 3 x 10^6
        bytes among four copies, 2 x 3/4 of it from each rank, 720 us for both. At most the message
        back shares its link with the gradients of the second stage, which takes as long again, and
        to 1000 bytes of payload come 82 of headers and gap and an ACK of 118 for the packet that
        the host has received meanwhile."""
        ends = self.ends(2, 4, 2, 2, "--topology=leaf-spine:leaves=1,spines=1,hosts=8")
        least = 96e3 + 2 * 160e3 + 720e3
        self.assertGreater(max(ends), least)
        self.assertLess(max(ends), 1.2 * (least + 160e3))

    def test_64_ranks(self):
        """Of eight tensor-parallel ranks on each of eight hosts: four copies, two stages."""
        ends = self.ends(8, 4, 2, 8, "--topology=leaf-spine:leaves=2,spines=4,hosts=4",
                         "--payload=4096")
        self.assertEqual(len(ends), 64)
        self.assertGreater(max(ends), 96e3 + 2 * 640e3 + 2880e3)


if __name__ == "__main__":
    unittest.main()
