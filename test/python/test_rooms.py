# SPDX-License-Identifier: GPL-2.0-only
"""Rooms of the module include only rooms of floors below, and nobody but itself a wing, as
.ci/check-rooms finds."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from shutil import copy

CHECK = Path(__file__).resolve().parent.parent.parent / ".ci" / "check-rooms"


class RoomsTest(unittest.TestCase):
    def check(self, files):
        """The check's run over a tree of the given files."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / ".ci").mkdir()
            for name in ("check-rooms", "wings.py"):
                copy(CHECK.parent / name, root / ".ci")
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return subprocess.run([sys.executable, root / ".ci" / CHECK.name], capture_output=True,
                                  text=True)

    def test_this_tree(self):
        run = subprocess.run([sys.executable, CHECK], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("model/packet: -\n", run.stdout)  # the ground floor

    def test_down(self):
        """Two includes of packet/ by link/, in both spellings, and one of its own room."""
        run = self.check({"model/packet/item.h": "", "model/link/port.h": '#include "ns3/item.h"\n',
                          "model/link/port.cc": '#include "port.h"\n#include "item.h"\n'})
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("model/link: model/packet 2\n", run.stdout)

    def test_up(self):
        run = self.check({"model/switch/switch.h": "",
                          "model/link/port.cc": '\n#include "ns3/switch.h"\n'})
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr,
                         "model/link/port.cc:2: model/link includes switch.h of model/switch, "
                                     "which is not below it\n")

    def test_neighbours(self):
        """The switch and the transport share a floor: neither may know the other."""
        run = self.check({"model/switch/switch.h": "",
                          "model/transport/nic.h": '#include "ns3/switch.h"\n'})
        self.assertEqual(run.returncode, 1)
        self.assertIn("model/transport/nic.h:1:", run.stderr)

    def test_unknown_room(self):
        run = self.check({"model/attic/box.h": ""})
        self.assertEqual(run.returncode, 1)
        self.assertIn("model/attic: a room without a floor", run.stderr)

    def test_wings(self):
        """RCM may be left out: neither the core nor a test of it may include it, but PFT, which
        says that it needs it, may."""
        tree = {"wings.cmake": '# dcfabric_wing(OLD "gone" ROOMS model/link)\n'
                               'dcfabric_wing(RCM "regional" ROOMS model/rcm test/rcm)\n'
                               'dcfabric_wing(\n  PFT "throttle" ROOMS model/pft examples/pft\n'
                               '  NEEDS RCM WORDS --throttle\n)\n',
                "model/rcm/region.h": "", "test/rcm/region-test.h": "",
                "test/rcm/region-test.cc": '#include "ns3/region.h"\n',
                "model/pft/turn.h": '#include "turn-of-one.h"\n',
                "examples/pft.cc": '#include "ns3/region.h"\n#include "ns3/turn.h"\n'}
        run = self.check(tree)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = self.check({**tree, "test/all-test.cc": '#include "rcm/region-test.h"\n',
                          "helper/scenario/all.cc": '\n#include "ns3/turn.h"\n',
                          "examples/all.cc": '#include "ns3/region.h"\n',
                          "model/rcm/region.cc": '#include "ns3/turn.h"\n'})
        self.assertEqual(run.returncode, 1)
        for line in ("test/all-test.cc:1: includes region-test.h of the wing RCM",
                     "helper/scenario/all.cc:2: includes turn.h of the wing PFT",
                     "examples/all.cc:1: includes region.h of the wing RCM",
                     "model/rcm/region.cc:1: includes turn.h of the wing PFT"):
            self.assertIn(line, run.stderr)


if __name__ == "__main__":
    unittest.main()
