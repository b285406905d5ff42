# SPDX-License-Identifier: GPL-2.0-only
"""Traces of applications as programs of ranks (doc/traces.rst).

    dcfabric traces goal lulesh.goal --out job.txt
    dcfabric traces chakra llama --out job.txt      # llama.0.et, llama.1.et ...
    dcfabric traces training --tensor=8 --pipeline=8 --data=16 --layers=32 --out job.txt
    dcfabric-sim --topology=fat-tree:k=8 --workload=program:job.txt

What a program cannot do is refused by name, unless ``--skip`` names it. The last one makes a step
of training from its numbers.
"""
from .chakra import read_chakra
from .goal import read_goal
from .job import Operation, TraceJob
from .training import Training, training_step

__all__ = ["Operation", "TraceJob", "Training", "read_chakra", "read_goal", "training_step"]
