# SPDX-License-Identifier: GPL-2.0-only
"""pip install: the source distribution, the wheel that is built from it, and what a user does with
that in a fresh environment, until nothing of it is left. Takes a minute of two cores; less if
ccache knows the compilations."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

from package_case import ROOT
from dcfabric import __version__
from dcfabric.program import cache_folder, trees_folder

LONG_S = 900
WHEEL_PYTHON = os.environ.get("DCFABRIC_WHEEL_PYTHON")
VERSION = re.search(r'DCFABRIC_VERSION = "([^"]+)"',
                    (ROOT / "helper" / "results" / "dcfabric-version.h")
                    .read_text(encoding="utf-8"))[1]
QUICK = os.environ.get("DCFABRIC_QUICK") == "yes"
MAY = not QUICK and all(importlib.util.find_spec(name) for name in ("ensurepip", "venv"))
WHY = ("takes too long for --quick" if QUICK
       else "this Python cannot make environments (Debian package python3-venv)")

# What the user of an installed package may write, checked with mypy --strict as well.
SCRIPT = '''
from __future__ import annotations

from dcfabric import Ack, CongestionControl, Flow, Scenario, find_program, sweep


class Delay(CongestionControl):
    """More while the round trip is short, less while it is long."""

    target_ns = 2000.0

    def on_ack(self, ack: Ack) -> None:
        if ack.rtt_ns - self.path.base_rtt_ns > self.target_ns:
            self.window_bytes = max(self.path.payload_bytes, int(0.9 * self.window_bytes))
        else:
            self.window_bytes += self.path.payload_bytes * ack.acked_bytes // self.window_bytes


scenario = Scenario(topology="dumbbell:switches=3,senders=2", workload="pairs:size=100kB",
                    cc="hpcc", trace=["queues"])
print(find_program())
by_name = sweep({cc: scenario.replace(cc=cc) for cc in ("fncc", "hpcc")}, jobs=2, out="sweep",
                progress=False)
print(sorted(by_name), len(by_name["fncc"].flows), int(by_name["hpcc"].queues["bytes"].max()) > 0)
by_place = sweep([scenario.replace(seed=seed) for seed in (1, 2)], jobs=2, progress=False)
print(sum(len(result.flows) for result in by_place))
own = scenario.replace(cc=Delay, cc_parameters={"target_ns": 3000.0}, workload=None,
                       flows=[Flow(src=0, dst=2, size_bytes=50_000)]).run()
print([type(each).__name__ for each in own.congestion_controls], own.summary["flows_completed"])
'''


def run(*command, **options):
    """Run a command, and fail with all it said unless it succeeds."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False,
                          **{"timeout": LONG_S, **options})
    if done.returncode:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def files_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")
                  if not path.is_dir())


def other_version(wheel, version, folder):
    """The same wheel under another version, with a file that it does not have and without one that
    it has."""
    old, new = f"dcfabric-{VERSION}", f"dcfabric-{version}"
    path = folder / wheel.name.replace(VERSION, version)
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(path, "w") as target:
        for item in source.infolist():
            data = source.read(item)
            if item.filename == "dcfabric/py.typed":
                continue
            if item.filename.endswith(("/METADATA", "/RECORD")):
                data = data.replace(f"Version: {VERSION}".encode(),
                                    f"Version: {version}".encode()).replace(
                                        old.encode(), new.encode())
                lines = [line for line in data.splitlines(True)
                         if not line.startswith(b"dcfabric/py.typed")]
                data = b"".join(lines) + (b"dcfabric/newer.py,,\n"
                                          if item.filename.endswith("RECORD") else b"")
            item.filename = item.filename.replace(old, new)
            target.writestr(item, data)
        target.writestr("dcfabric/newer.py", b"")
    return path


def environment():
    """That of a user: without what run-tests has set for other tests, or whoever called it."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("DCFABRIC_", "PYTHON"))
            and name not in ("VIRTUAL_ENV", "CMAKE_ARGS")}


def known_to_ccache(build):
    """Settings that find ns-3 where the stand-alone release build does, and let ccache know its
    compilations again: the folders lie to each other as its folders do (.ci/setup-ns3.sh)."""
    found = [path.parent for path in (cache_folder() / "wheel")
             .glob("lib/python3*/site-packages/ns3/lib*/cmake/ns3/ns3Config.cmake")]
    if not found or not (cache_folder() / "wheel" / ".complete").is_file():
        return [], {}
    flags = f"-fmacro-prefix-map={build.parent}/= -UPROJECT_SOURCE_PATH"
    settings = {"build-dir": build, "cmake.define.ns3_DIR": found[0],
                "cmake.define.CMAKE_CXX_FLAGS": flags}
    ccache = {"CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
              "CCACHE_NOHASHDIR": "1",
              "CCACHE_BASEDIR": str(cache_folder().resolve()),
              "CCACHE_IGNOREOPTIONS": "-DPROJECT_SOURCE_PATH=* -fmacro-prefix-map=*"}
    return [f"-C{name}={value}" for name, value in settings.items()], ccache


@unittest.skipUnless(MAY, WHY)
class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="dcfabric-install-")
        cls.addClassCleanup(temporary.cleanup)
        cls.dir = Path(temporary.name).resolve()
        cls.tools = cls.new_environment("tools", "build", "twine", "mypy", "pandas-stubs",
                                        "scikit-build-core")
        # ccache wants this place; two runs at a time would be in each other's way
        tree = trees_folder() / f"wheel-install-{os.getpid()}"
        cls.addClassCleanup(shutil.rmtree, tree, ignore_errors=True)
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        run(cls.tools, "-m", "build", "--sdist", "--outdir", cls.dir / "dist", ROOT,
            env=environment())
        cls.sdist = cls.dir / "dist" / f"dcfabric-{VERSION}.tar.gz"
        with tarfile.open(cls.sdist) as archive:
            archive.extractall(tree)
        source = (tree / f"dcfabric-{VERSION}").rename(tree / "dcfabric")
        settings, ccache = known_to_ccache(tree / "cmake-cache")
        run(cls.tools, "-m", "build", "--wheel", "--outdir", cls.dir / "dist", *settings, source,
            env={**environment(), **ccache})
        cls.wheel, = (cls.dir / "dist").glob("*.whl")
        cls.python = cls.new_environment("user", "numpy", "pandas", "matplotlib")
        cls.before = files_of(cls.dir / "user")
        run(cls.python, "-m", "pip", "install", "--no-deps", cls.wheel, env=environment())

    @classmethod
    def new_environment(cls, name, *packages):
        """Its Python, with packages of the registry."""
        run(sys.executable, "-m", "venv", cls.dir / name, env=environment())
        python = cls.dir / name / "bin" / "python"
        run(python, "-m", "pip", "install", "--disable-pip-version-check", "-q", *packages,
            env=environment())
        return python

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=self.dir)
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def command(self, name, *arguments):
        return run(self.python.parent / name, *arguments, cwd=self.here, env=environment())

    def test_metadata(self):
        run(self.tools, "-m", "twine", "check", "--strict", self.sdist, self.wheel,
            env=environment())
        with zipfile.ZipFile(self.wheel) as wheel:
            text = wheel.read(f"dcfabric-{VERSION}.dist-info/METADATA").decode()
            names = wheel.namelist()
        self.assertIn(f"\nVersion: {VERSION}\n", text)
        # what PyPI shows has no links to files of the checkout
        self.assertEqual([link for link in re.findall(r"\]\(([^)]+)\)", text)
                          if not link.startswith(("https:", "#"))], [])
        self.assertRegex(self.wheel.name, r"-py3-none-linux_\w+\.whl$")
        package = [name for name in names if "/include/" not in name
                   and not name.startswith(f"dcfabric-{VERSION}.dist-info")]
        self.assertEqual(sorted(name for name in package if name.endswith((".py", ".typed"))),
                         sorted(f"dcfabric/{path.relative_to(ROOT / 'python' / 'dcfabric')}"
                                for path in (ROOT / "python" / "dcfabric").rglob("*")
                                if path.suffix in (".py", ".typed")))
        self.assertTrue({"dcfabric/bin/dcfabric-sim", "dcfabric/lib/libdcfabric.so",
                         "dcfabric/lib/libdcfabric-backend.so",
                         "dcfabric/include/dcfabric/dcfabric-backend.h",
                         "dcfabric/include/ns3/congestion-control.h",
                         "dcfabric/include/ns3/fabric-helper.h"} <= set(names))

    def test_no_library_of_another_license(self):
        """ns-3's wheel has the GNU Scientific Library (GPL-3), which none of the libraries that are
        used here calls: ours, which is GPL-2 only, neither has nor wants it."""
        place = next((self.dir / "user").glob("lib/python3*/site-packages/dcfabric/lib"))
        libraries = [path for path in place.rglob("*") if ".so" in path.name]
        self.assertTrue(any("libns3" in path.name for path in libraries), libraries)
        self.assertEqual([path.name for path in libraries if "gsl" in path.name], [])
        for path in libraries:
            self.assertNotIn("gsl", run("readelf", "--dynamic", path), path.name)

    def test_source_distribution_is_complete(self):
        """It has each file of the repository."""
        tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                                 check=False).stdout.splitlines()
        if not tracked:
            self.skipTest("not a git checkout")
        with tarfile.open(self.sdist) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
        self.assertEqual([name for name in tracked if (ROOT / name).exists() and name not in names],
                         [])

    def test_command_and_figure(self):
        self.command("dcfabric-sim", "--topology=dumbbell:switches=3,senders=2",
                     "--workload=pairs:size=100kB", "--cc=fncc", "--trace=queues", "--out=results")
        self.command("dcfabric-plot", "results", "--out=figures")
        figures = list((self.here / "figures").glob("*.png"))
        self.assertTrue(figures)
        self.assertTrue(all(path.stat().st_size > 5000 for path in figures))

    def test_commands_tell_the_version(self):
        self.assertEqual(self.command("dcfabric", "--version"), f"dcfabric {VERSION}\n")
        self.assertEqual(self.command("dcfabric-plot", "--version"), f"dcfabric {VERSION}\n")
        self.assertRegex(self.command("dcfabric-sim", "--version"),
                         rf"^dcfabric {VERSION} on ns-3 3\.\d+\n$")

    def test_command_hands_over_status_and_messages(self):
        bad = subprocess.run([self.python.parent / "dcfabric-sim", "--cc=nonsense"],
                             capture_output=True, text=True, check=False,
                             env=environment())
        self.assertEqual(bad.returncode, 2)
        self.assertIn("nonsense", bad.stderr)

    def test_script(self):
        """A sweep by name and by number, and a congestion control in Python; then the same under a
        type checker."""
        (self.here / "study.py").write_text(SCRIPT)
        program, *said = run(self.python, "study.py", cwd=self.here, env=environment()).splitlines()
        self.assertTrue(Path(program).is_relative_to(self.dir / "user"), program)
        self.assertEqual(said, ["['fncc', 'hpcc'] 2 True", "4", "['Delay'] 1"])
        run(self.tools, "-m", "mypy", "--strict", f"--python-executable={self.python}", "study.py",
            cwd=self.here, env=environment())

    def test_program_of_ones_own(self):
        """A congestion control in C++ against the installed library, with find_package() and the
        headers of the ns-3 that a build fetches where none is given."""
        fetch = ("import build_wheel, pathlib; print(build_wheel.fetch(build_wheel.pinned(), "
                 f"pathlib.Path({str(self.here / 'ns-3')!r})))")
        said = run(self.tools, "-B", "-c", fetch, cwd=ROOT,
                   env={**environment(), "PYTHONPATH": str(ROOT / ".ci")})
        prefix = Path(said.splitlines()[-1]).parents[2]
        name = "dcfabric-custom-congestion-control"
        shutil.copy(ROOT / "examples" / f"{name}.cc", self.here / "own.cc")
        (self.here / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(own LANGUAGES "
            "CXX)\nfind_package(dcfabric REQUIRED)\n"
            "add_executable(own own.cc)\ntarget_link_libraries(own dcfabric::dcfabric)\n")
        places = dict(line.split(": ")
                      for line in run(self.python, "-m", "dcfabric", "where", env=environment())
                      .splitlines())
        self.assertEqual(sorted(places), ["cmake", "include", "library", "program"])
        self.assertTrue(all(Path(path).exists() and Path(path).is_relative_to(self.dir / "user")
                            for path in places.values()))
        place = run(self.python, "-m", "dcfabric", "where", "cmake", env=environment()).strip()
        configure = ["cmake", "-G", "Ninja", "-S", self.here, "-B", self.here / "build",
                     f"-Ddcfabric_DIR={place}"]
        missing = subprocess.run([str(word) for word in configure], capture_output=True, text=True,
                                 check=False, env=environment())
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("pip install --no-deps 'ns3==3.44", missing.stderr)
        run(*configure, f"-Dns3_INCLUDE_DIR={prefix / 'include'}", env=environment())
        run("cmake", "--build", self.here / "build", env=environment())
        self.assertTrue(run(self.here / "build" / "own", cwd=self.here, env=environment()))
        # a library, by the command and by CMake
        headers = {**environment(), "DCFABRIC_NS3_INCLUDE": str(prefix / "include")}
        command = self.python.parent / "dcfabric"
        run(command, "new", "congestion-control", "Mine", cwd=self.here, env=environment())
        run(command, "build", "mine", cwd=self.here, env=headers)
        run("cmake", "-S", self.here / "mine", "-B", self.here / "by-cmake",
            f"-Ddcfabric_DIR={place}", f"-Dns3_INCLUDE_DIR={prefix / 'include'}",
            env=environment())
        run("cmake", "--build", self.here / "by-cmake", env=environment())
        table = run(self.python, "mine/compare.py", cwd=self.here, env=environment())
        self.assertRegex(table, r"(?m)^ns3::Mine +\d+ ")
        for library in ("mine/build/libmine.so", "by-cmake/libmine.so"):
            said = self.command("dcfabric-sim", f"--load={library}", "--cc=ns3::Mine",
                                "--topology=fat-tree:k=4", "--duration=50us",
                                f"--out={library.partition('/')[0]}-results")
            self.assertIn("--cc=ns3::Mine", said)

    @unittest.skipUnless(WHEEL_PYTHON,
                         "needs the wheel of ns-3 with cppyy (run-tests, not --quick)")
    def test_bindings(self):
        """ns-3's own classes in Python, with the installed library beside the ns-3 of the bindings,
        from a folder below which the bindings could find the package."""
        package, = (self.dir / "user").glob("lib/python3*/site-packages/dcfabric")
        (self.here / "dcfabric").symlink_to(package)
        script = ("from dcfabric.bindings import load\nns = "
                  "load()\nns.Time.SetResolution(ns.Time.PS)\n"
                  "helper = ns.FabricHelper()\n"
                  "helper.SetCongestionControl('ns3::HpccCongestionControl')\n"
                  "helper.AddSwitchFeature('ns3::HpccIntFeature')\n"
                  "fabric = helper.Install(ns.MakeFabricTopology('dumbbell:switches=2,"
                  "senders=1').BuildGraph())\n"
                  "fabric.GetNic(0).GetMessages().SendAt(0, 1, 50_000, "
                  "0)\nns.Simulator.Stop(ns.MicroSeconds(50))\nns.Simulator.Run()\n"
                  "print(fabric.GetNic(1).GetCounters().dataDelivered)\n"
                  "names = {line.split()[-1] for line in open('/proc/self/maps') if "
                  "'libns3.44-core' in line}\nprint(len(names))\n")
        said = run(WHEEL_PYTHON, "-B", "-c", script, cwd=self.here,
                   env={**environment(), "PYTHONPATH": str(self.here)})
        # 50 packets of 1000 bytes; one core library, not that of the package and that of the
        # bindings
        self.assertEqual(said.split()[-2:], ["50", "1"])

    def test_result_does_not_name_the_build(self):
        library = next((self.dir / "user")
                       .glob("lib/python3*/site-packages/dcfabric/lib/libdcfabric.so"))
        self.assertNotIn(str(trees_folder()).encode(), library.read_bytes())

    def test_versions_beside_and_after_each_other(self):
        """Each environment has its own; a newer one leaves nothing of the older."""
        newer = other_version(self.wheel, "99.0", self.here)
        pip = [self.tools, "-m", "pip", "--python"]
        installed = {}
        for name, wheels in {"newer": [newer], "after": [self.wheel, newer]}.items():
            run(sys.executable, "-m", "venv", "--without-pip", self.here / name, env=environment())
            python = self.here / name / "bin" / "python"
            for wheel in wheels:
                run(*pip, python, "install", "--no-deps", wheel, env=environment())
            installed[name] = [path for path in files_of(self.here / name)
                               if "dcfabric" in path and not path.endswith(".pyc")]
            told = run(python, "-c",
                       "import importlib.metadata; print(importlib.metadata.version('dcfabric'))",
                       env=environment())
            self.assertEqual(told.strip(), "99.0")
            # these environments have nothing else: that suffices for the program, and figures tell
            # what they need
            run(self.here / name / "bin" / "dcfabric-sim", "--help", env=environment())
            figures = subprocess.run([self.here / name / "bin" / "dcfabric-plot", "results"],
                                     capture_output=True, text=True,
                                     check=False, env=environment())
            self.assertEqual(figures.returncode, 2)
            self.assertIn("pip install 'dcfabric[plot]'", figures.stderr)
        self.assertEqual(installed["newer"], installed["after"])
        self.assertTrue(any(path.endswith("dcfabric/newer.py") for path in installed["after"]))
        told = run(self.python, "-c",
                   "import importlib.metadata; print(importlib.metadata.version('dcfabric'))",
                   env=environment())
        self.assertEqual(told.strip(), VERSION)

    def test_zz_uninstall_leaves_nothing(self):
        """Last by its name: after the others have used it."""
        run(self.python, "-c", "import dcfabric.plot", env=environment())
        run(self.python, "-m", "pip", "uninstall", "-y", "dcfabric", env=environment())
        after = [name for name in files_of(self.dir / "user") if "/dcfabric" in name]
        self.assertEqual(after, [])
        # compiled files of others come into being as they are used
        self.assertEqual(
            [name for name in files_of(self.dir / "user") if not name.endswith(".pyc")],
                         [name for name in self.before if not name.endswith(".pyc")])


class SourceTest(unittest.TestCase):
    def test_one_version(self):
        """What repeats the version of the header is equal to it."""
        def text(*path):
            return ROOT.joinpath(*path).read_text(encoding="utf-8")

        citation, zenodo = text("CITATION.cff"), json.loads(text(".zenodo.json"))
        self.assertEqual(re.search(r"^version: (\S+)$", citation, re.M)[1], VERSION)
        self.assertEqual(__version__, VERSION)
        self.assertEqual(zenodo["version"], VERSION)
        table = text("doc", "release", "app-store.rst").split("Versions\n---", 1)[1]
        self.assertIn(f"   * - {VERSION}\n", table)
        recipe = text("doc", "release", "conda-forge", "recipe.yaml")
        self.assertIn(f'  version: "{VERSION}"\n', recipe)
        # the newest release of CHANGES.md, and its day
        newest = re.search(r"^## (\S+) \((\S+)\)$", text("CHANGES.md"), re.M)
        self.assertEqual(newest[1], VERSION)
        self.assertEqual(zenodo["publication_date"], newest[2])
        self.assertEqual(re.search(r"^date-released: (\S+)$", citation, re.M)[1], newest[2])

    def test_wheel_asks_for_no_compiler(self):
        """What it requires has wheels; ns3 requires cppyy, which has none."""
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"^dependencies = (.*)$", text, re.M)[1], '["numpy", "pandas"]')

    def test_one_version_of_ns3(self):
        """The wheel is built with the ns-3 that the stand-alone build is made with."""
        pinned = re.search(r'^bindings = \["ns3==([0-9.]+)\.post\d+"\]$',
                           (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)
        wanted = re.search(r"^WHEEL_WANTED=(\S+)$",
                           (ROOT / ".ci" / "setup-ns3.sh").read_text(encoding="utf-8"), re.M)
        self.assertEqual(pinned[1], wanted[1])


if __name__ == "__main__":
    unittest.main()
