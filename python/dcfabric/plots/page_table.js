// The table of lines: sorted by any column, filtered, as differences from a baseline, saved as CSV.
function startTable() {
  const section = part("comparison"), controls = section.querySelector(".controls");
  const columns = [...data.options.map((one) => ({...one, isOption: true})), ...data.columns];
  const mean = (cell) => cell === null || typeof cell !== "object" ? cell : cell.mean;
  const baseline = make("select", {onchange: () => { remember("page", "baseline", baseline.value); show(); }});
  // With a baseline from the command line, none of them is a choice that the address tells.
  const none = data.baseline ? " " : "";
  fill(baseline, [[none, "none"], ...data.lines.map((line) => [line.label, line.label])]);
  controls.append(make("label", {}, "Differences from ", baseline));
  controls.append(make("button", {type: "button", textContent: "Save as CSV", onclick: () => save("dcfabric-comparison.csv", csv(rows()))}));
  const table = section.querySelector("table"), scroll = section.querySelector(".scroll");
  // What does not fit is told, as not every system shows a bar; a click goes there.
  const more = make("button", {type: "button", className: "more", onclick: () => {
    scroll.scrollTo({left: cut() ? scroll.scrollLeft + 0.7 * scroll.clientWidth : 0});
    tellCut();
  }});
  controls.append(more);
  const cut = () => {
    const end = scroll.getBoundingClientRect().left + scroll.clientWidth;
    return [...table.tHead.rows[0].cells].filter((one) => one.getBoundingClientRect().right > end + 1).length;
  };
  const tellCut = () => {
    const number = cut();
    more.hidden = number === 0 && scroll.scrollLeft === 0;
    more.textContent = number ? `${number} more ${number === 1 ? "column" : "columns"} \u2192` : "\u2190 first columns";
    scroll.classList.toggle("cut", number > 0);
  };
  scroll.addEventListener("scroll", tellCut);
  window.addEventListener("resize", tellCut);
  // Options that all lines have in common are in the caption.
  const isCommon = (column) => column.isOption && new Set(column.cells).size === 1;
  const seen = columns.filter((column) => !isCommon(column));
  const common = columns.filter(isCommon).map((column) => `${column.name} ${column.cells[0] || "none"}`);

  const of = () => {
    const wanted = state.page.baseline ?? data.baseline, found = data.lines.findIndex((line) => line.label === wanted);
    baseline.value = found < 0 ? none : wanted;
    return found;
  };
  const isMeasured = (cell) => cell !== null && typeof cell === "object"; // and no count of seeds
  // What a cell shows, of a line of the table and a column.
  const shown = (column, at, base) => {
    const cell = column.cells[at], value = mean(cell), other = base < 0 ? null : mean(column.cells[base]);
    if (isMeasured(cell) && typeof other === "number" && at !== base) {
      return other === 0 ? (value === 0 ? 0 : null) : 100 * (value / other - 1);
    }
    return value;
  };
  // Its text, and a second line or "".
  const texts = (column, at, base) => {
    const cell = column.cells[at], value = shown(column, at, base);
    if (typeof value !== "number") return [value ?? "-", ""];
    if (base >= 0 && at !== base && isMeasured(cell)) return [`${value > 0 ? "+" : ""}${value.toFixed(1)} %`, ""];
    return [numberText(value), isMeasured(cell) && cell.low < cell.high ? `(${numberText(cell.low)} to ${numberText(cell.high)})` : ""];
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
  const rows = () => {
    const base = of();
    return [["line", ...columns.map((column) => column.name)],
      ...order(base).map((at) => [data.lines[at].label, ...columns.map((column) => shown(column, at, base))])];
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
    const base = of(), lines = order(base), number = lines.length, all = data.lines.length;
    const caption = make("caption", {textContent: [number === all ? `${number} ${number === 1 ? "line" : "lines"}` : `${number} of ${all} lines`, ...common].join("; ")});
    table.replaceChildren(caption, make("thead", {}, make("tr", {}, ...["line", ...seen.map((column) => column.name)].map(head))), make("tbody", {}, ...lines.map((at) => {
      const swatch = make("span", {className: "swatch"});
      swatch.style.background = data.lines[at].color;
      return make("tr", {}, make("th", {scope: "row"}, swatch, data.lines[at].label), ...seen.map((column) => {
        const [text, below] = texts(column, at, base);
        return below ? make("td", {}, text, make("small", {textContent: below})) : make("td", {textContent: text});
      }));
    })));
    const others = base < 0 ? [] : lines.filter((at) => data.lines[at].traffic !== data.lines[base].traffic).map((at) => data.lines[at].label);
    note("comparison", data.tableNote + (base < 0 ? "" : ` Differences from ${data.lines[base].label} in percent; its own row has its values.`
      + (others.length ? ` Of other flows, so that luck does not cancel out: ${others.join("; ")}.` : "")));
    tellCut();
  }
  return show;
}
