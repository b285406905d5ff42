# SPDX-License-Identifier: GPL-2.0-only
"""Tests that take long and say little beyond others run only with DCFABRIC_TESTS=all."""
import os
import unittest

ALL = os.environ.get("DCFABRIC_TESTS") == "all"


def extensive(reason):
    """A decorator: the test runs only with DCFABRIC_TESTS=all. reason: who tells the same
    meanwhile."""
    return unittest.skipUnless(ALL, f"extensive, see doc/testing.rst: {reason}")
