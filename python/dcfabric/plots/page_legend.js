// What the legend of a figure hides, and boxes for the same below it, for readers who use a keyboard or do not see the figure.

// What a click in the legend hides: the name that stands there; one of several of a name by its number.
function legendKeys(traces) {
  const times = {};
  return traces.map((trace) => {
    if (trace.legendgroup) return trace.legendgroup;
    const key = trace.title || trace.name;
    if (key === undefined || trace.showlegend === false) return null;
    times[key] = (times[key] || 0) + 1;
    return times[key] > 1 ? `${key} (${times[key]})` : key;
  });
}
const curveNames = (traces) => [...new Set(legendKeys(traces))].filter((key) => key !== null);
const joined = (keys) => keys.map((key) => key.replace(/[%~]/g, encodeURIComponent).replace(/~/g, "%7E")).join("~");
const hiddenOf = (name) => (state[name].hide || "").split("~").filter(Boolean).map(decoded);

// A short piece of a curve with its marker, or of a bar.
const MARKS = {circle: "\u25cf", square: "\u25a0", "triangle-up": "\u25b2", diamond: "\u25c6", "triangle-down": "\u25bc", cross: "\u271a", x: "\u2716",
  "triangle-left": "\u25c0", "triangle-right": "\u25b6", pentagon: "\u2b1f", star: "\u2605"};
function sampleOf({type, mode, line, marker}) {
  const color = line?.color || marker.color, dash = {solid: "none", dot: "2px,2px"}[line?.dash] || line?.dash || "none";
  const mark = mode?.includes("markers") ? `<text x="14" y="11" font-size="13" text-anchor="middle" fill="${color}">${MARKS[marker.symbol]}</text>` : "";
  return make("span", {className: "sample", innerHTML: `<svg width="28" height="12" aria-hidden="true"><path d="M0 6H28" stroke="${color}" stroke-width="${type === "bar" ? 10 : 3}" stroke-dasharray="${dash}"/>${mark}</svg>`});
}

// Fills the boxes below a figure, if they are open: one for each name of its legend.
function tellCurves(name) {
  const details = part(name).querySelector(".curves"), plot = part(name).querySelector(".plot"), keys = legendKeys(plot.data || []);
  const names = curveNames(plot.data || []), box = (key) => [...details.querySelectorAll("input")].find((one) => one.value === key);
  details.hidden = plot.hidden || names.length < 2;
  if (!details.open || details.hidden) return;
  const at = (key) => keys.flatMap((one, number) => one === key ? [number] : []);
  if (!names.every(box) || details.querySelectorAll("input").length !== names.length) { // else a box would lose the focus
    details.querySelector("div").replaceChildren(...names.map((key) => make("label", {}, make("input", {type: "checkbox", value: key,
      onchange: ({target}) => Plotly.restyle(plot, {visible: target.checked || "legendonly"}, at(key))}), "", ` ${key}`)));
  }
  names.forEach((key) => {
    const trace = plot.data[at(key)[0]];
    box(key).checked = trace.visible !== "legendonly";
    box(key).nextSibling.replaceWith(sampleOf(trace));
  });
}
document.querySelectorAll(".curves").forEach((details) => details.addEventListener("toggle", () => tellCurves(details.closest("section").id)));
