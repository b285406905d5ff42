# SPDX-License-Identifier: GPL-2.0-only
"""The fragments of C++ that the documentation shows compile, as they stand, against the headers
that the program was built with."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from doc_blocks import chapters
from sim_case import SIM

# Headers that a stand-alone build against few modules of ns-3 may lack, and what only fragments
# with them use.
STACK = ("BulkSendHelper", "TrafficControlHelper")
HEADERS = """
#include "ns3/channel-dependencies.h"
#include "ns3/deadlock-detector.h"
#include "ns3/dragonfly-topology.h"
#include "ns3/entropy-file.h"
#include "ns3/fabric-error.h"
#include "ns3/fabric-faults.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-scenario.h"
#include "ns3/fabric-topology.h"
#include "ns3/flow-recorder.h"
#include "ns3/global-value.h"
#include "ns3/graph-measures.h"
#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/pdc-policy-helper.h"
#include "ns3/rank-job.h"
#include "ns3/rank-program.h"
#include "ns3/rank-runner.h"
#include "ns3/simulator.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;
"""
# What fragments use and do not declare; those that declare it hide this.
CONTEXT = """FabricHelper& helper, const FabricGraph& graph, Ptr<Fabric> fabric,
    const NodeContainer& hosts, const NodeContainer& receivers, uint8_t* buffer"""


def includes():
    """Folders with the headers of ns-3 and of the module in the build that SIM is of; empty if
    there are none."""
    for folder in Path(SIM).resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.is_file() and (folder / "include" / "ns3").is_dir():  # stand-alone
            found = re.search(r"^ns3_DIR:\w+=(.*)$", cache.read_text(), re.MULTILINE)
            return [folder / "include", Path(found[1]).parents[2] / "include"] if found else []
        if (folder / "build" / "include" / "ns3").is_dir():  # in a tree of ns-3
            return [folder / "build" / "include"]
    return []


def compiler():
    return shutil.which(os.environ.get("CXX", "c++"))


@unittest.skipUnless(SIM and compiler() and includes(),
                     "no compiler, or no headers beside the program in DCFABRIC_SIM")
class Fragments(unittest.TestCase):
    def test_they_compile(self):
        """Each in a function of its own, all in one file; errors are told by chapter and line."""
        source, count = HEADERS, 0
        for name, blocks in chapters().items():
            for block in blocks:
                if block.language != "cpp" or "skip" in block.marks or "main(" in block.text or any(
                        word in block.text for word in STACK):
                    continue
                count += 1
                source += (f"void fragment{count}({CONTEXT})\n{{\n{{\n#line {block.line + 2} "
                           f"\"{name}\"\n{block.text}}}\n}}\n")
        self.assertGreater(count, 10)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fragments.cc"
            path.write_text(source)
            command = [compiler(), "-std=c++20", "-fsyntax-only", "-w",
                       *(f"-I{path}" for path in includes()), str(path)]
            run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(run.returncode, 0, run.stderr[-6000:])


if __name__ == "__main__":
    unittest.main()
