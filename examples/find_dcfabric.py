# SPDX-License-Identifier: GPL-2.0-only
"""Lets the scripts beside it that have figures or frames use the Python package of this checkout:
they import this file before the package.

Figures and frames need matplotlib, numpy and pandas. Where the Python that runs a script lacks
them, and one that ./quickstart would take has them, the script goes on in that one; not if it only
tells its options."""
from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDED = ("matplotlib", "numpy", "pandas")
# loads what draws before it knows its options
LOADS_FIRST = "dcfabric-plot"
# set in the Python that took over, so that none takes over twice
TAKEN_OVER = "DCFABRIC_OTHER_PYTHON"


def other_python() -> str | None:
    """The first Python of those that ./quickstart looks at (.ci/setup-ns3.sh, prepare_plotting)
    that has what is needed."""
    cache = Path(os.environ.get("DCFABRIC_CACHE") or Path.home() / ".cache" / "dcfabric")
    for path in (cache / "python" / "bin" / "python3", cache / "notebook" / "bin" / "python3",
                 Path("/usr/bin/python3")):
        try:
            if subprocess.run([str(path), "-c", f"import {', '.join(NEEDED)}"],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False).returncode == 0:
                return str(path)
        except OSError:
            continue
    return None


def needs_figures(script: str, words: list[str]) -> bool:
    """Whether a script beside this file needs more than Python. words: behind its name."""
    return script == LOADS_FIRST or not {"-h", "--help"} & {*words}


def go_on_where_figures_can_be_drawn() -> None:
    """Replaces this process, if it runs a script beside this file that needs it, by one of a Python
    that has what is needed."""
    script = Path(sys.argv[0] or ".").resolve()
    if all(map(find_spec, NEEDED)) or script.parent != HERE or TAKEN_OVER in os.environ:
        return
    if not needs_figures(script.name, sys.argv[1:]):
        return
    if find_spec("ns"):  # the Python of ns-3's bindings was chosen for them
        return
    if python := other_python():
        print(f"{script.name}: {sys.executable} lacks "
              f"{', '.join(name for name in NEEDED if not find_spec(name))}; "
              f"going on with {python}", file=sys.stderr, flush=True)
        os.environ[TAKEN_OVER] = python
        os.execv(python, [python, *sys.argv])


go_on_where_figures_can_be_drawn()
import dcfabric_path  # noqa: E402, F401  # only in the Python that stays
