# SPDX-License-Identifier: GPL-2.0-only
"""Random programs of ranks, and what becomes of them by the letter of MPI, worked out without a
network.

The reference knows no time. What it says does not depend on any: a program whose receives name
their ranks has one outcome, however long messages take (sends are complete at some time, whether
they are received or not). Messages that wait for others have tags of their own, because the order
in which they begin is a matter of time; what a rank does until something is complete is no more
than to compute. A rank that receives from any rank takes any tag, too, with all its receives:
whichever message each gets, as many are complete.
"""
import random
from collections import defaultdict
from typing import NamedTuple


SIZES = (2, 999, 1000, 5000, 30000)
"""of messages; those of collectives have others"""


class Op(NamedTuple):
    """One operation as the file has it."""

    kind: str
    """send, isend, recv, irecv, put, get, wait, until, (i)barrier, (i)allreduce, (i)compute, mark,
    repeat, if"""
    peer: int = 0
    size: int = 0
    tag: int = 0
    name: str = ""
    """as=, what a wait is for, the group of what blocks, a mark"""
    body: tuple = ()
    after: tuple = ()
    """names"""
    begun: str = ""
    stream: str = ""
    group: str = ""
    """of a collective that is started"""
    own: bool = False
    """its tag is of this message alone, in each round: messages that wait for others begin in any
    order"""


ANY = -1
"""Of the peer or the tag of a receive."""
TAGS = 4
"""More than there are rounds."""


def random_job(seed, most_ranks=6, most_operations=12):
    """(ranks, per host, groups, programs) of a small job. Most end, some wait for ever. Half of
    them are graphs, too."""
    rng = random.Random(seed)
    graphs = rng.random() < 0.5
    ranks = rng.randint(2, most_ranks)
    group = sorted(rng.sample(range(ranks), rng.randint(1, ranks)))
    programs = [[] for _ in range(ranks)]
    for number in range(rng.randint(1, most_operations)):
        if graphs and rng.random() < 0.5:
            _add_graph(rng, programs, group, number)
            continue
        event = rng.random()
        if event < 0.65:  # a message, whose two operations come in any place at both ends
            src, dst = rng.randrange(ranks), rng.randrange(ranks)
            size, tag = rng.choice(SIZES), rng.randrange(2)
            waits = rng.random() < 0.3
            programs[src].append(Op("send" if waits else "isend", dst, size, tag,
                                    "" if waits else rng.choice(("", "s"))))
            if rng.random() < 0.97:
                waits = rng.random() < 0.5
                programs[dst].append(Op("recv" if waits else "irecv", src, 0, tag,
                                        "" if waits else rng.choice(("", "r"))))
        elif event < 0.75:
            who = group if rng.random() < 0.5 else range(ranks)
            kind = rng.choice(("barrier", "allreduce"))
            for rank in who:
                if rng.random() < 0.98:
                    programs[rank].append(Op(kind, name="few" if who is group else "all",
                                             size=3000))
        elif event < 0.85:
            programs[rng.randrange(ranks)].append(Op(rng.choice(("put", "get")),
                                                     rng.randrange(ranks), 2500))
        elif event < 0.95:
            programs[rng.randrange(ranks)].append(Op("compute", size=rng.randint(0, 9)))
        else:
            programs[rng.randrange(ranks)].append(Op("wait"))
    if not graphs:
        _take_any(random.Random(f"any {seed}"), programs)
    for program in programs:
        _rearrange(rng, program)
    if rng.random() < 0.3:
        rounds = rng.randint(0, 3)
        programs = [[Op("repeat", size=rounds, name="i", body=tuple(program))]
                    for program in programs]
    return ranks, rng.randint(1, 3), group, programs


def _add_graph(rng, programs, group, number):
    """Something that may wait for others: a message, a computation, a collective. What it waits for
    is chosen when all are in their places."""
    ranks = range(len(programs))
    options = {"after": ("?",) * rng.choice((0, 1, 1, 2)),
               "begun": rng.choice(("", "", f"b{number}")),
               "stream": rng.choice(("", "", "x", "y"))}
    name = rng.choice(("", "s", f"n{number}"))
    event = rng.random()
    if event < 0.6:
        src, dst, size = rng.choice(ranks), rng.choice(ranks), rng.choice(SIZES)
        programs[src].append(Op("isend", dst, size, 2 + number, name, own=True, **options))
        if rng.random() < 0.97:
            programs[dst].append(Op("irecv", src, 0, 2 + number, f"m{number}", own=True,
                                    **{**options, "after": ("?",) * rng.choice((0, 0, 1)),
                                       "stream": ""}))
    elif event < 0.8:
        programs[rng.choice(ranks)].append(Op("icompute", size=rng.randint(0, 9), name=name,
                                              **options))
    else:
        few = rng.random() < 0.5
        kind = rng.choice(("ibarrier", "iallreduce"))
        for rank in group if few else ranks:
            if rng.random() < 0.98:
                programs[rank].append(Op(kind, size=3000, name=name, group="few" if few else "all",
                                         **options))


def _take_any(rng, programs):
    """In some jobs ranks receive with any tag, or from any rank with any tag. rng: of its own, so
    that all else stays."""
    if rng.random() < 0.5:
        return
    for program in programs:
        everywhere, share = rng.random() < 0.3, rng.choice((0, 0.5, 1))
        for i, op in enumerate(program):
            if op.kind in ("recv", "irecv") and (everywhere or rng.random() < share):
                program[i] = op._replace(peer=ANY if everywhere else op.peer, tag=ANY)


def takes_any(job):
    """Whether ranks of a job receive with any tag."""
    return any(op.tag == ANY for program in job[3] for one in program for op in (one, *one.body))


def _is_collective(op):
    return op.kind in ("barrier", "allreduce", "ibarrier", "iallreduce")


def _names(operations):
    """What may be waited for behind these."""
    return sorted({name for op in operations if op.kind[0] == "i" and op.kind != "if"
                   for name in (op.name, op.begun) if name})


def _rearrange(rng, program):
    """Swap some neighbors, wait for names that were started, and let conditions hold operations."""
    for i in range(len(program) - 1):
        if rng.random() < 0.2 and not _is_collective(program[i]):
            program[i], program[i + 1] = program[i + 1], program[i]
    for i, op in enumerate(program):
        if op.after:
            names = _names(program[:i])
            program[i] = op._replace(after=tuple(rng.choice(names) for _ in op.after) if names
                                     else ())
    for i in range(len(program), 0, -1):
        started = _names(program[:i])
        if started and rng.random() < 0.2:
            program.insert(i, Op(rng.choice(("wait", "wait", "until")), name=rng.choice(started)))
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


def _write(program, repeated=False):
    for op in program:
        named = ""
        if op.kind[0] == "i" and op.kind != "if":
            named = ((f" as={op.name}" if op.name else "")
                     + (f" after={','.join(op.after)}" if op.after else "") +
                     (f" begun={op.begun}" if op.begun else "")
                     + (f" on={op.stream}" if op.stream else ""))
        tag = f"{TAGS * op.tag}+i" if op.own and repeated else TAGS * op.tag if op.own else op.tag
        if op.kind in ("send", "isend"):
            yield f"{op.kind} {op.peer} {op.size} tag={tag}{named}"
        elif op.kind in ("recv", "irecv"):
            yield (f"{op.kind} {'any' if op.peer == ANY else op.peer} "
                   f"tag={'any' if tag == ANY else tag}{named}")
        elif op.kind == "until":
            yield from (f"until {op.name} {{", "compute 1us", "}")
        elif op.kind == "icompute":
            yield f"icompute {op.size}us{named}"
        elif op.kind == "ibarrier":
            yield f"ibarrier {op.group}{named}"
        elif op.kind == "iallreduce":
            yield f"iallreduce {op.size} {op.group} algorithm=doubling{named}"
        elif op.kind in ("put", "get"):
            yield f"{op.kind} {op.peer} {op.size}"
        elif op.kind == "compute":
            yield f"compute {op.size}us"
        elif op.kind == "barrier":
            yield f"barrier {op.name}"
        elif op.kind == "allreduce":
            yield f"allreduce {op.size} {op.name} algorithm=doubling"
        elif op.kind in ("repeat", "if"):
            yield f"{op.kind} {op.size} {op.name} {{" if op.kind == "repeat" else f"if {op.size} {{"
            yield from _write(op.body, repeated or op.kind == "repeat")
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
    looks: list
    """ranks that look for ever: they do not wait, so that nothing is stuck"""
    differs: bool
    """ranks of a group come to different collectives in one turn: the job is refused"""


def run_job(job, posted):
    """The outcome. posted: receives are posted at NICs, so that a send between hosts is complete
    only once its receive is posted."""
    return _Reference(job, posted).run()


class _Started:
    """An operation that has been started under some name."""

    def __init__(self, name):
        self.name, self.done = name, False


class _Reference:
    def __init__(self, job, posted):
        self.ranks, self.per_host, self.group, programs = job
        self.posted = posted
        self.code = [list(_unroll(program)) + [Op("wait"), Op("mark", name="end")]
                     for program in programs]
        self.at = [0] * self.ranks
        self.entered = [None] * self.ranks  # what the rank is in
        self.sends = [[] for _ in range(self.ranks)]  # by destination: sources, tags and those
        self.receives = [[] for _ in range(self.ranks)]  # by rank: the same
        self.started = [[] for _ in range(self.ranks)]
        self.waiting = [[] for _ in range(self.ranks)]  # operations that wait for others, and those
        # to collectives of a kind and group
        self.came = [defaultdict(int) for _ in range(self.ranks)]
        self.turns = [defaultdict(int) for _ in range(self.ranks)]  # the same, of any kind
        self.kinds = {}  # of the first rank that came, by group and turn
        self.differs = False
        self.met = defaultdict(set)  # ranks that have begun one of these
        self.meeting = []  # those that have, and what is done when all have
        self.marks, self.flows = [], []

    def host(self, rank):
        return rank // self.per_host

    def match(self, dst):
        """The first message that a receive accepts goes to the first receive that accepts it."""
        for message in list(self.sends[dst]):
            for receive in self.receives[dst]:
                if receive[0] in (ANY, message[0]) and receive[1] in (ANY, message[1]):
                    self.sends[dst].remove(message)
                    self.receives[dst].remove(receive)
                    if self.posted and self.host(message[0]) != self.host(dst):
                        message[2].done = True
                    receive[2].done = True
                    break

    def come(self, rank, op):
        """The program comes to an operation. Returns what the rank waits for."""
        kind = op.kind.removeprefix("i") if op.kind != "if" else op.kind
        starts = kind != op.kind
        one = _Started(op.name if starts else None)
        begun = _Started(op.begun)
        # what has the names so far; not itself
        before = [other for other in self.started[rank]
                  if not other.done and other.name in op.after]
        if starts:
            self.started[rank] += [one, begun] if op.begun else [one]
        turn = None
        if _is_collective(op):
            group = op.group or op.name
            turn = (kind, group, self.came[rank][kind, group])
            self.came[rank][kind, group] += 1
            first = self.kinds.setdefault((group, self.turns[rank][group]), kind)
            self.differs |= kind != first
            self.turns[rank][group] += 1
        if before:
            self.waiting[rank].append((before, op._replace(kind=kind), one, begun, turn))
        else:
            self.begin(rank, op._replace(kind=kind), one, begun, turn)
        return one

    def begin(self, rank, op, one, begun, turn):
        begun.done = True
        if op.kind == "send":
            self.sends[op.peer].append((rank, op.tag, one))
            one.done = not (self.posted and self.host(rank) != self.host(op.peer))
            self.flow(rank, op.peer, op.size)
            self.match(op.peer)
        elif op.kind == "recv":
            self.receives[rank].append((op.peer, op.tag, one))
            self.match(rank)
        elif turn:
            self.met[turn].add(rank)
            self.meeting.append((turn, one))
        else:
            one.done = True
            if op.kind == "put":
                self.flow(rank, op.peer, op.size)
            elif op.kind == "get":
                self.flow(rank, op.peer, 16)
                self.flow(op.peer, rank, op.size)
            elif op.kind == "mark":
                self.marks.append((rank, op.name))

    def flow(self, src, dst, size):
        if self.host(src) != self.host(dst):
            self.flows.append((self.host(src), self.host(dst), max(size, 1)))

    def settle(self):
        """Complete what can be, begin what has waited for it. Returns whether there was
        something."""
        moved = False
        for turn, one in list(self.meeting):
            if self.met[turn] >= set(self.group if turn[1] == "few" else range(self.ranks)):
                one.done = moved = True
                self.meeting.remove((turn, one))
        for rank in range(self.ranks):
            for entry in list(self.waiting[rank]):
                if all(other.done for other in entry[0]):
                    self.waiting[rank].remove(entry)
                    self.begin(rank, *entry[1:])
                    moved = True
        return moved

    def may_go(self, rank, op, one):
        """Whether the rank can leave an operation to which it has come."""
        if op.kind in ("wait", "until"):
            return all(other.done for other in self.started[rank]
                       if not op.name or other.name == op.name)
        return op.kind[0] == "i" or one.done

    def run(self):
        moves = True
        while moves:
            moves = self.settle()
            for rank in range(self.ranks):
                while self.at[rank] < len(self.code[rank]):
                    op = self.code[rank][self.at[rank]]
                    if self.entered[rank] is None:
                        waits = op.kind in ("wait", "until")
                        self.entered[rank] = _Started(None) if waits else self.come(rank, op)
                        moves = True
                    if not self.may_go(rank, op, self.entered[rank]):
                        break
                    self.at[rank] += 1
                    self.entered[rank], moves = None, True
        ended = [rank for rank in range(self.ranks) if self.at[rank] == len(self.code[rank])]
        looks = [rank for rank in range(self.ranks)
                 if rank not in ended and self.code[rank][self.at[rank]].kind == "until"]
        left = sum(map(len, self.sends))
        return Outcome(ended, sorted(self.marks), sorted(self.flows),
                       left if len(ended) == self.ranks else None, looks, self.differs)


def _unroll(program, around=0):
    for op in program:
        if op.kind == "repeat":
            for turn in range(op.size):
                yield from _unroll(op.body, turn)
        elif op.kind == "if":
            if op.size:
                yield from _unroll(op.body, around)
        else:
            yield op._replace(tag=TAGS * op.tag + around) if op.own else op
