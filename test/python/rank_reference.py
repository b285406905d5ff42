# SPDX-License-Identifier: GPL-2.0-only
"""Random programs of ranks, and what becomes of them by the letter of MPI, worked out without a network.

The reference knows no time. What it says does not depend on any: a program whose receives name their ranks has one
outcome, however long messages take (sends are complete at some time, whether they are received or not).
"""
import random
from collections import defaultdict, deque
from typing import NamedTuple


SIZES = (2, 999, 1000, 5000, 30000)
"""of messages; those of collectives have others"""


class Op(NamedTuple):
    """One operation as the file has it."""

    kind: str
    """send, isend, recv, irecv, put, get, wait, barrier, allreduce, compute, mark, repeat, if"""
    peer: int = 0
    size: int = 0
    tag: int = 0
    name: str = ""
    body: tuple = ()


def random_job(seed, most_ranks=6, most_operations=12):
    """(ranks, per host, groups, programs) of a small job. Most end, some wait for ever."""
    rng = random.Random(seed)
    ranks = rng.randint(2, most_ranks)
    group = sorted(rng.sample(range(ranks), rng.randint(1, ranks)))
    programs = [[] for _ in range(ranks)]
    for _ in range(rng.randint(1, most_operations)):
        event = rng.random()
        if event < 0.65:  # a message, whose two operations come in any place at both ends
            src, dst = rng.randrange(ranks), rng.randrange(ranks)
            size, tag = rng.choice(SIZES), rng.randrange(2)
            waits = rng.random() < 0.3
            programs[src].append(Op("send" if waits else "isend", dst, size, tag, "" if waits else rng.choice(("", "s"))))
            if rng.random() < 0.97:
                waits = rng.random() < 0.5
                programs[dst].append(Op("recv" if waits else "irecv", src, 0, tag,
                                        "" if waits else rng.choice(("", "r"))))
        elif event < 0.75:
            who = group if rng.random() < 0.5 else range(ranks)
            kind = rng.choice(("barrier", "allreduce"))
            for rank in who:
                if rng.random() < 0.98:
                    programs[rank].append(Op(kind, name="few" if who is group else "all", size=3000))
        elif event < 0.85:
            programs[rng.randrange(ranks)].append(Op(rng.choice(("put", "get")), rng.randrange(ranks), 2500))
        elif event < 0.95:
            programs[rng.randrange(ranks)].append(Op("compute", size=rng.randint(0, 9)))
        else:
            programs[rng.randrange(ranks)].append(Op("wait"))
    for program in programs:
        _rearrange(rng, program)
    if rng.random() < 0.3:
        rounds = rng.randint(0, 3)
        programs = [[Op("repeat", size=rounds, body=tuple(program))] for program in programs]
    return ranks, rng.randint(1, 3), group, programs


def _rearrange(rng, program):
    """Swap some neighbors, wait for names that were started, and let conditions hold operations."""
    for i in range(len(program) - 1):
        if rng.random() < 0.2 and program[i].kind not in ("barrier", "allreduce"):
            program[i], program[i + 1] = program[i + 1], program[i]
    for i in range(len(program), 0, -1):
        started = sorted({op.name for op in program[:i] if op.kind in ("isend", "irecv") and op.name})
        if started and rng.random() < 0.2:
            program.insert(i, Op("wait", name=rng.choice(started)))
    for i, op in enumerate(program):
        if op.kind == "compute" and rng.random() < 0.5:
            program[i] = Op("if", size=rng.randrange(2), body=(op, Op("mark", name="in")))


def write_job(job):
    """The job as dcfabric-sim reads it, each program with a mark at its end."""
    ranks, per_host, group, programs = job
    lines = [f"ranks {ranks} per-host {per_host}", f"group few {','.join(map(str, group))}"]
    for rank, program in enumerate(programs):
        lines += [f"program {rank} {{", *_write(program), "wait", "mark end", "}"]
    return "\n".join(lines) + "\n"


def _write(program):
    for op in program:
        named = f" as={op.name}" if op.name and op.kind in ("isend", "irecv") else ""
        if op.kind in ("send", "isend"):
            yield f"{op.kind} {op.peer} {op.size} tag={op.tag}{named}"
        elif op.kind in ("recv", "irecv"):
            yield f"{op.kind} {op.peer} tag={op.tag}{named}"
        elif op.kind in ("put", "get"):
            yield f"{op.kind} {op.peer} {op.size}"
        elif op.kind == "compute":
            yield f"compute {op.size}us"
        elif op.kind == "barrier":
            yield f"barrier {op.name}"
        elif op.kind == "allreduce":
            yield f"allreduce {op.size} {op.name} algorithm=doubling"
        elif op.kind in ("repeat", "if"):
            yield f"{op.kind} {op.size} {{"
            yield from _write(op.body)
            yield "}"
        else:
            yield f"{op.kind} {op.name}".strip()


class Outcome(NamedTuple):
    """What becomes of a job."""

    ended: list
    """ranks that come to the end"""
    marks: list
    """(rank, name) of all marks"""
    flows: list
    """(source host, destination host, bytes) of point-to-point messages between hosts, sorted"""
    unreceived: int
    """messages that arrive and are not received; None if not all ranks end"""


def run_job(job, posted):
    """The outcome. posted: receives are posted at NICs, so that a send between hosts is complete only once its
    receive is posted."""
    return _Reference(job, posted).run()


class _Reference:
    def __init__(self, job, posted):
        self.ranks, self.per_host, self.group, programs = job
        self.posted = posted
        self.code = [list(_unroll(program)) + [Op("wait"), Op("mark", name="end")] for program in programs]
        self.at = [0] * self.ranks
        self.entered = [False] * self.ranks
        self.sends = defaultdict(deque)  # by source, destination and tag: requests
        self.receives = defaultdict(deque)
        self.open = [defaultdict(int) for _ in range(self.ranks)]  # of each rank, by name
        self.arrived = defaultdict(int)  # at meetings of a kind and group: (count, generation)
        self.met = [defaultdict(int) for _ in range(self.ranks)]
        self.marks, self.flows = [], []

    def host(self, rank):
        return rank // self.per_host

    def match(self, key):
        src, dst, _ = key
        while self.sends[key] and self.receives[key]:
            sender, receiver = self.sends[key].popleft(), self.receives[key].popleft()
            if self.posted and self.host(src) != self.host(dst):
                self.open[src][sender] -= 1
            self.open[dst][receiver] -= 1

    def begin(self, rank, op):
        """An operation begins. Returns the request that it waits for, None for none."""
        request = "blocking" if op.kind in ("send", "recv") else op.name
        if op.kind in ("send", "isend"):
            key = (rank, op.peer, op.tag)
            self.sends[key].append(request)
            if self.posted and self.host(rank) != self.host(op.peer):
                self.open[rank][request] += 1
            self.flow(rank, op.peer, op.size)
            self.match(key)
        elif op.kind in ("recv", "irecv"):
            key = (op.peer, rank, op.tag)
            self.open[rank][request] += 1
            self.receives[key].append(request)
            self.match(key)
        elif op.kind == "put":
            self.flow(rank, op.peer, op.size)
        elif op.kind == "get":
            self.flow(rank, op.peer, 16)
            self.flow(op.peer, rank, op.size)
        elif op.kind == "mark":
            self.marks.append((rank, op.name))
        elif op.kind in ("barrier", "allreduce"):
            self.met[rank][op.kind, op.name] += 1

    def flow(self, src, dst, size):
        if self.host(src) != self.host(dst):
            self.flows.append((self.host(src), self.host(dst), max(size, 1)))

    def may_go(self, rank, op):
        """Whether an operation that has begun is complete."""
        if op.kind in ("send", "recv"):
            return self.open[rank]["blocking"] == 0
        if op.kind == "wait":
            return self.open[rank][op.name] == 0 if op.name else not any(self.open[rank].values())
        if op.kind in ("barrier", "allreduce"):
            mine = self.met[rank][op.kind, op.name]
            members = self.group if op.name == "few" else range(self.ranks)
            return all(self.met[other][op.kind, op.name] >= mine for other in members)
        return True

    def run(self):
        moves = True
        while moves:
            moves = False
            for rank in range(self.ranks):
                while self.at[rank] < len(self.code[rank]):
                    op = self.code[rank][self.at[rank]]
                    if not self.entered[rank]:
                        self.begin(rank, op)
                        self.entered[rank] = moves = True
                    if not self.may_go(rank, op):
                        break
                    self.at[rank] += 1
                    self.entered[rank], moves = False, True
        ended = [rank for rank in range(self.ranks) if self.at[rank] == len(self.code[rank])]
        left = sum(map(len, self.sends.values()))
        return Outcome(ended, sorted(self.marks), sorted(self.flows), left if len(ended) == self.ranks else None)


def _unroll(program):
    for op in program:
        if op.kind == "repeat":
            for _ in range(op.size):
                yield from _unroll(op.body)
        elif op.kind == "if":
            if op.size:
                yield from _unroll(op.body)
        else:
            yield op
