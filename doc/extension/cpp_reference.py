# SPDX-License-Identifier: GPL-2.0-only
"""The C++ reference: Doxygen's pages in the folder `cpp` of the site, and the list of classes in
the chapter api-cpp, by which Sphinx's search finds them. Without Doxygen the chapter says so."""
import shutil
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

from sphinx.errors import ExtensionError
from sphinx.util import logging

LOG = logging.getLogger(__name__)
HERE = Path(__file__).resolve().parents[1]
CHAPTER = "api-cpp"


def run_doxygen(app):
    """Doxygen's pages beside those of Sphinx; they are the same until a header changes."""
    app.cpp_classes = None
    if app.builder.format != "html" or not shutil.which("doxygen"):
        LOG.info("no Doxygen, or no HTML: the C++ reference is left out")
        return
    folder = Path(app.outdir).parent / "doxygen"
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "xml" / "index.xml"
    headers = [path for room in ("model", "helper") for path in (HERE.parent / room).rglob("*.h")]
    if (not made.exists() or made.stat()
            .st_mtime < max(path.stat().st_mtime for path in [*headers, HERE / "Doxyfile"])):
        LOG.info("running Doxygen...")
        text = (HERE / "Doxyfile").read_text(
            encoding="utf-8") + f"OUTPUT_DIRECTORY = \"{folder}\"\n"
        run = subprocess.run(["doxygen", "-"], input=text, cwd=HERE, capture_output=True, text=True,
                             check=False)
        if run.returncode != 0 or run.stderr:
            made.unlink(missing_ok=True)
            raise ExtensionError(f"Doxygen: {run.stderr.strip()}")
    shutil.copytree(folder / "html", Path(app.outdir) / "cpp", dirs_exist_ok=True)
    app.cpp_classes = list(read_classes(folder / "xml"))


def read_classes(folder):
    """(room, name, brief, page) of each class that is documented."""
    index = xml.parse(folder / "index.xml").getroot()
    for compound in index.findall("compound"):
        if compound.get("kind") not in ("class", "struct"):
            continue
        name, page = compound.findtext("name").removeprefix("ns3::"), compound.get("refid")
        definition = xml.parse(folder / f"{page}.xml").getroot().find("compounddef")
        location = definition.find("location")
        brief = "".join(definition.find("briefdescription").itertext()).strip()
        if ("::" in name or "<" in name or location is None or not brief
                or definition.get("prot", "public") != "public"):
            continue
        yield Path(location.get("file")).parent.as_posix(), name, " ".join(brief.split()), page


def escape(text):
    return "".join("\\" + letter if letter in "\\*`_|" else letter for letter in text)


def append(app, docname, source):
    if docname != CHAPTER:
        return
    if app.cpp_classes is None:
        source[0] += ("\nDoxygen was not there when these pages were built: the list of classes is "
                      "left out.\n")
        return
    rooms = {}
    for room, *entry in app.cpp_classes:
        rooms.setdefault(room, []).append(entry)
    for room, entries in sorted(rooms.items()):
        source[0] += f"\n{room}\n{'-' * len(room)}\n\n"
        for name, brief, page in sorted(entries):
            source[0] += f"`{name} <cpp/{page}.html>`__\n   {escape(brief)}\n\n"


def setup(app):
    app.connect("builder-inited", run_doxygen)
    app.connect("source-read", append)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
