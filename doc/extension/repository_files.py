# SPDX-License-Identifier: GPL-2.0-only
"""Links of chapters to files of the repository (`<../examples/x.cc>`): the built site has copies of
these files, as text."""
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

LOG = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]


def resolve(app, doctree, docname):
    """Points such links at copies below `files/`; a file that does not exist is a warning."""
    up = "../" * (docname.count("/") + 1)
    for link in doctree.findall(nodes.reference):
        uri = link.get("refuri", "")
        if link.get("internal") or not uri.startswith("../") or "://" in uri:
            continue
        path = uri.removeprefix(up)
        if path.startswith("../") or not (ROOT / path).is_file():
            LOG.warning("no file %s in the repository", uri, location=link)
            continue
        if app.builder.format == "html":
            # with this ending browsers show a source file instead of saving it
            name = path if path.endswith((".txt", ".md")) else path + ".txt"
            target = Path(app.outdir) / "files" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
            link["refuri"] = "../" * docname.count("/") + "files/" + name


def setup(app):
    app.connect("doctree-resolved", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
