// What figures show as rows: saved as CSV, and in a table below each figure, for readers who use a keyboard or do not see the figure.
const ROWS = 400; // of a table, about; more would be heard by nobody
const FEWEST_ROWS = 4; // of a curve
const tables = {}; // by section: what draw() got for its table

const plain = (text) => String(text ?? "").replace(/&lt;/g, "<").replace(/&amp;/g, "&");
const titleOf = (axis) => axis?.title?.text || "";

// By curve, the points within the axes, of what the legend does not hide: [name, x, y, text, axis of y, text of the table, begin of a bar].
function pointsOf(plot) {
  const axisOf = (short) => plot._fullLayout[short.replace(/^([xy])/, "$1axis")] || {};
  const inside = (axis, value) => {
    const {range, type} = axisOf(axis);
    if (typeof value !== "number" || !range || type === "category") return true;
    const [low, high] = [...range].sort((a, b) => a - b), at = type === "log" ? Math.log10(value) : value, rounding = 1e-9 * (high - low);
    return at >= low - rounding && at <= high + rounding;
  };
  return plot.data.filter((trace) => trace.visible !== "legendonly" && trace.x && trace.hoverinfo !== "skip").map((trace) =>
    Array.from(trace.x, (x, at) => [trace.title || plain(trace.name), x, trace.y[at], trace.text ? plain(trace.text[at]) : "", trace.yaxis || "y", trace.more?.[at], trace.base?.[at]])
      .filter(([, x, y], at) => x !== null && y !== null && inside(trace.xaxis || "x", trace.base ? trace.base[at] : x) && inside(trace.yaxis || "y", y)));
}

function saveCurves(name, plot) {
  const rows = pointsOf(plot).flat().map((row) => row.slice(0, 4));
  save(`dcfabric-${name}.csv`, csv([["name", titleOf(plot.layout.xaxis) || "x", "value", "text"], ...rows]));
}

// At most so many points of a curve: the first, the last, and the highest of each of equal parts between them.
function highest(points, most) {
  if (points.length <= most) return points;
  const parts = most - 2, inner = points.length - 2;
  return [points[0], ...Array.from({length: parts}, (_, number) =>
    points.slice(1 + Math.floor(number * inner / parts), 1 + Math.floor((number + 1) * inner / parts)).reduce((a, b) => b[2] > a[2] ? b : a)), points[points.length - 1]];
}

// {heads, rows, said} of the table of a figure: a line for each point; of bars, which have texts, these.
function valuesOf(name, plot) {
  const curves = pointsOf(plot).filter((points) => points.length), total = curves.flat().length;
  const most = Math.max(FEWEST_ROWS, Math.floor(ROWS / Math.max(1, curves.length)));
  const shown = curves.flatMap((points) => highest(points, most)), {xaxis} = plot.layout;
  const axes = [...new Set(shown.map((row) => row[4]))].map((short) => [short, titleOf(plot.layout[short.replace("y", "yaxis")])]);
  const quantity = Object.fromEntries(axes), several = axes.length > 1;
  const ticks = xaxis.tickvals && xaxis.ticktext && xaxis.type !== "log" ? xaxis.ticktext.map((text) => plain(text.split(/<br>|; /)[0])) : null;
  const xText = (x) => ticks ? ticks[x] : typeof x === "number" ? Number(x.toPrecision(6)).toLocaleString("en", {maximumSignificantDigits: 6}) : x;
  const hasText = shown.some((row) => row[5] ?? row[3]);
  const rows = shown.map(([title, x, y, all, axis, text = all, begin = x]) => typeof y !== "number" ? [title, xText(begin), ...(several ? [""] : []), "-", ...(hasText ? [text] : [])]
    : [title, xText(x), ...(several ? [quantity[axis]] : []), numberText(y), ...(hasText ? [text] : [])]);
  return {heads: ["name", titleOf(xaxis).split(";")[0], ...(several ? ["quantity", "value"] : [axes[0]?.[1] || "value"]), ...(hasText ? ["more"] : [])], rows,
    said: shown.length < total ? `${shown.length.toLocaleString("en")} of ${total.toLocaleString("en")} values: the highest of each part of a curve. A zoom leaves fewer out, and Save as CSV none.`
      : `${total.toLocaleString("en")} ${total === 1 ? "value" : "values"}, all that the figure shows.`};
}

// Fills the table below a figure, if it is open.
function tellValues(name) {
  const section = part(name), details = section.querySelector(".values"), plot = section.querySelector(".plot");
  if (!details.open || details.hidden || !plot._fullLayout) return;
  const {heads, rows, said} = tables[name] ? tables[name]() : valuesOf(name, plot);
  details.querySelector("table").replaceChildren(make("caption", {textContent: said}),
    make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", {scope: "col", textContent: text})))),
    make("tbody", {}, ...rows.map(([first, ...others]) => make("tr", {}, make("th", {scope: "row", textContent: first}), ...others.map((text) => make("td", {textContent: text}))))));
}
document.querySelectorAll(".values").forEach((details) => details.addEventListener("toggle", () => tellValues(details.closest("section").id)));
