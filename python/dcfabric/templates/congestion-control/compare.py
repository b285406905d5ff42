"""Compare @NAME@ with others on the same traffic: dcfabric build && python3 compare.py"""
from pathlib import Path

from dcfabric import Scenario, sweep

HERE = Path(__file__).resolve().parent
base = Scenario(topology="fat-tree:k=4", workload="hadoop", load=0.5, duration="500us",
                library=str(HERE / "build" / "lib@FILE@.so"))
controls = ("ns3::@NAME@", "hpcc", "dcqcn")
results = sweep({cc: base.replace(cc=cc) for cc in controls}, progress=False)
print(f"{'congestion control':20} {'flows':>6} {'slowdown p50':>13} {'p99':>8} {'queue kB':>9}")
for cc, result in results.items():
    slowdown = result.summary["slowdown"]["overall"]
    print(f"{cc:20} {result.summary['flows_completed']:6} {slowdown['p50']:13.2f} "
          f"{slowdown['p99']:8.2f} {result.summary['max_queue_bytes'] / 1e3:9.0f}")
