# SPDX-License-Identifier: GPL-2.0-only
"""The gallery as thumbnails: a grid of all questions comes first, and each figure is small and
leads to the whole one. Without Pillow browsers make the whole figures small; other builders show
the figures as they are."""
import html
import importlib.util
import posixpath
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

CHAPTER = "gallery"
WIDTH = 480
"""Pixels: twice what is shown, for screens with small ones."""
LOG = logging.getLogger(__name__)


def shrink(picture, folder):
    """Where the thumbnail of a picture lies, relative to the folder of pictures, and its size."""
    from PIL import Image
    with Image.open(picture) as whole:
        small = whole.convert("RGBA")
        small = Image.alpha_composite(Image.new("RGBA", small.size, "white"), small).convert("RGB")
        small.thumbnail((WIDTH, 4 * WIDTH))
        target = folder / "thumbnails" / f"{picture.stem}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        # few colors: plots have no more
        small.quantize(64).save(target, optimize=True)
        return f"thumbnails/{target.name}", small.size


def thumbnail(app, image):
    """The tag <img> of a figure, and the address of the whole figure. The file goes along."""
    picture = Path(app.srcdir) / image["uri"]
    folder = Path(app.outdir) / app.builder.imagedir
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(picture, folder / picture.name)
    small, size = picture.name, (WIDTH, None)
    if importlib.util.find_spec("PIL"):
        small, size = shrink(picture, folder)
    height = f' height="{size[1] // 2}"' if size[1] else ""
    address = posixpath.join(app.builder.imagedir, small)
    return (f'<img src="{address}" width="{size[0] // 2}"{height} loading="lazy" '
            f'alt="{html.escape(image.get("alt", ""))}">',
            posixpath.join(app.builder.imagedir, picture.name))


def question_of(figure):
    """The paragraph above a figure that begins with a question in bold, or None."""
    siblings = figure.parent.children
    for node in reversed(siblings[:siblings.index(figure)]):
        if isinstance(node, nodes.paragraph) and isinstance(node[0], nodes.strong):
            return node
    return None


def draw(app, doctree, docname):
    if docname != CHAPTER or app.builder.format != "html":
        return
    cards, seen = [], set()
    for figure in list(doctree.findall(nodes.figure)):
        tag, whole = thumbnail(app, next(figure.findall(nodes.image)))
        question = question_of(figure)
        if question is None:
            LOG.warning("a figure of the gallery has no question above it", location=figure)
            continue
        if id(question) not in seen:
            seen.add(id(question))
            anchor = nodes.make_id(question[0].astext())
            question["ids"].append(anchor)
            cards.append(f'<a href="#{anchor}">{tag}<span>{html.escape(question[0].astext())}'
                         "</span></a>")
        figure.replace_self(nodes.raw("", f'<a class="thumbnail" href="{whole}">{tag}</a>',
                                      format="html"))
    title = next(doctree.findall(nodes.title))
    at = title.parent.index(title) + 1
    # behind the introduction
    while at < len(title.parent) and isinstance(title.parent[at], nodes.paragraph):
        at += 1
    title.parent.insert(at, nodes.raw("", '<div class="gallery">' + "\n".join(cards) + "</div>",
                                      format="html"))


def setup(app):
    app.connect("doctree-resolved", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
