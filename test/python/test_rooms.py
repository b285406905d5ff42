# SPDX-License-Identifier: GPL-2.0-only
"""Rooms of the module include only rooms of floors below, as .ci/check-rooms finds."""
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
            copy(CHECK, root / ".ci")
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


if __name__ == "__main__":
    unittest.main()
