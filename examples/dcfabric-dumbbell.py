#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two senders share a link: compares FNCC, HPCC and DCQCN in one process and draws the result.

    python3 dcfabric-dumbbell.py [--out FILE.png] [--quick] [--library LIBRARY]

Needs a Python with the wheel ns3 3.44 (pip install 'ns3==3.44.*' numpy matplotlib, which the extra
"bindings" of the package brings) and the stand-alone library of this module: ./quickstart
--bindings brings both, and prints the command. In an ns-3 tree that was configured with
--enable-python-bindings it runs by ./ns3 run contrib/dcfabric/examples/dcfabric-dumbbell.py; its
Python has cppyy, numpy and matplotlib. See doc/python.rst. The library is the one given with
--library or in DCFABRIC_LIBRARY, otherwise that of the tree, otherwise the one in build/ of this
repository, otherwise the one that ./quickstart or ./run-tests has built.

Flow 0 starts at 0 us and flow 1 at 300 us (with --quick at 60 us), from host 0 to 2 and from host 1
to 3 of a chain of three switches with links of 100 Gb/s and 1.5 us; parameters are those of the
FNCC paper, as in `dcfabric-sim --preset=fncc24`. Status 2: a requirement is missing or an option is
wrong; nothing is written then.
"""
import argparse
import sys
from pathlib import Path

import find_dcfabric  # noqa: F401
from dcfabric import DcfabricError
from dcfabric.bindings import find_library, load
from dcfabric.commands import check_file, guarded
from dcfabric.drawing import figure_format


def set_parameters(ns):
    """FNCC, section 5, and what it takes over from HPCC and DCQCN: see scenario-presets.cc."""
    for name, value in {
        "FabricNic::PayloadBytes": "1456",
        "SharedBuffer::XoffThreshold": "500000",
        "IntWindowCongestionControl::Eta": "0.95",
        "IntWindowCongestionControl::MaxStage": "5",
        "IntWindowCongestionControl::AdditiveIncrease": "40Mbps",
        "HpccCongestionControl::InitialUtilization": "1",
        "FnccCongestionControl::InitialUtilization": "1",
        "FnccIntFeature::RefreshInterval": "1500ns",
        "FnccCongestionControl::Alpha": "1.05",
        "FnccCongestionControl::Beta": "0.9",
        "DcqcnCongestionControl::AlphaInterval": "55us",
        "DcqcnCongestionControl::DecreaseInterval": "50us",
        "DcqcnCongestionControl::IncreaseInterval": "55us",
        "FabricNic::CnpInterval": "50us",
        "WredMarkingProfile::Kmin": "100000",
        "WredMarkingProfile::Kmax": "400000",
        "WredMarkingProfile::Pmax": "0.2",
    }.items():
        # A wrong name or value would end the interpreter without an exception.
        if not ns.Config.SetDefaultFailSafe("ns3::" + name, ns.StringValue(value)):
            raise DcfabricError(f"ns3::{name} cannot be set to {value}: script and library do not "
                                "fit")


def configure(helper, algorithm):
    """What an algorithm needs on hosts and on switches."""
    helper.SetCongestionControl(f"ns3::{algorithm.capitalize()}CongestionControl")
    if algorithm == "DCQCN":
        helper.SetMarkingProfile("ns3::WredMarkingProfile")
    else:
        helper.AddSwitchFeature(f"ns3::{algorithm.capitalize()}IntFeature")


def array(ns, vector):
    """A copy of a vector of doubles as a numpy array, made at once."""
    import numpy

    view = vector.data()
    view.reshape((vector.size(),))
    return numpy.frombuffer(view, dtype=numpy.float64, count=vector.size()).copy()


def run(ns, algorithm, second_us, stop_us):
    """One simulation: times in us, rates of both senders in Gb/s, queue of the shared link in
    kB."""
    ns.RngSeedManager.SetSeed(1)
    options = ns.FabricTopologyOptions()
    options.rate = "100Gbps"
    options.delay = "1.5us"
    topology = ns.MakeFabricTopology("dumbbell:switches=3,senders=2", options)
    helper = ns.FabricHelper()
    configure(helper, algorithm)
    helper.SetClasses(3, 3)  # data and ACKs on one service level
    fabric = helper.Install(topology.BuildGraph())
    helper.AssignStreams(fabric, 1000)
    series = ns.SeriesRecorder(fabric, ns.MicroSeconds(1))
    rates = [series.WatchRate(host) for host in (0, 1)]
    # Node 4 is the first switch; its ports 0 and 1 lead to the senders, 2 to the next switch.
    queue = series.WatchQueue(4, 2)
    fabric.GetNic(0).GetMessages().SendAt(0, 2, 40_000_000, 0)
    fabric.GetNic(1).GetMessages().SendAt(second_us * 1_000_000, 3, 40_000_000, 1)
    series.Start()
    ns.Simulator.Stop(ns.MicroSeconds(stop_us))
    ns.Simulator.Run()
    result = {
        "times": array(ns, series.GetTimes()) * 1e6,
        "rates": [array(ns, series.GetValues(rate)) / 1e9 for rate in rates],
        "queue": array(ns, series.GetValues(queue)) / 1e3,
    }
    ns.Simulator.Destroy()
    return result


def draw(results, path):
    """Rates above, queue below, a column for each algorithm."""
    import matplotlib

    matplotlib.use("Agg")
    from dcfabric.drawing import from_zero, label, legend_above, nth, panels, save, styled

    with styled():
        figure, axes = panels(2, len(results), 11, 5.5, sharex=True, sharey="row")
        for column, (algorithm, result) in enumerate(results.items()):
            above, below = axes[0][column], axes[1][column]
            for flow, rate in enumerate(result["rates"]):
                above.plot(result["times"], rate, **nth(flow).line(label=f"flow {flow}"))
            below.plot(result["times"], result["queue"], **nth(0).line())
            above.set_title(algorithm)
            below.set_xlabel(label("time", "us"))
        from_zero(axes)
        axes[0][0].set_ylabel(label("allowed rate", "Gb/s"))
        axes[1][0].set_ylabel(label("queue of the shared link", "kB"))
        legend_above(figure, axes)
        save(figure, path)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description="FNCC, HPCC and DCQCN on a link that two senders share.")
    parser.add_argument("--out", type=Path, default=Path("dcfabric-dumbbell.png"),
                        help="figure to write (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="120 us instead of 700 us")
    parser.add_argument("--library", help="libdcfabric.so of a stand-alone build")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    check_file("--out", options.out)
    library, _ = find_library(options.library)
    try:
        import matplotlib  # noqa: F401
        import numpy
    except ImportError as error:
        raise DcfabricError(f"{error}: pip install numpy matplotlib") from error
    figure_format(options.out)
    ns = load(library)
    ns.Time.SetResolution(ns.Time.PS)  # once in a process, before anything else
    set_parameters(ns)
    second_us, stop_us = (60, 120) if options.quick else (300, 700)
    results = {}
    print("algorithm  peak queue (kB)  rates at the end (Gb/s)")
    for algorithm in ("FNCC", "HPCC", "DCQCN"):
        result = results[algorithm] = run(ns, algorithm, second_us, stop_us)
        ends = "  ".join(f"{rate[-1]:5.1f}" for rate in result["rates"])
        print(f"{algorithm:9}  {numpy.max(result['queue']):15.1f}  {ends}", flush=True)
    draw(results, options.out)
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(guarded("dcfabric-dumbbell.py", lambda: main(sys.argv[1:]), "nothing is written"))
