// Of several jobs: a bar of each line for each job, step or link.
function startJobs() {
  const select = choice("jobs", "show", "Show", data.jobs.map((one) => [one.title, one.title]), () => show());
  const show = () => {
    const title = settle("jobs", select), {names, values, note: said} = data.jobs.find((one) => one.title === title), lines = shownLines(), legend = legendOf(lines);
    const traces = lines.map(([line, at], number) => {
      const places = names.map((_, place) => place).filter((place) => values[at][place] !== null), of = places.map((place) => values[at][place]);
      const more = of.map(({low, high}) => low < high ? `${numberText(low)} to ${numberText(high)}` : "");
      return {type: "bar", ...legend[number], name: safe(lines.length > MANY ? legend[number].legendgroup : line.label), x: places, y: of.map((one) => one.mean), more,
        text: of.map((one, index) => `${safe(names[places[index]])}: ${numberText(one.mean)}${more[index] && ` (${more[index]})`}`), textposition: "none",
        hovertemplate: `${safe(line.label)}<br>%{text}<extra></extra>`, marker: {color: line.color},
        error_y: {type: "data", symmetric: false, visible: line.seeds > 1, color: "#444", array: of.map((one) => one.high - one.mean), arrayminus: of.map((one) => one.mean - one.low)}};
    }).filter((trace) => trace.x.length);
    const form = layout("", title);
    nameTicks(form, names.map((name) => [safe(name)]));
    draw("jobs", traces, form, title);
    note("jobs", traces.length ? said : "No line of the filter has several jobs.");
  };
  return show;
}
