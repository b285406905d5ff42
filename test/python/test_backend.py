# SPDX-License-Identifier: GPL-2.0-only
"""The library for other simulators: a client in C, one in Python, and headers for simulators that
are known. DCFABRIC_BACKEND names the library, or it lies beside the program."""
import filecmp
import os
import re
import shutil
import subprocess
import unittest
import weakref
from pathlib import Path

from package_case import PackageCase

import dcfabric
from dcfabric.backend import Backend, find_backend

ROOT = Path(__file__).resolve().parents[2]
STUB = ROOT / "test" / "backend" / "backend-stub.c"
ASTRA = os.environ.get("DCFABRIC_ASTRA_DIR")
SIMAI = os.environ.get("DCFABRIC_SIMAI_DIR")
INTERFACES = ROOT / "test" / "backend" / "interfaces"
PAIR = ("--topology=dumbbell:switches=1,senders=1", "--rate=100Gbps", "--delay=1us")
EIGHT = ("--topology=leaf-spine:leaves=2,spines=2,hosts=4", "--rate=100Gbps", "--delay=1us")
KEYWORDS = {"topology": "fat-tree:k=4", "rate": "100Gbps", "delay": "1us"}


def library():
    try:
        return find_backend()
    except dcfabric.DcfabricError:
        return None


LIBRARY = library()
# of the same build, so that results can be compared to the byte
BESIDE = LIBRARY and LIBRARY.parent / "examples" / "dcfabric-sim"
SIM = BESIDE if BESIDE and BESIDE.is_file() else os.environ.get("DCFABRIC_SIM")


@unittest.skipUnless(LIBRARY, "no libdcfabric-backend.so: the stand-alone build has it")
class BackendCase(PackageCase):
    """A client in C, compiled here, and dcfabric-sim for comparison."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("cc"):
            raise unittest.SkipTest("no compiler for C")

    def setUp(self):
        super().setUp()
        self.stub = self.dir / "stub"
        subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'backend'}",
                        "-o", self.stub, STUB, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}",
                        "-Wl,--allow-shlib-undefined"], check=True)

    def check(self, name, *options, out="out"):
        run = subprocess.run([self.stub, name, *options, f"--out={out}"], capture_output=True,
                             text=True, timeout=300, check=False)
        self.assertEqual(run.returncode, 0, f"{name}: {run.stderr}")
        return run.stdout

    def sim(self, *options, out):
        subprocess.run([SIM, *options, f"--out={out}"], check=True, capture_output=True)

    def same(self, one, other, file="flows.csv"):
        self.assertTrue(filecmp.cmp(f"{one}/{file}", f"{other}/{file}", shallow=False),
                        Path(f"{one}/{file}").read_text()[:300])


class TestStub(BackendCase):
    """What a client in C is promised."""

    def test_checks(self):
        for name in ("schedule", "order", "match", "fifo", "huge", "missing", "twice", "local",
                     "finish"):
            with self.subTest(name):
                self.check(name, out=name)

    def test_many_networks(self):
        self.check("cycles:20")

    @unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
    def test_lone_message(self):
        """It takes what a flow of a workload takes; without congestion control, the ideal time."""
        for cc in ((), ("--cc=none",)):
            with self.subTest(cc):
                times = self.check("lone", *PAIR, *cc, out=f"lone{cc}")
                self.sim(*PAIR, *cc, "--workload=pairs:size=1MB", out=f"pairs{cc}")
                self.same(f"lone{cc}", f"pairs{cc}")
                row = Path(f"lone{cc}/flows.csv").read_text().splitlines()[1].split(",")
                for told, column in zip(times.split(), (row[5], row[6])):
                    self.assertEqual(int(told), round(1000 * float(column)))
                if cc:
                    self.assertEqual(row[5], row[7])

    @unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
    def test_ring(self):
        """A ring all-reduce is that of a program, to the byte; with a queue pair for each message,
        that of the workload, flow by flow."""
        self.check("ring:800000,0", *EIGHT, out="ring")
        Path("ring.txt").write_text("ranks 8\nprogram all {\n  allreduce 800kB\n}\n")
        self.sim(*EIGHT, "--workload=program:ring.txt", out="program")
        self.same("ring", "program")
        self.check("ring:800000,0", *EIGHT, "--ns3::ClientWorkload::QueuePairs=0", out="pairs")
        self.sim(*EIGHT, "--workload=allreduce-ring:size=800kB", out="workload")
        rows = [sorted(line.partition(",")[2]
                       for line in Path(f"{out}/flows.csv").read_text().splitlines())
                for out in ("pairs", "workload")]
        self.assertEqual(*rows)

    @unittest.skipUnless(SIM, "DCFABRIC_SIM does not name the program: run ./run-tests")
    def test_cost(self):
        """A step of a ring takes at most 2 % more instructions by the library than as a program,
        set-up and results included; without head starts, which only the program has."""
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind")
        Path("step.txt").write_text("ranks 128\nprogram all {\n  isend (rank+1)%ranks 20kB\n"
                                    "  irecv (rank-1)%ranks\n  wait\n}\n")
        common = ("--topology=fat-tree:k=8", "--rate=100Gbps", "--delay=1us", "--head-start=off")
        counts = []
        for command in ((self.stub, "ring:2560000,0,1", *common, "--out=library"),
                        (SIM, "--workload=program:step.txt", *common, "--out=program")):
            run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                                  *command], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            counts.append(int(re.search(r"Collected : (\d+)", run.stderr)[1]))
        self.same("library", "program")
        self.assertLess(counts[0], 1.02 * counts[1])

    def test_ring_with_delays(self):
        """There are 13 delays between 14 steps. Below some 11 ns, a message would meet the ACK of
        the one before it on its first link, which hides a part of them."""
        short, long = (int(self.check(f"ring:8000,{delay}", *EIGHT, out=f"after{delay}"))
                       for delay in (100, 1000))
        self.assertEqual(long - short, 13 * 900_000)


@unittest.skipUnless(LIBRARY, "no libdcfabric-backend.so: the stand-alone build has it")
class TestAdapters(PackageCase):
    """Headers for ASTRA-sim and SimAI, compiled with what they use of these."""

    def test_adapters(self):
        if not shutil.which("c++"):
            self.skipTest("no compiler for C++")
        for name in ("astra", "simai"):
            with self.subTest(name):
                subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror",
                                f"-I{ROOT / 'backend'}", f"-I{INTERFACES / name}", "-o", name,
                                INTERFACES / f"{name}.cpp", LIBRARY,
                                f"-Wl,-rpath,{LIBRARY.parent}", "-Wl,--allow-shlib-undefined"],
                               check=True)
                run = subprocess.run([self.dir / name, "--topology=fat-tree:k=4", "--ranks=2",
                                      f"--out=of-{name}"], capture_output=True, text=True,
                                     check=False)
                self.assertEqual(run.returncode, 0, run.stderr)

    def build_front_end(self, tree):
        config = self.dir / "dcfabric-backend-config.cmake"
        config.write_text("add_library(dcfabric::backend SHARED IMPORTED)\n"
                          "set_target_properties(dcfabric::backend PROPERTIES "
                          f'IMPORTED_LOCATION "{LIBRARY}" '
                          f'INTERFACE_INCLUDE_DIRECTORIES "{ROOT / "backend"}")\n')
        subprocess.run(["cmake", "-S", ROOT / "backend" / "astra", "-B", "build",
                        f"-DDCFABRIC_ASTRA_DIR={tree}", f"-Ddcfabric-backend_DIR={self.dir}",
                        "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "build", "--target", "astra-dcfabric", "--parallel",
                        "2"], check=True, stdout=subprocess.DEVNULL)

    def front_end(self, status, *words):
        run = subprocess.run(["build/astra-dcfabric", *map(str, words)], capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout if status == 0 else run.stderr

    def test_front_end(self):
        """The front end, on declarations of what it uses of ASTRA-sim."""
        if not shutil.which("cmake") or not shutil.which("c++"):
            self.skipTest("no CMake, or no compiler for C++")
        self.build_front_end(INTERFACES / "astra")
        given = ["--workload-configuration=w", "--system-configuration=s",
                 "--remote-memory-configuration=m"]
        Path("dims.json").write_text('{"logical-dims": ["2", "4"]}')
        for dims in ("--logical-dims=2,4", "--logical-topology-configuration=dims.json"):
            said = self.front_end(0, *given, dims, "--", *EIGHT, "--out=out")
            lines = said.splitlines()
            # 1 to 7 have it one after the other, then 0
            self.assertEqual([line.split()[0] for line in lines],
                             [f"sys[{rank % 8}]" for rank in range(1, 9)])
            times = [int(line.split()[2]) for line in lines]
            self.assertEqual(times, sorted(times))
            self.assertEqual(len(Path("out/flows.csv").read_text().splitlines()), 1 + 8)
        for words, said in (([], "--remote-memory-configuration is missing"),
                            (given, "--logical-dims=N"),
                            (["--nothing=1"], "unknown option --nothing=1"),
                            ([*given, "--logical-dims=9", "--", *EIGHT], "9 ranks"),
                            ([*given, "--logical-dims=8", "--", "--cc=x"], "unknown --cc 'x'"),
                            ([*given, "--logical-dims=8", "--", "--ranks=4"], "is given twice")):
            with self.subTest(words):
                self.assertIn(said, self.front_end(2, *words))

    def test_incomplete_checkout(self):
        """What a checkout lacks is said before the compiler says it."""
        if not shutil.which("cmake"):
            self.skipTest("no CMake")
        tree = self.dir / "checkout"
        shutil.copytree(INTERFACES / "astra", tree)
        schema = tree / "extern" / "graph_frontend" / "chakra" / "schema" / "protobuf"
        schema.mkdir(parents=True)
        (schema / "et_def.proto").touch()
        for said, more in ((f"has no et_def.pb.cc: protoc --proto_path={schema}", "extern"),
                           ("has no submodules: git -C", "astra-sim"),
                           ("is no checkout of ASTRA-sim 2.x", "")):
            run = subprocess.run(["cmake", "-S", ROOT / "backend" / "astra", "-B", "build",
                                  f"-DDCFABRIC_ASTRA_DIR={tree}"], capture_output=True, text=True,
                                 check=False)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("".join(said.split()), "".join(run.stderr.split()))
            shutil.rmtree(tree / more)

    @unittest.skipUnless(ASTRA, "DCFABRIC_ASTRA_DIR does not name a checkout of ASTRA-sim 2.x with "
                         "its submodules and et_def.pb.cc (doc/backend.rst)")
    def test_astra(self):
        """ASTRA-sim itself runs its own example: 7 steps of 4 chunks at 8 ranks."""
        self.build_front_end(ASTRA)
        examples = Path(ASTRA) / "examples"
        system = "system/native_collectives/HGX-H100-validated.json"
        workload = "workload/microbenchmarks/all_gather/8npus_1MB/all_gather"
        memory = "remote_memory/analytical/no_memory_expansion.json"
        said = self.front_end(0, f"--workload-configuration={examples / workload}",
                              f"--system-configuration={examples / system}",
                              f"--remote-memory-configuration={examples / memory}",
                              "--logical-dims=8", "--", *EIGHT, "--out=out")
        self.assertIn("finished", said)
        self.assertEqual(len(Path("out/flows.csv").read_text().splitlines()), 1 + 7 * 4 * 8)

    @unittest.skipUnless(SIMAI, "DCFABRIC_SIMAI_DIR does not name a checkout of SimAI")
    def test_simai(self):
        """The header fits the interface that SimAI has."""
        Path("simai.cpp").write_text('#include "dcfabric-simai.h"\n'
                                     "void Make(dcf_backend* backend)\n{\n"
                                     "    dcfabric::SimAiMessages messages;\n"
                                     "    dcfabric::SimAiNetwork(0, backend, messages);\n}\n")
        subprocess.run(["c++", "-std=c++17", "-fsyntax-only", f"-I{ROOT / 'backend'}",
                        f"-I{Path(SIMAI) / 'astra-sim-alibabacloud'}", "simai.cpp"], check=True)

    def test_symbols(self):
        """The library shows its interface and nothing else."""
        if not shutil.which("nm"):
            self.skipTest("no nm")
        shown = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True,
                               text=True, check=True).stdout
        names = {line.split()[-1] for line in shown.splitlines()}
        calls = ("bandwidth", "close", "error", "finish", "now_ps", "open", "ranks", "recv", "run",
                 "schedule", "send")
        self.assertEqual(names, {"DCF_ABI_1", *(f"dcf_{name}@@DCF_ABI_1" for name in calls)})


@unittest.skipUnless(LIBRARY, "no libdcfabric-backend.so: the stand-alone build has it")
class TestPython(PackageCase):
    """The same from Python."""

    def test_messages(self):
        calls = []
        with Backend(**KEYWORDS, out=self.dir / "out") as net:
            self.assertEqual(net.ranks, 16)
            self.assertEqual(net.gigabytes_per_second, 12.5)

            def received():
                calls.append(("received", net.now_ps))
                net.schedule(1000, lambda: calls.append(("later", net.now_ps)))

            net.recv(1, 0, 1_000_000, then=received)
            net.send(0, 1, 1_000_000, then=lambda: calls.append(("sent", net.now_ps)))
            self.assertTrue(net.run())
        (_, arrived), (_, later), (_, sent) = calls
        self.assertEqual([name for name, _ in calls], ["received", "later", "sent"])
        self.assertEqual(later, arrived + 1000)
        self.assertGreater(sent, later)
        result = dcfabric.Result(self.dir / "out")
        self.assertEqual(round(1000 * result.flows.fct_ns[0]), arrived)

    def test_ends(self):
        with Backend(**KEYWORDS, stop="1us", out=self.dir / "stopped") as net:
            net.send(0, 1, 1_000_000)
            self.assertFalse(net.run())
            with self.assertRaisesRegex(dcfabric.RunFailed, "runs once"):
                net.run()
        with Backend(**KEYWORDS, out=self.dir / "stuck") as net:
            net.recv(3, 2, 100, tag=5)
            with self.assertRaisesRegex(dcfabric.InvariantViolated,
                                        "rank 3 receives 100 bytes from rank 2 with tag 5: 100 "
                                        "missing"):
                net.run()

    def test_failure_of_a_function(self):
        calls = []

        def fails():
            raise KeyError("mine")

        with Backend(**KEYWORDS, out=self.dir / "out") as net:
            net.schedule(1, fails)
            net.schedule(2, lambda: calls.append(1))
            with self.assertRaisesRegex(KeyError, "mine"):
                net.run()
        self.assertEqual(calls, [])

    def test_within_a_function(self):
        """What would pull the network away from under run() is refused; what else is asked of it
        goes on."""
        for name in ("close", "run", "__enter__"):
            with self.subTest(name), Backend(**KEYWORDS, out=self.dir / name) as net:
                calls = []

                def fails():
                    with net:
                        calls.append("within")

                net.schedule(1, fails if name == "__enter__" else getattr(net, name))
                net.schedule(2, lambda: calls.append("late"))
                with self.assertRaisesRegex(
                        dcfabric.RunFailed,
                        f"^{'run' if name == 'run' else 'close'}\\(\\) within a function that run"
                        "\\(\\) calls; call it once run\\(\\) has returned$"):
                    net.run()
                self.assertEqual(calls, ["within"] if name == "__enter__" else [])
                with self.assertRaisesRegex(dcfabric.RunFailed, "has run already; it runs once"):
                    net.run()
        with Backend(**KEYWORDS, out=self.dir / "caught") as net:
            calls = []

            def catches():
                for refused in (net.close, net.run):
                    with self.assertRaises(dcfabric.RunFailed):
                        refused()
                net.send(0, 1, 1000, then=lambda: calls.append("sent"))

            net.schedule(1, catches)
            self.assertTrue(net.run())
            self.assertEqual(calls, ["sent"])

    def test_words(self):
        """Refusals name options as they are given, not classes."""
        for options, said in (({"ranks": 17}, "choose a larger --topology"),
                              ({"per_host": 0}, "^--per-host"),
                              ({"ranks": "x"}, "^--ranks: invalid value 'x'"),
                              ({"cc": "x"}, "^unknown --cc 'x'"),
                              ({"cc": "hpcc", "lb": "spray-random"},
                               "^--cc=hpcc compares INT records of one path, but "
                               "--lb=spray-random sprays packets over all; use ")):
            with self.subTest(options), self.assertRaisesRegex(dcfabric.BadScenario, said):
                Backend(**KEYWORDS, **options, out=self.dir / "out")
        Path("file").write_text("")
        with Backend(**KEYWORDS, out=self.dir / "file") as net:
            with self.assertRaisesRegex(dcfabric.RunFailed, "^--out: cannot make the folder"):
                net.run()

    def test_refusals(self):
        with self.assertRaisesRegex(dcfabric.BadScenario, "no-such"):
            Backend(no_such=1)
        with self.assertRaisesRegex(dcfabric.DcfabricError, "is no file"):
            Backend(library=self.dir / "none.so")
        with Backend(**KEYWORDS, ranks=4, attributes={"ns3::ClientWorkload::Priority": 2}) as net:
            for refused in (lambda: net.send(0, 4, 1), lambda: net.send(-1, 0, 1),
                            lambda: net.recv(0, 1 << 32, 1), lambda: net.finish(4),
                            lambda: net.schedule(1 << 64, print)):
                with self.assertRaises(dcfabric.RunFailed):
                    refused()
            with self.assertRaisesRegex(dcfabric.BadScenario, "has a simulation already"):
                Backend(**KEYWORDS)

            class Then:
                def __call__(self):
                    raise AssertionError("it was refused")

            then = Then()
            gone = weakref.ref(then)
            with self.assertRaisesRegex(dcfabric.RunFailed, "there is no rank 9"):
                net.recv(9, 0, 1, then=then)
            del then
            self.assertIsNone(gone(), "what was refused is forgotten")
        with self.assertRaisesRegex(dcfabric.DcfabricError, "closed"):
            net.run()


if __name__ == "__main__":
    unittest.main()
