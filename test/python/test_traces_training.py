# SPDX-License-Identifier: GPL-2.0-only
"""A step of training as a program of ranks: dcfabric.traces.training."""
import csv
import re
import unittest

from package_case import PackageCase
from sim_case import SimCase

from dcfabric import DcfabricError
from dcfabric.traces import Training, training_step
from dcfabric.traces.__main__ import main

SMALL = Training(tensor=2, pipeline=2, data=2, layers=4, hidden=1024, sequence=512, microbatches=3)


class TrainingTest(PackageCase):
    def test_numbers(self):
        """2 x 512 x 1024 bytes of activations, half of them from each of two ranks; 12 x 1024^2
        parameters of two bytes in each of two layers, among two ranks; 24 x 512 x 1024^2 + 4 x
        512^2 x 1024 operations of a layer, a half of a half of which take 34,897 ns at 10^14 in a
        second."""
        self.assertEqual((SMALL.ranks, SMALL.activation_bytes, SMALL.sent_bytes,
                          SMALL.gradient_bytes, SMALL.half_layer_ns),
                         (8, 1048576, 524288, 25165824, 34897))

    def test_program(self):
        """Stage 0 goes forward once before it alternates, and backward once at the end; the last
        stage only alternates."""
        text = training_step(SMALL, 2)
        self.assertTrue(
            text.startswith("ranks 8 per-host 2\ngroups tensor by rank/2\ngroups data by "
                            "rank/4*2+rank%2\nprogram 0-3 {\n"))
        first, last = text.split("program 4-7 {\n")
        half = "repeat 4 {\ncompute %dns\nallreduce 1048576 tensor\n}\n"
        forward = half % 34897 + "isend rank+4 524288 tag=1\n"
        backward = "recv rank+4 tag=2\n" + half % 69794
        self.assertEqual(first.split("mark step {\n")[1],
                         f"repeat 1 {{\n{forward}}}\nrepeat 2 {{\n{forward}{backward}}}\n"
                                                          f"repeat 1 {{\n{backward}}}\nallreduce "
                                                          f"25165824 data\nwait\n}}\n}}\n")
        self.assertEqual(last,
                         "mark step {\nrepeat 3 {\nrecv rank-4 tag=1\n" + half % 34897
                         + half % 69794 +
                         "isend rank-4 524288 tag=2\n}\nallreduce 25165824 data\nwait\n}\n}\n")
        alone = training_step(Training(1, 1, 1, 2, 8, 8, 1))
        self.assertEqual(re.findall("send|recv|allreduce", alone), [])

    def test_command(self):
        self.assertEqual(
            main(["training", "--tensor=2", "--pipeline=2", "--data=2", "--layers=4",
                  "--microbatches=3", "--per-host=2", "--out=job.txt"]), 0)
        self.assertEqual((self.dir / "job.txt").read_text(), training_step(SMALL, 2))
        self.assertEqual(main(["training", "--pipeline=3", "--out=job.txt"]), 2)
        self.assertEqual(main(["training", "--hidden=0", "--out=job.txt"]), 2)

    def test_refusals(self):
        for change, words in (({"layers": 3}, "3 layers cannot be divided into 2 stages"),
                              ({"tensor": 0}, "tensor is 0"),
                              ({"tflops": -1.0}, "tflops is -1.0; it must be above 0"),
                              ({"tflops": float("inf")}, "tflops is too large"),
                              ({"tflops": float("nan")}, "tflops is nan"),
                              ({"tflops": 1e-300}, "take longer with 1e-300 TFLOPS"),
                              ({"hidden": 10 ** 400}, "hidden is too large; at most 1e\\+09"),
                              ({"hidden": 10 ** 9, "layers": 10 ** 9}, "bytes of gradients"),
                              ({"data": 10 ** 8}, "400000000 ranks; a program has at most 1")):
            with self.assertRaisesRegex(DcfabricError, words):
                Training(**{**SMALL.__dict__, **change})


class TrainingRunTest(SimCase):
    def test_pipeline(self):
        """Two stages of one rank and one layer, two microbatches.

        A half layer of 32 x 32 (24 x 32 x 32^2 + 4 x 32^2 x 32 = 917,504 operations, at 10^9 in a
        second) takes 458,752 ns forward, and twice as much backward. In half layers: stage 0
        forwards the first (2); stage 1 does it forward and backward (6) and then the second (6),
        which stage 0 has forwarded meanwhile; stage 0 does that backward (4). 18 in all, and two
        messages of 2048 bytes over three links."""
        training = Training(1, 2, 1, 2, 32, 32, 2, 0.001)
        self.assertEqual(training.half_layer_ns, 458752)
        (self.dir / "job.txt").write_text(training_step(training))
        self.run_ok("--topology=dumbbell:switches=2,senders=1", "--cc=none",
                    "--workload=program:job.txt")
        with (self.out / "marks.csv").open(newline="") as file:
            ends = {int(row["rank"]): float(row["end_ns"]) for row in csv.DictReader(file)}
        # 1082, 1082 and 130 bytes (48 of payload) at 80 ps a byte; the last packet follows the
        # others: 2294 bytes on the first link, and 130 on two more, unless it waits there for the
        # larger one before it, which it does: 1082 on each
        message = 3 * 1000 + 0.08 * (1082 * 3 + 1082 + 130)
        self.assertAlmostEqual(ends[0], 18 * 458752 + 2 * message, delta=12)


if __name__ == "__main__":
    unittest.main()
