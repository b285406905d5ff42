# SPDX-License-Identifier: GPL-2.0-only
"""Tests that take long and say little beyond others. ./run-tests --all sets DCFABRIC_TESTS=more."""
import os
import unittest

ALL = os.environ.get("DCFABRIC_TESTS") == "all"
MORE = ALL or os.environ.get("DCFABRIC_TESTS") == "more"


def with_all(reason):
    """Why a test is left out that runs with ./run-tests --all."""
    return f"with ./run-tests --all, see doc/testing.rst: {reason}"


def extensive(reason):
    """A decorator: the test runs only with DCFABRIC_TESTS=all. reason: who tells the same
    meanwhile."""
    return unittest.skipUnless(ALL, f"extensive, see doc/testing.rst: {reason}")


def longer(reason):
    """A decorator: the test runs only with ./run-tests --all. reason: who tells much of it
    meanwhile."""
    return unittest.skipUnless(MORE, with_all(reason))
