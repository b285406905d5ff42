# SPDX-License-Identifier: GPL-2.0-only
"""The Python reference: what the package `dcfabric` exports, by autodoc, into the chapter
api-python. The chapter itself has no directive of autodoc, so that it can be built without."""
CHAPTER = "api-python"


def directives():
    import dcfabric
    for name in sorted(dcfabric.__all__,
                       key=lambda name: (not isinstance(getattr(dcfabric, name), type),
                                         name.lower())):
        thing = getattr(dcfabric, name)
        if isinstance(thing, type):
            # fields of a base that is not exported belong to the class
            fields = thing.__base__.__module__ == "dcfabric.option_fields"
            yield (f".. autoclass:: dcfabric.{name}\n   :members:\n   "
                   f":{'inherited-members' if fields else 'show-inheritance'}:\n")
        elif callable(thing):
            yield f".. autofunction:: dcfabric.{name}\n"
        else:
            yield f".. autodata:: dcfabric.{name}\n"


def append(app, docname, source):
    if docname == CHAPTER:
        source[0] += "\n" + "\n".join(directives())


def setup(app):
    app.connect("source-read", append)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
