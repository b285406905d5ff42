# SPDX-License-Identifier: GPL-2.0-only
"""Whether a file is one of trace events as ui.perfetto.dev and chrome://tracing read them: by
Google's "Trace Event Format" (JSON object form), for the kinds of events that dcfabric writes.

    python3 test/python/trace_events.py FILE
"""
import json
import sys
from pathlib import Path

NUMBER = (int, float)
# of each kind of event: its members and their types, beside those of all
ALL = {"ph": str, "name": str, "pid": int, "tid": int, "args": dict}
KINDS = {"X": {"ts": NUMBER, "dur": NUMBER, "cat": str}, "i": {"ts": NUMBER, "s": str, "cat": str},
         "C": {"ts": NUMBER, "cat": str}, "M": {}}
NAMES = {"process_name": ("name", str), "thread_name": ("name", str),
         "process_sort_index": ("sort_index", int), "thread_sort_index": ("sort_index", int)}
HALF_PS = 0.5e-6


def check_event(event):
    """Raises ValueError for what the format does not have."""
    if not isinstance(event, dict) or event.get("ph") not in KINDS:
        raise ValueError(f"no kind of event: {event}")
    members = {**ALL, **KINDS[event["ph"]]}
    if event.keys() != members.keys():
        raise ValueError(f"members {sorted(event.keys() ^ members.keys())} of {event}")
    for name, kind in members.items():
        if not isinstance(event[name], kind) or isinstance(event[name], bool):
            raise ValueError(f"{name} of {event}")
    for name in ("ts", "dur", "pid", "tid"):
        if not 0 <= event.get(name, 0) < float("inf"):
            raise ValueError(f"{name} of {event}")
    if event["ph"] == "i" and event["s"] not in ("t", "p", "g"):
        raise ValueError(f"scope of {event}")
    if event["ph"] == "C" and not (event["args"] and all(
            isinstance(value, NUMBER) for value in event["args"].values())):
        raise ValueError(f"values of {event}")
    if event["ph"] == "M":
        name, kind = NAMES[event["name"]]
        if event["args"].keys() != {name} or not isinstance(event["args"][name], kind):
            raise ValueError(f"arguments of {event}")


def check(told):
    """Raises ValueError if an event is none, if a process or thread has no name of its own, or if
    slices of a thread overlap without one lying within the other. Returns the slices and counters
    by process and thread (or counter): {(process, thread): [event, ...]}."""
    if not isinstance(told, dict) or not isinstance(told.get("traceEvents"), list):
        raise ValueError("no traceEvents")
    if told.get("displayTimeUnit") not in ("ms", "ns"):
        raise ValueError("no displayTimeUnit")
    processes, threads, found = {}, {}, {}
    for event in told["traceEvents"]:
        check_event(event)
        if event["name"] == "process_name":
            if event["pid"] in processes:
                raise ValueError(f"two names: {event}")
            processes[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            if (event["pid"], event["tid"]) in threads:
                raise ValueError(f"two names: {event}")
            threads[event["pid"], event["tid"]] = event["args"]["name"]
        elif event["ph"] != "M":
            at = (event["pid"], event["name"] if event["ph"] == "C" else event["tid"])
            found.setdefault((event["ph"] == "C", at), []).append(event)
    if len(set(processes.values())) < len(processes):
        raise ValueError("two processes of one name")
    if len({(pid, name) for (pid, _), name in threads.items()}) < len(threads):
        raise ValueError("two threads of one name")
    named = {}
    for (counts, (pid, thread)), events in found.items():
        if pid not in processes or (not counts and (pid, thread) not in threads):
            raise ValueError(f"without a name: process {pid}, thread {thread}")
        named[processes[pid], thread if counts else threads[pid, thread]] = events
        if not counts:
            check_nesting(events)
    return named


def check_nesting(events):
    """Raises ValueError unless of two slices one lies within the other or behind it."""
    open_ends = []
    for event in sorted((event for event in events if event["ph"] == "X"),
                        key=lambda event: (event["ts"], -event["dur"])):
        end = event["ts"] + event["dur"]
        while open_ends and open_ends[-1] <= event["ts"] + HALF_PS:
            open_ends.pop()
        if open_ends and end > open_ends[-1] + HALF_PS:
            raise ValueError(f"overlaps the slice before: {event}")
        open_ends.append(end)


def main():
    """Prints how many events of which kind there are; status 2 if one is wrong."""
    told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    try:
        check(told)
    except ValueError as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    for kind in KINDS:
        print(kind, sum(event["ph"] == kind for event in told["traceEvents"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
