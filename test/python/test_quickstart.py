# SPDX-License-Identifier: GPL-2.0-only
"""./quickstart with a program and a plotter that only write down what they are called with: no
build, no simulation."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SUMMARY = {"max_queue_bytes": 1, "pfc_pause_frames": 0, "flows_completed": 1, "flows_started": 1,
           "packet_hops_per_second": 1}
PROGRAM = f"""#!{sys.executable}
import json, pathlib, sys
options = dict(one[2:].split("=", 1) for one in sys.argv[1:] if "=" in one)
out = pathlib.Path(options["out"])
out.mkdir(exist_ok=True)
kind, _, path = options["workload"].partition(":")
assert kind != "flows" or pathlib.Path(path).read_text().startswith("2\\n"), path
(out / "summary.json").write_text({json.dumps(SUMMARY)!r})
(out / "rates.csv").write_text("time_ns,flow,rate_bps,window_bytes\\n")
(out / "flows.csv").write_text("flow,slowdown\\n0,1\\n1,\\n")
(out / "arguments").write_text(json.dumps(sys.argv[1:]))
"""
PLOTTER = f"""#!{sys.executable}
import json, pathlib, sys
folders = [one for one in sys.argv[2:] if not one.startswith("--")]
options = dict(one[2:].split("=", 1) for one in sys.argv[2:] if one.startswith("--"))
assert all(pathlib.Path(one, "summary.json").is_file() for one in folders), folders
assert pathlib.Path(sys.argv[1]).is_file(), sys.argv[1]
figure = pathlib.Path(options["out"], options.get("prefix", "") + "fct-cdf.png")
figure.write_text(json.dumps(folders))
"""
STUBS = """
lock_cache() { :; }
fetch_wheel_meanwhile() { :; }
prepare_tools() { :; }
prepare_plotting_meanwhile() { :; }
prepare_quickest() { echo "built"; }
build() { :; }
prepare_plotting() { :; }
program() { echo "$STUB_PROGRAM"; }
PLOT_PYTHON=$STUB_PLOTTER
find_wheel() { [ -z "${STUB_NO_WHEEL:-}" ] || return 1; WHEEL_PYTHON=/wheel/bin/python3; }
prepare_wheel_tree() { TREE="/a tree"; }
prepare_bindings() { echo "bindings built"; }
"""


class QuickstartCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name)
        (self.dir / "root" / ".ci").mkdir(parents=True)
        shutil.copy(ROOT / "quickstart", self.dir / "root")
        shutil.copy(ROOT / ".ci" / "check-machine.sh", self.dir / "root" / ".ci")
        (self.dir / "root" / ".ci"
         / "setup-ns3.sh").write_text(f". {ROOT}/.ci/setup-ns3.sh\n{STUBS}")
        (self.dir / "pro & grams").mkdir()
        self.programs = [self.dir / "pro & grams" / name for name in ("s'im", "python $3")]
        for path, text in zip(self.programs, (PROGRAM, PLOTTER)):
            path.write_text(text)
            path.chmod(0o755)

    def quickstart(self, *arguments, **environment):
        program, plotter = map(str, self.programs)
        env = {**os.environ, "STUB_PROGRAM": program, "STUB_PLOTTER": plotter, **environment}
        return subprocess.run([self.dir / "root" / "quickstart", *arguments], cwd=self.dir, env=env,
                              capture_output=True, text=True,
                              timeout=60, check=False)


class OutTest(QuickstartCase):
    """Folders of any name: runs, figures and the commands that are said at the end."""

    def commands(self, said):
        """Those that can be pasted."""
        lines = said.splitlines()
        at = next(number for number, line in enumerate(lines) if line.endswith("\\"))
        return "\n".join(lines[at:at + 2]), lines[lines.index("Figures of that run") + 1]

    def try_folder(self, name, *given, **environment):
        run = self.quickstart(*(given or (f"--out={name}",)), **environment)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        out = self.dir / name
        for kind, ends in (("dumbbell", [""]), ("fat-tree", [f"-{seed}" for seed in range(1, 6)])):
            names = [f"{kind}-{cc}{end}" for cc in ("fncc", "hpcc", "dcqcn") for end in ends]
            for name_ in names:
                self.assertTrue((out / name_ / "summary.json").is_file(), sorted(out.iterdir()))
            folders = json.loads((out / f"{kind}-fct-cdf.png").read_text())
            self.assertEqual([Path(one).name for one in folders], names)
        for command in self.commands(run.stdout):
            said = subprocess.run(["bash", "-c", command], cwd="/", capture_output=True, text=True,
                                  check=False)
            self.assertEqual(said.returncode, 0, command + said.stderr)
        arguments = json.loads((out / "mine" / "arguments").read_text())
        self.assertEqual((arguments[0], arguments[-2]),
                         ("--topology=fat-tree:k=4", f"--out={out.resolve()}/mine"))
        self.assertEqual(json.loads((out / "mine" / "fct-cdf.png").read_text()),
                         [f"{out.resolve()}/mine"])
        return run

    def test_names(self):
        for name in ("plain", "a&b", "sp ace", "qu'o\"te", "größe", "do$lar`x`", "com,ma:co=lon",
                     "tr/", "deep/er/", "-dash", "back\\slash"):
            with self.subTest(name=name):
                self.try_folder(name)

    def test_both_forms_of_an_option(self):
        self.try_folder("one", "--out", "one")
        self.try_folder("two", "--out=one", "--out=two")
        self.assertIn("error: --out needs a folder", self.quickstart("--out=").stderr)
        self.assertIn("error: --ns3 /nonexistent: not an ns-3 tree",
                      self.quickstart("--ns3=/nonexistent").stderr)

    def test_bindings(self):
        """The command at the end names the Python with the bindings, and the library."""
        self.assertNotIn("bindings", self.try_folder("without").stdout)
        run = self.quickstart("--bindings", "--out=with")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("bindings built", run.stdout)
        self.assertEqual(run.stdout.splitlines()[-1].strip(),
                         "DCFABRIC_LIBRARY='/a tree/cmake-cache/libdcfabric.so' /wheel/bin/python3 "
                         f"{ROOT}/examples/dcfabric-dumbbell.py --out "
                         f"{self.dir.resolve()}/with/bindings.png")
        run = self.quickstart("--bindings", STUB_NO_WHEEL="1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("error: --bindings needs the Python wheel of ns-3", run.stderr)

    def test_folders_that_a_shell_looks_elsewhere_for(self):
        (self.dir / "elsewhere" / "results").mkdir(parents=True)
        self.try_folder("results", "--out", "results", CDPATH=str(self.dir / "elsewhere"))
        self.assertEqual(list((self.dir / "elsewhere" / "results").iterdir()), [])
        (self.dir / "elsewhere" / "root").mkdir()
        env = {**os.environ, "CDPATH": str(self.dir / "elsewhere"), "STUB_PLOTTER": ""}
        run = subprocess.run(["bash", "root/quickstart", "--help"], cwd=self.dir, env=env,
                             capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_plain_names_are_said_as_they_are(self):
        self.programs = [shutil.copy(path, self.dir / f"plain{number}")
                         for number, path in enumerate(self.programs)]
        said = self.try_folder("plain").stdout.splitlines()
        for path in (f"  {self.dir}/plain/dumbbell-fct-cdf.png", f"  {self.dir}/plain0"):
            self.assertIn(path, said)
        self.assertTrue(Path(said[-1].split()[0]).is_file(), said[-1])


class RefusedTest(QuickstartCase):
    """A folder that cannot be written is refused before anything is built."""

    def test_not_writable(self):
        (self.dir / "file").write_text("")
        for out in ("/proc", "/proc/none", "file", "file/sub"):
            run = self.quickstart("--out", out)
            self.assertEqual(run.returncode, 2, (out, run.stderr))
            self.assertIn("quickstart: error: --out: cannot ", run.stderr)
            self.assertNotIn("built", run.stdout)


if __name__ == "__main__":
    unittest.main()
