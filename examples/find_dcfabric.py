# SPDX-License-Identifier: GPL-2.0-only
"""Lets the scripts beside it use the Python package of this checkout: they import this file before the package."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
