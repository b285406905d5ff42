# SPDX-License-Identifier: GPL-2.0-only
"""python3 -m dcfabric.traces: see the package."""
from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Sequence

from ..errors import DcfabricError
from ..wording import count_of
from . import chakra, goal, training


TRAINING = {"tensor": 8, "pipeline": 8, "data": 16, "layers": 32, "hidden": 1024, "sequence": 512, "microbatches": 8, "tflops": 100.0}
TRAINING_HELP = {"tensor": "tensor-parallel ranks", "pipeline": "stages", "data": "data-parallel copies", "layers": "layers of the transformer",
                 "hidden": "size of an activation vector", "sequence": "tokens of a sample", "microbatches": "of each copy, of one sample each",
                 "tflops": "10^12 floating-point operations of a rank in a second"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 2 if a trace is refused."""
    parser = argparse.ArgumentParser(prog="dcfabric.traces", description="Write a trace of an application as a program of ranks.")
    formats = parser.add_subparsers(dest="format", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--out", metavar="FILE", required=True, help="program of ranks that is written, for --workload=program:FILE")
    common.add_argument("--per-host", metavar="COUNT", type=int, default=1, help="ranks on each host (1)")
    one = formats.add_parser("goal", parents=[common], help="a GOAL schedule of LogGOPSim, text or binary")
    one.add_argument("trace", metavar="FILE")
    one.add_argument("--unit", choices=goal.UNITS, default="ns", help="of calc (ns)")
    one.add_argument("--skip", action="append", default=[], choices=goal.SKIPPABLE, help="leave out what is not covered")
    two = formats.add_parser("chakra", parents=[common], help="Chakra execution traces, a file for each rank: PREFIX.0.et, PREFIX.1.et ...")
    two.add_argument("trace", metavar="PREFIX")
    two.add_argument("--groups", metavar="FILE", help="process groups as JSON, such as {\"0\": [0, 1, 2, 3]}")
    two.add_argument("--skip", action="append", default=[], metavar="NAME",
                     help="node type that takes no time, or attribute that is left out; may be repeated")
    three = formats.add_parser("training", parents=[common], help="no trace: a step of training a transformer, from its numbers")
    for field in dataclasses.fields(training.Training):
        three.add_argument(f"--{field.name}", metavar="NUMBER", type=float if field.name == "tflops" else int,
                           default=TRAINING[field.name], help=f"{TRAINING_HELP[field.name]} (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        if options.per_host < 1:
            raise DcfabricError(f"--per-host={options.per_host}: at least 1")
        if options.format == "training":
            made = training.Training(**{field.name: getattr(options, field.name) for field in dataclasses.fields(training.Training)})
            training.write_training_step(options.out, made, options.per_host)
            print(f"{options.out}: {count_of(made.ranks, 'rank')}, {made.activation_bytes} B of activations of a microbatch, "
                  f"{made.gradient_bytes} B of gradients of a rank")
            return 0
        if options.format == "goal":
            job = goal.read_goal(options.trace, options.unit, options.skip)
        else:
            job = chakra.read_chakra(options.trace, options.groups, options.skip)
        job.write(options.out, options.per_host, f"from {Path(options.trace).name}")
    except DcfabricError as error:
        print(f"dcfabric.traces: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dcfabric.traces: {options.out}: cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    operations = sum(map(len, job.ranks))
    print(f"{options.out}: {count_of(len(job.ranks), 'rank')}, {count_of(operations, 'operation')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
