# SPDX-License-Identifier: GPL-2.0-only
"""dcfabric traces, and python3 -m dcfabric.traces: see the package."""
from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from pathlib import Path
from typing import Sequence

from ..commands import check_file, guarded
from ..errors import DcfabricError
from ..wording import count_of
from . import chakra, goal, training
from .job import MAX_RANKS, UNITS


TRAINING = {"tensor": 8, "pipeline": 8, "data": 16, "layers": 32, "hidden": 1024, "sequence": 512,
            "microbatches": 8, "tflops": 100.0}
TRAINING_HELP = {"tensor": "tensor-parallel ranks", "pipeline": "stages",
                 "data": "data-parallel copies", "layers": "layers of the transformer",
                 "hidden": "size of an activation vector", "sequence": "tokens of a sample",
                 "microbatches": "of each copy, of one sample each",
                 "tflops": "10^12 floating-point operations of a rank in a second"}


def main(arguments: Sequence[str] | None = None, name: str = "dcfabric.traces",
         called: str | None = None) -> int:
    """name: of the command, for messages. called: how it was called, for its help (default: the
    name). Returns the exit status: 2 if a trace is refused."""
    parser = argparse.ArgumentParser(prog=called or name,
                                     description="Write a trace of an application as a program of "
                                                 "ranks.")
    formats = parser.add_subparsers(dest="format", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--out", metavar="FILE", required=True,
                        help="program of ranks that is written, for --workload=program:FILE")
    common.add_argument("--per-host", metavar="COUNT", type=int, default=1,
                        help="ranks on each host (1)")
    one = formats.add_parser("goal", parents=[common],
                             help="a GOAL schedule of LogGOPSim, text or binary")
    one.add_argument("trace", metavar="FILE")
    one.add_argument("--unit", choices=tuple(UNITS), default="ns", help="of calc (ns)")
    one.add_argument("--skip", action="append", default=[], choices=goal.SKIPPABLE,
                     help="leave out what is not covered")
    two = formats.add_parser("chakra", parents=[common],
                             help="Chakra execution traces, a file for each rank: PREFIX.0.et, "
                                  "PREFIX.1.et ..., or .eg or .json")
    two.add_argument("trace", metavar="PREFIX")
    two.add_argument("--groups", metavar="FILE",
                     help="process groups as JSON, such as {\"0\": [0, 1, 2, 3]}")
    two.add_argument("--skip", action="append", default=[], metavar="NAME",
                     help="node type that takes no time, or attribute that is left out; may be "
                          "repeated")
    two.add_argument("--tflops", metavar="NUMBER", type=float,
                     help="10^12 operations of a rank in a second, for computations that have "
                          "num_ops and no duration; like --compute, and memory does not matter")
    two.add_argument("--compute", metavar="FLOPS,BYTES/s",
                     help="roofline of a rank, such as 312TFLOPS,2TB/s, for computations that have "
                          "num_ops or tensor_size and no duration; or 'later': dcfabric-sim takes "
                          "it, as an option of the same name")
    two.add_argument("--memory", metavar="LATENCY,BYTES/s",
                     help="memory behind the nodes that load and store, such as 1us,100GB/s")
    three = formats.add_parser("training", parents=[common],
                               help="no trace: a step of training a transformer, from its numbers")
    for field in dataclasses.fields(training.Training):
        three.add_argument(f"--{field.name}", metavar="NUMBER",
                           type=float if field.name == "tflops" else int,
                           default=TRAINING[field.name],
                           help=f"{TRAINING_HELP[field.name]} (%(default)s)")
    return guarded(name, lambda: _write(parser.parse_args(arguments), name),
                   "nothing is written")


def _write(options: argparse.Namespace, name: str) -> int:
    """name: of the command, for notes. Raises DcfabricError or OSError."""
    if not 1 <= options.per_host <= MAX_RANKS:
        raise DcfabricError(f"--per-host={options.per_host}: it must be 1 to {MAX_RANKS}")
    _check_out(options)
    if options.format == "training":
        made = training.Training(**{field.name: getattr(options, field.name)
                                    for field in dataclasses.fields(training.Training)})
        training.write_training_step(options.out, made, options.per_host)
        said = (f"{count_of(made.ranks, 'rank')}, {made.activation_bytes} B of activations of a "
                "microbatch, "
                f"{made.gradient_bytes} B of gradients of a rank")
    else:
        if options.format == "goal":
            job = goal.read_goal(options.trace, options.unit, options.skip)
        else:
            job = chakra.read_chakra(options.trace, options.groups, options.skip, options.tflops,
                                     options.compute, options.memory)
        job.write(options.out, options.per_host, f"from {Path(options.trace).name}")
        for note in job.notes:
            print(f"{name}: note: {note}", file=sys.stderr)
        said = (f"{count_of(len(job.ranks), 'rank')}, "
                f"{count_of(sum(map(len, job.ranks)), 'operation')}")
    # what goes to a pipe, such as /dev/stdout, is the program alone
    print(f"{options.out}: {said}", file=sys.stdout if Path(options.out).is_file() else sys.stderr)
    return 0


def _check_out(options: argparse.Namespace) -> None:
    """Before a trace is read, which may take long. Raises DcfabricError if the program cannot be
    written, or in place of what it is made of."""
    out = Path(options.out)
    check_file("--out", out)
    read: list[Path] = []
    if options.format == "goal":
        read = [Path(options.trace)]
    elif options.format == "chakra":
        read = [*chakra.trace_files(options.trace),
                *([Path(options.groups)] if options.groups else [])]
    if out.exists() and any(one.exists() and os.path.samefile(one, out) for one in read):
        raise DcfabricError(f"--out {out}: the trace is read from this file; give another one")


if __name__ == "__main__":
    sys.exit(main())
