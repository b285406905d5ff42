# SPDX-License-Identifier: GPL-2.0-only
"""Python packages that only some uses need: each is imported where it is used, and if it is
missing, one sentence names what brings it."""
from __future__ import annotations

import importlib

from .errors import DcfabricError
from .program import way_to

USES = {"numpy": ("data frames", ""), "pandas": ("data frames", ""),
        "matplotlib": ("figures", "plot"), "plotly": ("--html", "plot"),
        "pyarrow": ("Parquet files", "parquet")}
"""What needs a package, and the extra of pip that brings it; what needs none comes with dcfabric
itself."""


def require(name: str) -> None:
    """Raises DcfabricError if a package of USES cannot be imported here."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        use, extra = USES[name]
        needs = "need" if use.endswith("s") else "needs"
        raise DcfabricError(f"{use} {needs} the Python package {name}: " + advice(name, extra)
                            + f" ({error})") from error


def advice(name: str, extra: str) -> str:
    """How to get a package."""
    if not extra:
        return f"pip install {name}"
    return way_to(f"pip install {name} (the extra '{extra}' of dcfabric has it)",
                  f"dcfabric[{extra}]")
