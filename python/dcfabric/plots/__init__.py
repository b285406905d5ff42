# SPDX-License-Identifier: GPL-2.0-only
"""What dcfabric-plot draws, one file for each kind of figure."""
