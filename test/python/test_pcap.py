# SPDX-License-Identifier: GPL-2.0-only
"""Captures of dcfabric-sim as a stock tshark reads them, with numbers worked out by hand."""
import csv
import shutil
import struct
import subprocess
import unittest
import zlib

from sim_case import SMALL, SimCase

TSHARK = shutil.which("tshark")
NS_MAGIC = 0xA1B23C4D
# a chain of three links of 100 Gb/s and 1 us: host 0, two switches, host 1
CHAIN = ("--topology=dumbbell:switches=2,senders=1", "--cc=none", "--trace=pcap")


def read_pcap(path):
    """[(time in ns, bytes)] of a capture with nanosecond times; whole frames only."""
    data = path.read_bytes()
    magic, major, minor, zone, _, _, link = struct.unpack("<IHHiIII", data[:24])
    assert (magic, major, minor, zone, link) == (NS_MAGIC, 2, 4, 0, 1), path
    frames, at = [], 24
    while at < len(data):
        seconds, nanoseconds, kept, length = struct.unpack("<IIII", data[at:at + 16])
        assert kept == length, "a frame is cut short"
        frames.append((seconds * 10**9 + nanoseconds, data[at + 16:at + 16 + kept]))
        at += 16 + kept
    assert at == len(data), path
    return frames


def invariant_crc(ip):
    """ICRC of RoCEv2 over an IP packet without its ICRC: LRH and what may change on the way are
    ones."""
    masked = bytearray(b"\xff" * 8 + ip)
    for offset in (1, 8, 10, 11, 26, 27, 32):  # DS, TTL, checksums of IP and UDP, FECN and BECN
        masked[8 + offset] = 0xFF
    return struct.pack("<I", zlib.crc32(bytes(masked)))


class PcapCase(SimCase):
    def capture(self, node, port=0):
        return self.out / f"pcap-{node}-{port}.pcap"

    def captures(self):
        return sorted(path.name for path in self.out.glob("pcap*"))


@unittest.skipUnless(TSHARK, "tshark is missing (Debian package tshark)")
class TsharkTest(PcapCase):
    """What a stock tshark says of the frames."""

    def tshark(self, path, *fields, show=""):
        """One tuple of texts for each frame."""
        command = [TSHARK, "-r", str(path), "-T", "fields", "-E", "separator=;", "-E",
                   "occurrence=f"]
        for field in fields:
            command += ["-e", field]
        run = subprocess.run(command + ([show] if show else []), capture_output=True, text=True,
                             timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return [tuple(line.split(";")) for line in run.stdout.splitlines()]

    def times(self, path, show=""):
        return [int(time.replace(".", ""))
                for time, in self.tshark(path, "frame.time_epoch", show=show)]

    def test_a_message_of_three_packets(self):
        # 1000 + 62 bytes and a gap of 20 take 86,560 ps at 80 ps a byte, 500 + 82 take 46,560 ps;
        # an ACK of 62 + 4 + 32 and 20 bytes 9,440 ps. Without the FCS frames have 4 bytes less.
        self.run_ok(*CHAIN, "--workload=pairs:size=2500")
        what = ("frame.len", "udp.dstport", "infiniband.bth.opcode", "infiniband.bth.psn",
                "ip.dsfield.dscp", "ip.dsfield.ecn", "ip.src", "ip.dst")
        data = [("1058", "4791", "0", "0", "24", "2", "10.0.0.0", "10.0.0.1"),
                ("1058", "4791", "1", "1", "24", "2", "10.0.0.0", "10.0.0.1"),
                ("558", "4791", "2", "2", "24", "2", "10.0.0.0", "10.0.0.1")]
        acks = [("94", "4791", "17", str(psn), "48", "0", "10.0.0.1", "10.0.0.0")
                for psn in range(3)]
        sender, receiver = self.capture(0), self.capture(1)
        self.assertEqual(self.tshark(sender, *what), data + acks)
        # sent at 0, 86,560 and 173,120 ps; the first ACK takes 3 x 1,009,440 ps from its departure
        # at 3,259,680 ps, the others come 86,560 and 46,560 ps later
        self.assertEqual(self.times(sender), [0, 86, 173, 6288, 6374, 6421])
        # first bit at 0, last bit after 3 x 1,086,560 ps; each is answered when it has arrived
        self.assertEqual(self.tshark(receiver, *what),
                         [data[0], acks[0], data[1], acks[1], data[2], acks[2]])
        self.assertEqual(self.times(receiver), [3259, 3259, 3346, 3346, 3392, 3392])
        self.assertEqual(self.tshark(sender, "frame.number", show="_ws.malformed"), [])

    def test_icrc(self):
        # tshark takes the queue pairs 0 and 1 for management, and looks for no ICRC without a
        # payload: the data packet of the third PDC. That of all frames is
        # test_icrc_of_every_frame's.
        self.write("three", "3\n" + "0 1 3 1000 0\n" * 3)
        self.run_ok(*CHAIN, "--workload=flows:three")
        found = self.tshark(self.capture(1), "frame.number", "infiniband.invariant.crc",
                            show="infiniband.bth.destqp == 2 && infiniband.bth.opcode == 4")
        self.assertEqual(len(found), 1)
        frame = read_pcap(self.capture(1))[int(found[0][0]) - 1][1]
        self.assertEqual(int(found[0][1], 16), int.from_bytes(frame[-4:], "big"))

    def test_pfc(self):
        # four hosts send to one through a buffer that pauses beyond 10 kB
        self.run_ok("--topology=fat-tree:k=4", "--workload=incast:fan-in=4,size=100kB", "--cc=none",
                    "--ns3::SharedBuffer::XoffThreshold=10000", "--trace=pcap,pfc")
        with (self.out / "pfc.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        hosts = {row["node"] for row in rows if int(row["node"]) < 16}
        self.assertTrue(hosts, "no host was paused")
        for host in hosts:
            expected = [(int(float(row["time_ns"])), "65535" if row["event"] == "pause" else "0")
                        for row in rows if row["node"] == host]
            path = self.capture(host)
            pause = "eth.type == 0x8808"
            frames = self.tshark(path, "frame.len", "eth.dst", "macc.opcode", "macc.cbfc.enbv",
                                 "macc.cbfc.pause_time.c3", show=pause)
            self.assertEqual(frames, [("60", "01:80:c2:00:00:01", "0x0101", "0x0008", quanta)
                                      for _, quanta in expected])
            self.assertEqual(self.times(path, show=pause), [time for time, _ in expected])

    def test_credits(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=2500", "--flow-control=credit",
                    "--ns3::CreditFlowControl::InitialCredits=false", "--ns3::PcapPorts::Ports=0")
        # EtherType for experiments; 88 bytes with FCS; the first frame goes out before any packet
        frames = self.tshark(self.capture(0), "eth.type", "frame.len")
        self.assertEqual(frames[0], ("0x88b5", "84"))
        self.assertEqual(frames.count(("0x0800", "1058")), 2)

    def test_marks(self):
        self.run_ok("--topology=fat-tree:k=4", "--workload=incast:fan-in=4,size=50kB", "--cc=none",
                    "--trace=pcap", "--ns3::WredMarkingProfile::Kmin=5000",
                    "--ns3::WredMarkingProfile::Kmax=5000")
        ecn = {host: [bits for bits, in self.tshark(self.capture(host), "ip.dsfield.ecn",
                                                    show="infiniband.bth.opcode < 17")]
               for host in range(16)}
        self.assertEqual(len(ecn[0]), 4 * 50, "all packets reached host 0")
        self.assertEqual(set(ecn[0]), {"2", "3"}, "some were marked")
        for host in range(1, 16):
            self.assertLessEqual(set(ecn[host]), {"2"}, "hosts send ECT(0)")

    def test_notifications_back_to_senders(self):
        # four hosts of a k=4 fat-tree send to host 0; the queue at its edge switch notifies them
        self.run_ok("--topology=fat-tree:k=4", "--workload=incast:fan-in=4,size=100kB", "--cc=bts",
                    "--trace=pcap")
        sent = self.summary()["bts_sent"]
        self.assertGreater(sent, 0)
        # opcode 0xc4; 78 bytes with four signals, without FCS 74; class 6; a queue pair of a
        # sender. Behind BTH: class 3, not dropped, no mark before; signals 0 to 3; then a rate of
        # 100,000 Mb/s
        count = 0
        for host in range(16):
            path = self.capture(host)
            seen = self.tshark(path, "frame.len", "udp.dstport", "ip.dsfield.dscp",
                               "ip.dsfield.ecn",
                               "ip.dst", show="infiniband.bth.opcode == 0xc4")
            count += len(seen)
            self.assertLessEqual(set(seen), {("74", "4791", "48", "0", f"10.0.0.{host}")})
            frames = [frame for _, frame in read_pcap(path)
                      if frame[12:14] == b"\x08\x00" and frame[42] == 0xC4]
            self.assertEqual(len(frames), len(seen), "tshark sees the same")
            for frame in frames:
                self.assertEqual(frame[54:56], b"\x03\x0f")
                self.assertEqual(int.from_bytes(frame[66:70], "big"), 100000)
                self.assertEqual(frame[-4:], invariant_crc(frame[14:-4]))
            self.assertEqual(self.tshark(path, "frame.number", show="_ws.malformed"), [])
        self.assertEqual(count, sent, "every one has reached its sender")

    def merge(self, names):
        """One file for all captures, as starting tshark takes longer than reading."""
        merged = self.dir / "all.pcap"
        with merged.open("wb") as file:
            for name in names:
                frames = (self.out / name).read_bytes()
                file.write(frames[0 if file.tell() == 0 else 24:])
        return merged

    def test_notices_between_switches(self):
        # eight hosts of a k=4 fat-tree send to host 0: switches tell those that send to them
        self.run_ok("--topology=fat-tree:k=4", "--workload=incast:fan-in=8,size=200kB", "--cc=none",
                    "--switch=voq", "--features=rcm", "--trace=pcap", "--ns3::PcapPorts::Ports=all")
        sent = self.summary()["rcm_notifications"]
        self.assertGreater(sent, 10)
        show = "infiniband.bth.opcode == 0xc5"
        hosts = [name for name in self.captures() if int(name.split("-")[1]) < 16]
        self.assertEqual(self.tshark(self.merge(hosts), "frame.number", show=show), [],
                         "no host is told")
        merged = self.merge(name for name in self.captures() if name not in hosts)
        seen = self.tshark(merged, "frame.len", "udp.dstport", "ip.dsfield.dscp", show=show)
        self.assertEqual(len(seen), 2 * sent, "each is seen at both ends of its link")
        frames = [frame for _, frame in read_pcap(merged)
                  if frame[12:14] == b"\x08\x00" and frame[42] == 0xC5]
        self.assertEqual(len(frames), 2 * sent)
        degrees = set()
        for frame, (length, port, dscp) in zip(frames, seen):
            # 62 bytes without FCS are 58; header of 8: format 1, class 3, degree, flows, output,
            # culprits known or not, zero
            self.assertEqual((port, dscp), ("4791", "48"))
            kind, priority, degree, flows = frame[54:58]
            self.assertEqual((kind, priority, frame[61]), (1, 3, 0))
            self.assertIn(frame[60], (0, 1))
            self.assertEqual(int(length), 58 + 8 + 16 * flows)
            self.assertLessEqual(flows, 8, "there are no more")
            for at in range(62, 62 + 16 * flows, 16):
                self.assertEqual(frame[at + 4:at + 8], b"\x0a\0\0\0", "all go to host 0")
                self.assertEqual(frame[at + 10:at + 16], b"\x12\xb7\x11\0\0\0", "to UDP port 4791")
            self.assertEqual(frame[-4:], invariant_crc(frame[14:-4]))
            degrees.add(degree)
        self.assertIn(0, degrees, "some say that it is over")
        self.assertLessEqual(max(degrees), 63)
        self.assertEqual(self.tshark(merged, "frame.number", show=f"_ws.malformed && {show}"), [])

    def test_telemetry_is_not_malformed(self):
        for cc in ("hpcc", "fncc", "dcqcn", "bts"):
            self.run_ok(*SMALL, f"--cc={cc}", "--trace=pcap", "--ns3::PcapPorts::Ports=all")
            self.assertEqual(len(self.captures()), 96, "16 hosts, 20 switches of 4 ports")
            merged = self.merge(self.captures())
            bad = self.tshark(merged, "frame.number", show="_ws.malformed || !infiniband")
            self.assertEqual(bad, [], cc)


class PcapTest(PcapCase):
    """What needs no tshark: bytes, ports, refusals."""

    def test_icrc_of_every_frame(self):
        self.run_ok(*SMALL, "--cc=hpcc", "--trace=pcap", "--ns3::PcapPorts::Ports=0")
        frames = read_pcap(self.capture(0))
        # 20 packets of 1000 bytes in both directions, and an ACK for each
        self.assertEqual(len(frames), 80)
        for _, frame in frames:
            self.assertEqual(frame[-4:], invariant_crc(frame[14:-4]))
        self.assertEqual(frames, sorted(frames, key=lambda frame: frame[0]))

    def test_what_leaves_one_end_reaches_the_other(self):
        self.run_ok(*CHAIN, "--workload=pairs:size=10kB", "--ns3::PcapPorts::Ports=0,2:0")
        self.assertEqual(self.captures(), ["pcap-0-0.pcap", "pcap-2-0.pcap"])
        host, switch = read_pcap(self.capture(0)), read_pcap(self.capture(2))
        sent = [(time, frame) for time, frame in host
                if frame[6:12] == bytes.fromhex("02dc00000000")]
        came = [(time, frame) for time, frame in switch
                if frame[6:12] == bytes.fromhex("02dc00000000")]
        self.assertEqual(len(sent), 10)
        # 1,086,560 ps later; both times are cut to whole ns, so the difference is 1086 or 1087
        self.assertEqual(len(came), 10)
        for (before, frame), (after, same) in zip(sent, came):
            self.assertEqual(frame, same)
            self.assertIn(after - before, (1086, 1087))

    def test_ports(self):
        for ports, expected in (("hosts", 16), ("switches", 80), ("all", 96), ("3,3:0,20", 5),
                                ("host-3,host-3:0,edge-2-0", 5)):
            self.run_ok(*SMALL, "--trace=pcap", f"--ns3::PcapPorts::Ports={ports}")
            self.assertEqual(len(self.captures()), expected, ports)
        # a later run without captures does not leave them in place
        self.run_ok(*SMALL)
        self.assertEqual(self.captures(), [])

    def test_refusals(self):
        pcap = (*SMALL, "--trace=pcap")
        for ports, words in (("36", "node"), ("0:1", "port of node 0"), ("x", "node"),
                             ("0,,1", "node"), ("host-16:0", "nearest is host-1; nodes"),
                             ("edge-0-0:4", "port of node 16")):
            self.refuse(*pcap, f"--ns3::PcapPorts::Ports={ports}",
                        words=("ns3::PcapPorts::Ports", words))
        self.refuse(*pcap, "--ns3::PcapPorts::MaxFiles=15", words=("16 ports", "MaxFiles"))
        self.refuse("--topology=fat-tree:k=12", "--workload=permutation:size=1kB", "--trace=pcap",
                    words=("432 ports", "MaxFiles"))
        self.refuse(*SMALL, "--ns3::PcapPorts::Ports=0", words=("no effect", "ns3::PcapPorts"))
        self.refuse(*pcap, "--preset=hpcc-sigcomm19",
                    words=("--wire-format=hpcc-sim", "--wire-format=roce"))


if __name__ == "__main__":
    unittest.main()
