// How all figures of the page are drawn: axes, hover texts, zoom over time that they share, what is saved.
const PHONE = 600; // pixels
const phone = () => window.innerWidth < PHONE;
const grid = {gridcolor: "#e4e4e4", zeroline: false, automargin: true, separatethousands: true, exponentformat: "none", nticks: phone() ? 5 : 10};
const layout = (x, y, more) => ({
  margin: {l: phone() ? 45 : 70, r: 20, t: 20, b: 55}, height: phone() ? 340 : 440, hovermode: "closest",
  legend: {orientation: "h", y: 1.02, yanchor: "bottom", font: {size: phone() ? 10 : 12}},
  xaxis: {...grid, title: {text: x}}, yaxis: {...grid, title: {text: y}, rangemode: "tozero"},
  modebar: {orientation: "v"}, plot_bgcolor: "#fff", paper_bgcolor: "#fff", font: {family: "DejaVu Sans, Segoe UI, sans-serif"}, ...more});
const color = (number) => data.colors[number % data.colors.length].color;
const lookOf = (number) => data.parts[number % data.parts.length];
// Ticks of a logarithmic axis: 1, 2 and 5 of each power (1 to 10 and 1.5 of less than one), or the powers alone over many.
const logAxis = (values) => {
  const known = values.filter((value) => value > 0), low = Math.min(...known), high = Math.max(...known);
  const powers = known.length ? Math.log10(high / low) : 1, steps = powers > 4 ? [1] : powers > 1 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low || 1)); known.length && power <= Math.ceil(Math.log10(high)); power += 1) {
    ticks.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(3))));
  }
  return {...grid, type: "log", rangemode: "normal", tickvals: ticks, ticktext: ticks.map((tick) => numberText(tick))};
};
// Times are in us; where runs are long the axis has ms.
const unit = data.endUs >= 10000 ? {name: "ms", factor: 1e-3} : {name: "us", factor: 1};
const inUnit = (times) => unit.factor === 1 ? times : times.map((time) => time === null ? null : time * unit.factor);

const config = (name) => ({responsive: true, displaylogo: false, showSendToCloud: false, displayModeBar: phone() ? false : undefined,
  toImageButtonOptions: {filename: `dcfabric-${name}`, scale: 2},
  modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "toImage",
    {name: "csv", title: "Save what is shown as CSV", icon: Plotly.Icons.disk, click: (plot) => saveCurves(name, plot)}]]});

// The points within the axes, of what the legend does not hide.
function saveCurves(name, plot) {
  const inside = (axis, value) => {
    const {range, type} = plot._fullLayout[axis.replace(/^([xy])/, "$1axis")] || {};
    if (typeof value !== "number" || !range || type === "category") return true;
    const [low, high] = [...range].sort((a, b) => a - b), at = type === "log" ? Math.log10(value) : value, rounding = 1e-9 * (high - low);
    return at >= low - rounding && at <= high + rounding;
  };
  const rows = plot.data.filter((trace) => trace.visible !== "legendonly" && trace.x && trace.hoverinfo !== "skip").flatMap((trace) =>
    Array.from(trace.x, (x, at) => [trace.title || trace.name || "", x, trace.y[at], trace.text ? trace.text[at] : ""])
      .filter(([, x, y]) => x !== null && inside(trace.xaxis || "x", x) && inside(trace.yaxis || "y", y)));
  save(`dcfabric-${name}.csv`, csv([["name", plot.layout.xaxis.title?.text || "x", "value", "text"], ...rows]));
}

const overTimes = new Set(); // sections that share their time axis
let linking = false;
const zoom = () => {
  const found = /^(-?[0-9.e+]+)\.\.(-?[0-9.e+]+)$/.exec(state.page.t || "");
  return found && Number(found[1]) < Number(found[2]) ? [Number(found[1]), Number(found[2])] : null;
};
// What a figure shows as long as nothing else is chosen: the times of these lines.
const timesOf = (lines) => [Math.min(...lines.map((at) => data.shown[at][0])), Math.max(...lines.map((at) => data.shown[at][1]))];

function link(name, plot) {
  plot.on("plotly_relayout", (change) => {
    if (linking) return;
    const low = change["xaxis.range[0]"] ?? change["xaxis.range"]?.[0], high = change["xaxis.range[1]"] ?? change["xaxis.range"]?.[1];
    if (low !== undefined) remember("page", "t", `${Number((low / unit.factor).toPrecision(6))}..${Number((high / unit.factor).toPrecision(6))}`);
    else if (change["xaxis.autorange"]) remember("page", "t", "");
    else return;
    follow(name);
  });
}

// All other figures over time take the range that is chosen.
async function follow(but) {
  linking = true;
  for (const name of overTimes) {
    const plot = part(name).querySelector(".plot");
    if (name === but && zoom() || !plot._fullLayout?.xaxis) continue;
    if (zoom()) await Plotly.relayout(plot, {"xaxis.range": inUnit(zoom())});
    else shows[name]();
  }
  linking = false;
}

// For keyboards and phones, which do not reach the buttons within a figure.
function addSaving(name, plot) {
  const button = (textContent, onclick) => make("button", {type: "button", textContent, onclick});
  const image = {...config(name).toImageButtonOptions, format: "png"};
  part(name).querySelector(".controls").append(make("span", {className: "saving"}, button("Save as PNG", () => Plotly.downloadImage(plot, image)), " ",
    button("Save as CSV", () => saveCurves(name, plot))));
}

function draw(name, traces, form, what) {
  const plot = part(name).querySelector(".plot"), saving = part(name).querySelector(".saving");
  plot.hidden = !traces.length;
  if (saving) saving.hidden = plot.hidden;
  if (!traces.length) {
    if (plot._fullLayout) Plotly.purge(plot);
    return;
  }
  plot.style.height = `${form.height}px`;
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", what);
  const first = !plot._fullLayout;
  Plotly.react(plot, traces, form, config(name));
  if (first && !saving) addSaving(name, plot);
  if (first && overTimes.has(name)) link(name, plot);
}

const lineStyle = (line, more) => ({line: {color: line.color, dash: line.dash, width: 2, ...more}, marker: {color: line.color, symbol: line.symbol, size: 8}});
// Names of lines in a legend: of many the algorithms, which hide and show all of their lines.
const MANY = 12;
function legendOf(lines) {
  const seen = new Set();
  return lines.map(([line]) => {
    const group = lines.length > MANY ? line.algorithm || line.label : line.label;
    const first = !seen.has(group);
    seen.add(group);
    return {name: safe(lines.length > MANY ? group : `${line.label} (n = ${line.flows.toLocaleString("en")})`), title: line.label, legendgroup: group, showlegend: first,
      opacity: lines.length > MANY ? 0.7 : 1};
  });
}
const hover = (line, x, y) => ({hovertemplate: `${safe(line)}<br>${x}: ${y}<extra></extra>`});

const unitOf = (axis) => (/\(([^)]*)\)$/.exec(axis) || ["", ""])[1];
// Rows of bars above, an axis for each quantity below.
function drawCourses(section, spans, courses, what, range) {
  const rows = [...new Set(spans.map((span) => span[0]))], axes = [...new Set(courses.map((course) => course.axis))];
  const high = rows.length || axes.length > 1 ? 200 : 330;
  const heights = [...(rows.length ? [60 + 30 * rows.length] : []), ...axes.map(() => high)], total = heights.reduce((a, b) => a + b, 0);
  const form = layout(`time (${unit.name})`, "", {height: total + 110, barmode: "overlay"}), traces = [];
  let top = 1;
  heights.forEach((height, at) => {
    const bottom = top - height / total, name = at ? `yaxis${at + 1}` : "yaxis", isRows = rows.length && !at;
    form[name] = {...grid, domain: [Math.max(0, bottom + (heights.length > 1 ? 0.03 : 0)), top],
      title: {text: isRows ? "" : axes[at - (rows.length ? 1 : 0)]},
      ...(isRows ? {type: "category", categoryarray: rows, categoryorder: "array", autorange: "reversed"} : {rangemode: "tozero"})};
    top = bottom;
  });
  form.xaxis.anchor = heights.length > 1 ? `y${heights.length}` : "y";
  form.xaxis = {...form.xaxis, ...(zoom() || range ? {range: inUnit(zoom() || range), autorange: false} : {autorange: true})};
  rows.forEach((row, at) => {
    const of = spans.filter((span) => span[0] === row);
    traces.push({type: "bar", orientation: "h", base: inUnit(of.map((span) => span[1])), x: inUnit(of.map((span) => span[2] - span[1])),
      y: of.map(() => row), text: of.map((span) => safe(`${span[3]}: ${numberText(span[1])} to ${numberText(span[2])} us`)), textposition: "none",
      hoverinfo: "text", name: safe(row), showlegend: false, marker: {color: lookOf(at).color, line: {color: lookOf(at).color, width: 1}}});
  });
  const named = new Set(); // a thing is once in the legend
  courses.forEach((course) => {
    const row = axes.indexOf(course.axis) + (rows.length ? 1 : 0), again = course.thing !== undefined && named.has(course.name);
    named.add(course.name);
    const name = course.curve ? `${course.curve} of ${course.name}` : course.name;
    traces.push({x: inUnit(course.x), y: course.y, mode: "lines", name: safe(again ? name : course.name), title: name,
      yaxis: row ? `y${row + 1}` : "y", showlegend: !again, line: course.line,
      ...hover(name, `%{x:,.6~g} ${unit.name}`, `%{y:,.4~g} ${unitOf(course.axis)}`),
      ...(course.thing === undefined ? {} : {legendgroup: course.name}), ...(course.legend ? {...course.legend, title: name} : {})});
  });
  draw(section, traces, form, what);
}
