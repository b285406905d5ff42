# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules: the text form and the binary form of LogGOPSim's toolchain.

Facts are of Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language - A Flexible Way to
Express Collective Communication", 2009, and of the grammar (txt2bin.re) and binary layout
(Parser.hpp) of github.com/spcl/LogGOPSim.
"""
from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Collection, Iterator, NoReturn

from ..errors import DcfabricError
from ..wording import count_of
from .job import MAX_PS, MAX_RANKS, MAX_SIZE, UNITS, Operation, TraceJob

SKIPPABLE = ("nic",)
"""What skip may name."""
MAGIC = 4223
"""First eight bytes of a binary schedule, low byte first."""
ANY = 0xFFFFFFFF
"""Of a rank or tag in a binary schedule: any."""
SEND, RECV, CALC = 1, 2, 3
MAX_TAG = 0x7FFFFFFF
ANY_TAG = -1
"""Of a receive in a text schedule."""

_HEADER = struct.Struct("<QIBB")  # magic, ranks, highest cpu, highest nic
_NODE = struct.Struct("<IBIQIBBIIII")
# numbers have as many digits as 64 bits need
_LINE = re.compile(r"(?:(?P<label>[A-Za-z]\w*)\s*:\s*)?(?:"
                   r"(?P<op>send|recv)\s+(?P<size>\d{1,20})\s*b\s+(?:to|from)\s+(?P<peer>-1|\d{1,20})"
                   r"(?P<rest>(?:\s+(?:tag|cpu|nic)\s+(?:-1|\d{1,20}))*)"
                   r"|calc\s+(?P<calc>\d{1,20})(?:\s+cpu\s+(?P<cpu>\d{1,20}))?)")
_COMMENT = re.compile(r"/\*.*?(?P<end>\*/|\Z)|//[^\n]*", re.DOTALL)
_SHOWN = 80
"""Characters of a line in a message."""
_DEPENDENCY = re.compile(r"(?P<label>[A-Za-z]\w*)\s+(?P<kind>i?requires)\s+(?P<other>[A-Za-z]\w*)")
_FORMS = ("'[LABEL:] send BYTESb to RANK [tag T] [cpu C] [nic N]', '[LABEL:] recv BYTESb from RANK "
          "...', '[LABEL:] calc TIME [cpu C]', "
          "'LABEL requires LABEL', 'LABEL irequires LABEL' or '}'")


def read_goal(path: str | Path, unit: str = "ns", skip: Collection[str] = ()) -> TraceJob:
    """A schedule. A calc holds its cpu; a send begins when its cpu is free and holds it for no
    time; the network takes what it takes.

    path: text or binary. unit: of calc, one of UNITS. skip: ``nic`` lets all messages leave by the
    one network interface that a host has. Raises DcfabricError for what is malformed or not
    covered, with the place.
    """
    if unit not in UNITS:
        raise DcfabricError(f"unknown unit of calc '{unit}'; known: {', '.join(UNITS)}")
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DcfabricError(f"{path}: cannot be read: {error.strerror}") from error
    if content[:8] == struct.pack("<Q", MAGIC):
        return _Binary(path, content, unit, skip).read()
    return _Text(path, content, unit, skip).read()


class _Reader:
    """What both forms share."""

    def __init__(self, path: Path, unit: str, skip: Collection[str]) -> None:
        self.path, self.unit, self.skip = path, unit, skip

    def refuse(self, where: object, why: str) -> NoReturn:
        raise DcfabricError(f"{self.path}:{where}: {why}")

    def message(self, where: object, label: str, kind: int, size: int, peer: int | None, ranks: int,
                options: dict[str, int]) -> Operation:
        """peer: None for any. options: tag, cpu, nic; a tag of -1 is any."""
        if peer is None and kind == SEND:
            self.refuse(where, "a send needs the rank that receives")
        if peer is not None and peer >= ranks:
            self.refuse(where, f"rank {peer}: there are ranks 0 to {ranks - 1}")
        tag, nic = options.get("tag", 0), options.get("nic", 0)
        if tag == ANY_TAG and kind == SEND:
            self.refuse(where, "a send needs a tag")
        if tag != ANY_TAG and not 0 <= tag <= MAX_TAG:
            self.refuse(where, f"tag {tag} is not covered: tags of programs are 0 to {MAX_TAG}")
        if kind == SEND and size > MAX_SIZE:
            self.refuse(where, f"{size} bytes are too many: at most {MAX_SIZE}")
        if nic > 0 and "nic" not in self.skip:
            self.refuse(where,
                        f"nic {nic} is not covered: ranks have one network interface; skip nic to "
                        "send everything by that")
        if kind == SEND:
            return Operation(f"isend {peer} {size} tag={tag}", label,
                             stream=f"cpu{options.get('cpu', 0)}")
        return Operation(f"irecv {'any' if peer is None else peer} "
                         f"tag={'any' if tag == ANY_TAG else tag}", label)

    def calc(self, where: object, label: str, time: int, cpu: int) -> Operation:
        if time * UNITS[self.unit] > MAX_PS:
            self.refuse(where, f"a calc of {time} {self.unit} is too long: at most {MAX_PS} ps")
        return Operation(f"icompute {time}{self.unit}", label, stream=f"cpu{cpu}")


class _Text(_Reader):
    """num_ranks N, then `rank I {` ... `}` for each."""

    def __init__(self, path: Path, content: bytes, unit: str, skip: Collection[str]) -> None:
        super().__init__(path, unit, skip)
        try:
            text = content.decode()
        except UnicodeDecodeError:
            raise DcfabricError(
                f"{path}: is neither a text nor a binary schedule of GOAL") from None
        text = _COMMENT.sub(lambda found: self.comment(text, found), text)
        self.lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)
                      if line.strip()]

    def comment(self, text: str, found: re.Match[str]) -> str:
        """What is left of it: its line ends, so that the lines keep their numbers."""
        if found["end"] == "":
            self.refuse(text.count("\n", 0, found.start()) + 1,
                        "the comment that begins here has no '*/'")
        return "\n" * found[0].count("\n")

    def read(self) -> TraceJob:
        lines = iter(self.lines)
        number, line = next(lines, (1, ""))
        found = re.fullmatch(r"num_ranks\s+([1-9]\d*)", line)
        if not found:
            self.refuse(number, f"expected 'num_ranks COUNT' before '{line[:_SHOWN]}'")
        # of more digits than any job has, the first ones tell as much
        count = int(found[1][:20])
        if count > MAX_RANKS:
            self.refuse(number, f"num_ranks is {count}; a program has at most {MAX_RANKS} ranks")
        job = TraceJob(count)
        seen: set[int] = set()
        for number, line in lines:
            found = re.fullmatch(r"rank\s+(\d{1,20})\s*\{", line)
            if not found:
                self.refuse(number, f"expected 'rank NUMBER {{' instead of '{line[:_SHOWN]}'")
            rank = int(found[1])
            if rank >= len(job.ranks) or rank in seen:
                self.refuse(number, f"rank {rank} "
                            + ("is given twice" if rank in seen else f"of {len(job.ranks)}"))
            seen.add(rank)
            self.read_rank(number, lines, job, rank)
        return job

    def read_rank(self, begin: int, lines: Iterator[tuple[int, str]], job: TraceJob,
                  rank: int) -> None:
        operations = job.ranks[rank]
        labels: dict[str, int] = {}
        dependencies = []
        for number, line in lines:
            if line == "}":
                break
            depends = _DEPENDENCY.fullmatch(line)
            if depends:
                dependencies.append((number, depends["label"], depends["kind"], depends["other"]))
                continue
            found = _LINE.fullmatch(line)
            if (not found
                    or (found["op"]
                        and (found["op"] == "send") != (re.search(r"\bto\b", line) is not None))):
                self.refuse(number, f"'{line[:_SHOWN]}' is not covered; expected {_FORMS}")
            label = found["label"] or f"line {number}"
            if label in labels:
                self.refuse(number, f"label '{label}' is given twice")
            labels[label] = len(operations)
            if found["op"]:
                options = {key: int(value)
                           for key, value in re.findall(r"(tag|cpu|nic)\s+(-1|\d+)", found["rest"])}
                peer = None if found["peer"] == "-1" else int(found["peer"])
                operations.append(self.message(number, label,
                                               SEND if found["op"] == "send" else RECV,
                                               int(found["size"]), peer,
                                               len(job.ranks), options))
            else:
                operations.append(self.calc(number, label, int(found["calc"]),
                                            int(found["cpu"] or 0)))
        else:
            self.refuse(begin, f"rank {rank}, which begins here, has no '}}'")
        for number, label, kind, other in dependencies:
            for name in (label, other):
                if name not in labels:
                    self.refuse(number, f"there is no operation '{name}' in rank {rank}")
            operation = operations[labels[label]]
            (operation.after if kind == "requires" else operation.after_begun).append(labels[other])


class _Binary(_Reader):
    """A header, where each rank is in the file, and of each rank its operations and who waits for
    them."""

    def __init__(self, path: Path, content: bytes, unit: str, skip: Collection[str]) -> None:
        super().__init__(path, unit, skip)
        self.content = content

    def unpack(self, form: struct.Struct, at: int) -> tuple[int, ...]:
        if at + form.size > len(self.content):
            raise DcfabricError(f"{self.path}: is cut off: {len(self.content)} bytes, and more are "
                                f"needed at {at}")
        return form.unpack_from(self.content, at)

    def numbers(self, at: int, count: int) -> tuple[int, ...]:
        return self.unpack(struct.Struct(f"<{count}I"), at)

    def read(self) -> TraceJob:
        _, ranks, _, _ = self.unpack(_HEADER, 0)
        if ranks == 0 or ranks * 16 > len(self.content):
            raise DcfabricError(f"{self.path}: {count_of(ranks, 'rank')} in "
                                f"{count_of(len(self.content), 'byte')}")
        job = TraceJob(ranks)
        begin = 8  # places count from behind the magic number
        for rank in range(ranks):
            start, _ = self.unpack(struct.Struct("<QQ"), _HEADER.size + 16 * rank)
            self.read_rank(begin + start, job, rank)
        return job

    def read_rank(self, at: int, job: TraceJob, rank: int) -> None:
        nodes, roots = self.numbers(at, 2)
        first = at + 8 + 4 * roots
        lists = first + _NODE.size * nodes
        operations = job.ranks[rank]
        edges = []
        left = len(self.content) // 4  # numbers that lists of others can have together
        for number in range(nodes):
            (_, kind, peer, size, tag, cpu, nic, waiting, where, begun,
             where_begun) = self.unpack(_NODE, first + _NODE.size * number)
            label = f"operation {number} of rank {rank}"
            left -= waiting + begun
            if left < 0:
                self.refuse(label, "more operations wait for others than the file can hold")
            edges.append((self.numbers(lists + 4 * where, waiting),
                          self.numbers(lists + 4 * where_begun, begun)))
            if kind == CALC:
                operations.append(self.calc(label, label, size, cpu))
            elif kind in (SEND, RECV):
                operations.append(self.message(label, label, kind, size,
                                               None if peer == ANY else peer, len(job.ranks),
                                               {"tag": ANY_TAG if tag == ANY else tag, "cpu": cpu,
                                                "nic": nic}))
            else:
                self.refuse(label,
                            f"type {kind} is not covered; send (1), recv (2) and calc (3) are")
        for number, (waiting_for_end, waiting_for_begin) in enumerate(edges):
            for other in waiting_for_end + waiting_for_begin:
                if other >= nodes:
                    self.refuse(f"operation {number} of rank {rank}",
                                f"operation {other} of {nodes} waits for it")
            for other in waiting_for_end:
                operations[other].after.append(number)
            for other in waiting_for_begin:
                operations[other].after_begun.append(number)
