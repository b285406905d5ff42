# SPDX-License-Identifier: GPL-2.0-only
"""The Python reference: what the package `dcfabric` exports, by autodoc, into the chapter
api-python. The chapter itself has no directive of autodoc, so that it can be built without."""
CHAPTER = "api-python"
GROUPS = {
    "Simulate": ["Scenario", "sweep", "Study", "Flow", "as_flows", "Plan"],
    "Evaluate": ["Result", "Findings"],
    "Congestion control in Python": ["CongestionControl", "Path", "Ack", "Hop", "UNLIMITED"],
    "Other machines and other simulators": ["write_jobs", "do_job", "Backend", "find_program"],
}
"""What users look for first; failures and what is in no group follow."""


def directive(name):
    import dcfabric
    thing = getattr(dcfabric, name)
    if isinstance(thing, type):
        # fields of a base that is not exported belong to the class
        fields = thing.__base__.__module__ == "dcfabric.option_fields"
        return (f".. autoclass:: dcfabric.{name}\n   :members:\n   "
                f":{'inherited-members' if fields else 'show-inheritance'}:\n")
    return f".. auto{'function' if callable(thing) else 'data'}:: dcfabric.{name}\n"


def directives():
    import dcfabric
    grouped = {name for names in GROUPS.values() for name in names}
    others = [name for name in dcfabric.__all__ if name not in grouped]
    failures = [name for name in others if isinstance(getattr(dcfabric, name), type)
                and issubclass(getattr(dcfabric, name), BaseException)]
    rest = [name for name in others if name not in failures]
    for title, names in {**GROUPS, "Failures": failures, "The rest": rest}.items():
        yield f"{title}\n{'-' * len(title)}\n"
        yield from map(directive, names)


def append(app, docname, source):
    if docname == CHAPTER:
        source[0] += "\n" + "\n".join(directives())


def drop_fields(app, what, name, thing, options, lines):
    """The list of fields that help() shows: they follow one by one here."""
    if what == "class" and "Fields:" in lines:
        del lines[lines.index("Fields:"):]


def shorten_signature(app, what, name, thing, options, signature, returned):
    """Half a hundred fields follow one by one, each with its default."""
    if name == "dcfabric.Scenario":
        return "(topology=None, **fields)", returned
    if name == "dcfabric.Scenario.replace":
        return "(**fields)", returned
    return None


def setup(app):
    app.connect("source-read", append)
    app.connect("autodoc-process-docstring", drop_fields)
    app.connect("autodoc-process-signature", shorten_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
