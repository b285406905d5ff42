// What all parts of the page share: its data, small helpers, and what is chosen, which is kept in the address:
// page.html#timelines/kind=flow/what=3/t=10..20/network.run=1 is the section, its choices, and those of all others.
const part = (name) => document.getElementById(name);
const blocks = {};
// Data by name, read when they are first asked for; null without any.
const block = (name) => {
  if (!(name in blocks)) {
    const found = part(`data-${name}`);
    blocks[name] = found ? JSON.parse(found.textContent) : null;
    found?.remove();
  }
  return blocks[name];
};
const data = block("first");
const safe = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
const note = (name, text) => { part(name).querySelector(".note").textContent = text; };

// make("td", {className: "x"}, child, ...)
function make(tag, properties, ...children) {
  const one = Object.assign(document.createElement(tag), properties);
  one.append(...children);
  return one;
}

// Four digits, all of a whole number, thousands apart.
function numberText(value) {
  if (value === null || value === undefined) return "-";
  if (Number.isInteger(value) || Math.abs(value) >= 10000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(4)));
}

function save(name, text) {
  const link = make("a", {download: name, href: URL.createObjectURL(new Blob([text], {type: "text/csv"}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const csv = (rows) => rows.map((row) => row.map((cell) => {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}).join(",")).join("\n") + "\n";

// An address that was cut off, as in a mail, chooses nothing.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const state = {page: {}}; // by section; "page" is of all of them: t, filter, sort, baseline
const chosen = new Set(); // "section.key": what is not as it was
let place = "";

function remember(name, key, value) {
  state[name][key] = value;
  chosen[value === "" ? "delete" : "add"](`${name}.${key}`);
  if (name !== "page") place = name;
  tellPlace();
}

// Commas and colons stay as they are.
const encoded = (text) => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":");
function tellPlace() {
  const texts = [...chosen].map((one) => {
    const [section, what] = one.split(".");
    return `${[place, "page"].includes(section) ? what : one}=${encoded(state[section][what])}`;
  });
  history.replaceState(null, "", `#${[place || "comparison", ...texts].join("/")}`);
}

// Choices of the address. Returns the section, "" for none.
function read() {
  const [name, ...parts] = location.hash.slice(1).split("/");
  if (!Object.hasOwn(state, name) || name === "page") return "";
  parts.map((text) => text.split("=")).forEach(([key, ...values]) => {
    const value = values.join("="); // a filter may have such signs
    const [section, what] = key.includes(".") ? key.split(".") : [["t", "filter", "sort", "baseline"].includes(key) ? "page" : name, key];
    if (!Object.hasOwn(state, section)) return;
    state[section][what] = decoded(value);
    chosen.add(`${section}.${what}`);
  });
  place = name;
  return name;
}

function fill(select, texts) {
  select.replaceChildren(...texts.map(([value, text]) => make("option", {value, textContent: text})));
  select.disabled = texts.length < 2;
}

// A choice among texts; what: of the section.
function choice(name, what, title, texts, changed) {
  const select = make("select", {onchange: () => {
    forgetZoom(name); // axes of something else
    remember(name, what, select.value);
    changed();
  }});
  part(name).querySelector(".controls").append(make("label", {}, `${title} `, select));
  select.dataset.what = what;
  fill(select, texts);
  return select;
}

// The wanted value if it is among those of the control, else the first.
function settle(name, select) {
  const wanted = state[name][select.dataset.what];
  if ([...select.options].some((one) => one.value === wanted)) select.value = wanted;
  return select.value;
}

// Whether a line is one of those that the filter leaves: it has all of its words.
const words = () => (state.page.filter || "").toLowerCase().split(/\s+/).filter(Boolean);
const isShown = (line) => words().every((word) => line.words.includes(word));
const shownLines = () => data.lines.map((line, at) => [line, at]).filter(([line]) => isShown(line));
data.lines.forEach((line) => {
  line.words = [line.label, ...Object.entries(line.options).map(([name, value]) => `${name}=${value}`)].join(" ").toLowerCase();
});
const seedsOf = (line) => line.seeds > 1 ? `${line.label} (first of ${line.seeds} seeds)` : line.label;
