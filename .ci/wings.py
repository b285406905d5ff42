# SPDX-License-Identifier: GPL-2.0-only
"""The table of wings in wings.cmake: parts of the module that a build can leave out."""
import re
from pathlib import Path
from typing import NamedTuple


class Wing(NamedTuple):
    """A line of the table."""
    name: str
    rooms: list[str]
    needs: list[str]
    words: list[str]

    def has(self, path: str) -> bool:
        """Whether a file, relative to the root, lies in a room of the wing."""
        return any(path.startswith((f"{room}/", f"{room}.")) for room in self.rooms)


def read_wings(root: Path) -> list[Wing]:
    """The wings, in the order of the table; none without one."""
    path = root / "wings.cmake"
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8")) if path.exists() else ""
    wings = []
    for name, rest in re.findall(r'\bdcfabric_wing\(\s*(\w+)\s+"[^"]*"([^)]*)\)', text):
        words: dict[str, list[str]] = {}
        for word in rest.split():
            if word in ("ROOMS", "NEEDS", "WORDS"):
                items = words.setdefault(word, [])
            else:
                items.append(word)
        wings.append(Wing(name, words.get("ROOMS", []), words.get("NEEDS", []),
                          words.get("WORDS", [])))
    return wings
