# SPDX-License-Identifier: GPL-2.0-only
"""The parts of the set-up that can be tried without a network: archives, apt's sources, the
table."""
import importlib.machinery
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]


def load(name):
    """A script of .ci as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / ".ci" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class TemporaryCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)


class UnpackTest(TemporaryCase):
    def archive(self, top, version="3.99", name="a.tar.bz2"):
        path = self.dir / name
        with tarfile.open(path, "w:bz2") as tar:
            for file, text in ((f"{top}/VERSION", version + "\n"), (f"{top}/src/core/x.cc", "//")):
                info = tarfile.TarInfo(file)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        return path

    def unpack(self, archive):
        folder = self.dir / "sources"
        folder.mkdir(exist_ok=True)
        run = subprocess.run([sys.executable, ROOT / ".ci" / "unpack", archive, folder],
                             capture_output=True, text=True)
        return run, sorted(p.name for p in folder.iterdir())

    def test_plain_and_nested_tree(self):
        for top in ("ns-3.99", "ns-allinone-3.99/ns-3.99"):
            run, left = self.unpack(self.archive(top))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(left, ["ns-3.99"])
            self.assertEqual(run.stdout.strip(), str(self.dir / "sources" / "ns-3.99"))

    def test_interrupted_call_is_cleaned_up(self):
        (self.dir / "sources" / ".unpack-1" / "ns-3.99").mkdir(parents=True)
        run, left = self.unpack(self.archive("ns-3.99"))
        self.assertEqual((run.returncode, left), (0, ["ns-3.99"]))

    def test_bad_archives_leave_nothing(self):
        whole = self.archive("ns-3.99").read_bytes()
        (self.dir / "cut.tar.bz2").write_bytes(whole[:-30])
        (self.dir / "text.tar.bz2").write_text("no archive")
        with tarfile.open(self.dir / "other.tar.bz2", "w:bz2") as tar:
            tar.addfile(tarfile.TarInfo("other/file"))
        for name in ("cut", "text", "other", "missing"):
            run, left = self.unpack(self.dir / f"{name}.tar.bz2")
            self.assertEqual((run.returncode, left), (1, []), name)
            self.assertIn(name, run.stderr)


class AptSourceTest(unittest.TestCase):
    """Release "bookworm": what becomes a deb-src line and what does not."""

    def setUp(self):
        self.apt = load("fetch-apt-source")
        patch = mock.patch.object(self.apt, "release_name", lambda: "bookworm")
        patch.start()
        self.addCleanup(patch.stop)

    def test_one_line_format(self):
        text = ("# deb http://a/debian bookworm main\n"
                "deb http://a/debian bookworm main contrib # mirror\n"
                "deb [arch=amd64 signed-by=/k.gpg] http://b/debian bookworm main\n"
                "deb http://c/other stable-product main\n")
        self.assertEqual(list(self.apt.one_line(text)),
                         ["deb-src http://a/debian bookworm main contrib",
                          "deb-src [signed-by=/k.gpg] http://b/debian bookworm main"])

    def test_deb822_format(self):
        text = ("Types: deb\n# a comment\nURIs: http://a/debian\nSuites: bookworm "
                "bookworm-updates\n"
                "Components: main\nSigned-By:\n -----BEGIN\n .\n abc\n\n"
                "Types: deb\nURIs: http://c/other\nSuites: nodistro\nComponents: main\n\n"
                "Enabled: no\nTypes: deb\nURIs: http://d/debian\nSuites: bookworm\nComponents: "
                "main\n")
        self.assertEqual(list(self.apt.stanzas(text)),
                         ["Types: deb-src\nURIs: http://a/debian\nSuites: bookworm "
                          "bookworm-updates\n"
                          "Components: main\nSigned-By:\n -----BEGIN\n .\n abc"])


class TableTest(TemporaryCase):
    def reaction(self, rates):
        lines = "".join(f"{time * 1000},{flow},{rate},1\n" for time, flow, rate in rates)
        (self.dir / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes\n" + lines)
        return load("quickstart-table").reaction_us(self.dir)

    def test_reaction_is_the_first_drop_by_more_than_five_per_cent(self):
        # Mean of 250 and 299 us: 95; limit 90.25. Other flows and earlier drops do not count.
        rates = [(240, 0, 10), (250, 0, 90), (299, 0, 100), (300, 1, 10), (300, 0, 91),
                 (310, 0, 90.25), (311, 0, 90), (312, 0, 50)]
        self.assertEqual(self.reaction(rates), 311)

    def test_no_reaction(self):
        self.assertIsNone(self.reaction([(250, 0, 100), (400, 0, 99)]))
        self.assertIsNone(self.reaction([(300, 0, 100), (400, 0, 9)]))

    def write(self, name, slowdowns, **more):
        summary = {"max_queue_bytes": 12345, "pfc_pause_frames": 2, "flows_completed": 9,
                   "flows_started": 10, "packet_hops_per_second": 1.5e6, **more}
        folder = self.dir / name
        folder.mkdir()
        (folder / "summary.json").write_text(json.dumps(summary))
        (folder / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes\n")
        (folder / "flows.csv").write_text("flow,slowdown\n" + "".join(
            f"{i},{one}\n" for i, one in enumerate(slowdowns)) + "99,\n")

    def test_whole_table(self):
        """FNCC: 100 flows with slowdowns 1 and 2, and 100 with 1 and 3: means 1.5 and 2, over the
        seeds 1.75 +- 12.706 * 0.354 / 1.414 = 3.18. Of 200 flows p95 has ten above it, p99 has two.
        HPCC has 2 and 4: -25 and -50 %. DCQCN as HPCC: no interval, as all seeds differ alike.
        Longest queues of 1 and 2 kB: 1.5 +- 12.706 * 0.707 / 1.414 = 6.35, without decimals."""
        for cc in ("fncc", "hpcc", "dcqcn"):
            self.write(f"dumbbell-{cc}", [])
            for seed, most in ((1, 2), (2, 3)):
                self.write(f"fat-tree-{cc}-{seed}", [1, most] * 50 if cc == "fncc"
                           else [2 * seed] * 100, max_queue_bytes=1000 * seed)
        run = subprocess.run([sys.executable, ROOT / ".ci" / "quickstart-table", self.dir],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        line = next(one for one in run.stdout.splitlines() if "18/20" in one)
        self.assertEqual(line.split(), ["FNCC", "18/20", "1.75", "+-", "3.18", "1.00", "3.00", "-",
                                        "2", "+-", "6", "kB", "4", "1.50", "M/s"])
        for words in ("never", "12.3 kB", "2 seeds; mean and longest queue are means",
                      "of single ones",
                      "FNCC against HPCC, seed by seed: mean slowdown -37.5 +- 158.8 %: these "
                      "seeds do not tell the two apart"):
            self.assertIn(words, run.stdout)
        self.assertNotIn("DCQCN against", run.stdout)


class OptionTest(unittest.TestCase):
    """What the commands refuse before they touch anything."""

    def test_refusals(self):
        for command, own in (("quickstart", "--out"), ("run-tests", "--ns3"),
                             ("examples/dcfabric-benchmark", "--rounds"),
                             ("examples/dcfabric-validate", "--seeds")):
            for arguments, words in ((["--bogus"], "unknown option --bogus"),
                                     (["--bogus=1"], "unknown option --bogus=1"),
                                     (["--ns3"], "--ns3 needs a folder"),
                                     (["--ns3="], "--ns3 needs a folder"),
                                     ([own], f"{own} needs a "),
                                     ([f"{own}="], f"{own} needs a "),
                                     (["--ns3", "/nonexistent"], "/nonexistent: not an ns-3 tree"),
                                     (["--ns3=/nonexistent"], "/nonexistent: not an ns-3 tree")):
                run = subprocess.run([ROOT / command, *arguments], capture_output=True, text=True)
                self.assertEqual(run.returncode, 2, (command, arguments, run.stderr))
                self.assertEqual(run.stderr.count("\n"), 1)
                self.assertIn(words, run.stderr)

    def test_options_that_are_handed_on(self):
        """The command takes each option of the script that it calls after building."""
        command = ROOT / "examples" / "dcfabric-benchmark"
        told = subprocess.run([f"{command}.py", "--help"], capture_output=True, text=True).stdout
        told = told[told.index("\noptions:"):]
        options = re.findall(r"^  (--[a-z]+)(?: (\S+))?", told, re.MULTILINE)
        self.assertIn(("--instructions", ""), options)
        for option, value in options:
            if option in ("--sim", "--limit"):
                continue  # what it has built
            run = subprocess.run([command, option, *["1"] * bool(value), "--ns3", "/nonexistent"],
                                 capture_output=True, text=True)
            self.assertIn("/nonexistent: not an ns-3 tree", run.stderr, option)

    def test_help(self):
        for command in ("quickstart", "run-tests"):
            run = subprocess.run([ROOT / command, "--help"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0)
            self.assertIn(f"usage: ./{command}", run.stdout)


class LinkTreeTest(TemporaryCase):
    """The tree of links in which a given ns-3 is built."""

    def test_given_tree_stays_as_it_is(self):
        """ns3 of newer releases works in the folder where the script really lies: it must not be a
        link."""
        given, tree = self.dir / "given", self.dir / "tree"
        (given / "src").mkdir(parents=True)
        (given / "scratch").mkdir()
        (given / "ns3").write_text("import os; print(os.path.realpath(__file__))")
        script = (f". {ROOT}/.ci/setup-ns3.sh; NS3_SRC={given} TREE={tree}; link_tree; link_tree; "
                  "python3 $TREE/ns3")
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        self.assertEqual(run.stdout.strip(), str(tree.resolve() / "ns3"), run.stderr)
        self.assertEqual(os.readlink(tree / "src"), str(given / "src"))
        self.assertEqual(os.readlink(tree / "contrib" / "dcfabric"), str(ROOT))
        self.assertEqual(sorted(path.name for path in given.iterdir()), ["ns3", "scratch", "src"])


class WhichNs3Test(TemporaryCase):
    """What quickstart builds against: functions that would fetch or build only say their names."""

    def choose(self, wheel, **environment):
        stubs = "".join(f"{name}() {{ echo {name} $*; }}\n"
                        for name in ("find_debian_ns3", "prepare_tree", "prepare_wheel_tree"))
        stubs += f"find_wheel() {{ echo find_wheel; {'true' if wheel else 'false'}; }}\n"
        stubs += "use_ns3() { echo use_ns3 $2; }\n"
        run = subprocess.run(
            ["bash", "-c", f". {ROOT}/.ci/setup-ns3.sh\nROOT_AS_CALLED={self.dir}/a/b\n{stubs}"
             "prepare_quickest"], capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.dir), **environment})
        self.assertEqual(run.returncode, 0, run.stderr)
        return [line.strip() for line in run.stdout.splitlines()]

    def test_sources_before_wheel_before_fetched_sources(self):
        for path in ("src/core", "build-support"):
            (self.dir / "ns-3" / path).mkdir(parents=True)
        for name in ("ns3", "VERSION"):
            (self.dir / "ns-3" / name).touch()
        self.assertEqual(self.choose(True, NS3_DIR=str(self.dir / "ns-3")),
                         ["use_ns3 the tree in NS3_DIR", "prepare_tree optimized"])
        self.assertEqual(self.choose(True), ["find_wheel", "prepare_wheel_tree"])
        self.assertEqual(self.choose(False),
                         ["find_wheel", "find_debian_ns3", "prepare_tree optimized"])

    def fetch(self, exit_status, **environment):
        """What is said when the wheel is fetched beside other work; no network is asked."""
        script = (f". {ROOT}/.ci/setup-ns3.sh\nROOT_AS_CALLED={self.dir}/a/b CACHE={self.dir}\n"
                  f"fetch_wheel() {{ echo fetched >>{self.dir}/calls; mkdir -p "
                  "$1/site-packages/ns3/lib64/cmake/ns3 $1/bin;"
                  f" ln -sf $(command -v python3) $1/bin/python3; return {exit_status}; }}\n"
                  "wheel_works() { true; }\nfetch_wheel_meanwhile\nfind_wheel || echo none")
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True,
                             env={"PATH": os.environ["PATH"], "HOME": str(self.dir), **environment})
        self.assertEqual(run.returncode, 0, run.stderr)
        calls = self.dir / "calls"
        return run.stdout, calls.read_text().split() if calls.exists() else []

    def test_wheel_is_fetched_once_beside_other_work(self):
        said, calls = self.fetch(0)
        self.assertIn("Using ns-3 3.44: Python wheel", said)
        self.assertEqual(calls, ["fetched"])
        said, calls = self.fetch(0)
        self.assertNotIn("Fetching", said)
        self.assertEqual(calls, ["fetched"])

    def test_failed_fetch_is_tried_once_more_and_told(self):
        said, calls = self.fetch(1)
        self.assertIn("No wheel: it could not be fetched", said)
        self.assertTrue(said.rstrip().endswith("none"))
        self.assertEqual(calls, ["fetched"] * 2)

    def test_no_wheel_is_fetched_beside_a_given_tree(self):
        said, calls = self.fetch(0, NS3_DIR=str(self.dir))
        self.assertNotIn("meanwhile", said)
        self.assertEqual(calls, ["fetched"])  # find_wheel was called here all the same


class CheckTest(TemporaryCase):
    """./quickstart --check: what is missing is named with its remedy, and nothing is changed."""

    def check(self, *arguments, path=None):
        env = dict(os.environ, DCFABRIC_CACHE=str(self.dir / "cache"),
                   PATH=str(path or os.environ["PATH"]))
        env.pop("NS3_DIR", None)
        run = subprocess.run([shutil.which("bash"), ROOT / "quickstart", "--check", *arguments],
                             env=env, cwd=self.dir,
                             capture_output=True, text=True, timeout=60, check=False)
        self.assertFalse((self.dir / "cache").exists(), "a check makes no folder")
        return run

    def tree(self, version,
             modules=("core", "network", "traffic-control", "internet", "point-to-point",
                      "applications", "csma", "mpi")):
        tree = self.dir / "ns-3"
        for module in modules:
            (tree / "src" / module).mkdir(parents=True, exist_ok=True)
        (tree / "VERSION").write_text(version + "\n")
        return tree

    def test_versions(self):
        """3.35 and 3.37 to 3.48 are fine, newer ones unknown, all others refused."""
        for version, word, status in (("3.37", "ok       ns-3", 0), ("3.48", "ok       ns-3", 0),
                                      ("3.40.1", "ok       ns-3", 0),
                                      ("3.35", "wscript-compat", 0),
                                      ("3.36.1", "3.36.1 is not supported", 2),
                                      ("3.30", "3.30 is not supported", 2),
                                      ("3.49", "newer than 3.48", 0),
                                      ("3-dev", "newer than 3.48", 0)):
            with self.subTest(version=version):
                run = self.check("--ns3", self.tree(version))
                self.assertIn(word, run.stdout)
                self.assertEqual(run.returncode, status, run.stdout + run.stderr)

    def test_what_a_tree_lacks(self):
        run = self.check("--ns3", self.tree("3.44", ("core", "network")))
        self.assertEqual(run.returncode, 2)
        self.assertIn("MISSING  modules of ns-3              traffic-control\n           get it: "
                      "take the whole", run.stdout)
        self.assertIn("without  module mpi", run.stdout)
        self.assertIn(f"ln -s {ROOT} {self.dir}/ns-3/contrib/dcfabric", run.stdout)
        cache = self.tree("3.44") / "cmake-cache"
        cache.mkdir()
        (cache / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=debug\n")
        (self.dir / "ns-3" / "contrib" / "dcfabric").mkdir(parents=True)
        run = self.check("--ns3", self.dir / "ns-3")
        self.assertEqual(run.returncode, 0)
        self.assertIn("configured as 'debug'", run.stdout)
        self.assertIn("ok       contrib/dcfabric", run.stdout)

    def test_no_tree(self):
        run = self.check("--ns3", self.dir)
        self.assertEqual(run.returncode, 2)
        self.assertIn("not a tree of ns-3", run.stdout)

    def test_bare_machine(self):
        """Without compiler, CMake, Ninja and Python each is named with its Debian package."""
        tools = self.dir / "tools"
        tools.mkdir()
        for name in ("dirname", "basename", "sed", "grep", "head", "sort", "tr", "cat"):
            (tools / name).symlink_to(shutil.which(name))
        run = self.check("--ns3", self.tree("3.44"), path=tools)
        self.assertEqual(run.returncode, 2, run.stderr)
        for package in ("g++", "cmake, or pip", "ninja-build", "python3"):
            self.assertIn(f"get it: apt-get install {package}" if package != "cmake, or pip"
                          else "apt-get install cmake", run.stdout)
        self.assertIn("Missing: 4.", run.stdout)

    def test_refusals(self):
        for arguments in (["--out", "x"], ["--ns3"], ["more"]):
            self.assertEqual(self.check(*arguments).returncode, 2, arguments)


class LinksTest(TemporaryCase):
    """.ci/check-links: pages, anchors and pictures that a site leads to are there."""

    def test_what_leads_nowhere(self):
        (self.dir / "a.html").write_text('<h1 id="top"></h1><a href="#top"></a><a '
                                         'href="sub/b.html#here"></a>'
                                         '<a href="https://example.org/x"></a><img '
                                         'src="c%20d.png">')
        (self.dir / "sub").mkdir()
        (self.dir / "sub" / "b.html").write_text('<h1 id="here"></h1><a href="../a.html?q=1#top"></'
                                                 'a>')
        (self.dir / "c d.png").write_text("")
        check = load("check-links")
        self.assertEqual(check.broken(self.dir), (4, []))
        (self.dir / "sub" / "b.html").write_text('<a href="../a.html#gone"></a><a '
                                                 'href="c.html"></a>')
        count, found = check.broken(self.dir)
        self.assertEqual((count, [link for _, link in found]),
                         (5, ["sub/b.html#here", "../a.html#gone", "c.html"]))


class AnyPythonTest(TemporaryCase):
    """Scripts of examples/ run with a Python that cannot draw, if ./quickstart has prepared one
    that can."""

    def setUp(self):
        super().setUp()
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.dir / "bare"],
                       check=True)
        cached = self.dir / "cache" / "python" / "bin"
        cached.mkdir(parents=True)
        (cached / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (cached / "python3").chmod(0o755)

    def call(self, *command):
        env = dict(os.environ, DCFABRIC_CACHE=str(self.dir / "cache"), PYTHONPATH="")
        return subprocess.run([self.dir / "bare" / "bin" / "python3", *command], env=env,
                              capture_output=True, text=True,
                              timeout=100, check=False)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib")
                         and importlib.util.find_spec("pandas"), "this Python cannot draw either")
    def test_the_script_goes_on_elsewhere(self):
        run = self.call(ROOT / "examples" / "dcfabric-plot", "--help")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("usage: dcfabric-plot", run.stdout)
        self.assertIn("bare/bin/python3 lacks matplotlib, numpy, pandas; going on with "
                      f"{self.dir}/cache/python/bin/python3", run.stderr)

    def test_only_where_it_is_needed(self):
        """Scripts without figures and frames stay where they are, as do those that only tell their
        options."""
        for script, word, status in (("dcfabric-benchmark.py", "--nonsense", 2),
                                     ("dcfabric-sweep-speed.py", "--nonsense", 2),
                                     ("astra-ring.py", "--nonsense", 2),
                                     ("dcfabric-benchmark.py", "--help", 0),
                                     ("fncc-fct.py", "--help", 0), ("schemes.py", "-h", 0)):
            with self.subTest(f"{script} {word}"):
                run = self.call(ROOT / "examples" / script, word)
                self.assertEqual(run.returncode, status, run.stderr)
                self.assertNotIn("going on", run.stderr)
                self.assertIn("usage: ", run.stdout if status == 0 else run.stderr)

    def test_only_scripts_of_examples(self):
        """A program of the user's own that imports the file stays where it is."""
        code = (f"import sys; sys.path.insert(0, '{ROOT}/examples'); import find_dcfabric; "
                "print(sys.executable)")
        run = self.call("-c", code)
        self.assertEqual((run.stdout.strip(), run.stderr),
                         (str(self.dir / "bare" / "bin" / "python3"), ""))


if __name__ == "__main__":
    unittest.main()
