// What a reader zooms into and hides, which the address keeps: times of all figures over time, as t=10..20; of each figure x, y, y2
// and so on, its other axes, and hide, names of its legend with ~ between them.
const overTimes = new Set(); // sections that share their time axis
const following = new Set(); // of these, the ones that take a zoom of another figure just now
const rangeOf = (text) => {
  const found = /^(-?[0-9.]+(?:e[+-]?[0-9]+)?)\.\.(-?[0-9.]+(?:e[+-]?[0-9]+)?)$/.exec(text || ""), [low, high] = found ? [Number(found[1]), Number(found[2])] : [];
  return Number.isFinite(low) && Number.isFinite(high) && low < high ? [low, high] : null;
};
// With as many digits as its ends need to be told apart.
function rangeText(low, high) {
  const least = 5e-4 * Math.abs(high - low), digits = [3, 4, 5, 6, 7, 8, 9, 10].find((number) =>
    [low, high].every((end) => Math.abs(Number(end.toPrecision(number)) - end) <= least)) || 15;
  return [low, high].map((end) => Number(end.toPrecision(digits))).sort((a, b) => a - b).join("..");
}
const zoom = () => rangeOf(state.page.t);
// What a figure shows as long as nothing else is chosen: the times of these lines.
const timesOf = (lines) => [Math.min(...lines.map((at) => data.shown[at][0])), Math.max(...lines.map((at) => data.shown[at][1]))];

const AXIS = /^([xy])axis(\d*)/;
const shortOf = (axis) => axis.replace(AXIS, "$1$2");
const isShared = (name, axis) => axis === "xaxis" && overTimes.has(name);
const isZoom = (key) => /^[xy]\d*$/.test(key);
function forgetZoom(name) { Object.keys(state[name]).filter(isZoom).forEach((key) => remember(name, key, "")); }

// Traces and axes as the address has them; what does not fit to them has no effect.
function asChosen(name, traces, form) {
  const hidden = hiddenOf(name);
  if (hidden.length) legendKeys(traces).forEach((key, at) => { if (hidden.includes(key)) traces[at].visible = "legendonly"; });
  Object.keys(form).filter((key) => AXIS.test(key) && !isShared(name, key)).forEach((key) => {
    const axis = form[key], range = rangeOf(state[name][shortOf(key)]), isLog = axis.type === "log";
    if (!range || isLog && range[0] <= 0) return;
    const ends = isLog ? range.map(Math.log10) : range;
    Object.assign(axis, {range: axis.autorange === "reversed" ? ends.reverse() : ends, autorange: false});
  });
}

function link(name, plot) {
  const all = () => {
    forgetZoom(name);
    if (overTimes.has(name) && zoom()) {
      remember("page", "t", "");
      follow("");
    } else shows[name]();
  };
  plot.on("plotly_doubleclick", () => setTimeout(all)); // when plotly is done
  plot.on("plotly_restyle", () => {
    const keys = legendKeys(plot.data).filter((key, at) => key !== null && plot.data[at].visible === "legendonly");
    remember(name, "hide", joined([...new Set(keys)]));
    tellCurves(name);
    tellValues(name);
  });
  plot.on("plotly_relayout", (change) => {
    if (following.has(name)) return;
    const found = [...new Set(Object.keys(change).filter((key) => /\.(range|autorange)/.test(key) && AXIS.test(key)).map((key) => AXIS.exec(key)[0]))];
    if (!found.length) return;
    if (found.some((axis) => change[`${axis}.autorange`])) {
      setTimeout(all);
      return;
    }
    found.forEach((key) => {
      const {range, type} = plot.layout[key], [low, high] = type === "log" ? range.map((end) => 10 ** end) : range;
      if (isShared(name, key)) remember("page", "t", rangeText(low / unit.factor, high / unit.factor));
      else remember(name, shortOf(key), rangeText(low, high));
    });
    if (found.some((key) => isShared(name, key))) follow(name);
    tellValues(name);
  });
}

// All other figures over time take the range that is chosen.
async function follow(but) {
  for (const name of overTimes) {
    const plot = part(name).querySelector(".plot");
    if (name === but && zoom() || !plot._fullLayout?.xaxis) continue;
    if (zoom()) {
      following.add(name);
      await Plotly.relayout(plot, {"xaxis.range": inUnit(zoom())});
      following.delete(name);
      tellValues(name);
    } else shows[name]();
  }
}
