# SPDX-License-Identifier: GPL-2.0-only
"""What shells complete behind dcfabric, dcfabric-sim and dcfabric-plot: commands, options and names
of values. ``dcfabric completion bash|zsh|fish`` prints what a shell has to read once."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Iterable, Sequence

from .option_fields import WORDS, OptionFields

OPTIONS = tuple(name.replace("_", "-") for name in OptionFields.__dataclass_fields__)

COMMANDS = ("run", "plot", "sweep", "study", "list", "new", "build", "graphml", "traces",
            "job", "parquet", "timeline", "where", "completion")
RUNS = ("run", "sweep", "study", "list")
"""Those with the options of dcfabric-sim."""
OF_PROGRAM = ("--out=", "--force", "--progress=", "--list", "--plan", "--check", "--describe",
              "--help", "--version", "--partition=", "--cores=")
OWN = {
    "sweep": ("--over", "--exclude", "--out", "--seeds", "--jobs", "--show", "--baseline",
              "--force"),
    "study": ("--over", "--exclude", "--out", "--seeds", "--jobs", "--show", "--baseline",
              "--force"),
    "new": ("congestion-control", "load-balancer", "--out"),
    "graphml": ("--out", "--rate", "--delay", "--rate-from", "--delay-from", "--rate-unit",
                "--delay-unit", "--hosts", "--host-rate"),
    "traces": ("goal", "chakra", "training"),
    "timeline": ("--out", "--only"),
    "where": ("program", "library", "include", "cmake"),
    "completion": ("bash", "zsh", "fish"),
}

BASH = '''\
_dcfabric() {
    local line="${COMP_LINE:0:COMP_POINT}" current before reply
    current="${line##* }"
    mapfile -t COMPREPLY < <(dcfabric completion --line "$line" 2>/dev/null)
    if [ ${#COMPREPLY[@]} -eq 0 ]; then
        compopt -o default
        return
    fi
    # bash replaces only what follows the last of these
    before="${current%"${current##*[=:]}"}"
    for reply in "${!COMPREPLY[@]}"; do
        case ${COMPREPLY[reply]} in *[=:]) compopt -o nospace ;; esac
        COMPREPLY[reply]="${COMPREPLY[reply]#"$before"}"
    done
}
complete -F _dcfabric dcfabric dcfabric-sim dcfabric-plot
'''
ZSH = '''\
_dcfabric() {
    local line="${(j: :)words[1,CURRENT-1]} $PREFIX"
    local -a found more
    found=(${(f)"$(dcfabric completion --line $line 2>/dev/null)"})
    if (( ! $#found )); then
        compset -P '*='
        _files
        return
    fi
    # no blank behind what goes on
    more=(${(M)found:#*[=:]})
    found=(${found:#*[=:]})
    (( $#more )) && compadd -Q -S '' -a more
    (( $#found )) && compadd -Q -a found
}
if (( ! $+functions[compdef] )); then
    autoload -Uz compinit
    compinit
fi
compdef _dcfabric dcfabric dcfabric-sim dcfabric-plot
'''

FISH = '''\
function __dcfabric_finds
    set -g __dcfabric_found (dcfabric completion --line (commandline -cp | string collect) 2>/dev/null)
    test -n "$__dcfabric_found[1]"
end
for name in dcfabric dcfabric-sim dcfabric-plot
    # files only where there are no words
    complete -c $name -n __dcfabric_finds -f -a '$__dcfabric_found'
end
'''  # noqa: E501
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def script(shell: str) -> str:
    """What a shell reads, as by ``source <(dcfabric completion bash)`` in bash and zsh, and
    ``dcfabric completion fish | source`` in fish."""
    return SCRIPTS[shell]


def complete(line: str) -> list[str]:
    """What the last word of a line may become; it is empty behind a blank."""
    *words, current = line.split(" ")
    words = [word for word in words if word]
    program = words[0].rpartition("/")[2] if words else ""
    command = {"dcfabric-sim": "run", "dcfabric-plot": "plot"}.get(program, "")
    if not command and len(words) < 2:
        return _begun(COMMANDS, current)
    command = command or words[1]
    option, equals, value = current.partition("=")
    if equals:
        return [f"{option}={word}" for word in _values(option, value)] if command in RUNS else []
    known = [*(plot_options() if command == "plot" else OWN.get(command, ()))]
    if command in RUNS:
        known += [f"--{name}=" for name in OPTIONS]
        known += OF_PROGRAM if command in ("run", "list") else ()
    return _begun([*_over(words), *known], current)


def plot_options() -> list[str]:
    """Of dcfabric-plot, as its sources have them: importing these takes too long for a key."""
    here = Path(__file__).parent
    return sorted({option for path in (here / "plot.py", *here.glob("plot_*.py"),
                                       *here.glob("plots/*.py"))
                   for option in re.findall(r'add_argument\(\s*"(--[a-z-]+)"',
                                            path.read_text(encoding="utf-8"))} - {"--version"})


def _begun(known: Iterable[str], current: str) -> list[str]:
    return sorted({one for one in known if one.startswith(current)})


def _values(option: str, value: str) -> list[str]:
    """Of an option, whose last entry may be behind a comma or a plus sign."""
    field = option.removeprefix("--").replace("-", "_")
    before, comma, last = value.rpartition(",")
    return [before + comma + word for word in WORDS.get(field, ()) if word.startswith(last)]


def _over(words: Sequence[str]) -> list[str]:
    """Names of options right behind --over, and their values behind these."""
    if "--over" not in words:
        return []
    behind = words[len(words) - words[::-1].index("--over"):]
    if not behind:
        return [*OPTIONS]
    return [] if any(one.startswith("-") for one in behind) else [
        *WORDS.get(behind[0].replace("-", "_"), ())]
