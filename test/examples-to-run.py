#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Example programs that the test scripts run: (program and arguments, run it, run it under
valgrind).

Read by ns-3's test.py; called as a program, it prints the commands to run, one a line.
"""

cpp_examples = [
    ("dcfabric-custom-congestion-control", "True", "False"),
    ("dcfabric-custom-load-balancer", "True", "False"),
    ("dcfabric-custom-switch-feature", "True", "False"),
    ("dcfabric-first", "True", "False"),
    ("dcfabric-limit-study --k=4 --packets=100", "True", "False"),
    ("dcfabric-messages", "True", "False"),
    ("dcfabric-scenario --out=r", "True", "False"),
    ("dcfabric-sim --list", "True", "False"),
    ("dcfabric-stock-tcp", "True", "False"),
    ("dcfabric-tcp-fabric", "True", "False"),
    (
        "dcfabric-sim --topology=fat-tree:k=4 --workload=permutation:size=100kB --cc=hpcc --out=r",
        "True",
        "False",
    ),
]

python_examples = []

if __name__ == "__main__":
    for command, run, _ in cpp_examples:
        if run == "True":
            print(command)
