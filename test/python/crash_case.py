# SPDX-License-Identifier: GPL-2.0-only
"""What the crash tests have in common: two runs whose files can be told apart, and what a folder
may hold."""
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from sim_case import SIM, SimCase

# Two senders over one link, 3 MB each: some tenths of a second.
FABRIC = ("--topology=dumbbell:switches=3,senders=2", "--workload=pairs:size=3MB")
# The old run and the new one differ in what they write, in each file and in the list of files.
OLD = (*FABRIC, "--cc=hpcc", "--trace=queues,pfc")
NEW = (*FABRIC, "--cc=fncc", "--trace=queues,rates")
OTHER = (*FABRIC, "--cc=dcqcn")
SEED = int(os.environ.get("DCFABRIC_CRASH_SEED") or time.time())


def digest(data):
    """Short enough for a message."""
    return hashlib.sha256(data).hexdigest()[:8]


def contents(folder):
    """All files by name, as hashes. Of the summary what does not change from run to run."""
    found = {}
    for path in Path(folder).iterdir():
        if path.is_dir():
            found[path.name] = contents(path)
        elif path.name == "summary.json":
            summary = json.loads(path.read_text())
            found[path.name] = (summary["options"]["cc"], summary["status"], summary["events"])
        else:
            found[path.name] = digest(path.read_bytes())
    return found


def raw(folder):
    """All files byte for byte, as hashes."""
    return {str(path.relative_to(folder)): digest(path.read_bytes())
            for path in sorted(Path(folder).rglob("*")) if path.is_file()}


def limit_files(size):
    """For preexec_fn: no file above a size, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class CrashCase(SimCase):
    """A folder with complete results of OLD, and what complete results of NEW look like."""

    @classmethod
    def setUpClass(cls):
        if not SIM:
            return
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.old, cls.new = Path(temporary.name, "old"), Path(temporary.name, "new")
        for options, out in ((OLD, cls.old), (NEW, cls.new)):
            began = time.monotonic()
            subprocess.run([SIM, *options, f"--out={out}"], check=True, capture_output=True,
                           timeout=60)
            cls.seconds = time.monotonic() - began
        cls.OLD, cls.NEW = contents(cls.old), contents(cls.new)

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.renew()

    def renew(self):
        """Begin with the results of OLD again."""
        shutil.rmtree(self.out, ignore_errors=True)
        shutil.copytree(self.old, self.out)

    def start(self, *arguments, out=None, **more):
        process = subprocess.Popen([SIM, *arguments, f"--out={out or self.out}"], cwd=self.dir,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)  # goes first; what has ended is left alone
        return process

    def check_unmixed(self, folder, where):
        """If the folder looks complete, it holds all files of one run and none of another. Returns
        them."""
        found = {name: value for name, value in contents(folder).items()
                 if not name.startswith(".")}
        if "summary.json" in found:
            self.assertIn(found, (self.OLD, self.NEW), f"{where}, seed {SEED}: files of two runs")
        return found

    def settle(self, where):
        """What the next run finds: it is refused, and has put the folder in order."""
        run = self.sim(*OTHER)
        self.assertEqual(run.returncode, 2, f"{where}, seed {SEED}: {run.stderr}")
        self.assertIn("other options", run.stderr, f"{where}, seed {SEED}")
        found = contents(self.out)
        found.pop("partial", None)  # of an interrupted run
        self.assertIn(found, (self.OLD, self.NEW),
                      f"{where}, seed {SEED}: lost, mixed or not cleaned up")
        return found


__all__ = ["CrashCase", "FABRIC", "NEW", "OLD", "OTHER", "SEED", "contents", "digest",
           "limit_files", "raw"]
