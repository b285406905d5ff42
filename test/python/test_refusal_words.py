# SPDX-License-Identifier: GPL-2.0-only
"""What dcfabric-sim says when it refuses: both sides and the remedies, in options
(refusals.txt)."""
import unittest
from pathlib import Path

from sim_case import SimCase

SMALL = ("--topology=fat-tree:k=4", "--workload=permutation:size=10kB")
WORDS = Path(__file__).parent / "refusals.txt"


def listed():
    """Pairs of options and messages."""
    paragraphs = WORDS.read_text(encoding="utf-8").split("\n\n")[1:]
    for paragraph in paragraphs:
        command, *said = paragraph.strip().splitlines()
        yield command.removeprefix("$ "), said


class RefusalWordsTest(SimCase):
    def test_words(self):
        known = dict(listed())
        self.assertGreater(len(known), 50)
        for options, said in known.items():
            with self.subTest(options=options):
                run = self.sim(*SMALL, *options.split())
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertEqual(
                    [line.removeprefix("dcfabric-sim: ") for line in run.stderr.splitlines()], said)


if __name__ == "__main__":
    unittest.main()
