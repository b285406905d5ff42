# SPDX-License-Identifier: GPL-2.0-only
"""The code blocks of README.md and doc/: where they are, in which language, and what is said about
running them.

Comments right above a block say what differs from "run it as it stands in a folder of its chapter":

    .. block: skip, REASON               never run here
    .. block: extensive, REASON          run only with DCFABRIC_BLOCKS=all
    .. block: needs NAME                 run where there is this command or Python module
    .. block: file NAME                  not run: a file of this name, for the blocks that follow
    .. block: continues                  Python that begins with the Python block before it
    .. block: status N                   its last command ends with this exit status
    .. block: shorter OLD -> NEW, REASON run with NEW in place of OLD
    .. block: numbers [but N M...]       of the block, paragraph or table: each is one that the
                                         Python block before has printed, as rounded there and in
                                         its unit, but for N, M, which are of something else

In README.md they are HTML comments of the same text.
"""
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROSE = "prose"
"""Language of paragraphs and tables whose numbers are compared."""
LANGUAGES = ("console", "sh", "python", "cpp", "cmake", "none", "text", "json", "csv", PROSE)
KINDS = ("skip", "extensive", "needs", "file", "continues", "status", "shorter", "numbers")
DIRECTIVE = re.compile(r"( *)\.\. (?:code-block|sourcecode|code):: *(\S*)$")
HIGHLIGHT = re.compile(r"\.\. highlight:: (\S+)")
MARK = re.compile(r"(?:\.\. |<!-- )block: (.*?)(?: -->)?$")


@dataclass
class Block:
    chapter: str
    line: int
    language: str
    text: str
    marks: dict = field(default_factory=dict)

    def __str__(self):
        return f"{self.chapter}:{self.line}"

    def to_run(self):
        """The text, with what the marks replace."""
        text = self.text.replace("<this repository>", str(ROOT))
        for rule in self.marks.get("shorter", ()):
            old, new = rule.rsplit(",", 1)[0].split(" -> ")  # the reason may not have a comma
            if old not in text:
                raise ValueError(f"{self}: nothing to make shorter: {old}")
            text = text.replace(old, new)
        return text


def indent_of(line):
    return len(line) - len(line.lstrip())


def marks_above(lines, index):
    """The marks in the lines right above a block, the last line first."""
    marks = {}
    for line in reversed(lines[:index]):
        found = MARK.fullmatch(line.strip())
        if not found and line.strip():
            break
        if found:
            kind, _, rest = found[1].partition(" ")
            kind = kind.rstrip(",")
            if kind == "shorter":
                marks.setdefault(kind, []).append(rest)
            else:
                marks[kind] = rest.strip()
    return marks


def dedent(body):
    body = [line.rstrip() for line in body]
    while body and not body[0]:
        del body[0]
    while body and not body[-1]:
        del body[-1]
    least = min((indent_of(line) for line in body if line), default=0)
    return "".join(line[least:] + "\n" for line in body)


def ends_later(lines, begin, index):
    """Whether a line belongs to the paragraph, or to the table, that begins above it."""
    if lines[begin].startswith(".. "):
        return not lines[index].strip() or indent_of(lines[index]) > indent_of(lines[begin])
    return bool(lines[index].strip())


def rst_blocks(path):
    """Literal blocks of a chapter; those of `::` have the language of `.. highlight::`."""
    lines, name = path.read_text(encoding="utf-8").splitlines(), str(path.relative_to(ROOT))
    highlight, index = "none", 0
    while index < len(lines):
        line, at = lines[index], index
        index += 1
        if found := HIGHLIGHT.match(line):
            highlight = found[1]
        found = DIRECTIVE.match(line)
        mark = MARK.fullmatch(line.strip())
        if (mark and mark[1].startswith("numbers")
                and not DIRECTIVE.match(next(filter(str.strip, lines[index:]), ""))):
            begin = next(at for at in range(index, len(lines)) if lines[at].strip())
            while index < len(lines) and (index <= begin or ends_later(lines, begin, index)):
                index += 1
            yield Block(name, begin + 1, PROSE, dedent(lines[begin:index]),
                        marks_above(lines, begin))
            continue
        if not found and not (line.endswith("::") and not line.lstrip().startswith(".. ")):
            continue
        while (index < len(lines)
               and (not lines[index].strip() or indent_of(lines[index]) > indent_of(line))):
            index += 1
        # options of the directive, such as :emphasize-lines:, are no text
        body = [text for text in lines[at + 1:index]
                if not (found and re.match(r" +:[a-z-]+:", text))]
        yield Block(name, at + 1, (found[2] if found else "") or highlight, dedent(body),
                    marks_above(lines, at))


def markdown_blocks(path):
    lines, name, start = path.read_text(encoding="utf-8").splitlines(), str(
        path.relative_to(ROOT)), None
    for index, line in enumerate(lines):
        if line.startswith("```") and start is None:
            start = index
        elif line.startswith("```"):
            yield Block(name, start + 1, lines[start][3:].strip() or "none",
                        dedent(lines[start + 1:index]),
                        marks_above(lines, start))
            start = None


def chapters():
    """Every file with blocks, with its blocks."""
    found = {"README.md": list(markdown_blocks(ROOT / "README.md"))}
    for path in sorted((ROOT / "doc").rglob("*.rst")):
        if "build" not in path.parts:
            found[str(path.relative_to(ROOT))] = list(rst_blocks(path))
    return {name: blocks for name, blocks in found.items() if blocks}


NUMBER = re.compile(r"(?<![\w.])(\d+)(?:\.(\d+))?(?!\w)(?: (kB|MB|us|ms|Gb/s)\b)?")
PRINTED = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?(?!\w)")
UNITS = {"kB": 1e3, "MB": 1e6, "us": 1e3, "ms": 1e6, "Gb/s": 1e9}
"""From what programs print (bytes, ns, bit/s) to what a reader is told."""


def strange_numbers(text, printed, allowed=()):
    """Numbers of a text that are no rounding of a printed one. allowed: numbers, as written, that
    are of something else."""
    values = [abs(float(number)) for number in PRINTED.findall(printed)]
    strange = []
    for found in NUMBER.finditer(text):
        number, digits = found[0].split(" ")[0], len(found[2] or "")
        scales = {1.0, UNITS.get(found[3], 1.0)}
        if number not in allowed and not any(abs(value / scale - float(number))
                                             <= 0.5000001 * 10.0 ** -digits
                                             for value in values for scale in scales):
            strange.append(number)
    return strange


def commands(text):
    """(command, output shown) of a console block; lines that go on end with a backslash, as in a
    shell."""
    pairs, open_command = [], False
    for line in text.splitlines():
        if line.startswith("$ "):
            pairs.append([line[2:], []])
            open_command = line.endswith("\\")
        elif open_command:
            pairs[-1][0] += "\n" + line
            open_command = line.endswith("\\")
        elif pairs:
            pairs[-1][1].append(line)
        elif line:
            raise ValueError(f"output before the first command: {line}")
    return [(command, "\n".join(output).strip("\n")) for command, output in pairs]


def pattern(shown):
    """A regular expression for output in which `...` stands for anything; on a line of its own, for
    any lines."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(piece.rstrip()) for piece in line.split("..."))
                         + r"[ ]*\n")
    return re.compile("".join(parts))
