# SPDX-License-Identifier: GPL-2.0-only
"""Lets the scripts beside it use the Python package of this checkout, in the Python that runs them:
scripts without figures and frames import this file before the package, the others find_dcfabric."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
