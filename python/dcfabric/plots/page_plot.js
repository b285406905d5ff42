// How all figures of the page are drawn: axes, looks, legends, hover texts.
const PHONE = 600; // pixels
const phone = () => window.innerWidth < PHONE;
const grid = {gridcolor: "#e4e4e4", zeroline: false, automargin: true, separatethousands: true, exponentformat: "none", nticks: phone() ? 5 : 10};
const layout = (x, y, more) => ({
  margin: {l: phone() ? 45 : 70, r: 20, t: 20, b: 55}, height: phone() ? 340 : 440, hovermode: "closest",
  legend: {orientation: "h", y: 1.02, yanchor: "bottom", font: {size: phone() ? 10 : 12}},
  xaxis: {...grid, title: {text: x}}, yaxis: {...grid, title: {text: y}, rangemode: "tozero"},
  modebar: {orientation: "v"}, plot_bgcolor: "#fff", paper_bgcolor: "#fff", font: {family: "DejaVu Sans, Segoe UI, sans-serif"}, ...more});
const lookOf = (number) => data.parts[number % data.parts.length];
// Ticks of a logarithmic axis: 1, 2 and 5 of each power (1 to 10 and 1.5 of less than one), or the powers alone over many; of phones already over half as many.
const logAxis = (values) => {
  const known = values.filter((value) => value > 0), low = Math.min(...known), high = Math.max(...known);
  const powers = known.length ? Math.log10(high / low) : 1, room = phone() ? 0.5 : 1;
  const steps = powers > 4 * room ? [1] : powers > room ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low || 1)); known.length && power <= Math.ceil(Math.log10(high)); power += 1) {
    ticks.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(3))));
  }
  // plotly would show a power of ten on both sides of a single value
  const range = powers === 0 ? {range: [Math.log10(low) - 0.1, Math.log10(low) + 0.1]} : {};
  return {...grid, type: "log", rangemode: "normal", ...range, tickvals: ticks, ticktext: ticks.map((tick) => numberText(tick))};
};
// Names below an axis, at 0, 1, 2 ..., each of one line or of several. Where they have no room side by side they are upright, each in one line, and the figure is higher.
function nameTicks(form, names) {
  const width = (texts) => 7.5 * Math.max(...texts.map((text) => plain(text).length)), upright = width(names.flat()) * names.length > Math.min(1600, window.innerWidth) - 120;
  const ticktext = names.map((lines) => lines.join(upright ? "; " : "<br>"));
  form.xaxis = {...form.xaxis, tickvals: names.map((_, at) => at), ticktext, tickangle: upright ? -90 : 0, range: [-0.5, names.length - 0.5]};
  if (upright) form.height += width(ticktext);
}
// Times are in us; where runs are long the axis has ms.
const unit = data.endUs >= 10000 ? {name: "ms", factor: 1e-3} : {name: "us", factor: 1};
const inUnit = (times) => unit.factor === 1 ? times : times.map((time) => time === null ? null : time * unit.factor);

const config = (name) => ({responsive: true, doubleClick: false, displaylogo: false, showSendToCloud: false, displayModeBar: phone() ? false : undefined,
  toImageButtonOptions: {filename: `dcfabric-${name}`, scale: 2},
  modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "toImage",
    {name: "csv", title: "Save what is shown as CSV", icon: Plotly.Icons.disk, click: (plot) => saveCurves(name, plot)}]]});

// For keyboards and phones, which do not reach the buttons within a figure.
function addSaving(name, plot) {
  const button = (textContent, onclick) => make("button", {type: "button", textContent, onclick});
  const image = {...config(name).toImageButtonOptions, format: "png"};
  // an image has a legend in any case, and room for it
  const whole = () => plot.layout.showlegend === false ? Plotly.downloadImage({data: plot.data, layout: {...plot.layout, showlegend: true}}, {...image, width: 1000, height: plot.layout.height + 100})
    : Plotly.downloadImage(plot, image);
  part(name).querySelector(".controls").append(make("span", {className: "saving"}, button("Save as PNG", whole), " ",
    button("Save as CSV", () => saveCurves(name, plot))));
}

const LISTED = 3; // names; the legend of more would take the room of curves on a phone, where Curves has them
// what: for readers who do not see it. table: its values, where they are not those of the axes; see valuesOf().
function draw(name, traces, form, what, table) {
  const plot = part(name).querySelector(".plot"), saving = part(name).querySelector(".saving");
  plot.hidden = !traces.length;
  part(name).querySelectorAll("details").forEach((one) => { one.hidden = plot.hidden; });
  if (saving) saving.hidden = plot.hidden;
  if (!traces.length) {
    if (plot._fullLayout) Plotly.purge(plot);
    return;
  }
  plot.style.height = `${form.height}px`;
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", what);
  const first = !plot._fullLayout;
  if (phone() && curveNames(traces).length > LISTED) {
    form.showlegend = false;
    if (first) part(name).querySelector(".curves").open = true;
  }
  asChosen(name, traces, form);
  tables[name] = table;
  Plotly.react(plot, traces, form, config(name)).then(() => {
    tellCurves(name);
    tellValues(name);
  });
  if (first && !saving) addSaving(name, plot);
  if (first) link(name, plot);
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
