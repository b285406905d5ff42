# SPDX-License-Identifier: GPL-2.0-only
"""The looks of algorithms and what all figures share: values derived by hand."""
import importlib.util
import itertools
import random
import tempfile
import unittest
from pathlib import Path

from package_case import ROOT

from dcfabric import DcfabricError, drawing, looks
from dcfabric.option_fields import WORDS

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib")

# What people without the cones for long or middle waves see, from linear sRGB: Machado, Oliveira
# and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (2009),
# severity 1.
SEEN = {"usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                       (-0.003882, -0.048116, 1.051998)),
        "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                         (-0.011820, 0.042940, 0.968881))}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def lab(color, seen):
    """CIE L*a*b* of a color as #rrggbb."""
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    xyz = times(XYZ, [min(max(c, 0), 1) for c in times(SEEN[seen], linear)])
    f = [x ** (1 / 3) if x > 0.008856 else 7.787 * x + 16 / 116
         for x in (xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


class LookTest(unittest.TestCase):
    def test_names_as_users_write_them(self):
        for name, key in (("fncc", "fncc"), ("FNCC, 100 Gb/s", "fncc"), ("DCQCN", "dcqcn"),
                          ("timely-50us", "timely"),
                          ("HPCC, 8 paths", "hpcc"), ("symmetric-ecmp", "symmetric ecmp"),
                          ("ECMP", "ecmp"),
                          ("spray_rr", "spray rr"), ("path-set:paths=8", "path set"),
                          ("hosts (REPS)", "reps"),
                          ("random spraying", "spray random"), ("flowlets", "flowlet"),
                          ("RCM with Swift", "rcm"),
                          ("voq-credit", "voq credit"), ("none", "none"), ("no control", "none"),
                          ("no gate", "none"), ("hpcc-pint", "hpcc pint"),
                          ("dcqcn+win", "dcqcn win"), ("Swift+RCCC", "swift rccc"),
                          ("MP-RDMA", "mprdma"), ("theta-powertcp", "theta powertcp"),
                          ("my-fncc", "fncc"), ("hpccx", None), ("notes", None), ("", None)):
            with self.subTest(name=name):
                self.assertEqual(looks.known_as(name), key)

    def test_one_algorithm_looks_the_same_everywhere(self):
        self.assertEqual(looks.look("fncc"), looks.look("FNCC, 400 Gb/s"))
        for names in (["HPCC", "FNCC"], ["FNCC"],
                      ["no control", "DCQCN", "a thing", "FNCC", "FNCC without LHCS"]):
            self.assertEqual(looks.looks(names)["FNCC"], looks.look("fncc"), names)
        self.assertEqual(looks.look("my own"), looks.look("My Own"))

    def test_variants_share_the_color(self):
        found = looks.looks(["FNCC without LHCS", "FNCC", "HPCC"])
        self.assertEqual(list(found), ["FNCC without LHCS", "FNCC", "HPCC"])
        self.assertEqual(found["FNCC without LHCS"].color, found["FNCC"].color)
        for part in ("dash", "marker", "hatch"):
            self.assertEqual(len({getattr(one, part) for one in found.values()}), 3, part)
        self.assertEqual(found["HPCC"], looks.look("hpcc"))

    def test_names_of_a_figure_differ(self):
        # two of these have the same color
        many = [f"thing {i}" for i in range(8)] + ["DCQCN", "rendezvous", "credit"]
        found = list(looks.looks(many).values())
        for part in ("color", "dash", "marker", "hatch"):
            self.assertEqual(len({getattr(one, part) for one in found}), 11, part)
        # with more, color and dash together still differ: 11 times 11
        for names in ([f"thing {i}" for i in range(121)], [f"FNCC {i}" for i in range(30)],
                      [*looks.CONTROLS, *(f"x {i}" for i in range(80))]):
            found = list(looks.looks(names).values())
            self.assertEqual(len({(one.color, one.dash) for one in found}), len(names), names[0])
        self.assertEqual(len({(looks.nth(i).color, looks.nth(i).dash) for i in range(121)}), 121)
        self.assertEqual(looks.looks([]), {})
        # gray is for none as long as there are others
        few = looks.looks([f"thing {i}" for i in range(10)]).values()
        self.assertNotIn(looks.look("none").color, [one.color for one in few])

    def test_a_family_differs_without_colors_and_for_color_blind_readers(self):
        """A difference of about 2.3 is just noticeable (Mahy et al., 1994); 13 is seen in thin
        lines, too."""
        for family in looks.FAMILIES:
            for one, other in itertools.combinations(family, 2):
                if family[one].color == family[other].color:
                    self.assert_all_differ(family[one], family[other])
                    continue
                for seen in SEEN:
                    a, b = lab(family[one].color, seen), lab(family[other].color, seen)
                    self.assertGreater(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, 13,
                                       (one, other, seen))
            # the first nine differ in black and white, too
            for one, other in itertools.combinations([*family][:9], 2):
                self.assert_all_differ(family[one], family[other])

    def assert_all_differ(self, one: looks.Look, other: looks.Look) -> None:
        for part in ("dash", "marker", "hatch"):
            self.assertNotEqual(getattr(one, part), getattr(other, part), (one, other))

    def test_controls_and_balancers_look_the_same_in_any_company(self):
        """Also those that share a color, as hpcc, hpcc-rate and hpcc-pint."""
        for family, known in ((looks.CONTROLS, WORDS["cc"]), (looks.BALANCERS, WORDS["lb"])):
            names = [word.rstrip(":") for word in known]
            alone = {name: looks.looks([name])[name] for name in names}
            self.assertEqual(len(set(alone.values())), len(names))
            # a name of the program that is not fixed here would be a variant, or no algorithm
            self.assertEqual({looks.known_as(name) for name in names}, {*family})
            self.assertEqual(looks.looks(names), alone)
            order = random.Random(1)
            strangers = ["rcm", "credit", "thing", *(f"{name}, load 0.3" for name in names[:5])]
            for _ in range(50):
                some = order.sample([*names, *strangers], order.randint(1, len(names)))
                found = looks.looks(some)
                for name in names:
                    self.assertEqual(found.get(name, alone[name]), alone[name], some)
            # folders may be called anything
            folders = {f"hpcc-{i}": name for i, name in enumerate(names)}
            self.assertEqual(looks.looks(folders, folders),
                             {folder: alone[name] for folder, name in folders.items()})
        # of both, only two look alike; the load balancer gives way, in all but the color
        both = looks.looks([*looks.BALANCERS, *looks.CONTROLS])
        self.assertEqual({name for name, one in both.items() if one != looks.look(name)},
                         {"flowlet", "adaptive"})
        self.assertEqual(len(set(both.values())), len(both))
        self.assertEqual(both["flowlet"].color, looks.look("flowlet").color)
        self.assert_all_differ(both["flowlet"], both["timely"])
        for one, other in itertools.combinations(both.values(), 2):
            if one.color == other.color:
                self.assert_all_differ(one, other)

    def test_algorithms_that_are_not_ours_have_looks_of_their_own(self):
        """ns3::Mine was light blue or purple by its company, Aimd orange as HPCC or green as DCQCN.
        """
        known = [word.rstrip(":") for word in WORDS["cc"]]
        mine = ["Mine", "Aimd", "ns3::Other", "Mine (2)", "a.b.Probe"]
        alone = {name: looks.looks_of("cc", [name])[name] for name in mine}
        self.assertEqual(len(set(alone.values())), len(mine))
        self.assertEqual(looks.looks_of("lb", ["ns3::Mine"])["ns3::Mine"], alone["Mine"])
        order = random.Random(1)
        for _ in range(50):
            some = order.sample([*known, *mine], order.randint(1, len(known)))
            found = looks.looks_of("cc", some)
            for name in some:
                self.assertEqual(found[name], alone.get(name, looks.look(name)), some)
            # as in figures of folders, whose names say nothing
            folders = {f"run {at}": name for at, name in enumerate(some)}
            self.assertEqual(looks.looks(folders, folders, True),
                             {folder: found[name] for folder, name in folders.items()})
        # no other thing has one of these colors, and readers can tell them from all others
        self.assertFalse({*looks.OWN} & {*looks.COLORS, *looks.NEUTRALS})
        for one, other in itertools.product(looks.OWN, [*looks.OWN, *looks.COLORS]):
            for seen in SEEN:
                if one != other:
                    a, b = lab(one, seen), lab(other, seen)
                    self.assertGreater(sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5, 13)
        # there are 4 times 11; with more, or two of one look, the next that is free of the color
        self.assertEqual(len({looks.own(f"x{i}") for i in range(1000)}), 44)
        twice = next(f"x{i}" for i in range(1000) if looks.own(f"x{i}") == alone["Mine"])
        first, second = looks.looks_of("cc", ["Mine", twice]).values()
        self.assertEqual((first, second.color), (alone["Mine"], first.color))
        self.assert_all_differ(first, second)
        # variants of one have its color
        found = looks.looks(["a", "b"], {"a": "Mine", "b": "ns3::Mine"}, True)
        self.assertEqual((found["a"], found["b"].color), (alone["Mine"], alone["Mine"].color))
        self.assert_all_differ(*found.values())

    def test_every_option_of_the_program_has_a_look(self):
        text = (ROOT / "doc" / "options.inc").read_text()
        for name in ("fncc", "hpcc", "dcqcn", "rocc", "dctcp", "timely", "swift", "nscc", "bts",
                     "symmetric-ecmp", "ecmp", "spanning-trees", "spray-random", "spray-rr",
                     "path-set", "reps", "flowlet", "adaptive", "pfc", "credit", "voq-credit",
                     "rcm", "wreb", "ccm", "pft", "ratio-cut", "ewma-gate", "majority-gate",
                     "median-filter", "rtt-ecn-recovery", "minimal", "valiant", "ugal",
                     "dimension-order", "minimal-adaptive", "preposted", "rtw", "rnr", "rendezvous",
                     "deferrable"):
            self.assertIn(name, text)
            self.assertEqual(looks.known_as(name), name.replace("-", " "))


class NumberTest(unittest.TestCase):
    def test_ccdf(self):
        # of four flows all have at least 1, three at least 2 (two of these exactly), one has 8
        self.assertEqual(drawing.ccdf([2, 8, 1, 2]), ([1, 2, 8], [1, 0.75, 0.25]))
        self.assertEqual(drawing.ccdf([5]), ([5], [1]))
        self.assertEqual(drawing.ccdf([]), ([], []))

    def test_confidence(self):
        # 1, 2, 3: variance 1, standard error 1/sqrt(3) = 0.57735, t of 2 degrees 4.302653: 2 -+
        # 2.48414
        found = drawing.confidence([1, 2, 3])
        self.assertEqual(found["mean"], 2)
        self.assertAlmostEqual(found["low"], 2 - 2.48414, 4)
        self.assertAlmostEqual(found["high"], 2 + 2.48414, 4)
        self.assertEqual(drawing.confidence([7]), {"mean": 7, "low": 7, "high": 7})
        wide = drawing.confidence([0, 1] * 20)  # variance 40/39 / 4, t of 39 degrees
        self.assertAlmostEqual(wide["high"] - 0.5, 2.0227 * (40 / 39 / 4 / 40) ** 0.5, 5)

    def test_words(self):
        self.assertEqual(drawing.whisker_text(5), "mean of 5 seeds; whiskers: range of the seeds")
        self.assertEqual(drawing.whisker_text(5, interval=True),
                         "mean of 5 seeds; whiskers: 95 % confidence interval")
        self.assertEqual(drawing.whisker_text(1), "one seed: no whiskers")
        self.assertEqual(drawing.counted("FNCC", 1234), "FNCC (n = 1,234)")
        self.assertEqual((drawing.label("queue", "kB"), drawing.label("slowdown")),
                         ("queue (kB)", "slowdown"))
        with self.assertRaisesRegex(ValueError, "usec"):
            drawing.label("time", "usec")


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
class FigureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import matplotlib
        matplotlib.use("Agg")

    def test_whiskers_are_found(self):
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 2, 4, 2)
        self.addCleanup(plt.close, figure)
        axes[0][0].plot([1, 2], [1, 2])
        drawing.bar_groups(axes[0][1], {"a": {"x": 1, "y": None}}, drawing.looks(["x", "y"]))
        self.assertFalse(drawing.has_whiskers(figure))
        drawing.whiskers(axes[0][0], [1], [{"mean": 2, "low": 1, "high": 4}], "fncc",
                         drawing.look("fncc"))
        self.assertTrue(drawing.has_whiskers(figure))

    def test_a_label_has_room_beside_the_panel_to_its_left(self):
        """A tenth of an inch, with 2 panels as with 5."""
        import matplotlib.pyplot as plt
        for columns, width in ((2, 6), (5, 20)):
            figure, axes = drawing.panels(1, columns, width, 3)
            for axis in axes[0]:
                axis.plot([1, 2], [1, 2])
                axis.set_ylabel("slowdown")
            figure.canvas.draw()
            for left, right in zip(axes[0], axes[0][1:]):
                gap = right.yaxis.label.get_window_extent().x0 - left.get_window_extent().x1
                self.assertGreater(gap / figure.dpi, 0.1, columns)
            plt.close(figure)

    def test_a_marker_is_seen_on_a_short_whisker(self):
        """A plus on a whisker shorter than itself was a disk: a white rim parts the two."""
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 1, 3, 2)
        drawing.whiskers(axes[0][0], [1, 2], [{"mean": 1, "low": 0.99, "high": 1.01},
                                              {"mean": 9, "low": 9, "high": 9}], "x",
                         drawing.Look("#e69f00", marker="P"))
        points = axes[0][0].containers[0].lines[0]
        self.assertEqual((points.get_marker(), points.get_markeredgecolor()), ("P", "white"))
        plt.close(figure)

    def test_percentiles_of_few_values(self):
        """Places 0, 1, 3 and 4 of enough flows, 2 of few: lines of two points each, and a hollow
        one between them."""
        figure, axes = drawing.panels(1, 1, 4, 3)
        axis = axes[0][0]
        how = drawing.look("fncc")
        points = [(place, drawing.spread([float(place)]), place != 2) for place in range(5)]
        self.assertTrue(drawing.percentiles(axis, points, "FNCC", how))
        found = {tuple(line.get_xdata()): line for line in axis.lines}
        self.assertEqual(sorted(found), [(), (0, 1), (2,), (3, 4)])
        self.assertEqual(found[2,].get_markerfacecolor(), "none")
        self.assertNotEqual(found[0, 1].get_markerfacecolor(), "none")
        self.assertFalse(drawing.percentiles(axis, points[:2], "HPCC", how))
        drawing.note(figure, drawing.HOLLOW_TEXT)
        drawing.note(figure, "one seed")
        self.assertEqual(" ".join(figure.texts[-1].get_text().split()),
                         "hollow: fewer than 10 flows are slower, so that single ones decide it; "
                         "one seed")

    def test_bars(self):
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 1, 4, 2)
        self.addCleanup(plt.close, figure)
        spread = {"mean": 3, "low": 2, "high": 5}
        drawing.bar_groups(axes[0][0], {"a": {"x": spread, "y": spread}, "b": {"y": spread}},
                           drawing.looks(["x", "y"]))
        self.assertTrue(drawing.has_whiskers(figure))
        # groups at 0 and 1, bars of 0.42, x to the left, y to the right
        places = sorted(round(patch.get_x() + patch.get_width() / 2, 6)
                        for patch in axes[0][0].patches)
        self.assertEqual(places, [-0.21, 0.21, 1.21])

    def test_bars_from_one(self):
        """Ratios on a logarithmic axis: above and below 1, and exactly 1."""
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 1, 4, 2)
        self.addCleanup(plt.close, figure)
        axis = axes[0][0]
        drawing.bar_groups(axis, {"a": {"x": 20, "y": 0.5}, "b": {"x": 1}},
                           drawing.looks(["x", "y"]), base=1)
        drawing.plain_log(axis)
        ends = sorted((patch.get_y(), patch.get_y() + patch.get_height()) for patch in axis.patches)
        self.assertEqual(ends, [(1, 0.5), (1, 1), (1, 20)])
        self.assertEqual([text.get_text() for text in axis.texts], ["1"])
        figure.canvas.draw()
        low, high = axis.get_ylim()
        ticks = zip(axis.get_yticks(), axis.get_yticklabels())
        shown = [float(tick.get_text()) for at, tick in ticks if low <= at <= high]
        self.assertEqual(shown, [0.5, 1, 2, 5, 10, 20])

    def test_whiskers_of_equal_numbers(self):
        """The sum of three 1.35 over 3 is above 1.35, by which a whisker was below zero, and
        matplotlib ended the program."""
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 1, 4, 2)
        self.addCleanup(plt.close, figure)
        equal = {"mean": sum([1.35] * 3) / 3, "low": 1.35, "high": 1.35}
        self.assertGreater(equal["mean"], equal["high"])
        drawing.whiskers(axes[0][0], [1, 2], [equal, {"mean": 2, "low": 1, "high": 4}], "fncc",
                         drawing.look("fncc"))
        self.assertEqual(drawing.ranges([equal])[1], [0])

    def test_from_zero(self):
        """The margin above is 5 % of what is shown, 41 to 0, not of what the data spans: 0.05 over
        40 to 41 is half of a mark."""
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 3, 6, 2)
        self.addCleanup(plt.close, figure)
        for axis in axes[0][:2]:
            axis.plot([0, 1], [40, 41])
        axes[0][1].set_ylim(top=30)  # the caller's own
        drawing.from_zero(axes)  # the third has no data
        self.assertEqual([axis.get_ylim()[0] for axis in axes[0]], [0, 0, 0])
        self.assertAlmostEqual(axes[0][0].get_ylim()[1], 41 * 1.05)
        self.assertEqual(axes[0][1].get_ylim()[1], 30)

    def test_legends(self):
        """They are within the figure, and leave panels their size, however many and long names
        are."""
        import matplotlib.pyplot as plt
        for names in ([f"name {i}" for i in range(100)], ["long " * 20 + str(i) for i in range(4)],
                      ["x" * 200, "y"], ["a"], []):
            figure, axes = drawing.panels(1, 2, 8, 4)
            for name in names:
                axes[0][0].plot([1, 2], [1, 2], label=name)
            drawing.legend_above(figure, axes)
            figure.canvas.draw()
            width, height = figure.bbox.size
            self.assertGreater(axes[0][1].get_window_extent().height, 0.55 * 4 * figure.dpi,
                               names[:1])
            for legend in figure.legends:
                box = legend.get_window_extent()
                self.assertGreaterEqual(min(box.x0, box.y0), 0, names[:1])
                self.assertLessEqual(box.x1, width, names[:1])
                self.assertLessEqual(box.y1, height, names[:1])
                self.assertGreater(box.y0, axes[0][0].get_window_extent().y1, names[:1])
            plt.close(figure)

    def test_names_below_an_axis(self):
        """They do not lie over one another, and leave bars their height."""
        import matplotlib.pyplot as plt
        for names, rotation in ((["FNCC", "HPCC"], 0),
                                (["random spraying", "symmetric-ecmp", "spanning-trees", "flowlet"],
                                 30),
                                (["x" * 100, "y", "z"], 90),
                                ([f"{i} names" for i in range(18)], 90), ([], None)):
            figure, axes = drawing.panels(1, 1, 4, 3)
            axes[0][0].bar(range(len(names)), [1.0] * len(names))
            drawing.name_places(axes[0][0], names)
            figure.canvas.draw()
            shown = axes[0][0].get_xticklabels()
            self.assertEqual({text.get_rotation() for text in shown},
                             set() if rotation is None else {rotation})
            self.assertGreater(axes[0][0].get_window_extent().height, 0.5 * 3 * figure.dpi,
                               names[:1])
            boxes = [text.get_window_extent() for text in shown]
            if rotation != 30:  # boxes of what is aslant overlap, what is in them does not
                self.assertTrue(all(one.x1 <= other.x0 for one, other in zip(boxes, boxes[1:])),
                                names[:1])
            plt.close(figure)
        self.assertEqual(drawing.shortened("a" * 30 + "b" * 30, 10), "aaaaa...bb")
        self.assertEqual(drawing.shortened("ten letter", 10), "ten letter")

    def test_files(self):
        """An unknown kind is refused by name; a figure of very many panels becomes a file that
        matplotlib can write; a folder that is not there is made."""
        import matplotlib.pyplot as plt
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.xyz", "a.tmp"):
                with self.assertRaisesRegex(DcfabricError, f"{name}: no figure can be written as"):
                    drawing.save(drawing.panels(1, 1, 3, 2)[0], Path(folder, name))
            # 75,000 pixels high at the usual resolution
            figure, axes = drawing.panels(1, 1, 2, 500)
            axes[0][0].plot([1, 2], [1, 2])
            drawing.save(figure, Path(folder, "high.PNG"))
            self.assertEqual(plt.imread(Path(folder, "high.PNG"), format="png").shape[0], 30000)
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["high.PNG"])
            inside = Path(folder, "new", "one", "a.png")
            self.assertEqual(drawing.save(drawing.panels(1, 1, 3, 2)[0], inside), inside)
            self.assertTrue(inside.is_file())

    def test_panels_without_content_are_not_shown(self):
        import matplotlib.pyplot as plt
        figure, axes = drawing.panels(1, 3, 6, 2)
        self.addCleanup(plt.close, figure)
        axes[0][0].plot([1, 2], [1, 2])
        drawing.bar_groups(axes[0][1], {"a": {"x": 0}}, drawing.looks(["x"]))  # a bar of 0 is said
        drawing.hide_empty(figure)
        self.assertEqual([axis.get_visible() for axis in axes[0]], [True, True, False])

    def test_the_caller_keeps_his_settings(self):
        import matplotlib.pyplot as plt
        before = dict(plt.rcParams)
        with tempfile.TemporaryDirectory() as folder:
            figure, axes = drawing.panels(1, 1, 3, 2)
            axes[0][0].plot([0, 1], [0, 1], label="a")
            drawing.legend_above(figure, axes)
            drawing.note(figure, "a note")
            drawing.save(figure, Path(folder) / "a.png")
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["a.png"])
        self.assertEqual(dict(plt.rcParams), before)


if __name__ == "__main__":
    unittest.main()
