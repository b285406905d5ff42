# SPDX-License-Identifier: GPL-2.0-only
"""Every code block of README.md and doc/ runs as it stands, and shows what the program prints.

The blocks of a chapter run one after the other in a temporary folder, in which dcfabric-sim and
dcfabric-plot are commands and PYTHONPATH is set as the documentation says; the folders of the
repository are there by links. What differs from that is said in the source of the chapter
(doc_blocks.py). DCFABRIC_BLOCKS=all runs the long ones, too."""
import importlib.util
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from doc_blocks import KINDS, LANGUAGES, PROSE, ROOT, chapters, commands, pattern, strange_numbers
from extensive import longer
from sim_case import SIM

ALL = os.environ.get("DCFABRIC_BLOCKS") == "all"
# chapters whose blocks take many seconds
LONG = ("results", "schemes", "uet", "programs", "clusters", "gallery", "ccm", "howto/compare",
        "howto/slow-flow", "howto/topology-zoo", "howto/failure")
PROGRAMS = re.compile(r"^ *(dcfabric|dcfabric-sim|dcfabric-plot|python3|\./|examples/"
                      r"|git|cmake|pip|mpiexec) ?(?!.*: (note|error|violation))",
                      re.MULTILINE)
COUNTS = {"run": 0, "shown": 0, "skipped": 0, "compared": 0}
END = "@end of a command@"


def executable(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class Folder:
    """Where the blocks of a chapter run."""

    def __init__(self, path):
        self.path = path
        self.work = path / "work"
        tools = path / "bin"
        tools.mkdir()
        self.work.mkdir()
        executable(tools / "dcfabric-sim", f'#!/bin/sh\nexec "{SIM}" "$@"\n')
        executable(tools / "dcfabric-plot",
                   f'#!/bin/sh\nexec "{sys.executable}" "{ROOT}/examples/dcfabric-plot" "$@"\n')
        executable(tools / "dcfabric",
                   f'#!/bin/sh\nexec "{sys.executable}" -m dcfabric "$@"\n')
        executable(tools / "python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        self.printed = None  # by the last Python block, if it was run
        # In a tree of ns-3, `./ns3 run "PROGRAM ARGUMENTS"` runs the program in the current folder.
        executable(self.work / "ns3", '#!/bin/sh\n[ "$1" = run ] || exit 1\neval "exec $2"\n')
        for name in ("examples", "python", "doc"):
            (self.work / name).symlink_to(ROOT / name)
        (self.work / "contrib").mkdir()
        (self.work / "contrib" / "dcfabric").symlink_to(ROOT)
        self.env = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}",
                        PYTHONPATH=str(ROOT / "python"), DCFABRIC_SIM=SIM,
                        PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="Agg")

    def run(self, *command):
        return subprocess.run(command, cwd=self.work, env=self.env, text=True, timeout=900,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


class Form(unittest.TestCase):
    """What holds without running anything."""

    def test_languages_and_marks(self):
        """Every block has a known language and known marks, every exception a reason; commands are
        no mere text."""
        for blocks in chapters().values():
            for block in blocks:
                with self.subTest(block=str(block)):
                    self.assertIn(block.language, LANGUAGES)
                    for kind, rest in block.marks.items():
                        self.assertIn(kind, KINDS)
                        if kind in ("skip", "extensive"):
                            self.assertTrue(rest, "no reason given")
                    if block.language in ("none", "text"):
                        self.assertIsNone(PROGRAMS.search(block.text),
                                          "a command: make it a console block")

    def test_output_is_compared(self):
        """`...` stands for part of a line or for any lines; all else has to be there to the
        letter."""
        shown = pattern("a  ... c\n...\nlast")
        self.assertTrue(shown.fullmatch("a  b c\nx\ny\nlast\n"))
        self.assertTrue(shown.fullmatch("a  b c\nlast\n"))
        self.assertFalse(shown.fullmatch("a  b d\nlast\n"))
        self.assertFalse(shown.fullmatch("a  b c\nlast\nmore\n"))

    def test_numbers_are_compared(self):
        """Each has to be a printed one, rounded as it is written; kB, us and the like are printed
        as bytes, ns and bit/s."""
        printed = "0 hpcc 5.037331 -9.077884\nbytes 657336\nslowdown 2.84e+01 port16\n"
        self.assertEqual(strange_numbers("by 9.1 or 9 (5.04), 657 kB or 657.3 kB, 657336; 28.",
                                         printed), [])
        self.assertEqual(strange_numbers("9.0, 5.03, 658 kB, 657 us, 657, 16, 27", printed),
                         ["9.0", "5.03", "658", "657", "16", "27"])
        self.assertEqual(strange_numbers("in 95 of 100", printed, ("95", "100")), [])
        self.assertEqual(strange_numbers("p99, k2 and no1", printed), [])

    def test_commands(self):
        """A command may go on over lines; what follows it is its output."""
        self.assertEqual(commands("$ one \\\n  two\nsaid\n\nmore\n$ three\n"),
                         [("one \\\n  two", "said\n\nmore"), ("three", "")])
        with self.assertRaises(ValueError):
            commands("said\n$ one\n")


@unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
class Blocks(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        print("blocks of README.md and doc/: {run} run, {shown} shown only, {skipped} skipped; "
              "numbers of "
              "{compared} compared".format(**COUNTS), flush=True)

    def chapter(self, name, blocks):
        with tempfile.TemporaryDirectory() as temporary:
            folder, python = Folder(Path(temporary)), ""
            for block in blocks:
                began = time.monotonic()
                with self.subTest(block=str(block)):
                    if block.language == "python":
                        python = (python + block.to_run() if "continues" in block.marks
                                  else block.to_run())
                    self.block(folder, block, python)
                if time.monotonic() - began > 5:
                    print(f"{block}: {time.monotonic() - began:.0f} s", flush=True)

    def block(self, folder, block, python):
        if "numbers" in block.marks and folder.printed is not None:
            allowed = re.findall(r"\d[\d.]*", block.marks["numbers"])
            self.assertEqual(strange_numbers(block.text, folder.printed, allowed), [],
                             f"{block}: not printed by the block before:\n"
                             f"{folder.printed[-3000:]}")
            COUNTS["compared"] += 1
        if block.language == PROSE:
            return
        if block.language == "python":
            folder.printed = None
        if "file" in block.marks:
            path = folder.work / block.marks["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.to_run())
            COUNTS["shown"] += 1
        elif block.language not in ("console", "sh", "python"):
            COUNTS["shown"] += 1
        elif ("skip" in block.marks or ("extensive" in block.marks and not ALL)
              or not self.has(block.marks.get("needs"))):
            COUNTS["skipped"] += 1
        else:
            COUNTS["run"] += 1
            if block.language == "python":
                (folder.work / ".block.py").write_text(python)
                run = folder.run(sys.executable, ".block.py")
                self.assertEqual(run.returncode, int(block.marks.get("status", 0)),
                                 f"{python}\n{run.stdout}")
                folder.printed = run.stdout
            else:
                self.shell(folder, block)

    @staticmethod
    def has(module):
        return module is None or shutil.which(module) or importlib.util.find_spec(module)

    def shell(self, folder, block):
        text = block.to_run()
        pairs = commands(text) if block.language == "console" else [(text, "")]
        script = "set -eo pipefail\n"
        for command, shown in pairs:
            words = command.split()
            if (len(words) == 2 and words[0] == "cat" and "/" not in words[1] and shown
                    and not (folder.work / words[1]).exists()):
                # a file that the chapter shows by `cat`
                (folder.work / words[1]).write_text(shown + "\n")
            script += f"{command}\necho {shlex.quote(END)}\n"
        run = folder.run("bash", "-c", script)
        self.assertEqual(run.returncode, int(block.marks.get("status", 0)),
                         f"{text}\n{run.stdout[-3000:]}")
        for (command, shown), printed in zip(pairs, run.stdout.split(END + "\n")):
            printed = "".join(line.rstrip() + "\n" for line in printed.splitlines())
            if shown and not pattern(shown).fullmatch(printed):
                self.fail(f"{command}\nshown:\n{shown}\nprinted:\n{printed[:4000]}")


def add_chapters():
    for name, blocks in chapters().items():
        def test(self, name=name, blocks=blocks):
            self.chapter(name, blocks)
        test.__doc__ = f"{name}: {len(blocks)} blocks"
        short = name.removeprefix("doc/").rsplit(".", 1)[0]
        setattr(Blocks, "test_" + re.sub(r"\W", "_", short),
                longer("the blocks of other chapters")(test) if short in LONG else test)


add_chapters()

if __name__ == "__main__":
    unittest.main()
