# SPDX-License-Identifier: GPL-2.0-only
"""Notebooks of doc/tutorial as pages of the site, at the end of the chapter `tutorial`, which can
be built without them.

The text is Markdown of a plain kind: headings, paragraphs, lists, code, emphasis, links. Where
DCFABRIC_SIM names the program, and nbclient and ipykernel are there, the cells are run and their
outputs shown; a cell that fails is a warning."""
import base64
import importlib.util
import json
import logging
import os
import re
import tempfile
from pathlib import Path

CHAPTER = "tutorial"
PICTURES = Path("build") / "notebooks"
"""Below the folder of the documentation, whose build folder holds no chapters."""
UNDERLINES = "=-+"


def markdown(text):
    """As reStructuredText."""
    pieces = re.split(r"(`[^`]+`)", text)
    for number, piece in enumerate(pieces):
        if number % 2:
            pieces[number] = f"`{piece}`"
        else:
            pieces[number] = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"`\1 <\2>`__",
                                    piece.replace("\\", "\\\\").replace("|", "\\|"))
    lines = []
    for line in "".join(pieces).split("\n"):
        heading = re.fullmatch(r"(#+) (.*)", line)
        lines += ([heading[2], UNDERLINES[len(heading[1]) - 1] * len(heading[2])] if heading
                  else [line])
    return "\n".join(lines)


def block(directive, text):
    """A directive with the text as its content."""
    return f".. {directive}\n\n" + "\n".join(f"   {line}".rstrip()
                                             for line in text.rstrip("\n").split("\n"))


def output(found, name):
    """One output of a cell. name: of a picture, without its ending."""
    data = found.get("data", {})
    if "image/png" in data:
        path = name.with_suffix(".png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data["image/png"]))
        return f".. image:: /{PICTURES / path.name}"
    text = found.get("text") or data.get("text/plain", "")
    return block("code-block:: none", text) if text.strip() else ""


def convert(notebook, pictures, title):
    """A notebook as reStructuredText. pictures: folder for those of its outputs."""
    parts = []
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(markdown(source))
            continue
        # magic words are for Jupyter
        parts.append(block("code-block:: python", re.sub(r"^%.*\n", "", source)))
        parts += [output(found, pictures / f"{title}-{number}-{at}")
                  for at, found in enumerate(cell["outputs"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def can_run():
    return (bool(os.environ.get("DCFABRIC_SIM"))
            and all(map(importlib.util.find_spec,
                        ("nbclient", "ipykernel", "pandas", "matplotlib"))))


def run(text, package):
    """The notebook of a text with its outputs."""
    import nbclient
    import nbformat

    logging.getLogger("traitlets").setLevel("WARNING")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None,
                                                      [str(package), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        return nbclient.NotebookClient(nbformat.reads(text, as_version=4), timeout=600,
                                       kernel_name="python3",
                                       resources={"metadata": {"path": folder}}).execute()


def append(app, docname, source):
    """The pages, to the chapter."""
    if docname == CHAPTER:
        names = sorted(path.stem for path in (Path(app.srcdir) / CHAPTER).glob("*.ipynb"))
        source[0] += "\n.. toctree::\n   :maxdepth: 1\n\n" + "".join(
            f"   {CHAPTER}/{name}\n" for name in names)


def setup(app):
    from sphinx.parsers import RSTParser
    from sphinx.util.logging import getLogger

    class NotebookParser(RSTParser):
        """Reads a notebook as if it were a chapter."""

        supported = ("ipynb",)

        def parse(self, inputstring, document):
            env = document.settings.env
            here, title = Path(env.srcdir), Path(env.docname).name
            notebook = json.loads(inputstring)
            if can_run():
                try:
                    notebook = run(inputstring, here.parent / "python")
                except Exception as error:  # whatever a cell raises
                    getLogger(__name__).warning("%s: %s", title, error)
            super().parse(convert(notebook, here / PICTURES, title), document)

    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    app.connect("source-read", append)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
