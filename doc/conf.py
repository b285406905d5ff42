# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration of the site: `make -C doc html` writes doc/build/html. doc/requirements.txt
has what it needs.

The chapters themselves need neither the theme nor the extensions here, so that they serve as
chapters of ns-3's manual, too (.ci/check-docs builds both)."""
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "extension"), str(HERE.parent / "python")]

project = "dcfabric"
author = "dcfabric contributors"
master_doc = "index"
extensions = ["sphinx.ext.mathjax", "sphinx.ext.autodoc", "cpp_reference", "notebooks",
              "parameters", "python_reference", "repository_files", "thumbnails"]
exclude_patterns = ["build", "extension", "requirements.txt"]
suppress_warnings = ["epub.unknown_project_files"]
highlight_language = "none"
smartquotes_action = "q"  # options keep their two dashes

# autodoc imports the package; what that imports is not needed to describe it
autodoc_mock_imports = [name for name in ("numpy", "pandas", "matplotlib", "tqdm", "distributed")
                        if importlib.util.find_spec(name) is None]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
# types of other packages, whose documentation is not looked up, and names that are private to a
# module
nitpick_ignore_regex = [("py:.*", r"(?!dcfabric\.).*"), ("py:.*", r"dcfabric\.[a-z_]+\..*")]

if importlib.util.find_spec("furo"):
    html_theme = "furo"
    html_theme_options = {"navigation_with_keys": True}
else:
    html_theme = "alabaster"
if importlib.util.find_spec("sphinx_copybutton"):
    extensions.append("sphinx_copybutton")
    copybutton_prompt_text = "$ "
    copybutton_line_continuation_character = "\\"
    copybutton_only_copy_prompt_lines = True
html_title = "dcfabric"
html_static_path = ["static"]
html_search_scorer = str(HERE / "extension" / "search_scorer.js")  # as a string, Sphinx opens it
html_css_files = ["site.css"]
html_show_sourcelink = False
html_show_copyright = False
