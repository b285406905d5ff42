"""Compare @NAME@ with others on the same traffic: dcfabric build && python3 compare.py"""
from pathlib import Path

from dcfabric import Scenario, sweep

HERE = Path(__file__).resolve().parent
base = Scenario(topology="fat-tree:k=4", workload="permutation:size=2MB", cc="swift",
                library=str(HERE / "build" / "lib@FILE@.so"))
balancers = ("ns3::@NAME@", "ecmp", "reps")
results = sweep({lb: base.replace(lb=lb) for lb in balancers}, progress=False)
print(f"{'load balancing':20} {'flows':>6} {'slowdown p50':>13} {'p99':>8} {'queue kB':>9}")
for lb, result in results.items():
    slowdown = result.summary["slowdown"]["overall"]
    print(f"{lb:20} {result.summary['flows_completed']:6} {slowdown['p50']:13.2f} "
          f"{slowdown['p99']:8.2f} {result.summary['max_queue_bytes'] / 1e3:9.0f}")
