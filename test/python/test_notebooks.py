# SPDX-License-Identifier: GPL-2.0-only
"""The notebooks of doc/tutorial run from top to bottom, with what they say checked by cells of
their own."""
import importlib.util
import json
import os
import resource
import time
import unittest

from extensive import extensive
from package_case import PackageCase, ROOT, needs_sim

FOLDER = ROOT / "doc" / "tutorial"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
LONGEST_S = 90
"""Of processor time, which does not depend on what else runs; on two cores a notebook takes
less."""
needs_jupyter = unittest.skipUnless(importlib.util.find_spec("nbclient")
                                    and importlib.util.find_spec("ipykernel"),
                                    "nbclient or ipykernel is not there (pip install nbclient "
                                    "ipykernel)")


class FormTest(unittest.TestCase):
    def test_there_are_three(self):
        self.assertEqual([name[:2] for name in NOTEBOOKS], ["1-", "2-", "3-"])

    def test_stored_without_outputs(self):
        """They would make each change a change of pictures; lines are short enough to be read in a
        diff."""
        for name in NOTEBOOKS:
            text = (FOLDER / name).read_text(encoding="utf-8")
            notebook = json.loads(text)
            with self.subTest(name):
                self.assertEqual(text, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
                self.assertEqual(notebook["cells"][0]["source"][0][:2], "# ")
                self.assertLess(max(map(len, text.splitlines())), 200)
                for cell in notebook["cells"]:
                    if cell["cell_type"] == "code":
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
                self.assertTrue(
                    any("assert " in "".join(cell["source"]) for cell in notebook["cells"]))


class PagesTest(PackageCase):
    """doc/extension/notebooks.py, which makes pages of the site of them."""

    def setUp(self):
        super().setUp()
        path = ROOT / "doc" / "extension" / "notebooks.py"
        specification = importlib.util.spec_from_file_location("notebooks", path)
        self.pages = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.pages)

    def test_markdown(self):
        for text, expected in {"# A title": "A title\n=======",
                               "## Part\n\nText.": "Part\n----\n\nText.",
                               "some `code_` and *more*": "some ``code_`` and *more*",
                               "`a|b` or a|b": "``a|b`` or a\\|b",
                               "- one\n- [two](http://x.y/z_)":
                               "- one\n- `two <http://x.y/z_>`__"}.items():
            with self.subTest(text):
                self.assertEqual(self.pages.markdown(text), expected)

    def test_cells(self):
        cells = [{"cell_type": "markdown", "source": ["# Title\n", "Text."]},
                 {"cell_type": "code",
                  "source": ["%matplotlib inline\n", "print(1)\n", "\n", "figure"],
                  "outputs": [{"output_type": "stream", "name": "stdout", "text": "1\n"},
                              {"output_type": "display_data",
                               "data": {"image/png": "UE5H", "text/plain": "<Figure>"}}]},
                 {"cell_type": "code", "source": ["2;"], "outputs": []}]
        self.assertEqual(self.pages.convert({"cells": cells}, self.dir / "pictures", "name"),
                         "Title\n=====\nText.\n\n.. code-block:: python\n\n   print(1)\n\n   "
                         "figure\n\n"
                         ".. code-block:: none\n\n   1\n\n.. image:: "
                         "/build/notebooks/name-1-1.png\n\n"
                         ".. code-block:: python\n\n   2;\n")
        self.assertEqual((self.dir / "pictures" / "name-1-1.png").read_bytes(), b"PNG")

    def test_chapter_has_them_all(self):
        """Appended when the site is built, and linked in the chapter for whoever builds it
        without."""
        chapter = [(ROOT / "doc" / "tutorial.rst").read_text(encoding="utf-8")]
        application = type("Application", (), {"srcdir": ROOT / "doc"})
        self.pages.append(application, "tutorial", chapter)
        self.pages.append(application, "python", nothing := [""])
        for name in NOTEBOOKS:
            self.assertIn(f"<tutorial/{name}>`", chapter[0])
            self.assertIn(f"   tutorial/{name.removesuffix('.ipynb')}\n", chapter[0])
        self.assertEqual(nothing, [""])


@needs_jupyter
@needs_sim
class NotebooksTest(PackageCase):
    def run_notebook(self, name):
        """Its cells with outputs."""
        import nbclient
        import nbformat

        notebook = nbformat.read(FOLDER / name, as_version=4)
        # kernels take the environment of this process; files of Jupyter go with the temporary
        # folder
        environment = {"PYTHONPATH": str(ROOT / "python"), "JUPYTER_RUNTIME_DIR": str(self.dir),
                       "IPYTHONDIR": str(self.dir / "ipython"),
                       "MPLCONFIGDIR": str(self.dir / "matplotlib")}
        before = {key: os.environ.get(key) for key in environment}
        os.environ.update(environment)
        began, busy = time.monotonic(), self.busy()
        try:
            nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3",
                                    resources={"metadata": {"path": str(self.dir)}}).execute()
        finally:
            for key, value in before.items():
                os.environ.pop(key) if value is None else os.environ.update({key: value})
        busy = self.busy() - busy
        print(f"{name}: {time.monotonic() - began:.1f} s, {busy:.1f} s of processor time")
        self.assertLess(busy, LONGEST_S)
        return notebook.cells

    @staticmethod
    def busy():
        """Processor time of kernels that have ended and of their simulations."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def check(self, name, figures):
        """It runs, draws as many figures, and warns of nothing."""
        outputs = [output for cell in self.run_notebook(name) if cell.cell_type == "code"
                   for output in cell.outputs]
        pictures = [output for output in outputs if "image/png" in output.get("data", {})]
        self.assertEqual(len(pictures), figures)
        self.assertEqual([output.text for output in outputs if output.get("name") == "stderr"], [])

    def test_first_fabric(self):
        self.check("1-first-fabric.ipynb", 3)

    def test_own_congestion_control(self):
        self.check("2-own-congestion-control.ipynb", 3)

    @extensive("the other notebooks run, and test_sim_faults has faults under programs")
    def test_collective_under_failures(self):
        self.check("3-collective-under-failures.ipynb", 2)


if __name__ == "__main__":
    unittest.main()
