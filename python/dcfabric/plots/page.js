// SPDX-License-Identifier: GPL-2.0-only
// Draws what the page's data holds. What is chosen is kept in the address: page.html#timelines/kind=flow/what=3.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const body = document.body;
  const safe = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const color = (number) => data.colors[number % data.colors.length].color;
  const lookOf = (number) => data.parts[number % data.parts.length];
  const state = {};
  const config = {responsive: true, displaylogo: false, showSendToCloud: false,
    modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "toImage"]]};
  const layout = (x, y, more) => ({
    margin: {l: 70, r: 20, t: 20, b: 55}, height: 440, hovermode: "closest", legend: {orientation: "h", y: 1.02, yanchor: "bottom"},
    xaxis: {title: {text: x}, gridcolor: "#e4e4e4", zeroline: false, automargin: true},
    yaxis: {title: {text: y}, gridcolor: "#e4e4e4", rangemode: "tozero", zeroline: false, automargin: true},
    modebar: {orientation: "v"}, plot_bgcolor: "#fff", paper_bgcolor: "#fff", font: {family: "DejaVu Sans, Segoe UI, sans-serif"}, ...more});
  const part = (name) => document.getElementById(name);
  const note = (name, text) => { part(name).querySelector(".note").textContent = text; };

  function draw(name, traces, form) {
    const place = part(name).querySelector(".plot");
    if (!traces.length) {
      if (place._fullLayout) Plotly.purge(place);
      return;
    }
    place.style.height = `${form.height}px`;
    Plotly.react(place, traces, form, config);
  }

  // A choice among texts; what: of the section.
  function choice(name, what, title, texts, changed) {
    const label = document.createElement("label"), select = document.createElement("select");
    label.append(`${title} `, select);
    part(name).querySelector(".controls").append(label);
    select.dataset.what = what;
    fill(select, texts);
    select.addEventListener("change", () => { state[name][what] = select.value; changed(what); remember(name); });
    return select;
  }

  function fill(select, texts) {
    select.replaceChildren(...texts.map(([value, text]) => {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = text;
      return option;
    }));
    select.disabled = texts.length < 2;
  }

  // The wanted value if it is among those of the control, else the first.
  function settle(name, select) {
    const wanted = state[name][select.dataset.what];
    if ([...select.options].some((one) => one.value === wanted)) select.value = wanted;
    state[name][select.dataset.what] = select.value;
    return select.value;
  }

  function remember(name) {
    const parts = Object.entries(state[name]).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    history.replaceState(null, "", `#${[name, ...parts].join("/")}`);
  }

  function table(place, rows) {
    const head = place.createTHead().insertRow(), cell = (row, tag, text) => {
      const one = document.createElement(tag);
      one.textContent = text;
      row.append(one);
      return one;
    };
    cell(head, "th", "");
    data.lines.forEach((line) => {
      const one = cell(head, "th", line.label), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = line.color;
      one.prepend(swatch);
    });
    const all = place.createTBody();
    rows.forEach(([title, ...texts]) => {
      const row = all.insertRow();
      cell(row, "th", title);
      texts.forEach((text) => cell(row, "td", text));
    });
  }

  const lineStyle = (line, more) => ({name: safe(`${line.label} (n = ${line.flows.toLocaleString("en")})`),
    line: {color: line.color, dash: line.dash, width: 2, ...more}, marker: {color: line.color, symbol: line.symbol, size: 8}});
  const seedsOf = (line) => line.seeds > 1 ? `${line.label} (first of ${line.seeds} seeds)` : line.label;

  const styles = {line: {width: 1.5}, limit: {dash: "dot", width: 1}, mean: {shape: "vh", width: 1.8}, steps: {shape: "hv", width: 1.5}};

  // The section of a time series: the things of a run that matter most, or the first one of each run.
  const overTime = (series) => () => {
    const name = series.name, runs = data.lines.map((line, at) => [String(at), seedsOf(line)]);
    const select = choice(name, "run", "Run", series.together ? [["all", `all: ${series.most} of each`], ...runs] : runs, () => show());
    const show = () => {
      const all = settle(name, select) === "all", of = all ? null : series.runs[Number(select.value)];
      const courses = all
        ? series.runs.flatMap((run, at) => run.courses.filter((course) => !course.thing).map((course) => ({...course,
          name: `${seedsOf(data.lines[at])}: ${course.name}`, line: {...styles[course.style], ...lineStyle(data.lines[at]).line}})))
        : of.courses.map((course) => ({...course, line: {...styles[course.style], color: color(course.thing)}}));
      drawCourses(name, [], courses);
      const shown = all ? 0 : new Set(of.courses.map((course) => course.thing)).size;
      note(name, courses.length ? [...(series.note ? [`${series.note[0].toUpperCase()}${series.note.slice(1)}.`] : []),
        ...(shown && of.total > shown ? [`The ${shown} of ${of.total} ${series.things} with ${series.most}.`] : [])].join(" ")
        : series.runs.some((run) => (all || run === of) && run.traced) ? "There is nothing to show." : `No ${name} were traced: --trace=${name}.`);
    };
    return show;
  };

  const sections = {
    comparison() {
      const [numbers, options] = part("comparison").querySelectorAll("table");
      table(numbers, data.table);
      table(options, data.options);
      note("comparison", data.bySize.note ? "Several seeds: their mean, in parentheses " + (data.bySize.note.includes("range") ? "the range." : "the 95 % confidence interval.") : "");
      return () => {};
    },

    sizes() {
      const select = choice("sizes", "percentile", "Percentile", Object.keys(data.bySize.quantiles).map((one) => [one, one]), () => show());
      const show = () => {
        const lines = data.bySize.quantiles[settle("sizes", select)], names = data.bySize.sizes;
        const traces = data.lines.map((line, at) => ({...lineStyle(line), mode: "lines+markers",
          x: lines[at].map((one) => one.x), y: lines[at].map((one) => one.mean),
          error_y: {type: "data", symmetric: false, visible: line.seeds > 1, color: line.color,
            array: lines[at].map((one) => one.high - one.mean), arrayminus: lines[at].map((one) => one.mean - one.low)}}))
          .filter((trace) => trace.x.length);
        const form = layout("flow size up to", `slowdown, ${select.value}`);
        form.xaxis = {...form.xaxis, tickvals: names.map((_, at) => at), ticktext: names};
        form.yaxis = {...form.yaxis, type: "log", rangemode: "normal"};
        draw("sizes", traces, form);
        note("sizes", traces.length ? data.bySize.note : "No flow was completed.");
      };
      return show;
    },

    tails() {
      const select = choice("tails", "of", "Of", Object.keys(data.tails).map((one) => [one, one]), () => show());
      const show = () => {
        const of = data.tails[settle("tails", select)];
        const traces = data.lines.map((line, at) => ({...lineStyle(line, {shape: "vh"}), mode: "lines", x: of[at].x, y: of[at].y}))
          .filter((trace) => trace.x.length);
        const form = layout(select.value, "share of flows with at least so much");
        form.xaxis.type = form.yaxis.type = "log";
        form.yaxis.dtick = 1;
        form.yaxis.rangemode = "normal";
        draw("tails", traces, form);
      };
      return show;
    },

    network() {
      const select = choice("network", "run", "Run", data.lines.map((line, at) => [String(at), line.label]), () => show());
      const show = () => {
        const of = data.network[Number(settle("network", select))];
        if (!of) {
          draw("network", [], {});
          note("network", "No links were traced (--trace=links), or there is no plan of the network (plan.json in the folder, or dcfabric-sim).");
          return;
        }
        const steps = 20, scale = (use) => shade(Math.min(100, use) / 100), bins = Array.from({length: steps + 1}, () => ({x: [], y: []}));
        of.halves.forEach((half) => {
          const bin = bins[Math.min(steps, Math.round(half.use / 100 * steps))];
          bin.x.push(...half.x, null);
          bin.y.push(...half.y, null);
        });
        const traces = bins.map((bin, at) => ({...bin, mode: "lines", hoverinfo: "skip", showlegend: false,
          line: {color: scale(100 * at / steps), width: 1 + 5 * at / steps}})).filter((trace) => trace.x.length);
        const middle = (values) => values[Math.floor((values.length - 1) / 2)] / 2 + values[Math.ceil((values.length - 1) / 2)] / 2;
        traces.push({x: of.halves.map((half) => middle(half.x)), y: of.halves.map((half) => middle(half.y)), mode: "markers", showlegend: false,
          text: of.halves.map((half) => `${safe(half.text)}: ${half.use.toFixed(1)} %`), hoverinfo: "text",
          marker: {size: 9, opacity: 0.01, color: of.halves.map((half) => half.use), cmin: 0, cmax: 100, showscale: true,
            colorscale: Array.from({length: steps + 1}, (_, at) => [at / steps, scale(100 * at / steps)]),
            colorbar: {title: {text: "use (%)"}}}});
        traces.push({x: of.nodes.map((node) => node.x), y: of.nodes.map((node) => node.y), mode: "markers", showlegend: false,
          text: of.nodes.map((node) => safe(node.text)), hoverinfo: "text",
          marker: {color: "#333", size: of.nodes.map((node) => node.host ? 5 : 10),
            symbol: of.nodes.map((node) => node.host ? "circle" : ["circle", "square", "diamond", "triangle-up", "cross"][node.tier] || "square")}});
        const form = layout("", "", {height: 560, modebar: {orientation: "h"}});
        form.xaxis = {visible: false};
        form.yaxis = {visible: false};
        draw("network", traces, form);
        note("network", "Each half of a link: what the node at its end sends, mean" + (of.seeds > 1 ? ` of ${of.seeds} seeds.` : ".")
          + ` Point at a link for its number.\nBusiest: ${of.busiest.join("; ")}.`
          + (of.hidden ? `\n${of.hidden} hosts are not drawn.` : ""));
      };
      return show;
    },

    timelines() {
      const kinds = ["flow", "port", "rank"].filter((kind) => data.timelines.some((of) => of[kind].all.length));
      if (!kinds.length) {
        return () => { draw("timelines", [], {}); note("timelines", "There is nothing to show."); };
      }
      const run = choice("timelines", "run", "Run", data.lines.map((line, at) => [String(at), seedsOf(line)]), () => show());
      const kind = choice("timelines", "kind", "Of a", kinds.map((one) => [one, one]), () => show());
      const what = choice("timelines", "what", "Which", [], () => show());
      const show = () => {
        const of = data.timelines[Number(settle("timelines", run))][settle("timelines", kind)];
        fill(what, of.all.map((one) => [one.key, one.title]));
        const one = of.all.find((each) => each.key === settle("timelines", what));
        if (!one) {
          draw("timelines", [], {});
          note("timelines", `This run has no ${kind.value}s to show.`);
          return;
        }
        const number = (course) => one.courses.filter((other) => other.axis === course.axis).indexOf(course);
        drawCourses("timelines", one.spans, one.courses.map((course) => ({...course,
          line: {...lookOf(number(course)), shape: course.steps ? "vh" : "linear", width: 1.8}})));
        note("timelines", [...(of.total > of.all.length ? [`${of.all.length} of ${of.total} ${kind.value}s can be chosen; dcfabric-plot --${kind.value}=... adds more.`] : []),
          ...(one.missing.length ? [`Note: ${one.missing.join("; ")}.`] : [])].join("\n"));
      };
      return show;
    },
  };

  data.overTime.forEach((series) => { sections[series.name] = overTime(series); });

  // viridis from light to dark, in five steps of that scale
  function shade(share) {
    const points = [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]];
    const at = Math.min(points.length - 2, Math.floor(share * (points.length - 1))), rest = share * (points.length - 1) - at;
    return `rgb(${points[at].map((value, part) => Math.round(value + rest * (points[at + 1][part] - value))).join(",")})`;
  }

  // Rows of bars above, an axis for each quantity below.
  function drawCourses(section, spans, courses) {
    const rows = [...new Set(spans.map((span) => span[0]))], axes = [...new Set(courses.map((course) => course.axis))];
    const high = rows.length || axes.length > 1 ? 200 : 330;
    const heights = [...(rows.length ? [60 + 30 * rows.length] : []), ...axes.map(() => high)], total = heights.reduce((a, b) => a + b, 0);
    const form = layout("time (us)", "", {height: total + 110, barmode: "overlay"}), traces = [];
    let top = 1;
    heights.forEach((height, at) => {
      const bottom = top - height / total, name = at ? `yaxis${at + 1}` : "yaxis", isRows = rows.length && !at;
      form[name] = {domain: [Math.max(0, bottom + (heights.length > 1 ? 0.03 : 0)), top], gridcolor: "#e4e4e4", zeroline: false, automargin: true,
        title: {text: isRows ? "" : axes[at - (rows.length ? 1 : 0)]},
        ...(isRows ? {type: "category", categoryarray: rows, categoryorder: "array", autorange: "reversed"} : {rangemode: "tozero"})};
      top = bottom;
    });
    form.xaxis.anchor = heights.length > 1 ? `y${heights.length}` : "y";
    rows.forEach((row, at) => {
      const of = spans.filter((span) => span[0] === row);
      traces.push({type: "bar", orientation: "h", base: of.map((span) => span[1]), x: of.map((span) => span[2] - span[1]),
        y: of.map(() => row), text: of.map((span) => safe(`${span[3]}: ${span[1]} to ${span[2]} us`)), textposition: "none",
        hoverinfo: "text", name: safe(row), showlegend: false, marker: {color: lookOf(at).color, line: {color: lookOf(at).color, width: 1}}});
    });
    const named = new Set(); // a thing is once in the legend
    courses.forEach((course) => {
      const row = axes.indexOf(course.axis) + (rows.length ? 1 : 0), again = course.thing !== undefined && named.has(course.name);
      named.add(course.name);
      traces.push({x: course.x, y: course.y, mode: "lines", name: safe(again && course.curve ? `${course.curve} of ${course.name}` : course.name),
        yaxis: row ? `y${row + 1}` : "y", showlegend: !again, line: course.line,
        ...(course.thing === undefined ? {} : {legendgroup: course.name})});
    });
    draw(section, traces, form);
  }

  // An address that was cut off, as in a mail, chooses nothing.
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return "";
    }
  }

  // "#timelines/kind=flow/what=3": scrolls to the section and chooses.
  const shows = {};
  function follow() {
    const [name, ...parts] = location.hash.slice(1).split("/");
    if (!Object.keys(sections).includes(name)) return;
    parts.map((text) => text.split("=")).forEach(([key, value]) => { state[name][key] = decoded(value || ""); });
    shows[name]();
    part(name).scrollIntoView();
  }

  part("what").textContent = `${data.lines.length} ${data.lines.length === 1 ? "line" : "lines"}: ${data.lines.map((line) => line.label).join(", ")}`;
  Object.keys(sections).forEach((name) => {
    state[name] = {};
    shows[name] = sections[name]();
    shows[name]();
  });
  window.addEventListener("hashchange", follow);
  follow();
  body.dataset.ready = "yes";
})();
