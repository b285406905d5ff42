# SPDX-License-Identifier: GPL-2.0-only
"""The command dcfabric: its sub-commands, and what shells complete."""
import argparse
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from package_case import SIM, PackageCase, ROOT, needs_sim

from dcfabric import DcfabricError
from dcfabric import __main__ as command
from dcfabric.command_grid import (as_options, grid_of, in_options, pair_of, rules_of,
                                   seeds_of, split_options)
from dcfabric.commands import wrapped_help
from dcfabric.completion import COMMANDS, OWN, complete, plot_options

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
SMALL = ("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=10kB")


def call(*words):
    return subprocess.run([sys.executable, "-m", "dcfabric", *words], capture_output=True,
                          text=True, check=False, env=ENVIRONMENT)


class WordsTest(unittest.TestCase):
    def test_options(self):
        self.assertEqual(
            split_options(["--flow-control=none", "--seed=3", "--ns3::X::Y=1,2", "--load=0.5"]),
            ({"flow_control": "none", "seed": 3, "load": "0.5"}, {"ns3::X::Y": "1,2"}))
        self.assertEqual(
            split_options(["--topology", "torus:dims=2x2", "--cc=hpcc", "--rate", "1Gbps"]),
            ({"topology": "torus:dims=2x2", "cc": "hpcc", "rate": "1Gbps"}, {}))
        for words, said in ((["cc"], "'cc' is not an option"), (["--cc"], "write --option=value"),
                            (["--flow_control=none"], "nearest is --flow-control"),
                            (["--ouput=x"], "unknown option '--ouput'"), (["--cc="], "is not an")):
            with self.subTest(words), self.assertRaisesRegex(DcfabricError, said):
                split_options(words)

    def test_grid(self):
        self.assertEqual(grid_of([["flow-control", "pfc", "none"], ["ns3::X::Y", "1"]]),
                         {"flow_control": ["pfc", "none"], "ns3::X::Y": ["1"]})
        for over, said in (([["cc"]], "--over cc: no values"),
                           ([["cc=hpcc,fncc"]], "write --over cc hpcc fncc$"),
                           ([["cc", "a"], ["cc", "b"]], "--over cc is given twice"),
                           ([["controls", "a"]], "unknown option '--controls'")):
            with self.subTest(over), self.assertRaisesRegex(DcfabricError, said):
                grid_of(over)

    def test_seeds(self):
        """A number is how many there are, from 1; a list or a range is which."""
        for text, seeds in (("3", (1, 2, 3)), ("1", (1,)), ("7-7", (7,)), ("0-2", (0, 1, 2)),
                            ("101-103", (101, 102, 103)), ("9,1,5", (9, 1, 5)),
                            ("1-2,20-21,7", (1, 2, 20, 21, 7))):
            with self.subTest(text):
                self.assertEqual(seeds_of(text), seeds)
        for text, said in (("0", "0 is less than 1"), ("3-1", "'3-1' ends before it begins"),
                           ("1-3,2", "'1-3,2' has a seed twice"), ("", "as in 101-103"),
                           ("1,", "as in 101-103"), ("-3", "as in 101-103"),
                           ("1-2-3", "as in 101-103"), ("one", "'one': expected how many, or")):
            with self.subTest(text), self.assertRaisesRegex(argparse.ArgumentTypeError, said):
                seeds_of(text)

    def test_what_to_leave_out(self):
        """Values with commas and equal signs, several values of one option."""
        grid = {"cc": ["hpcc", "fncc"], "topology": ["torus:dims=2x2,hosts=1", "hpcc"]}
        self.assertEqual(rules_of([["cc=hpcc", "cc=fncc", "topology=torus:dims=2x2,hosts=1"],
                                   ["fncc"]], grid),
                         [{"cc": ["hpcc", "fncc"], "topology": ["torus:dims=2x2,hosts=1"]},
                          {"cc": ["fncc"]}])
        self.assertEqual(pair_of("--baseline", "flow-control=none", {"flow_control": ["none"]}),
                         ("flow_control", "none"))
        for word, said in (("hpcc", "expected NAME=VALUE of --over cc or --over topology, such as "
                                    "--baseline cc=hpcc"),
                           ("load=3", "expected NAME=VALUE"),
                           ("cc=bbr", "--over cc has no bbr; it has hpcc, fncc")):
            with self.subTest(word), self.assertRaisesRegex(DcfabricError, said):
                pair_of("--baseline", word, grid)
        self.assertEqual(as_options([{"flow_control": "none", "cc": "a b"}, {"cc": "c"}]),
                         "--exclude flow-control=none 'cc=a b' --exclude cc=c")

    def test_messages_name_options(self):
        self.assertEqual(in_options("cc='hpcc' compares, but features='rcm' moves; force=True"),
                         "--cc=hpcc compares, but --features=rcm moves; --force")
        self.assertEqual(in_options("flow_control: 'x' is none\nload is 3"),
                         "--flow-control: 'x' is none\n--load is 3")


class CompletionTest(unittest.TestCase):
    def test_words(self):
        for line, words in (("dcfabric s", ["study", "sweep"]), ("dcfabric ", sorted(COMMANDS)),
                            ("dcfabric run --cc=time", ["--cc=timely", "--cc=timely+win"]),
                            ("dcfabric-sim --lb=fl", ["--lb=flowlet"]),
                            ("dcfabric-sim --trace=rates,qu", ["--trace=rates,queues"]),
                            ("dcfabric run --topology=du", ["--topology=dumbbell:"]),
                            ("dcfabric run --flow-c", ["--flow-control="]),
                            ("dcfabric sweep --over flow-c", ["flow-control"]),
                            ("dcfabric sweep --over cc hp", ["hpcc", "hpcc-pint", "hpcc-rate"]),
                            ("dcfabric sweep --over cc hpcc --out d", []),
                            ("dcfabric new c", ["congestion-control"]),
                            ("dcfabric where l", ["library"]),
                            ("dcfabric traces g", ["goal"]),
                            ("dcfabric plot --ht", ["--html"]), ("dcfabric run results/", []),
                            ("dcfabric plot --out=x", []), ("dcfabric nonsense x", []),
                            ("", sorted(COMMANDS))):
            with self.subTest(line):
                self.assertEqual(complete(line), words)

    def test_lists(self):
        """The commands and their options are those that there are."""
        parser = command.parser_of()
        [commands] = [one.choices for one in parser._actions if isinstance(one.choices, dict)]
        self.assertEqual(set(COMMANDS), set(commands))
        for name in ("sweep", "study", "graphml", "timeline"):
            known = {word for word in commands[name]._option_string_actions
                     if word.startswith("--")}
            self.assertEqual(set(OWN[name]), known - {"--help"}, name)
        said = call("plot", "--help").stdout
        self.assertEqual({*plot_options(), "--version", "--help"},
                         set(re.findall(r"(?m)^  (?:-h, )?(--[a-z-]+)", said)))

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        """As bash calls it: it replaces only what follows the last = or colon."""
        with mock.patch.dict(os.environ, ENVIRONMENT):
            answers = subprocess.run(
                ["bash", "-c", f"""
                 dcfabric() {{ '{sys.executable}' -m dcfabric "$@"; }}
                 compopt() {{ :; }}
                 source <(dcfabric completion bash)
                 for COMP_LINE in 'dcfabric stu' 'dcfabric run --cc=hpcc-p' \\
                         'dcfabric-sim --topology=leaf'; do
                     COMP_POINT=${{#COMP_LINE}}; _dcfabric; echo "${{COMPREPLY[@]}}"
                 done"""], capture_output=True, text=True, check=True)
        self.assertEqual((answers.stdout.split(), answers.stderr),
                         (["study", "hpcc-pint", "leaf-spine:"], ""))


    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        """As fish itself finds them. Files are offered where there are no words."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {
                **ENVIRONMENT, "HOME": folder, "XDG_CONFIG_HOME": folder}):
            (Path(folder) / "study.txt").touch()
            answers = subprocess.run(
                ["fish", "--no-config", "-c", f"""
                 function dcfabric; '{sys.executable}' -m dcfabric $argv; end
                 dcfabric completion fish | source
                 for line in 'dcfabric stu' 'dcfabric run --cc=hpcc-p' \\
                         'dcfabric-sim --topology=leaf' 'dcfabric job stu' 'dcfabric new '
                     complete -C $line
                 end"""], capture_output=True, text=True, check=True, cwd=folder)
        self.assertEqual((sorted(answers.stdout.split()), answers.stderr),
                         (["--cc=hpcc-pint", "--out", "--topology=leaf-spine:",
                           "congestion-control", "load-balancer", "study", "study.txt"], ""))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        """Typed at a terminal: what is behind the tab is complete, or goes on without a blank."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "study.txt").touch()
            self.assertEqual(
                [typed_in_zsh(folder, line)
                 for line in ("dcfabric stu\t-x", "dcfabric run --cc=hpcc-p\t-x",
                              "dcfabric-sim --topology=leaf\tx", "dcfabric job stu\t-x",
                              "dcfabric run --out=stu\t-x")],
                ["study -x", "run --cc=hpcc-pint -x", "--topology=leaf-spine:x",
                 "job study.txt -x", "run --out=study.txt -x"])


def typed_in_zsh(folder, line):
    """The arguments of a command that is typed into zsh in a folder."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"],
                   {**ENVIRONMENT, "HOME": folder, "TERM": "dumb", "PS1": "READY>"})
    said = ""

    def wait_for(text):
        nonlocal said
        while text not in said:
            ready, _, _ = select.select([terminal], [], [], 60)
            if not ready:
                raise AssertionError(f"no {text} in {said!r}")
            said += os.read(terminal, 4096).decode()
        before, _, said = said.partition(text)
        return before

    try:
        for command_ in (
                f"dcfabric() {{ if [[ $1 = completion ]]; then '{sys.executable}' -m dcfabric "
                "\"$@\"; else print -r -- \"BEGIN\"\": $* END\"; fi }",
                "dcfabric-sim() { dcfabric \"$@\"; }", "source <(dcfabric completion zsh)"):
            wait_for("READY>")
            os.write(terminal, f"{command_}\n".encode())
        wait_for("READY>")
        os.write(terminal, f"{line}\n".encode())
        wait_for("BEGIN: ")
        return wait_for(" END")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


class HelpTest(unittest.TestCase):
    def test_lines_fit(self):
        """Also of the program, whose --cc told all names in 1,267 letters of one line."""
        text = ("dcfabric-sim [Program Options]\n\n    --cc:   control: "
                + ", ".join(f"name-{number}" for number in range(30)) + " [hpcc]\n"
                + "    --x: short\n" + "x" * 200 + "\n    --long:  some words in\n"
                + " " * 13 + "two lines\n")
        lines = wrapped_help(text, 60).splitlines()
        self.assertEqual(lines[:2], ["dcfabric-sim [Program Options]", ""])
        self.assertEqual(lines[2], "    --cc:   control: name-0, name-1, name-2, name-3, name-4,")
        self.assertEqual(lines[3], " " * 12 + "name-5, name-6, name-7, name-8, name-9, name-10,")
        self.assertEqual(lines[-3:-1], ["    --x: short", "x" * 200])
        self.assertEqual(lines[-1], "    --long:  some words in two lines")
        self.assertLessEqual(max(map(len, lines[:-2])), 60)

    @needs_sim
    def test_of_each_command(self):
        environment = {**ENVIRONMENT, "COLUMNS": "90"}
        for words in ([], *([one] for one in COMMANDS if one != "list")):
            run = subprocess.run([sys.executable, "-m", "dcfabric", *words, "--help"],
                                 capture_output=True, text=True, check=False, env=environment)
            self.assertEqual((run.returncode, run.stderr), (0, ""), words)
            for line in run.stdout.splitlines():
                self.assertTrue(len(line) <= 90 or " " not in line.strip(), line)
            self.assertTrue(run.stdout.strip())


class NameTest(unittest.TestCase):
    def test_own_name(self):
        """Help is under the name by which the command was called."""
        for called, name in (("/usr/bin/dcfabric", "dcfabric"),
                             ("/x/dcfabric/__main__.py", "python3 -m dcfabric")):
            with mock.patch.object(sys, "argv", [called]):
                self.assertEqual(command.name_of_command(), name)
                self.assertTrue(command.parser_of().format_help().startswith(f"usage: {name} "))


@needs_sim
class CommandsTest(PackageCase):
    def test_help_has_the_name_of_the_command(self):
        """Also that of the commands that are programs, too."""
        for name in COMMANDS:
            said = call(name, "--help").stdout
            self.assertRegex(said, rf"\A(usage: )?python3 -m dcfabric {name} ")
            self.assertNotIn("usage: dcfabric-plot", said)
    def test_run_and_list(self):
        run = call("run", *SMALL, "--out=out")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertTrue(Path("out/summary.json").is_file())
        bare = call()
        self.assertEqual((bare.returncode, bare.stdout), (2, ""))
        self.assertIn("print every policy", bare.stderr)
        self.assertEqual(call("list").stdout,
                         subprocess.run([SIM, "--list"], capture_output=True, text=True,
                                        check=True).stdout)
        bad = call("run", "--cc=hpc")
        self.assertEqual((bad.returncode, bad.stderr.count("\n")), (2, 1))

    def test_sweep(self):
        words = ("sweep", "--over", "cc", "hpcc", "fncc", *SMALL, "--over", "delay", "1us", "2us",
                 "--out=out", "--show", "slowdown_mean", "max_queue_kb")
        run = call(*words)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["cc", "delay", "seed", "slowdown_mean", "max_queue_kb"])
        self.assertEqual((len(lines), lines[-1]), (7, "4 runs in out"))
        self.assertEqual(lines[-2], "one seed: small differences may be its luck; --seeds takes "
                                    "several")
        again = call(*words)
        self.assertEqual((again.stdout, again.stderr.count("finished before")), (run.stdout, 4))
        other = call(*words, "--rate=50Gbps")
        self.assertEqual((other.returncode, other.stderr.count("\n")), (2, 1))
        self.assertRegex(other.stderr, r"another scenario \(rate was not given, is '50Gbps'\)"
                                       " .*; give another --out, or overwrite them with --force$")
        self.assertEqual(call(*words, "--rate=50Gbps", "--force").returncode, 0)

    def test_study(self):
        run = call("study", "--over", "cc", "hpcc", "fncc", "--seeds=4,9", *SMALL, "--out=out",
                   "--show", "slowdown_mean")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(os.listdir("out")),
                         [".study.json", *(f"cc={cc}_seed={seed}" for cc in ("fncc", "hpcc")
                                           for seed in (4, 9))])
        self.assertEqual(run.stdout.splitlines()[0].split(),
                         ["cc", "quantity", "mean", "low", "high", "seeds"])
        self.assertIn("4 runs in out; intervals of 95 %", run.stdout)
        self.assertEqual(run.stderr.splitlines()[-1],
                         "note: intervals of 2 seeds say little: take 5 or more")

    def test_differences_of_few_flows_are_marked(self):
        """Of a flow each: that of the p99 is no finding; that of the mean is one number."""
        run = call("study", "--over", "cc", "hpcc", "fncc", "--seeds=2", *SMALL, "--out=out",
                   "--baseline=cc=hpcc", "--show", "fct_mean_us", "fct_p99_us")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = run.stdout.partition("differences to")[2].splitlines()
        rows = {line.split()[1]: line.split()[2] for line in lines if line.startswith("fncc")}
        self.assertEqual((rows["fct_p99_us"][-1], rows["fct_mean_us"][-1] == "*"), ("*", False))
        self.assertIn("* fewer than 10 flows", "\n".join(lines))

    def test_what_is_zero_is_told_in_a_line(self):
        """Two flows drop and pause nothing, whatever their control."""
        words = ("study", "--over", "cc", "hpcc", "fncc", "--seeds=2", *SMALL, "--out=out")
        run = call(*words, "--baseline=cc=hpcc", "--show", "fct_mean_us", "pause_frames",
                   "dropped_packets")
        self.assertEqual(run.returncode, 0, run.stderr)
        means, _, differences = run.stdout.partition("differences to")
        self.assertEqual(len([line for line in means.splitlines() if " fct_mean_us " in line]), 2)
        self.assertIn("\n0 in all runs: pause_frames, dropped_packets\n", means)
        self.assertIn("no difference in any run: pause_frames, dropped_packets\n", differences)
        self.assertEqual(run.stdout.count("pause_frames"), 2)
        run = call(*words, "--show", "pause_frames")  # it would be nothing
        self.assertNotIn("0 in all runs", run.stdout)
        self.assertEqual(run.stdout.count("pause_frames"), 2)

    def test_parts_of_a_quantity(self):
        """The column is there where a quantity has parts."""
        run = call("study", "--over", "cc", "hpcc", "fncc", "--seeds=2", *SMALL, "--out=out",
                   "--show", "slowdown_mean by size")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines()[0].split()[:3], ["cc", "quantity", "part"])

    def test_few_flows_are_marked(self):
        """A flow each: nothing is above its p99, and its mean is a mean."""
        for words, table in (
                (("sweep",), [["cc", "seed", "slowdown_mean", "slowdown_p99"],
                              ["hpcc", "M", "M", "M*"], ["fncc", "M", "M", "M*"]]),
                (("study", "--seeds=2"),
                 [["cc", "quantity", "mean", "low", "high", "seeds", "n"],
                  ["hpcc", "slowdown_mean", "M", "NaN", "NaN", "2", "-"],
                  ["fncc", "slowdown_mean", "M", "NaN", "NaN", "2", "-"],
                  ["hpcc", "slowdown_p99", "M*", "NaN", "NaN", "2", "M"],
                  ["fncc", "slowdown_p99", "M*", "NaN", "NaN", "2", "M"]])):
            run = call(*words, "--over", "cc", "hpcc", "fncc", *SMALL, "--out=out", "--show",
                       "slowdown_mean", "slowdown_p99")
            self.assertEqual(run.returncode, 0, run.stderr)
            lines = [[re.sub(r"^1(\.\d+)?(?=\*?$)", "M", word) for word in line.split()]
                     for line in run.stdout.splitlines()]
            self.assertEqual(lines[:len(table)], table)
            self.assertIn("* fewer than 10 flows (or other values) are above", run.stdout)
            self.assertEqual("n: flows" in run.stdout, words[0] == "study")
        run = call("sweep", "--over", "cc", "hpcc", *SMALL, "--out=out", "--show", "slowdown_mean")
        self.assertNotIn("*", run.stdout)

    def test_baseline(self):
        """A link of 10 Gb/s for one of 100: a packet takes 0.9 us more for each kB and link, and
        with the same seeds all pairs have the same difference."""
        words = ("study", "--over", "rate", "10Gbps", "100Gbps", "--over", "cc", "hpcc", "fncc",
                 "--seeds=2", *SMALL, "--out=out", "--show", "fct_mean_us", "--exclude",
                 "rate=100Gbps", "cc=fncc")
        run = call(*words, "--baseline", "rate=100Gbps")
        self.assertEqual(run.returncode, 0, run.stderr)
        table = run.stdout.partition("differences to rate=100Gbps, seed by seed")[2].splitlines()
        self.assertEqual(table[1].split(), ["rate", "cc", "quantity", "mean", "low", "high",
                                            "seeds", "percent"])
        # fncc has no run at 100 Gb/s to be compared with
        rate, cc, name, mean, low, _, seeds, _ = table[2].split()
        self.assertEqual((rate, cc, name, low, seeds), ("10Gbps", "hpcc", "fct_mean_us", "NaN",
                                                        "2"))
        fct = [float(Path(f"out/rate={rate}_cc=hpcc_seed=1/flows.csv").read_text()
                     .splitlines()[1].split(",")[5]) / 1e3 for rate in ("10Gbps", "100Gbps")]
        self.assertAlmostEqual(float(mean), fct[0] - fct[1], delta=0.01)
        self.assertEqual(len([name for name in os.listdir("out") if name[0] != "."]), 6)

    def test_refused_combinations_are_named(self):
        run = call("sweep", "--over", "cc", "hpcc", "dcqcn", "--features=wreb", *SMALL)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stderr.splitlines()[-1], "To leave them out: --exclude cc=hpcc")
        run = call("sweep", "--over", "cc", "hpcc", "fncc", "--features=rcm", *SMALL)
        self.assertNotIn("To leave them out", run.stderr)  # nothing else would be left

    def test_refusals(self):
        for words, said in (
                (("study", "--over", "cc", "hpcc", "--baseline=cc=hpcc"), "no other value than"),
                (("sweep", "--over", "cc", "hpcc", "fncc", "--baseline=cc=hpcc"),
                 "need at least 2 seeds, such as --seeds 5"),
                (("sweep", "--over", "cc", "hpcc", "--exclude", "cc=fncc"), "has no fncc"),
                (("sweep", "--over", "cc", "hpcc", "tcp"), "^dcfabric sweep: error: unknown cc "
                                                           "'tcp'"),
                (("sweep", "--over", "cc", "hpcc", "--delay=5"), "--delay: '5' has no unit; a time "
                                                                 "is written like --delay=5us$"),
                (("sweep", "--over", "cc", "hpcc", "--colour=red"),
                 "'--colour'; dcfabric run --help has"),
                (("study", "--over", "seed", "1", "2"),
                 "^dcfabric study: error: --seed: every combination has the seeds of --seeds: "
                 "how many, or which, as in --seeds 101-103, "),
                (("sweep", "--over", "cc", "hpcc", "dcqcn", "--seed=7"),  # no short --seeds
                 "^dcfabric sweep: error: --seed: every combination has"),
                (("sweep", "--over", "cc", "hpcc", "--seeds=1-"),
                 "error: argument --seeds: '1-': expected how many, or which, as in 101-103 or "),
                (("sweep", "--over", "cc", "hpcc", "--seeds=4294967296-4294967296"),
                 "^dcfabric sweep: error: --seed: '4294967296' is not a whole number from 0 to "),
                (("traces", "goal", "none.goal", "--out", "job.txt"),
                 "^dcfabric traces: error: none.goal: cannot be read"),
                (("study", "--over", "cc", "hpcc", "--show", "slowdown_99"), "slowdown_p99"),
                (("build", "mine"), "there is no folder mine; dcfabric new makes one"),
                (("sweep", "--over", "cc", "hpcc", "dcqcn", "--features=rcm"),
                 "(?m)^dcfabric sweep: error: 2 of 2 runs would be refused[^']*"
                 "--cc=hpcc compares")):
            with self.subTest(words):
                run = call(*words)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertRegex(run.stderr.rstrip("\n"), said)
                self.assertEqual(os.listdir(), [])
        self.assertRegex(call("swep", "--over", "cc", "hpcc").stderr,
                         "there is no command 'swep'; known: run, .*; the nearest is sweep\n$")
        self.assertRegex(call("where", "--x").stderr, "unrecognized arguments: --x")
        self.assertRegex(call("job").stderr, re.escape("usage: python3 -m dcfabric job"))


if __name__ == "__main__":
    unittest.main()
