# SPDX-License-Identifier: GPL-2.0-only
"""Result files as Parquet: equal frames, in parts, and never those of another run."""
import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import unittest
from unittest import mock

from package_case import DUMBBELL, PackageCase, ROOT, needs_sim

from dcfabric import DcfabricError, Result, Scenario
from dcfabric.__main__ import main
from dcfabric.measures import fairness_over_time, jain, throughput_over_time, throughputs_gbps
from dcfabric.result import convert, read_parquet

needs_pyarrow = unittest.skipUnless(importlib.util.find_spec("pyarrow"),
                                    "pyarrow is not there (pip install pyarrow)")
TRACED = DUMBBELL.replace(trace=["queues", "rates", "links", "pfc"], trace_interval="1us")


class WrittenCase(PackageCase):
    """A result folder of our own."""

    def write(self, summary="{}", **files):
        folder = self.dir / "out"
        folder.mkdir(exist_ok=True)
        (folder / "summary.json").write_text(summary)
        for name, text in files.items():
            (folder / f"{name}.csv").write_text(text)
        return Result(folder)


@needs_pyarrow
class ParquetTest(WrittenCase):
    def equal(self, frame, other):
        import pandas

        # old versions of pandas give a frame without rows an index of a kind of its own
        pandas.testing.assert_frame_equal(frame.reset_index(drop=True),
                                          other.reset_index(drop=True), check_exact=True)

    def test_parts(self):
        """Three rows at a time: labels begin in the third part only, numbers end in the second."""
        rows = [f"{number},0,1,{1000 + number},{number / 7},{number * 1.001 if number < 5 else ''},"
                f"{'hot' if number > 6 else ''}"
                for number in range(8)]
        result = self.write(flows="flow,src,dst,size_bytes,start_ns,fct_ns,group\n"
                            + "\n".join(rows) + "\n")
        path = convert(result.folder / "flows.csv",
                               {"flow": "int64", "src": "int64", "dst": "int64",
                                "size_bytes": "int64",
                                                            "start_ns": "float64", "fct_ns":
                                                            "float64", "group": "str"}, rows=3)
        self.assertEqual(path, result.folder / "flows.parquet")
        import pyarrow.parquet

        self.assertEqual(pyarrow.parquet.ParquetFile(path).num_row_groups, 3)
        self.assertEqual(sorted(os.listdir(result.folder)),
                         ["flows.csv", "flows.parquet", "summary.json"])
        csv, stored = result.flows, read_parquet(result.folder / "flows.csv")
        self.equal(stored, read_parquet(result.folder / "flows.csv"))
        os.remove(path)
        self.equal(stored, Result(result.folder).flows)
        self.equal(csv, stored)
        self.assertEqual(stored["group"].isna().sum(), 7)

    def test_columns_of_others(self):
        """A column that this version does not know: what it is can be told from all rows only."""
        result = self.write(pfc="time_ns,node,port,class,event,further\n1,0,0,3,pause,1\n"
                                "2,0,0,3,resume,x\n")
        frame = Result(result.folder).pfc
        result.to_parquet("pfc")
        self.equal(result.pfc, frame)
        self.assertEqual(frame["further"].tolist(), ["1", "x"])

    def test_empty(self):
        result = self.write(pfc="time_ns,node,port,class,event\n")
        frame = Result(result.folder).pfc
        [path] = result.to_parquet()
        self.assertEqual(path.name, "pfc.parquet")
        self.equal(result.pfc, frame)

    def used(self, folder):
        """Whether the frame of rows 1 and 2, which is only in the Parquet file, is read."""
        return len(Result(folder).queues) == 2

    def stored(self):
        head = "time_ns,node,port,class,bytes\n"
        result = self.write(queues=head + "1,0,0,3,5\n2,0,0,3,6\n")
        result.to_parquet()
        times = os.stat(result.folder / "queues.csv")
        (result.folder / "queues.csv").write_text(head)
        os.utime(result.folder / "queues.csv", ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertTrue(self.used(result.folder))
        return result.folder

    def test_older_than_the_csv(self):
        folder = self.stored()
        when = os.stat(folder / "queues.parquet").st_mtime_ns
        os.utime(folder / "queues.csv", ns=(when, when + 1))
        self.assertFalse(self.used(folder))

    def test_of_another_run(self):
        folder = self.stored()
        (folder / "summary.json").write_text('{"seed": 2}')
        self.assertFalse(self.used(folder))
        os.remove(folder / "queues.csv")
        with self.assertRaisesRegex(DcfabricError,
                                    "queues.csv was not written: ask for it with trace="):
            Result(folder).queues

    def test_damaged(self):
        folder = self.stored()
        (folder / "queues.parquet").write_bytes(b"PAR1")
        self.assertFalse(self.used(folder))
        os.remove(folder / "queues.csv")
        with self.assertRaisesRegex(DcfabricError, "queues.parquet is damaged"):
            Result(folder).queues

    def test_without_the_csv(self):
        folder = self.stored()
        os.remove(folder / "queues.csv")
        self.assertTrue(self.used(folder))
        self.assertEqual(Result(folder).to_parquet(), [folder / "queues.parquet"])
        [path] = Result(folder).to_parquet("queues")
        self.assertTrue(path.is_file())

    def test_full_disk(self):
        result = self.write(queues="time_ns,node,port,class,bytes\n1,0,0,3,5\n")
        full = mock.patch("pyarrow.parquet.ParquetWriter.write_table",
                          side_effect=OSError(28, "No space left on device"))
        with full, self.assertRaisesRegex(DcfabricError, "No space left"):
            result.to_parquet()
        self.assertEqual(sorted(os.listdir(result.folder)), ["queues.csv", "summary.json"])

    def test_refusals(self):
        result = self.write(queues="time_ns,node,port,class,bytes\n")
        with self.assertRaisesRegex(DcfabricError,
                                    "no result file 'queue'; there are flows, computations, links"):
            result.to_parquet("queue")
        with self.assertRaisesRegex(DcfabricError, "rates.csv was not written"):
            result.to_parquet("rates")

    @needs_sim
    def test_all_files_of_a_run(self):
        folder = TRACED.run("out").folder
        csv = Result(folder)
        names = ("flows", "links", "pfc", "queues", "rates")
        frames = {name: getattr(csv, name) for name in names}
        self.assertEqual([path.name for path in csv.to_parquet()],
                         [f"{name}.parquet" for name in names])
        for name in names[1:]:
            os.remove(folder / f"{name}.csv")
        for name, frame in frames.items():
            with self.subTest(name):
                self.equal(getattr(Result(folder), name), frame)

    @needs_sim
    def test_new_results_count(self):
        """What a run leaves behind in its folder is not taken for the results of the next."""
        TRACED.run("out").to_parquet()
        result = TRACED.replace(rate="25Gbps").run("out", force=True)
        self.equal(result.queues, Result(result.folder).queues)
        self.assertGreater(result.flows["fct_ns"].min(), 3e4)  # 100 kB at 25 Gb/s take 32 us

    def test_command(self):
        result = self.write(queues="time_ns,node,port,class,bytes\n1,0,0,3,5\n")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(main(["parquet", str(result.folder)]), 0)
        self.assertEqual(said.getvalue(), f"{result.folder / 'queues.parquet'}\n")
        with contextlib.redirect_stderr(said):
            self.assertEqual(main(["parquet", "nowhere"]), 2)
        self.assertIn("nowhere: no results here", said.getvalue())


class WithoutPyarrowTest(WrittenCase):
    def test_csv_is_read_and_errors_name_the_package(self):
        result = self.write(queues="time_ns,node,port,class,bytes\n1,0,0,3,5\n")
        (result.folder / "queues.parquet").write_bytes(b"anything")
        (result.folder / "rates.parquet").write_bytes(b"anything")
        script = ("import sys; sys.modules['pyarrow'] = None\nimport dcfabric\nresult = "
                  "dcfabric.Result('out')\nprint(len(result.queues))\n"
                  "for what in (lambda: result.to_parquet(), lambda: result.rates):\n    try: "
                  "what()\n"
                  "    except dcfabric.DcfabricError as error: print(error)\n")
        done = subprocess.run([sys.executable, "-c", script], cwd=self.dir,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
                              capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        self.assertEqual((lines[0], len(lines)), ("1", 3))
        for line in lines[1:]:
            self.assertIn("pip install pyarrow", line)


@needs_sim
class ThroughputTest(PackageCase):
    def test_over_time(self):
        """Throughput times time since the sample before, summed, is the size of each flow; rows are
        1 us apart but for the last, so each counts for the time since the row before."""
        result = Scenario(topology="dumbbell:switches=3,senders=2", cc="hpcc",
                          flows=[(0, 2, 100_000, 0), (1, 3, 50_000, 5000)],
                          trace="rates", trace_interval="1us").run()
        table = throughput_over_time(result)
        self.assertEqual(list(table.columns), [0, 1])
        steps = [after - before for before, after in zip([0.0, *table.index], table.index)]
        for flow, size in ((0, 100_000), (1, 50_000)):
            got = sum(value * step for value, step in zip(table[flow], steps)) * 1e3 / 8
            self.assertAlmostEqual(got, size, delta=1)
        self.assertEqual(table[1][table.index < 5].max(), 0)
        fair = fairness_over_time(result)
        self.assertEqual(len(fair), len(table))
        self.assertTrue((fair.dropna().between(0.5 - 1e-9, 1 + 1e-9)).all())
        both = table[(table > 0).all(axis=1)]
        self.assertAlmostEqual(fair[both.index[0]], jain(both.iloc[0]))

    def test_of_flows(self):
        """100 kB in the time of flows.csv."""
        result = DUMBBELL.run()
        self.assertEqual(throughputs_gbps(result).tolist(),
                         [800_000 / fct for fct in result.flows["fct_ns"]])


if __name__ == "__main__":
    unittest.main()
