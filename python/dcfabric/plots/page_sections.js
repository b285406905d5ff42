// The sections and what they show. A section is drawn when it comes into view.
const styles = {line: {width: 1.5}, limit: {dash: "dot", width: 1}, mean: {shape: "vh", width: 1.8}, steps: {shape: "hv", width: 1.5}};
const NAMED = 40; // nodes of a plan; names of more are seen by pointing at them
const HALO = ["-1px -1px", "1px -1px", "-1px 1px", "1px 1px", "0 0"].map((at) => `${at} 2px #fff`).join(", "); // of names that lie over links
const runsToChoose = (texts) => shownLines().filter(([, at]) => texts[at] !== null).map(([, at]) => [String(at), texts[at]]);

// When curves first and last have more than 2 % of the highest peak.
const busyTimes = (courses, otherwise) => {
  const top = Math.max(0, ...courses.flatMap((course) => course.y));
  const times = courses.flatMap((course) => course.x.filter((_, at) => course.y[at] > 0.02 * top));
  return times.length ? [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))] : otherwise;
};

// The section of a time series: the things of a run that matter most, or the first one of each run.
const overTime = (series) => () => {
  const name = series.name;
  overTimes.add(name);
  const select = choice(name, "run", "Run", [], () => show());
  const show = () => {
    const runs = runsToChoose(series.runs.map((run, at) => run.courses ? seedsOf(data.lines[at]) : null));
    fill(select, series.together && runs.length > 1 ? [["all", `all: ${series.most} of each`], ...runs] : runs);
    const all = settle(name, select) === "all", of = all ? null : block(`${name}-${select.value}`);
    if (!all && (!select.value || !of)) {
      draw(name, [], {});
      note(name, "No line of the filter has such a series.");
      return;
    }
    const shown = all ? runs.map(([at]) => Number(at)) : [];
    const legend = all ? legendOf(shown.map((at) => [data.lines[at], at])) : [];
    const courses = all
      ? shown.flatMap((at, number) => block(`${name}-${at}`).filter((course) => !course.thing).map((course) => ({...course,
        name: `${seedsOf(data.lines[at])}: ${course.name}`, line: {...styles[course.style], ...lineStyle(data.lines[at]).line},
        ...(shown.length > MANY ? {legend: legend[number]} : {})})))
      : of.map((course) => ({...course, line: {...styles[course.style], color: course.color}}));
    const those = all ? shown : [Number(select.value)], [begin, end] = timesOf(those), [first, last] = all ? busyTimes(courses, [begin, end]) : [begin, end];
    // where nothing happens for more than a third of the axis it begins later, or ends
    const room = 0.05 * (last - first), left = first - begin > (end - begin) / 3 ? first - room : begin, right = end - last > (end - left) / 3 ? last + room : end;
    const quiet = [left > begin ? `before ${numberText(first)} us` : "", right < end ? `from ${numberText(last)} to ${numberText(end)} us` : ""].filter(Boolean);
    drawCourses(name, [], courses, `${name} over time`, [left, right]);
    const things = all ? 0 : new Set(of.map((course) => course.thing)).size, total = all ? 0 : series.runs[those[0]].total;
    const dashed = all ? [] : [...new Set(of.filter((course) => course.style === "limit").map((course) => course.curve))];
    const means = [...new Set(those.map((at) => series.runs[at].means).filter(Boolean))].join("; ");
    note(name, [...(series.note ? [`${series.note[0].toUpperCase()}${series.note.slice(1)}.`] : []), ...(dashed.length ? [`Dashed: ${dashed.join(", ")}.`] : []),
      ...(means ? [`${means[0].toUpperCase()}${means.slice(1)}; timelines have finer ones.`] : []),
      ...(things && total > things ? [`The ${things} of ${total} ${series.things} with ${series.most}.`] : []),
      quiet.length ? `Less than 2 % of the highest peak ${quiet.join(" and ")}.` : "", all ? "" : data.shownNotes[those[0]]].filter(Boolean).join(" "));
  };
  return show;
};

const sections = {
  comparison: startTable,

  jobs: startJobs,

  sizes() {
    const select = choice("sizes", "percentile", "Percentile", Object.keys(data.bySize.quantiles).map((one) => [one, one]), () => show());
    const show = () => {
      const points = data.bySize.quantiles[settle("sizes", select)], names = data.bySize.sizes, lines = shownLines(), legend = legendOf(lines);
      const traces = lines.flatMap(([line, at], number) => {
        const of = points[at], few = of.filter((one) => one.few), enough = of.map((one) => one.few ? null : one);
        const texts = (some) => some.map((one) => one === null ? "" : `${numberText(one.mean)}${one.low < one.high ? ` (${numberText(one.low)} to ${numberText(one.high)})` : ""}, ${one.n.toLocaleString("en")} flows up to ${names[one.x]}`);
        const more = (some) => some.map((one) => one && `${one.n.toLocaleString("en")} flows${one.low < one.high ? `, ${numberText(one.low)} to ${numberText(one.high)}` : ""}`);
        const common = (some) => ({...lineStyle(line), ...legend[number], text: texts(some), more: more(some),
          x: some.map((one) => one === null ? null : one.x), y: some.map((one) => one === null ? null : one.mean),
          hovertemplate: `${safe(line.label)}<br>slowdown, ${select.value}: %{text}<extra></extra>`});
        return of.length ? [{...common(enough), mode: "lines+markers",
          error_y: {type: "data", symmetric: false, visible: line.seeds > 1 && lines.length <= MANY, color: line.color,
            array: enough.map((one) => one === null ? 0 : one.high - one.mean), arrayminus: enough.map((one) => one === null ? 0 : one.mean - one.low)}},
        {...common(few), mode: "markers", showlegend: false, marker: {...lineStyle(line).marker, symbol: `${line.symbol}-open`}, opacity: 0.6}] : [];
      });
      const form = layout("flow size up to; flows", `slowdown, ${select.value}`), values = points.flat().flatMap((one) => [one.low, one.mean, one.high]);
      nameTicks(form, names.map((name, at) => [name, data.bySize.counts[at]]));
      form.yaxis = {...logAxis(values), title: form.yaxis.title};
      draw("sizes", traces, form, `slowdown by flow size, ${select.value}`);
      note("sizes", traces.length ? data.bySize.note : `There are not enough flows for a ${select.value}.`);
    };
    return show;
  },

  tails() {
    const select = choice("tails", "of", "Of", Object.keys(data.tails).map((one) => [one, one]), () => show());
    const show = () => {
      const of = data.tails[settle("tails", select)], lines = shownLines(), legend = legendOf(lines);
      const traces = lines.map(([line, at], number) => ({...lineStyle(line, {shape: "vh"}), ...legend[number], mode: "lines", x: of[at].x, y: of[at].y,
        ...hover(line.label, `at least %{x:,.4~g}${unitOf(select.value) && ` ${unitOf(select.value)}`}`, "%{y:.3~p} of the flows")})).filter((trace) => trace.x.length);
      const form = layout(select.value, "share of flows with at least so much");
      form.xaxis = {...logAxis(traces.flatMap((trace) => [trace.x[0], trace.x[trace.x.length - 1]])), title: form.xaxis.title};
      form.yaxis = {...logAxis(traces.flatMap((trace) => [trace.y[0], trace.y[trace.y.length - 1]])), title: form.yaxis.title};
      draw("tails", traces, form, `share of flows with at least so much ${select.value}`);
    };
    return show;
  },

  network() {
    const select = choice("network", "run", "Run", [], () => show()), what = choice("network", "show", "Show", [], () => show());
    const slider = make("input", {type: "range", min: 0, step: 1, oninput: () => { remember("network", "at", slider.value); show(); }});
    const time = make("output", {}), sliding = make("label", {}, "at ", slider, " ", time);
    part("network").querySelector(".controls").append(sliding);
    const show = () => {
      fill(select, runsToChoose(data.lines.map((line, at) => data.network[at] ? line.label : null)));
      const of = block(`network-${settle("network", select)}`);
      if (!select.value || !of) {
        draw("network", [], {});
        note("network", "No line of the filter has a plan of its network.");
        return;
      }
      const {halves, nodes, hidden} = block(`plan-${of.plan}`);
      fill(what, [...(of.used ? [["use", "mean use of links"]] : []), ...(of.queues ? [["queues", "queues at a time"]] : [])]);
      const queues = settle("network", what) === "queues", values = [...of.use];
      sliding.hidden = !queues;
      if (queues) {
        slider.max = of.queues.times.length - 1;
        slider.value = Math.min(slider.max, Number(state.network.at || of.queues.busiest));
        time.textContent = `${numberText(of.queues.times[slider.value])} us`;
        values.fill(0);
        Object.entries(of.queues.halves).forEach(([half, all]) => { values[half] = all[slider.value]; });
      }
      const label = queues ? "kB" : "%", top = niceTop(queues ? of.queues.most : Math.max(...values));
      const steps = 20, bins = Array.from({length: steps + 1}, () => ({x: [], y: []}));
      halves.forEach((half, at) => {
        const bin = bins[Math.min(steps, Math.round(values[at] / top * steps))];
        bin.x.push(...half.x, null);
        bin.y.push(...half.y, null);
      });
      const traces = bins.map((bin, at) => ({...bin, mode: "lines", hoverinfo: "skip", showlegend: false,
        line: {color: shade(at / steps), width: 1 + 5 * at / steps}})).filter((trace) => trace.x.length);
      const middle = (some) => some[Math.floor((some.length - 1) / 2)] / 2 + some[Math.ceil((some.length - 1) / 2)] / 2;
      traces.push({x: halves.map((half) => middle(half.x)), y: halves.map((half) => middle(half.y)), mode: "markers", showlegend: false,
        text: halves.map((half, at) => `${safe(half.text)}: ${numberText(Number(values[at].toPrecision(3)))} ${label}`), hoverinfo: "text",
        marker: {size: 9, opacity: 0.01, color: values, cmin: 0, cmax: top, showscale: true,
          colorscale: Array.from({length: steps + 1}, (_, at) => [at / steps, shade(at / steps)]),
          colorbar: {title: {text: queues ? "queue (kB)" : "use (%)"}, thickness: phone() ? 12 : 20}}});
      traces.push({x: nodes.map((node) => node.x), y: nodes.map((node) => node.y), mode: nodes.length > NAMED || phone() ? "markers" : "markers+text", showlegend: false,
        hovertext: nodes.map((node) => safe(node.text)), hoverinfo: "text", text: nodes.map((node) => safe(node.text.replace(/ \(node \d+\)$/, ""))),
        textposition: nodes.map((node) => node.host ? "bottom center" : "top center"), textfont: {size: 10, shadow: HALO}, cliponaxis: false,
        marker: {color: "#333", size: nodes.map((node) => node.host ? 5 : 10),
          symbol: nodes.map((node) => node.host ? "circle" : ["circle", "square", "diamond", "triangle-up", "cross"][node.tier] || "square")}});
      const form = layout("", "", {height: phone() ? 380 : 560, modebar: {orientation: "h"}, xaxis: {visible: false}, yaxis: {visible: false}});
      const kindOf = (node) => node.host ? "host" : "switch", most = ROWS / 2;
      draw("network", traces, form, `plan of the network with ${queues ? "queues" : "mean use of links"}`, () => {
        const order = halves.map((_, at) => at).sort((a, b) => values[b] - values[a]), drawn = nodes.slice(0, most);
        return {heads: ["name", "kind", queues ? "queue (kB)" : "use (%)"],
          rows: [...order.slice(0, most).map((at) => [halves[at].text, "half of a link", numberText(Number(values[at].toPrecision(3)))]),
            ...drawn.map((node) => [node.text, kindOf(node), "-"])],
          said: `${Math.min(most, halves.length)} of ${halves.length} halves of links, the highest first; ${drawn.length} of ${nodes.length} nodes that are drawn.`};
      });
      note("network", (queues ? "Each half of a link: the longest queue of the port at its end, about this time, of the first seed." : "Each half of a link: what the node at its end sends, mean"
        + (of.seeds > 1 ? ` of ${of.seeds} seeds` : "") + ` ${of.over} (a longer run has a lower mean).`) + ` Point at a link for its number.`
        + (queues ? "" : `\nBusiest: ${of.busiest.join("; ")}.`) + (hidden ? `\n${hidden} hosts are not drawn.` : ""));
    };
    return show;
  },

  timelines() {
    overTimes.add("timelines");
    const kinds = ["flow", "port", "rank"].filter((kind) => data.timelines.some((of) => of[kind]));
    const run = choice("timelines", "run", "Run", [], () => show());
    const kind = choice("timelines", "kind", "Of a", kinds.map((one) => [one, one]), () => show());
    const what = choice("timelines", "what", "Which", [], () => show());
    const show = () => {
      fill(run, runsToChoose(data.lines.map((line) => seedsOf(line))));
      const of = block(`timelines-${settle("timelines", run)}-${settle("timelines", kind)}`);
      fill(what, of && run.value ? of.all.map((one) => [one.key, one.title]) : []);
      const one = of?.all.find((each) => each.key === settle("timelines", what));
      if (!one) {
        draw("timelines", [], {});
        note("timelines", run.value ? `This run has no ${kind.value}s to show.` : "The filter leaves no line.");
        return;
      }
      const number = (course) => one.courses.filter((other) => other.axis === course.axis).indexOf(course);
      drawCourses("timelines", one.spans, one.courses.map((course) => ({...course,
        line: {...lookOf(number(course)), shape: course.steps ? "vh" : "linear", width: 1.8}})), one.title, one.range);
      const wanted = state.timelines.what; // another one would be taken for it
      note("timelines", [...(wanted && wanted !== one.key ? [`The address asks for ${kind.value} ${wanted}, which is not among these.`] : []),
        ...(of.total > of.all.length ? [`${of.all.length} of ${of.total} ${kind.value}s can be chosen; dcfabric-plot --${kind.value}=... adds more.`] : []),
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
  return `rgb(${points[at].map((value, one) => Math.round(value + rest * (points[at + 1][one] - value))).join(",")})`;
}

// The upper end of a scale: 1, 2, 2.5 or 5 of a power of ten, so that the largest value shows.
function niceTop(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 2.5, 5, 10].find((one) => value <= one * power * (1 + 1e-9));
}

const shows = {}, seen = new Set();
function showAgain() { seen.forEach((name) => shows[name]()); }
function showFirst(name) {
  if (seen.has(name)) return;
  seen.add(name);
  shows[name]();
}

// The section of the address, with what it chooses. Until the reader does something it stays where it is, whatever is drawn above it.
let going = "";
const stay = () => { if (going) part(going).scrollIntoView(); };
["wheel", "touchmove", "pointerdown", "keydown"].forEach((what) => window.addEventListener(what, () => { going = ""; }, {capture: true, passive: true}));
new ResizeObserver(stay).observe(document.querySelector("main"));
function goTo() {
  const name = read();
  if (!name) return;
  filter.value = state.page.filter || "";
  showAgain();
  showFirst(name);
  tellPlace(); // a link to a section keeps what is chosen
  going = name;
  stay();
}

const filter = part("filter");
filter.addEventListener("input", () => {
  remember("page", "filter", filter.value);
  showAgain();
});
part("what").textContent = `${data.lines.length} ${data.lines.length === 1 ? "line" : "lines"}${data.runs > data.lines.length ? ` of ${data.runs} runs` : ""}`;
part("filtering").hidden = data.lines.length < 2;
const present = Object.keys(sections).filter((name) => part(name));
present.forEach((name) => { state[name] = {}; });
present.forEach((name) => { shows[name] = sections[name](); });
showFirst("comparison");
goTo();
const coming = new IntersectionObserver((entries) => entries.filter((one) => one.isIntersecting).forEach((one) => {
  coming.unobserve(one.target);
  showFirst(one.target.id);
}), {rootMargin: "400px"});
present.forEach((name) => coming.observe(part(name)));
window.addEventListener("hashchange", goTo);
window.matchMedia(`(max-width: ${PHONE - 1}px)`).addEventListener("change", showAgain); // a phone that is turned
window.addEventListener("beforeprint", () => present.forEach(showFirst));
document.body.dataset.ready = "yes";
