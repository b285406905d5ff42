# SPDX-License-Identifier: GPL-2.0-only
"""What the README and the chapters for newcomers show is what the tree contains."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def chapter(name):
    return (ROOT / "doc" / f"{name}.rst").read_text(encoding="utf-8")


class Readme(unittest.TestCase):
    def test_first_simulation_is_the_example(self):
        """The program in the chapter is examples/dcfabric-first.cc, which the tests compile and run."""
        source = (ROOT / "examples" / "dcfabric-first.cc").read_text(encoding="utf-8")
        code = source.split("\n", 1)[1]  # without the licence line
        lines = "".join(f"   {line}".rstrip() + "\n" for line in code.splitlines())
        self.assertIn("::\n\n" + lines + "\n", chapter("first-simulation"))

    def test_length(self):
        """The README is read in one go: at most 100 lines; all else is in doc/."""
        self.assertLessEqual(len(README.splitlines()), 100)

    def test_links_lead_to_files(self):
        """Every relative link of the README has a target."""
        text = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
        self.assertTrue(links)
        for link in links:
            with self.subTest(link=link):
                self.assertTrue((ROOT / link).exists())

    def test_options_are_those_of_the_program(self):
        """The table of doc/options.rst names every option of dcfabric-sim, with its default, and no other."""
        text = (ROOT / "examples" / "dcfabric-sim" / "sim-manual.cc").read_text(encoding="utf-8")
        table = text.split("OPTIONS[] = {", 1)[1].split("};", 1)[0]
        defaults = dict(re.findall(r'\{"([a-z-]+)",\s*"([^"]*)"', table))
        rows = re.findall(r"^   \* - ``--([a-z-]+)``\n     - (.*)$", chapter("options"), re.MULTILINE)
        self.assertEqual(sorted(defaults), sorted(name for name, _ in rows))
        for name, default in rows:
            with self.subTest(option=name):
                self.assertEqual(f"``{defaults[name]}``" if defaults[name] else "none", default)


if __name__ == "__main__":
    unittest.main()
