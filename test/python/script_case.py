# SPDX-License-Identifier: GPL-2.0-only
"""What tests have in common that start Python scripts and let them die."""
import contextlib
import subprocess
import sys
import time
from pathlib import Path

from package_case import PackageCase, ROOT

from dcfabric import Scenario

EXAMPLES = ROOT / "examples"
PACKAGE = ROOT / "python"
LONG = Scenario(topology="dumbbell:switches=2,senders=1", flows=[(0, 1, 10**12, 0)], cc="none")


def script(*lines):
    """A Python process that begins with these lines, in a session of its own."""
    text = "\n".join((f"import sys; sys.path.insert(0, {str(PACKAGE)!r})",
                      "from dcfabric import Flow, Scenario, sweep",
                      f"long = {LONG!r}", *lines))
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def children(process):
    """Numbers of the processes that it started."""
    found = []
    for thread in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, thread.read_text().split())
    return found


def has_ended(pid):
    """Whether a process has; nobody may have asked for its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_for(condition):
    """Wait until it holds, for ten seconds at most."""
    until = time.monotonic() + 10
    while not condition():
        if time.monotonic() > until:
            raise AssertionError("waited for ten seconds")
        time.sleep(0.02)


class ScriptCase(PackageCase):
    """A script whose programs have begun, and the end of these."""

    def begin(self, *lines, runs=1):
        process = script(*lines)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        wait_for(lambda: process.poll() is not None
                 or len(list(self.dir.rglob(".dcfabric-running"))) >= runs)
        if process.poll() is not None:
            self.fail(process.communicate()[1])
        return process, children(process)

    def wait_for_end(self, pids):
        """Programs end though Python has died."""
        wait_for(lambda: all(map(has_ended, pids)))
