# SPDX-License-Identifier: GPL-2.0-only
"""Message sequence charts: time runs down, each packet is an arrow between two hosts."""
from __future__ import annotations

import math
from typing import Any, Callable, Mapping

SENDER_APP, SENDER, RECEIVER, RECEIVER_APP = 0.0, 1.0, 3.0, 4.0
LINES = {SENDER_APP: "semantic layer", SENDER: "packet delivery", RECEIVER: "packet delivery",
         RECEIVER_APP: "semantic layer"}
INCHES_PER_UNIT = 1.6
ABOVE_US, MARGIN = 1.2, 0.35
DASHES = {"data": "-", "ACK": (0, (4, 2)), "RTW": (0, (1, 1)), "RNR": (0, (1, 1)),
          "RTS": (0, (6, 2, 1, 2))}
COLORS = {"data": "#000000", "ACK": "0.45", "RTW": "#d55e00", "RNR": "#d55e00", "RTS": "#0072b2"}


def label(packet: Mapping[str, Any]) -> str:
    """What is written on an arrow."""
    if packet["kind"] == "data":
        attempt = f", attempt {packet['epoch']}" if packet["epoch"] else ""
        return (f"{'SYN, ' if packet['syn'] else ''}psn {packet['psn']}, msn {packet['msn']}, "
                f"packet {packet['packet']}{attempt}")
    if packet["kind"] == "ACK":
        return f"ACK psn {packet['psn']}" + (", complete" if packet["complete"] else "")
    if packet["kind"] == "RTS":
        return f"RTS msn {packet['msn']}, attempt {packet['epoch']}, from packet {packet['packet']}"
    return f"{packet['kind']} psn {packet['psn']}, msn {packet['msn']}"


def call(state: Mapping[str, Any], sizes: list[int]) -> tuple[float, float, str]:
    """A change of state as a call between layers: from which line, to which, and its text; an empty
    text for a change that is no call."""
    size, msn = sizes[state["msn"]], state["msn"]
    return {
        ("sender", "nonexistent", "sending"): (SENDER_APP, SENDER, f"send(1, addr, {size})"),
        ("sender", "sending", "complete"): (SENDER, SENDER_APP, f"sent (msn {msn})"),
        ("receiver", "nonexistent", "posted"): (RECEIVER_APP, RECEIVER, f"recv(0, addr, {size})"),
        ("receiver", "posted", "complete"): (RECEIVER, RECEIVER_APP, f"received (msn {msn})"),
    }.get((state["role"], state["from"], state["to"]), (0, 0, ""))


def arrow(axis: Any, begin: tuple[float, float], end: tuple[float, float], text: str,
          inches_per_us: float,
          **look: Any) -> None:
    """An arrow with a text near its begin, in place of a piece of the line."""
    axis.annotate("", xy=end, xytext=begin, zorder=2,
                  arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **look})
    run, fall = (end[0] - begin[0]) * INCHES_PER_UNIT, (end[1] - begin[1]) * inches_per_us
    slope = math.degrees(math.atan2(-fall, run))
    slope = slope - 180 if slope > 90 else slope + 180 if slope < -90 else slope
    share = 0.48 if fall == 0 else (0.25 + 0.029 * len(text)) / math.hypot(run, fall)
    axis.text(begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1]), text,
              fontsize=6.5,
              rotation=slope, rotation_mode="anchor", ha="center", va="center_baseline",
              color="#000000", zorder=3,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4})


def chart(name: str, title: str, inches_per_us: float = 0.36) -> Callable[[Mapping[str, Any]], Any]:
    """The function that draws one of the charts."""
    def function(series: Mapping[str, Any]) -> Any:
        import matplotlib.pyplot as plt

        one = series[name]
        times = [packet["arrived_us"] or packet["sent_us"] for packet in one["packets"]]
        times += [state["time_us"] for state in one["states"]]
        end = max(times) + 0.8
        width, height = 2 * MARGIN + 0.4 + 4.7 * INCHES_PER_UNIT, 2 * MARGIN + inches_per_us * (
            end + ABOVE_US)
        figure = plt.figure(figsize=(width, height))
        axis = figure.add_axes(((MARGIN + 0.4) / width, MARGIN / height,
                                1 - (2 * MARGIN + 0.4) / width,
                                1 - 2 * MARGIN / height))
        axis.set_xlim(-0.35, 4.35)
        axis.set_ylim(end, -ABOVE_US)
        for place, layer in LINES.items():
            axis.plot((place, place), (-0.3, end), color="0.3", linewidth=1)
            axis.text(place, -0.45, layer, ha="center", va="bottom", fontsize=8)
        axis.text(0.5, -ABOVE_US + 0.15, "host 0 (sender)", ha="center", va="center", fontsize=9,
                  weight="bold")
        axis.text(3.5, -ABOVE_US + 0.15, "host 1 (receiver)", ha="center", va="center", fontsize=9,
                  weight="bold")
        for packet in one["packets"]:
            ends = (SENDER, RECEIVER) if packet["src"] == 0 else (RECEIVER, SENDER)
            kind = packet["kind"]
            arrived = packet["arrived_us"]
            if arrived is None:  # under way when the run ended
                ends, arrived = (ends[0], 0.5 * sum(ends)), packet["sent_us"] + 1
            arrow(axis, (ends[0], packet["sent_us"]), (ends[1], arrived), label(packet),
                  inches_per_us,
                  color=COLORS[kind], linestyle=DASHES[kind], linewidth=0.9)
        lower: dict[tuple[float, float, float], int] = {}
        for state in one["states"]:
            begin, to, text = call(state, one["sizes"])
            if text:
                # calls at the same time stand one below the other
                key = (begin, to, state["time_us"])
                row = lower[key] = lower.get(key, -1) + 1
                time = state["time_us"] + 0.16 / inches_per_us * row
                arrow(axis, (begin, time), (to, time), text, inches_per_us, color="#000000",
                      linewidth=0.9)
            elif state["role"] == "sender":
                axis.text(SENDER - 0.06, state["time_us"], f"{state['from']} -> {state['to']}",
                          fontsize=7, ha="right",
                          va="center", style="italic")
        axis.grid(visible=False)
        axis.set_ylabel("time (us)")
        axis.set_xticks([])
        axis.set_yticks(range(0, math.ceil(end), 2 if end > 9 else 1))
        axis.spines["left"].set_bounds(0, end)
        for side in ("top", "right", "bottom"):
            axis.spines[side].set_visible(False)
        axis.set_title(title, fontsize=10)
        return figure
    return function


CHARTS = {
    "-1d": chart("1d", "Receive posted in time (as figure 1D)"),
    "-1e": chart("1e", "Receive posted late: RTW and RTS (as figure 1E)"),
    "-1f": chart("1f", "Two messages, packets out of order (as figure 1F)", 0.7),
}
