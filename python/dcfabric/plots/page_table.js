// The table of lines: sorted by any column, filtered, as differences from a baseline, saved as CSV.
function startTable() {
  const section = part("comparison"), controls = section.querySelector(".controls");
  const columns = [...data.options.map((one) => ({...one, isOption: true})), ...data.columns];
  const mean = (cell) => cell === null || typeof cell !== "object" ? cell : cell.mean;
  const baseline = make("select", {onchange: () => { remember("page", "baseline", baseline.value); show(); }});
  fill(baseline, [["", "none"], ...data.lines.map((line) => [line.label, line.label])]);
  controls.append(make("label", {}, "Differences from ", baseline));
  controls.append(make("button", {type: "button", textContent: "Save as CSV", onclick: () => save("dcfabric-comparison.csv", csv(rows(false)))}));
  const table = section.querySelector("table");

  const of = () => {
    const found = data.lines.findIndex((line) => line.label === state.page.baseline);
    baseline.value = found < 0 ? "" : state.page.baseline;
    return found;
  };
  // What a cell shows, of a line of the table and a column.
  const shown = (column, at, base) => {
    const cell = column.cells[at], value = mean(cell), other = base < 0 ? null : mean(column.cells[base]);
    if (typeof value === "number" && typeof other === "number" && !column.isOption && at !== base) {
      return other === 0 ? (value === 0 ? 0 : null) : 100 * (value / other - 1);
    }
    return value;
  };
  const text = (column, at, base) => {
    const cell = column.cells[at], value = shown(column, at, base);
    if (typeof value !== "number") return value ?? "-";
    if (base >= 0 && at !== base && !column.isOption) return `${value > 0 ? "+" : ""}${value.toFixed(1)} %`;
    return cell !== null && typeof cell === "object" && cell.low < cell.high
      ? `${numberText(value)} (${numberText(cell.low)} to ${numberText(cell.high)})` : numberText(value);
  };
  const order = (base) => {
    const [, down, name] = /^(-?)(.*)$/.exec(state.page.sort || ""), column = columns.find((one) => one.name === name);
    const key = (at) => name === "line" ? data.lines[at].label : column ? shown(column, at, base) : at;
    const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
    // what has no value comes last, both ways
    return shownLines().map(([, at]) => at).sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      return x === null || y === null ? (x === null) - (y === null) : (down ? -1 : 1) * compare(x, y);
    });
  };
  const rows = (asText) => {
    const base = of();
    return [["line", ...columns.map((column) => column.name)],
      ...order(base).map((at) => [data.lines[at].label, ...columns.map((column) => asText ? text(column, at, base) : shown(column, at, base))])];
  };

  function head(name) {
    const [, down, by] = /^(-?)(.*)$/.exec(state.page.sort || ""), cell = make("th", {scope: "col"});
    if (by === name) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    const next = by !== name ? name : down ? "" : `-${name}`;
    cell.append(make("button", {type: "button", title: `Sort by ${name}`, onclick: () => {
      remember("page", "sort", next);
      show();
      [...table.tHead.querySelectorAll("button")].find((one) => one.title === `Sort by ${name}`).focus();
    }}, `${name}${by === name ? (down ? " \u25bc" : " \u25b2") : ""}`));
    return cell;
  }

  function show() {
    const [names, ...texts] = rows(true), lines = order(of());
    const caption = make("caption", {textContent: lines.length === data.lines.length ? `${lines.length} ${lines.length === 1 ? "line" : "lines"}` : `${lines.length} of ${data.lines.length} lines`});
    table.replaceChildren(caption, make("thead", {}, make("tr", {}, ...names.map(head))), make("tbody", {}, ...texts.map(([label, ...cells], at) => {
      const swatch = make("span", {className: "swatch"});
      swatch.style.background = data.lines[lines[at]].color;
      return make("tr", {}, make("th", {scope: "row"}, swatch, label), ...cells.map((one) => make("td", {textContent: one})));
    })));
    note("comparison", data.tableNote + (of() >= 0 ? ` Differences from ${data.lines[of()].label} in percent; its own row has its values.` : ""));
  }
  return show;
}
