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
        """The program in the chapter is examples/dcfabric-first.cc, which the tests compile and
        run."""
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

    def test_gallery_has_all_figures(self):
        """Every figure that a chapter shows is in the gallery, below the command that draws it, and
        there are no others in doc/figures."""
        figures = {
            name:
            set(re.findall(r"^\.\. figure:: (?:\.\./)?figures/(\S+)$", chapter(name), re.MULTILINE))
            for name in
                   (path.stem for path in (ROOT / "doc").glob("*.rst"))}
        self.assertEqual(set.union(*figures.values()) - figures["gallery"], set())
        self.assertEqual({path.name for path in (ROOT / "doc" / "figures").glob("*.png")}
                         - figures["gallery"], set())

    def test_links_to_other_sites_are_well_formed(self):
        """They cannot be tried without a network: host and path have a proper form, and nothing
        clings to them."""
        chapters = [README,
                    *(path.read_text(encoding="utf-8") for path in (ROOT / "doc").rglob("*.rst"))]
        links = [link for text in chapters for link in re.findall(r"\bhttps?:[^\s`>)\"]*", text)]
        self.assertGreater(len(links), 2)
        for link in links:
            with self.subTest(link=link):
                self.assertRegex(link.rstrip(".,;"),
                                 r"^https://[a-z0-9-]+(\.[a-z0-9-]+)+(/[\w.~%+#?=&/-]*)?$")

    def test_messages_are_those_of_the_programs(self):
        """What doc/troubleshooting.rst quotes from our own programs stands in their sources, word
        for word."""
        sources = "".join(path.read_text(encoding="utf-8")
                          for folder in ("model", "helper", "examples", "python") for path in
                          (ROOT / folder).rglob("*") if path.suffix in (".cc", ".h", ".py"))
        sources += (ROOT / ".ci" / "setup-ns3.sh").read_text(encoding="utf-8")
        # a message goes on over lines
        joined = re.sub(r'"\s*\n\s*f?"', "", sources).replace("{NAME}", "dcfabric-sim")
        messages = re.findall(r"^   \* - (?:Python: )?``(.*)``$", chapter("troubleshooting"),
                              re.MULTILINE)
        ours = [text for text in messages
                if not re.search(r"fatal error|No module|--ns3 DIR|go-back-n", text)]
        self.assertGreater(len(ours), 12)
        for text in ours:
            pieces = [piece.strip(" ';:()`,") for piece in re.split(r"\.\.\.|: ", text)]
            for piece in [piece for piece in pieces if len(piece) > 3]:
                with self.subTest(message=text):
                    self.assertTrue(piece in joined, piece)


if __name__ == "__main__":
    unittest.main()
