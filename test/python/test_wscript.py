# SPDX-License-Identifier: GPL-2.0-only
"""wscript-compat/wscript: what it would have waf build, told by a stand-in for waf's build
context."""
import re
import tempfile
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Node:
    """A file or folder of the build, or of the module."""

    def __init__(self, path):
        self.path = path

    @property
    def parent(self):
        return Node(self.path.parent)

    def get_bld(self):
        return Node(self.path / "build")

    def make_node(self, name):
        return Node(self.path / name)

    def find_node(self, name):
        return Node(ROOT / name)

    def abspath(self):
        return str(self.path)

    def exists(self):
        return self.path.exists()

    def read(self):
        return self.path.read_text()

    def mkdir(self):
        self.path.mkdir(parents=True, exist_ok=True)

    def write(self, text):
        self.path.write_text(text)


class Environment(dict):
    """Variables that are lists."""

    def append_value(self, name, value):
        self.setdefault(name, []).append(value)


class Build:
    """Records what is asked for."""

    def __init__(self, examples, folder):
        self.env = {"ENABLE_EXAMPLES": examples}
        self.path = Node(folder)
        self.asked = []
        self.srcnode = types.SimpleNamespace(
            find_node=lambda name: types.SimpleNamespace(read=lambda: "3.35\n"))

    def record(self, kind, name, modules=()):
        made = types.SimpleNamespace(kind=kind, name=name, modules=list(modules), env=Environment())
        self.asked.append(made)
        return made

    def create_ns3_module(self, name, modules=()):
        return self.record("module", name, modules)

    def create_ns3_module_test_library(self, name):
        return self.record("tests", name)

    def create_ns3_program(self, name, modules=("core",)):
        return self.record("program", name, modules)

    def __call__(self, features):
        return self.record(features, None)


def found(pattern, *rooms):
    return sorted(p.relative_to(ROOT).as_posix() for room in rooms
                  for p in (ROOT / room).rglob(pattern))


class WscriptTest(unittest.TestCase):
    def build(self, examples):
        script = {}
        exec((ROOT / "wscript-compat" / "wscript").read_text(), script)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        build = Build(examples, Path(folder.name))
        script["build"](build)
        return build.asked

    def included(self, target):
        """The sources that the files of a target include, which are few."""
        texts = [node.read() for node in target.source]
        self.assertEqual(len(target.env["INCLUDES"]), 1)
        names = [name for text in texts for name in re.findall(r'^#include "(.*)"$', text, re.M)]
        self.assertLess(5 * len(texts), len(names))
        return names

    def test_library_and_tests(self):
        module, headers, tests = self.build(examples=False)
        self.assertEqual((module.kind, module.name), ("module", "dcfabric"))
        self.assertEqual(sorted(self.included(module)), found("*.cc", "model", "helper"))
        self.assertTrue({"core", "network", "traffic-control"} <= set(module.modules))
        self.assertIn('DCFABRIC_NS3_VERSION="3.35"', module.env["DEFINES"])
        self.assertEqual((headers.kind, headers.module), ("ns3header", "dcfabric"))
        self.assertEqual(sorted(headers.source), found("*.h", "model", "helper"))
        self.assertEqual((tests.kind, tests.name), ("tests", "dcfabric"))
        self.assertEqual(sorted(self.included(tests)), found("*.cc", "test"))

    def test_programs(self):
        programs = self.build(examples=True)[3:]
        sources = sorted(source for program in programs for source in program.source)
        self.assertEqual(sources, found("*.cc", "examples"))
        for program in programs:
            self.assertEqual(program.kind, "program")
            self.assertEqual(program.modules[0], "dcfabric")
            mains = [s for s in program.source if "\nmain(" in (ROOT / s).read_text()]
            self.assertEqual(len(mains), 1, program.name)
            stock = "stock-stack" in program.source[0]
            self.assertEqual("internet" in program.modules[1:], stock, program.name)


if __name__ == "__main__":
    unittest.main()
