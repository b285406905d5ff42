# SPDX-License-Identifier: GPL-2.0-only
"""The files that a run reads, as the program tells them."""
from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Sequence

from .errors import DcfabricError
from .option_fields import FILES
from .program import digest

BEGINS = {begin for begins in FILES.values() for begin in begins if begin}


def input_files(arguments: Sequence[str], base: Path, program: Path) -> dict[str, str]:
    """Hashes of the files that a run with these options reads, by path as the program opens it;
    none if it refuses the options. base: folder that paths count from. The program is asked only if
    an option may name a file. Raises DcfabricError if it does not answer as dcfabric-sim does."""
    if not any(_may_name_file(argument, base) for argument in arguments):
        return {}
    asked = [str(program), *arguments, "--describe=inputs"]
    try:
        told = subprocess.run(asked, cwd=base, stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        paths = json.loads(told.stdout)["inputs"] if told.returncode == 0 else []
    except OSError as error:
        raise DcfabricError(f"{program} cannot be started: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DcfabricError(f"{program} --describe=inputs: {error}; is it dcfabric-sim?") from error
    return {path: digest(base / path) for path in paths if _is_file(base / path)}


def _may_name_file(argument: str, base: Path) -> bool:
    """Whether an option or attribute has a value as those have that name files."""
    option, _, value = argument.removeprefix("--").partition("=")
    if "::" in option:
        return any(begin in value for begin in BEGINS) or _is_file(base / value)
    return any(begin in value for begin in FILES.get(option, ()))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # longer than a name may be
        return False
