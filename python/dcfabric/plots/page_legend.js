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
const joined = (keys) => keys.map((key) => key.replace(/[%~]/g, encodeURIComponent).replace(/~/g, "%7E")).join("~");
const hiddenOf = (name) => (state[name].hide || "").split("~").filter(Boolean).map(decoded);

// Fills the boxes below a figure, if they are open: one for each name of its legend.
function tellCurves(name) {
  const details = part(name).querySelector(".curves"), plot = part(name).querySelector(".plot"), keys = legendKeys(plot.data || []);
  const names = [...new Set(keys)].filter((key) => key !== null), box = (key) => [...details.querySelectorAll("input")].find((one) => one.value === key);
  details.hidden = plot.hidden || names.length < 2;
  if (!details.open || details.hidden) return;
  const at = (key) => keys.flatMap((one, number) => one === key ? [number] : []);
  if (!names.every(box) || details.querySelectorAll("input").length !== names.length) { // else a box would lose the focus
    details.querySelector("div").replaceChildren(...names.map((key) => make("label", {}, make("input", {type: "checkbox", value: key,
      onchange: ({target}) => Plotly.restyle(plot, {visible: target.checked || "legendonly"}, at(key))}), ` ${key}`)));
  }
  names.forEach((key) => { box(key).checked = plot.data[at(key)[0]].visible !== "legendonly"; });
}
document.querySelectorAll(".curves").forEach((details) => details.addEventListener("toggle", () => tellCurves(details.closest("section").id)));
