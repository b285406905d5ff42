# SPDX-License-Identifier: GPL-2.0-only
"""What the Python package reads from the program while it runs: progress, and refusals in words of
Python."""
import tempfile
import unittest

from package_case import DUMBBELL, SIM, PackageCase, needs_sim

from dcfabric import BadScenario
from dcfabric.program import fraction, in_python, last_event, refusal


class LastEventTest(unittest.TestCase):
    def last(self, text):
        with tempfile.TemporaryFile() as file:
            file.write(text)
            file.flush()
            return last_event(file)

    def test_lines(self):
        """A line that is being written does not count yet."""
        line = b'{"event": "progress", "fraction": 0.25}\n'
        for text, event in ((b"", {}), (b'{"ev', {}),
                            (line, {"event": "progress", "fraction": 0.25}),
                            (line + b'{"event": "end"}\n', {"event": "end"}),
                            (line + b'{"event": "e', {"event": "progress", "fraction": 0.25}),
                            (line * 5000, {"event": "progress", "fraction": 0.25}),
                            (b'{"text": "' + b"x" * 200_000 + b'"}\n', {})):
            with self.subTest(text[-50:]):
                self.assertEqual(self.last(text), event)

    def test_fractions(self):
        for event, done in (({}, 0.0), ({"event": "progress", "fraction": 0.4}, 0.4),
                            ({"event": "end"}, 1.0),
                            ({"event": "progress", "fraction": None}, 0.0),
                            ({"event": "error"}, 0.0)):
            self.assertEqual(fraction(event), done)


class WordsTest(unittest.TestCase):
    def test_names(self):
        for name, said in (("--flow-control=pfc", "flow_control='pfc'"), ("--cc", "cc"),
                           ("--cores=0", "cores='0'"),
                           ("another --lb", "another lb"),
                           ("--cc=hpcc or --cc=fncc", "cc='hpcc' or cc='fncc'"),
                           ("--lb=path-set:paths=8", "lb='path-set:paths=8'"),
                           ("--ns3::FabricNic::AckEvery=2",
                            "attributes={'ns3::FabricNic::AckEvery': '2'}"),
                           ("--ns3::FabricNic::AckEvery",
                            "attributes={'ns3::FabricNic::AckEvery'}"),
                           ("--partition=pods", "options={'partition': 'pods'}"),
                           ("ns3::FabricNic", "ns3::FabricNic")):
            with self.subTest(name):
                self.assertEqual(in_python(name), said)

    def test_only_names_are_spelled(self):
        """What a user has written stays as it is."""
        self.assertEqual(refusal({"parts": ["unknown ", {"text": "--cc"}, " '--cc=x'; known: a"]}),
                         "unknown cc '--cc=x'; known: a")
        self.assertEqual(refusal({"event": "end"}), "")


@needs_sim
class RefusalTest(PackageCase):
    def test_arguments(self):
        """The message names arguments; what the program printed names options. Single values are
        refused before it runs."""
        for fields, words in (
                ({"cc": "hpc"}, "unknown cc 'hpc'; known: hpcc, fncc"),
                ({"stop": "5"}, "stop: '5' has no unit")):
            with self.subTest(fields), self.assertRaisesRegex(BadScenario, words):
                DUMBBELL.replace(**fields)
        for fields, words in (
                ({"throttle": "pft"}, "throttle='pft' reads .*, but flow_control='pfc' has none; "
                                      "use flow_control='credit' or no throttle"),
                ({"load": 0.5}, "load '0.5' has no effect on workload 'pairs'")):
            with self.subTest(fields), self.assertRaisesRegex(BadScenario, words) as caught:
                DUMBBELL.replace(**fields).run(program=SIM)
            self.assertRegex(caught.exception.stderr, "^dcfabric-sim: .*--")
            self.assertFalse([word for word in caught.exception.command if "progress" in word])
        with self.assertRaisesRegex(BadScenario, "^unknown lb 'x'|^unknown topology 'x'"):
            DUMBBELL.replace(topology="x").plan(program=SIM)


if __name__ == "__main__":
    unittest.main()
