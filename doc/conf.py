# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration; `make -C doc html` writes doc/build/html."""

project = "dcfabric"
author = "dcfabric contributors"
master_doc = "index"
extensions = ["sphinx.ext.mathjax"]
exclude_patterns = ["build"]
html_theme = "alabaster"
suppress_warnings = ["epub.unknown_project_files"]
