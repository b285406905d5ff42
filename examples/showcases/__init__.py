# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment scripts in examples/ share: networks, traffic, measures and figures of the
published evaluations."""
