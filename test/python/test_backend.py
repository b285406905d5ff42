# SPDX-License-Identifier: GPL-2.0-only
"""The library for other simulators: a client in C, one in Python, and headers for simulators that
are known. DCFABRIC_BACKEND names the library, or it lies beside the program."""
import filecmp
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from package_case import PackageCase

import dcfabric
from dcfabric.backend import Backend, find_backend

ROOT = Path(__file__).resolve().parents[2]
STUB = ROOT / "test" / "backend" / "backend-stub.c"
ASTRA = os.environ.get("DCFABRIC_ASTRA_DIR")
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
        interfaces = ROOT / "test" / "backend" / "interfaces"
        for name in ("astra", "simai"):
            with self.subTest(name):
                subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror",
                                f"-I{ROOT / 'backend'}", f"-I{interfaces / name}", "-o", name,
                                interfaces / f"{name}.cpp", LIBRARY,
                                f"-Wl,-rpath,{LIBRARY.parent}", "-Wl,--allow-shlib-undefined"],
                               check=True)
                run = subprocess.run([self.dir / name, "--topology=fat-tree:k=4", "--ranks=2",
                                      f"--out=of-{name}"], capture_output=True, text=True,
                                     check=False)
                self.assertEqual(run.returncode, 0, run.stderr)

    @unittest.skipUnless(ASTRA, "DCFABRIC_ASTRA_DIR does not name a checkout of ASTRA-sim 2.x with "
                         "its submodules")
    def test_front_end(self):
        """ASTRA-sim itself, built with the library, knows its options."""
        config = self.dir / "dcfabric-backend-config.cmake"
        config.write_text("add_library(dcfabric::backend SHARED IMPORTED)\n"
                          "set_target_properties(dcfabric::backend PROPERTIES "
                          f'IMPORTED_LOCATION "{LIBRARY}" '
                          f'INTERFACE_INCLUDE_DIRECTORIES "{ROOT / "backend"}")\n')
        subprocess.run(["cmake", "-S", ROOT / "backend" / "astra", "-B", "build",
                        f"-DDCFABRIC_ASTRA_DIR={ASTRA}", f"-Ddcfabric-backend_DIR={self.dir}"],
                       check=True)
        subprocess.run(["cmake", "--build", "build", "--target", "astra-dcfabric", "--parallel",
                        "2"], check=True)
        run = subprocess.run(["build/astra-dcfabric"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--remote-memory-configuration is missing", run.stderr)

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
        with self.assertRaisesRegex(dcfabric.DcfabricError, "closed"):
            net.run()


if __name__ == "__main__":
    unittest.main()
