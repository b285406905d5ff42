# SPDX-License-Identifier: GPL-2.0-only
"""The chapter of parameters: what `dcfabric-sim --list` prints, of the program that the Python
package finds. Without one the chapter says so."""
import re
import subprocess

from cpp_reference import escape
from sphinx.util import logging

CHAPTER = "parameters"
LOG = logging.getLogger(__name__)
CLASS = re.compile(r"  ns3::(\w+)(?:  \((.*)\))?$")
ATTRIBUTE = re.compile(r"    --ns3::\w+::(\w+)=(.*)$")


def chapter(listing):
    """reStructuredText of a listing: a section for each kind, in it a heading for each class and a
    definition for each attribute."""
    for line in listing.split("\nComputed for this network", 1)[0].splitlines():
        if found := CLASS.match(line):
            yield f"\n{found[1]}\n{'+' * len(found[1])}\n"
            if found[2]:
                yield "Chosen by " + ", ".join(f"``{option}``"
                                               for option in found[2].split(", ")) + ".\n"
        elif found := ATTRIBUTE.match(line):
            yield f"``{found[1]}``" + (f" (``{found[2]}``)" if found[2] else "")
        elif line.startswith("        "):
            yield f"   {escape(line.strip())}\n"
        elif line and not line.startswith(" "):
            yield f"\n{line}\n{'-' * len(line)}\n"


def listing():
    from dcfabric import DcfabricError, find_program
    try:
        return subprocess.run([str(find_program()), "--list"], capture_output=True, text=True,
                              check=True).stdout
    except (DcfabricError, OSError, subprocess.CalledProcessError) as error:
        LOG.info("no list of parameters: %s", error)
        return None


def append(app, docname, source):
    if docname == CHAPTER:
        text = listing()
        source[0] += ("\n".join(chapter(text)) if text
                      else "\nNo program was there when these pages were built: the list is left "
                           "out.\n")


def setup(app):
    app.connect("source-read", append)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
