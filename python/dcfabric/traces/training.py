# SPDX-License-Identifier: GPL-2.0-only
"""A step of training a transformer under tensor, pipeline and data parallelism, as a program of
ranks.

Facts are of Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using
Megatron-LM", SC 2021: the one-forward-one-backward schedule with a flush (2.2), the all-reduces of
tensor parallelism (2.3, 3.2), activations that are scattered before they go to the next stage
(4.1), parameters and floating-point operations of a layer (5.1, appendix).
"""
from __future__ import annotations

import dataclasses
import math
import os
from pathlib import Path

from ..errors import DcfabricError
from ..run_files import write_whole
from ..wording import count_of
from .job import MAX_PS, MAX_RANKS, MAX_SIZE, UNITS

BYTES = 2
"""Of an activation, a parameter or its gradient: half precision."""
MAX_NUMBER = 1e9
"""Of each of the numbers that a step is made of."""
FORWARD, BACKWARD = 1, 2
"""Tags of activations and of their gradients."""


@dataclasses.dataclass(frozen=True)
class Training:
    """What is trained on what. Ranks count tensor-parallel ones first, then data-parallel ones,
    then pipeline stages."""

    tensor: int
    """ranks that share each layer"""
    pipeline: int
    """stages, each with as many layers"""
    data: int
    """copies of the model"""
    layers: int
    """of the transformer"""
    hidden: int
    """size of an activation vector"""
    sequence: int
    """tokens of a sample"""
    microbatches: int
    """of each copy in a step, of one sample each"""
    tflops: float = 100
    """10^12 floating-point operations that a rank does in a second"""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if not getattr(self, field.name) > 0:
                raise DcfabricError(f"training: {field.name} is {getattr(self, field.name)}; it "
                                    "must be above 0")
            if not getattr(self, field.name) <= MAX_NUMBER:
                raise DcfabricError(f"training: {field.name} is too large; at most "
                                    f"{MAX_NUMBER:g}")
        if self.ranks > MAX_RANKS:
            raise DcfabricError(f"training: {self.ranks} ranks; a program has at most {MAX_RANKS}")
        if max(self.gradient_bytes, self.activation_bytes) > MAX_SIZE:
            raise DcfabricError(f"training: {self.gradient_bytes} bytes of gradients and "
                                f"{self.activation_bytes} of activations of a rank; a program has "
                                f"at most {MAX_SIZE}")
        if 2 * UNITS["ns"] * self.half_layer_ops / self.tflops / 1e3 > MAX_PS:
            raise DcfabricError(f"training: {self.half_layer_ops:g} operations take longer with "
                                f"{self.tflops:g} TFLOPS than a program can have")
        if self.layers % self.pipeline:
            raise DcfabricError(f"training: {count_of(self.layers, 'layer')} cannot be divided "
                                f"into {count_of(self.pipeline, 'stage')}")

    @property
    def ranks(self) -> int:
        """All of them."""
        return self.tensor * self.pipeline * self.data

    @property
    def activation_bytes(self) -> int:
        """Of a microbatch between two layers; an all-reduce of tensor parallelism has as many."""
        return BYTES * self.sequence * self.hidden

    @property
    def sent_bytes(self) -> int:
        """What a rank sends to the next stage, or back, for a microbatch: each its part."""
        return math.ceil(self.activation_bytes / self.tensor)

    @property
    def gradient_bytes(self) -> int:
        """Of the parameters of a rank, 12 hidden^2 for each layer of its stage, divided among the
        tensor-parallel ranks."""
        return math.ceil(BYTES * 12 * self.hidden ** 2 * (self.layers // self.pipeline)
                         / self.tensor)

    @property
    def half_layer_ns(self) -> int:
        """Time for attention, or for the network behind it, of one microbatch and layer forward;
        backward it is twice as much."""
        return round(self.half_layer_ops / self.tflops / 1e3)

    @property
    def half_layer_ops(self) -> float:
        """Operations of a rank for that."""
        operations = 24 * self.sequence * self.hidden ** 2 + 4 * self.sequence ** 2 * self.hidden
        return operations / 2 / self.tensor


def training_step(training: Training, per_host: int = 1) -> str:
    """The text of a job. Each program is the mark ``step``; per_host: ranks on each host."""
    stage = training.tensor * training.data
    lines = [f"ranks {training.ranks} per-host {per_host}",
             f"groups tensor by rank/{training.tensor}",
             f"groups data by rank/{stage}*{training.tensor}+rank%{training.tensor}"]
    for number in range(training.pipeline):
        forward, backward = _pass(training, number, FORWARD), _pass(training, number, BACKWARD)
        warm = min(training.pipeline - 1 - number, training.microbatches)
        lines += [f"program {number * stage}-{(number + 1) * stage - 1} {{", "mark step {",
                  *_repeat(warm, forward),
                  *_repeat(training.microbatches - warm, forward + backward),
                  *_repeat(warm, backward),
                  *([f"allreduce {training.gradient_bytes} data"] if training.data > 1 else []),
                  "wait", "}", "}"]
    return "\n".join(lines) + "\n"


def _repeat(count: int, lines: list[str]) -> list[str]:
    return [f"repeat {count} {{", *lines, "}"] if count else []


def _pass(training: Training, number: int, direction: int) -> list[str]:
    """A microbatch through the layers of a stage."""
    stage = training.tensor * training.data
    step = 1 if direction == FORWARD else -1
    half = [f"compute {training.half_layer_ns * direction}ns"]
    if training.tensor > 1:
        half.append(f"allreduce {training.activation_bytes} tensor")
    lines = _repeat(2 * (training.layers // training.pipeline), half)
    if 0 <= number - step < training.pipeline:
        lines.insert(0, f"recv rank{-step * stage:+d} tag={direction}")
    if 0 <= number + step < training.pipeline:
        lines.append(f"isend rank{step * stage:+d} {training.sent_bytes} tag={direction}")
    return lines


def write_training_step(path: str | os.PathLike[str], training: Training,
                        per_host: int = 1) -> None:
    """Write it, whole or not at all."""
    write_whole(Path(path), training_step(training, per_host))
