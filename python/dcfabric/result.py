# SPDX-License-Identifier: GPL-2.0-only
"""Results of a run: the files of its folder as pandas data frames, and as Parquet [PARQUET]_, which
is a few times smaller than CSV and many times quicker to read."""
from __future__ import annotations

import contextlib
import functools
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .columns import FLOWS, SERIES
from .errors import DcfabricError
from .measures import ENOUGH_ABOVE, enough_above
from .program import advice, digest, require
from .program_lines import program_lines
from .run_files import SUMMARY, control_in_python, replacing, usable
from .traffic import loads_drawn
from .wording import count_of, table

if TYPE_CHECKING:
    import pandas

    from .congestion_control import CongestionControl
    from .scenario import Scenario

ROWS = 1_000_000
"""Of a CSV file that are in memory at a time, some 100 MB."""
AS_WRITTEN: dict[str, Any] = {"keep_default_na": False, "na_values": [""]}
"""Of pandas.read_csv(): only what is empty is missing, and a mark may be called NA."""
OF_RUN = b"dcfabric.summary"
"""In the metadata of a Parquet file: the hash of the summary.json that its CSV file belongs to."""


def _pyarrow() -> Any:
    """The package. Raises DcfabricError if it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise DcfabricError("Parquet files need the Python package pyarrow: "
                            f"{advice('pyarrow', 'parquet')}, or 'pyarrow<22' next to "
                            f"NumPy 1 ({error})") from error
    return pyarrow


def beside(csv: Path) -> Path:
    """Where the Parquet file of a CSV file is."""
    return csv.with_suffix(".parquet")


def convert(csv: Path, types: Mapping[str, str], rows: int = ROWS) -> Path:
    """Write a CSV file of a result folder as Parquet beside it, in parts, so that memory does not
    grow with the file; the new file appears whole or not at all. types: of columns, as names of
    numpy. rows: of a part.

    Raises DcfabricError if pyarrow is missing or there is no such file, FolderUnusable if it cannot
    be written."""
    pyarrow = _pyarrow()
    require("pandas")
    import pandas

    if not csv.is_file():
        raise DcfabricError(f"{csv} is not there")
    target = beside(csv)
    columns = list(pandas.read_csv(csv, nrows=0).columns)
    identity = {OF_RUN: digest(csv.parent / SUMMARY).encode()}
    if set(columns) <= set(types):
        schema = pyarrow.schema([(name, _arrow(pyarrow, types[name])) for name in columns],
                                identity)
        reader: Any = pandas.read_csv(csv, dtype=dict(types), chunksize=rows, **AS_WRITTEN)
    else:  # what a column is can only be told from all of it
        whole = pandas.read_csv(csv, dtype=dict(types), **AS_WRITTEN)
        reader = contextlib.nullcontext([whole])
        schema = pyarrow.Schema.from_pandas(whole, preserve_index=False).with_metadata(identity)
    with usable(csv.parent), reader as parts, replacing(target) as temporary:
        with pyarrow.parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for part in parts:
                writer.write_table(pyarrow.Table.from_pandas(part, schema, preserve_index=False))
    return target


def is_current(csv: Path) -> bool:
    """Whether there is a Parquet file that is not older than the CSV file, if that is still there,
    and of the same run."""
    target = beside(csv)
    if not target.is_file() or csv.is_file() and target.stat().st_mtime_ns < csv.stat().st_mtime_ns:
        return False
    try:
        found = _pyarrow().parquet.read_schema(target).metadata or {}
    except DcfabricError:
        if csv.is_file():
            return False
        raise
    except (OSError, ValueError) as error:
        if csv.is_file():
            return False
        raise DcfabricError(f"{target} is damaged: {error}") from error
    return bool(found.get(OF_RUN) == digest(csv.parent / SUMMARY).encode())


def read_parquet(csv: Path) -> pandas.DataFrame:
    """The Parquet file of a CSV file, as the same frame."""
    require("pandas")
    frame: pandas.DataFrame = _pyarrow().parquet.read_table(beside(csv)).to_pandas()
    # None for what is missing
    for name in [name for name, kind in frame.dtypes.items() if kind.kind == "O"]:
        frame[name] = frame[name].where(frame[name].notna(), math.nan)
    return frame


def _arrow(pyarrow: Any, name: str) -> Any:
    return pyarrow.string() if name == "str" else pyarrow.type_for_alias(name)


def convert_all(folder: Path, names: Sequence[str], types: Mapping[str, str]) -> list[Path]:
    """Those of the named CSV files that there are; what is up to date stays as it is."""
    found = []
    for csv in (folder / f"{name}.csv" for name in names):
        if is_current(csv):
            found.append(beside(csv))
        elif csv.is_file():
            found.append(convert(csv, types))
    return found


_OF_PROGRAMS = {
    **dict.fromkeys(("rank", "iteration", "first_rank", "ranks", "size_bytes", "sent_bytes"),
                    "int64"),
    **dict.fromkeys(("start_ns", "end_ns", "last_start_ns", "algbw_gbyte_s", "busbw_gbyte_s"),
                    "float64"),
    **dict.fromkeys(("time_ns", "alone_ns", "slowdown", "wait_ns", "behind_others_ns"), "float64"),
    **dict.fromkeys(("group", "name", "operation", "algorithm", "job", "kind", "link"), "str")}
"""Types of the columns of the files that runs with programs write."""
_FILES_OF_PROGRAMS = ("marks", "collectives")
_FILES_OF_JOBS = ("jobs", "steps", "interference")
FRAMES = ("flows", *SERIES, *_FILES_OF_PROGRAMS, *_FILES_OF_JOBS)
"""Names of the CSV files, and of the frames of a Result."""
_TYPES = {**_OF_PROGRAMS, "time_ns": "float64",
          **{column.name: column.dtype
             for columns in (FLOWS, *(series.columns for series in SERIES.values()))
             for column in columns}}


class Result:
    """Results of a run, read from its folder when they are asked for and then kept.

    Frames have the columns of the CSV files (doc/results.rst): times in ns, sizes in bytes, rates
    in bit/s. Fields for events that have not happened are NaN. A folder that dcfabric-sim wrote on
    its own works, too. When a later run has replaced the results in the folder, what was not read
    before raises DcfabricError: nothing is of two runs.
    """

    def __init__(self, folder: str | Path, scenario: Scenario | None = None, *,
                 resumed: bool = False,
                 congestion_controls: Sequence[CongestionControl] = (), keep: Any = None) -> None:
        """folder: with flows.csv and summary.json. scenario: what was run, if it is known. resumed:
        the run had been done before. congestion_controls: those in Python. keep: held as long as
        this object, as the folder's owner."""
        self.folder = Path(folder)
        self.scenario = scenario
        self.resumed = resumed
        self.congestion_controls = tuple(congestion_controls)
        """with a congestion control in Python: its instances, one for each connection in the order
        in which they began; empty if the run had been done before"""
        self._keep = keep
        self._identity = self._summary_now()
        if not self._identity:
            raise DcfabricError(f"{self.folder}: no results here (summary.json is missing)")

    def fresh(self) -> Result:
        """The same results without the frames that this object keeps."""
        found = Result(self.folder, self.scenario, resumed=self.resumed,
                       congestion_controls=self.congestion_controls, keep=self)
        found._identity = self._identity
        return found

    def _summary_now(self) -> str:
        """A hash of the summary, empty without one. A run that replaces results takes it away
        first, and writes its own last."""
        try:
            return digest(self.folder / SUMMARY)
        except (FileNotFoundError, IsADirectoryError):
            return ""

    def _check_same(self) -> None:
        if self._summary_now() != self._identity:
            raise DcfabricError(f"{self.folder}: other results have taken the place of these; read "
                                "or run them again, and give runs "
                                "with other options a folder of their own")

    def frame(self, name: str) -> pandas.DataFrame:
        """The frame of a CSV file, for those that have no property of their own. Raises
        DcfabricError for a name that is not among FRAMES, and if the file was not written."""
        if name not in FRAMES:
            raise DcfabricError(f"no result file '{name}'; there are {', '.join(FRAMES)}")
        found: pandas.DataFrame = (getattr(self, name) if hasattr(type(self), name)
                                   else self._frame(name))
        return found

    def _frame(self, name: str) -> pandas.DataFrame:
        try:
            path = self._path(name)
            if is_current(path):
                return read_parquet(path)
            require("pandas")
            import pandas

            try:
                frame: pandas.DataFrame = pandas.read_csv(path, dtype=_TYPES, **AS_WRITTEN)
            except ValueError as error:  # also those of its parser
                raise DcfabricError(f"{path} is damaged: {error}") from error
            return frame
        finally:
            self._check_same()

    def _path(self, name: str) -> Path:
        """Of a CSV file. Raises DcfabricError if neither it nor the same as Parquet is there."""
        path = self.folder / f"{name}.csv"
        if not path.is_file() and not is_current(path):
            if name == "flows":
                raise DcfabricError(f"{path} is missing: it belongs to every run, so these results "
                                    "are not whole")
            how = ("workload='program:PATH'" if name in _FILES_OF_PROGRAMS
                   else "workload='program:PATH+...'" if name in _FILES_OF_JOBS
                   else f"trace=[..., {name!r}]")
            raise DcfabricError(f"{path} was not written: ask for it with {how}")
        return path

    @functools.cached_property
    def flows(self) -> pandas.DataFrame:
        """A line for each flow: size, start and completion times (ns), slowdown, packets, and its
        label (``group``) if the workload has any."""
        return self._frame("flows")

    @functools.cached_property
    def queues(self) -> pandas.DataFrame:
        """Bytes waiting in each class of each port (trace ``queues``)."""
        return self._frame("queues")

    @functools.cached_property
    def rates(self) -> pandas.DataFrame:
        """Rate (bit/s) and window (bytes, 0 for none) that each active flow may send with, and the
        payload that it got (bit/s) since the sample before (trace ``rates``)."""
        return self._frame("rates")

    @functools.cached_property
    def windows(self) -> pandas.DataFrame:
        """Every change of window (bytes, 0 for none), pacing rate (bit/s), round-trip time (ns) and
        state of a sender (trace ``windows``)."""
        return self._frame("windows")

    @functools.cached_property
    def links(self) -> pandas.DataFrame:
        """Bytes on the wire since the sample before and their share of the line rate (trace
        ``links``)."""
        return self._frame("links")

    @functools.cached_property
    def pfc(self) -> pandas.DataFrame:
        """Every pause and resume at the port that receives it (trace ``pfc``)."""
        return self._frame("pfc")

    @functools.cached_property
    def messages(self) -> pandas.DataFrame:
        """Every change of state of a message at its sender and of its receive (trace
        ``messages``)."""
        return self._frame("messages")

    @functools.cached_property
    def computations(self) -> pandas.DataFrame:
        """What ranks compute, and on which stream: begin and duration (ns; trace
        ``computations``)."""
        return self._frame("computations")

    @functools.cached_property
    def marks(self) -> pandas.DataFrame:
        """What ranks have measured: a line for each mark, with rank, name, iteration, start and end
        (ns). With the workload ``program:PATH``."""
        return self._frame("marks")

    @functools.cached_property
    def collectives(self) -> pandas.DataFrame:
        """A line for each collective and barrier of a group of ranks: when they came and left (ns),
        sizes (bytes) and bandwidths (GB/s). With the workload ``program:PATH``."""
        return self._frame("collectives")

    @functools.cached_property
    def jobs(self) -> pandas.DataFrame:
        """A line for each job and for what ran beside them: start, end and time (ns), mean bus
        bandwidth (GB/s), and the slowdown against the job alone. With several workloads of which
        one is ``program:PATH``."""
        return self._frame("jobs")

    @functools.cached_property
    def steps(self) -> pandas.DataFrame:
        """A line for each mark and collective of a job, as ``jobs`` has it for all of it."""
        return self._frame("steps")

    @functools.cached_property
    def interference(self) -> pandas.DataFrame:
        """A line for each job at each link that it shares: what it sent, and how long its packets
        waited there behind those of others (ns). Those that cost most come first."""
        return self._frame("interference")

    def to_parquet(self, *names: str) -> list[Path]:
        """Write the CSV files of these names (see FRAMES; without any, all that there are) as
        Parquet beside them, and return the paths. From then on frames are read from these, as long
        as they are not older than the CSV files and of the same run; the frames are equal. CSV
        files stay; those of traces may be removed if nothing but frames reads them. Needs pyarrow.

        Raises DcfabricError for an unknown name, for a file that was not written, and if pyarrow is
        missing."""
        for name in names:
            if name not in FRAMES:
                raise DcfabricError(f"no result file '{name}'; there are {', '.join(FRAMES)}")
            self._path(name)
        return convert_all(self.folder, names or FRAMES, _TYPES)

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """Options as resolved and counters of the whole run: summary.json."""
        path = self.folder / SUMMARY
        try:
            summary: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise DcfabricError(f"{path} is damaged: {error}") from error
        finally:
            self._check_same()
        return summary

    def _subject(self) -> list[tuple[str, Any]]:
        """What ran, defaults too; nothing if summary.json does not tell."""
        options = dict(self.summary.get("options", {}))
        control = control_in_python(self.folder)
        if control:
            options["cc"] = f"{control.name} (Python)"
        return [(name.replace("-", "_"), options[name])
                for name in ("topology", "workload", "cc", "lb", "flow-control") if name in options]

    def _rows(self) -> list[tuple[str, Any]]:
        summary = self.summary
        overall = summary["slowdown"]["overall"]
        rows = [*self._subject(), ("status", summary["status"]),
                ("flows", f"{summary['flows_completed']} of {summary['flows_started']} complete"
                 if summary["flows_started"] else "none"),
                *program_lines(self.folder),
                *(("offered", text) for text in loads_drawn([summary])),
                ("simulated", f"{summary['sim_seconds'] * 1e3:g} ms")]
        if overall["count"]:
            few = [name for name in ("p50", "p95", "p99")
                   if not enough_above(overall["count"], float(name[1:]))]
            flows = count_of(overall["count"], "flow")
            said = f" (* of {flows} fewer than {ENOUGH_ABOVE} are above it)" if few else ""
            rows.append(("slowdown", ", ".join(f"{name} {overall[name]:.3f}{'*' * (name in few)}"
                                               for name in ("mean", "p50", "p95", "p99")) + said))
        rows += [(f"flows, {label}",
                  f"{group['flows_completed']} of {group['flows_started']} complete, "
                  f"{group['goodput_gbps']:.3f} Gb/s")
                 for label, group in summary.get("groups", {}).items()]
        rows += [("goodput", f"{summary['goodput_gbps']:.3f} Gb/s"),
                 ("longest queue", f"{summary['max_queue_bytes'] / 1e3:.1f} kB"),
                 ("pause frames", summary["pfc_pause_frames"]),
                 ("drops", sum(summary["drops"].values())),
                 ("folder", self.folder)]
        return rows

    def __repr__(self) -> str:
        return f"Result({', '.join(f'{name}: {value}' for name, value in self._rows())})"

    def _repr_html_(self) -> str:
        return table("Result", self._rows())
