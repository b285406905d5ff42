# SPDX-License-Identifier: GPL-2.0-only
"""Results as trace events for Perfetto: dcfabric.timeline. What is written is read again and
checked by the schema of the format (trace_events.py)."""
import contextlib
import io
import json
import subprocess
import sys
import time
import unittest
from pathlib import Path

import trace_events
from package_case import PackageCase, ROOT
from sim_case import SimCase

from dcfabric import DcfabricError, Result
from dcfabric.__main__ import main
from dcfabric.timeline import write_timeline

FLOWS = ("flow,src,dst,size_bytes,start_ns,fct_ns,sender_fct_ns,ideal_fct_ns,slowdown,"
         "packets_sent,packets_retransmitted,reordered\n")
JOB = """ranks 2
program all {
  mark step {
    icompute 5us as=a on=gpu
    icompute 3us after=a on=gpu
    icompute 4us on=cpu
    icompute 0us on=cpu
    wait
    compute 2us
    mark here
    allreduce 2000
    mark inner {
      compute 1500ps
    }
  }
}
"""


def spans(events):
    """Names, begins and ends in us."""
    return [(event["name"], event["ts"], round(event["ts"] + event.get("dur", 0), 6))
            for event in events]


class TimelineCase(PackageCase):
    """Result folders that are written here."""

    def folder(self, options=(), end_ns=1e6, **tables):
        (self.dir / "summary.json").write_text(json.dumps(
            {"version": "0", "sim_seconds": end_ns / 1e9, "options": dict(options)}))
        for name, text in {"flows": FLOWS, **tables}.items():
            (self.dir / f"{name}.csv").write_text(text)

    def events(self, *parts):
        write_timeline(Result(self.dir), "t.json", parts)
        return trace_events.check(json.loads(Path("t.json").read_text()))


class TimelineTest(TimelineCase):
    def test_flows(self):
        """Those of a host that overlap are in several rows, and a row that is free is used again;
        one that is not complete lasts to the end, one that has not begun is left out."""
        self.folder(end_ns=9000, flows=FLOWS + (
            "0,0,1,1000,0,3000,4000,1000,3.0,1,0,0\n" "1,0,2,1000,1000,1000,2000,1000,1.0,1,0,0\n"
            "2,0,3,1000,2000,1500.5,2000,1000,1.5005,1,0,0\n" "3,1,0,500,2500,,,500,,1,0,0\n"
            "4,1,0,500,,,,500,,0,0,0\n"))
        found = self.events()
        self.assertEqual({at: spans(events) for at, events in found.items()},
                         {("host 0", "sends"): [("to host 1", 0, 3)],
                          ("host 0", "sends (2)"): [("to host 2", 1, 2), ("to host 3", 2, 3.5005)],
                          ("host 1", "sends"): [("to host 0", 2.5, 9)]})
        self.assertEqual(found["host 0", "sends"][0]["args"],
                         {"flow": 0, "size_bytes": 1000, "slowdown": 3})
        self.assertEqual(found["host 1", "sends"][0]["args"],
                         {"flow": 3, "size_bytes": 500, "complete": False})

    def test_marks(self):
        """Blocks lie within one another, the outer one first where both begin together; moments
        and blocks that are open."""
        self.folder(end_ns=9000, options={"workload": "program:job.txt"},
                    marks="rank,name,iteration,start_ns,end_ns\n0,outer,0,0,5000\n"
                          "0,\"in\tner\",0,0,2000\n0,now,0,2000,2000\n0,left,3,6000,\n")
        (self.dir / "job.txt").write_text("ranks 4 per-host 2\nplace 0 7\n")
        found = self.events("ranks")
        self.assertEqual({at: spans(events) for at, events in found.items()},
                         {("rank 0 on host 7", "marks"): [
                             ("outer", 0, 5), ("in\tner", 0, 2), ("now", 2, 2), ("left", 6, 9)]})
        self.assertEqual([event["ph"] for event in found["rank 0 on host 7", "marks"]],
                         ["X", "X", "i", "X"])

    def test_jobs(self):
        """Ranks count from 0 in each job, and through all in the computations; groups of one name
        are those of their jobs. What has no end has what is within it, later than the summary has
        the end. A mark or a job may be called NA, and traffic beside jobs has no ranks."""
        head = ("operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,"
                "start_ns,last_start_ns,end_ns,algbw_gbyte_s,busbw_gbyte_s,job\n")
        self.folder(
            end_ns=4000, options={"workload": "program:a.txt+program:b.txt"},
            flows=FLOWS[:-1] + ",group\n"
            "0,0,1,1000,0,3000,4000,1000,3.0,1,0,0,a\n1,2,1,1000,,,,1000,,0,0,0,NA\n",
            jobs="job,ranks,hosts,flows,size_bytes,start_ns,end_ns,busbw_gbyte_s,time_ns,alone_ns,"
                 "slowdown\na,2,2,1,1000,0,4000,,4000,,\nincast,0,2,0,0,,,,,,\n"
                 "NA,2,2,0,0,1000,,,,,\n",
            marks="rank,name,iteration,start_ns,end_ns,job\n0,step,0,0,2000,a\n"
                  "0,NA,0,1000,,NA\n0,inner,0,1500,4000.4,NA\n",
            collectives=head + "barrier,dissemination,all,0,0,2,0,2,0,0,2000,,,a\n"
                               "barrier,dissemination,all,0,0,2,0,2,1000,1000,,,,NA\n",
            computations="time_ns,rank,stream,duration_ns,line\n0,1,gpu,1000,4\n"
                         "0,3,,2000,5\n500,3,,500,6\n")
        found = self.events()
        self.assertEqual({at: spans(events) for at, events in found.items()}, {
            ("rank 0 of a", "marks"): [("step", 0, 2)],
            ("rank 0 of NA", "marks"): [("NA", 1, 4.0004), ("inner", 1.5, 4.0004)],
            ("collectives of a", "all"): [("barrier", 0, 2)],
            ("collectives of NA", "all"): [("barrier", 1, 4.0004)],
            ("rank 1 of a", "gpu"): [("compute", 0, 1)],
            ("rank 1 of NA", "program"): [("compute", 0, 2)],
            ("rank 1 of NA", "program (2)"): [("compute", 0.5, 1)],
            ("host 0", "sends"): [("to host 1", 0, 3)]})
        self.assertEqual(found["host 0", "sends"][0]["args"]["group"], "a")

    def test_collectives(self):
        """A row for each group, and more where its collectives overlap."""
        head = ("operation,algorithm,group,first_rank,iteration,ranks,size_bytes,sent_bytes,"
                "start_ns,last_start_ns,end_ns,algbw_gbyte_s,busbw_gbyte_s\n")
        self.folder(end_ns=9000, collectives=head + (
            "allreduce,ring,all,0,0,4,1000,6000,1000,1500,3000,0.5,0.75\n"
            "barrier,dissemination,tp,2,0,2,0,2,1000,1000,2000,,\n"
            "allreduce,ring,all,0,1,4,1000,6000,2000,2000,,,\n"))
        found = self.events("collectives")
        self.assertEqual({at: spans(events) for at, events in found.items()},
                         {("collectives", "all"): [("allreduce", 1, 3)],
                          ("collectives", "tp from rank 2"): [("barrier", 1, 2)],
                          ("collectives", "all (2)"): [("allreduce", 2, 9)]})
        self.assertEqual(found["collectives", "all"][0]["args"],
                         {"algorithm": "ring", "iteration": 0, "ranks": 4, "size_bytes": 1000,
                          "busbw_gbyte_s": 0.75})

    def test_series(self):
        """Queues hold from their time on; a mean over an interval begins with it, and what is of a
        flow ends with it; pauses last from a pause to the resume, or to the end."""
        self.folder(end_ns=9000, options={"trace-interval": "1us"},
                    queues="time_ns,node,port,class,bytes\n1000,20,1,3,0\n2000,20,1,3,500\n",
                    rates="time_ns,flow,rate_bps,window_bytes,throughput_bps,limit_bps\n"
                          "500,7,100,0,8,100\n2000,7,100,0,,100\n",
                    pfc="time_ns,node,port,class,event\n1000,20,1,3,pause\n1500,20,1,3,pause\n"
                        "2500,20,1,3,resume\n3000,20,1,3,resume\n4000,20,1,3,pause\n")
        found = self.events("queues", "rates", "pfc")
        queue = found["node 20", "queues port 1 class 3"]
        self.assertEqual([(event["ts"], event["args"]) for event in queue],
                         [(1, {"bytes": 0}), (2, {"bytes": 500})])
        self.assertEqual(spans(found["node 20", "pfc port 1 class 3"]),
                         [("paused", 1, 2.5), ("paused", 4, 9)])
        self.assertEqual([(event["ts"], event["args"].get("throughput_bps"))
                          for event in found["flows", "rates flow 7"]],
                         [(0, 8), (1, None), (2, 0)])

    def test_parts(self):
        self.folder()
        self.assertEqual(self.events(), {})
        for parts, words in ((["rank"], "no part 'rank' of a timeline; there are ranks, coll"),
                             (["pcap"], "no part 'pcap'"),
                             (["queues"], "queues.csv was not written"),
                             (["ranks"], "marks.csv was not written")):
            with self.subTest(words), self.assertRaisesRegex(DcfabricError, words):
                write_timeline(Result(self.dir), "other.json", parts)
            self.assertFalse(Path("other.json").exists())

    def test_command(self):
        self.folder(flows=FLOWS + "0,0,1,1000,0,3000,4000,1000,3.0,1,0,0\n")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(main(["timeline", ".", "--out=t.json"]), 0)
        self.assertEqual(said.getvalue(), "t.json: 5 events\n")
        checked = subprocess.run([sys.executable, ROOT / "test/python/trace_events.py", "t.json"],
                                 capture_output=True, text=True, check=False)
        self.assertEqual((checked.returncode, checked.stdout), (0, "X 1\ni 0\nC 0\nM 4\n"))
        for arguments, words in ((["none", "--out=t"], "none: no results here"),
                                 ([".", "--out=no/t"], "--out no/t: no folder no"),
                                 ([".", "--out=t", "--only=x"], "no part 'x' of a timeline")):
            error = io.StringIO()
            with contextlib.redirect_stderr(error):
                self.assertEqual(main(["timeline", *arguments]), 2, arguments)
            self.assertIn(words, error.getvalue())

    def test_damaged(self):
        """A field that cannot be empty, one that is no number, too many and none: in a line."""
        marks = "rank,name,iteration,start_ns,end_ns\n"
        for text in (marks + ",step,0,0,1\n", marks + "x,step,0,0,1\n",
                     marks + "0,a,0,0,1\n0,a,1,0,1,2,3,4\n", ""):
            self.folder(marks=text)
            error = io.StringIO()
            with self.subTest(text), contextlib.redirect_stderr(error):
                self.assertEqual(main(["timeline", ".", "--out=t.json"]), 2)
            self.assertRegex(error.getvalue(), r"error: marks\.csv is damaged: ")
            self.assertFalse(Path("t.json").exists())

    def test_100000_events(self):
        """Less than a second of this machine's time, read from the files: a reader of results waits
        for it. Twice as much is for machines that are busy."""
        self.folder(
            flows=FLOWS + "".join(
                f"{i},{i % 64},{(i + 1) % 64},1000,{i * 10},{5000 + i % 700},9000,1000,5.0,1,0,0\n"
                for i in range(50000)),
            queues="time_ns,node,port,class,bytes\n" + "".join(
                f"{i * 20},{100 + i % 20},{i % 16},3,{i % 1000}\n" for i in range(50000)))
        result = Result(self.dir)
        begin = time.process_time()
        count = write_timeline(result, "t.json")
        took = time.process_time() - begin
        self.assertGreaterEqual(count, 100000)
        self.assertLess(took, 2)
        trace_events.check(json.loads(Path("t.json").read_text()))


class SchemaTest(unittest.TestCase):
    """The check finds what is wrong."""

    NAMES = ({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "p"}},
             {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "t"}})

    @staticmethod
    def slice(begin, length, **rest):
        return {"ph": "X", "name": "x", "cat": "c", "pid": 1, "tid": 2, "ts": begin, "dur": length,
                "args": {}, **rest}

    def test_wrong(self):
        def told(*events):
            return {"displayTimeUnit": "ns", "traceEvents": [*self.NAMES, *events]}

        trace_events.check(told(self.slice(0, 5), self.slice(1, 4), self.slice(5, 1)))
        for wrong in (told(self.slice(0, 5), self.slice(1, 5)), told(self.slice(-1, 5)),
                      told(self.slice(0, -5)), told(self.slice(0, float("nan"))),
                      told(self.slice(0, "5")), told(self.slice(0, 5, pid=3)),
                      told(self.slice(0, 5, tid=3)), told(self.slice(0, 5, more=1)),
                      told(self.NAMES[0]), told(self.NAMES[1]), told({"ph": "Z"}), told(7),
                      told({"ph": "C", "name": "x", "cat": "c", "pid": 1, "tid": 0, "ts": 0,
                            "args": {}}), {"traceEvents": []}, []):
            with self.subTest(wrong), self.assertRaises(ValueError):
                trace_events.check(wrong)


class TimelineRunTest(SimCase):
    def test_streams(self):
        """Two ranks on hosts behind two switches compute 5 us and then 3 us on their GPUs and 4 us
        on their CPUs meanwhile, then 2 us themselves, and sum 2000 bytes up in two steps of
        3264.4 ns (3259.68 ns, and behind the ACK of the first 9.44 ns)."""
        self.write("job.txt", JOB)
        self.run_ok("--topology=dumbbell:switches=2,senders=1", "--cc=none",
                    "--workload=program:job.txt", "--trace=computations,rates")
        self.assertEqual((self.out / "computations.csv").read_text(), """\
time_ns,rank,stream,duration_ns,line
0,0,gpu,5000,4
0,0,cpu,4000,6
0,1,gpu,5000,4
0,1,cpu,4000,6
5000,0,gpu,3000,5
5000,1,gpu,3000,5
8000,0,,2000,9
8000,1,,2000,9
16528.8,0,,1.5,13
16528.8,1,,1.5,13
""")
        result = Result(self.out)
        self.assertEqual(result.computations["stream"].fillna("").tolist(),
                         ["gpu", "cpu"] * 2 + ["gpu"] * 2 + [""] * 4)
        write_timeline(result, self.dir / "t.json")
        found = trace_events.check(json.loads((self.dir / "t.json").read_text()))
        process = next(name for name, _ in found if name.startswith("rank 1"))
        self.assertEqual(spans(found[process, "gpu"]), [("compute", 0, 5), ("compute", 5, 8)])
        self.assertEqual(spans(found[process, "cpu"]), [("compute", 0, 4)])
        self.assertEqual(spans(found[process, "program"]),
                         [("compute", 8, 10), ("compute", 16.5288, 16.5303)])
        self.assertEqual(spans(found[process, "marks"]),
                         [("step", 0, 16.5303), ("here", 10, 10), ("inner", 16.5288, 16.5303)])
        self.assertEqual(spans(found["collectives", "all"]), [("allreduce", 10, 16.5288)])
        self.assertEqual(len(found["host 0", "sends"]), 2)
        self.assertIn(("flows", "rates flow 3"), found)

    def test_only_programs_compute(self):
        self.refuse("--topology=dumbbell:switches=2,senders=1", "--workload=pairs:size=1kB",
                    "--trace=computations", words=(
                        "--trace=computations needs --workload=program:PATH: only programs of "
                        "ranks compute",))


if __name__ == "__main__":
    unittest.main()
