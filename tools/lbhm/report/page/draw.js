addEventListener("error", (event) => { document.documentElement.dataset.error = event.message; });
// Numbers as people read them, elements, and what all charts share.
const UNITS = {
  time: [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]],
  bytes: [[1, "B"], [1024, "KiB"], [1048576, "MiB"], [1073741824, "GiB"], [1099511627776, "TiB"]],
  count: [[1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]],
};
function scaled(value, kind, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0";
  const [size, unit] = [...UNITS[kind]].reverse().find(([least]) => Math.abs(value) >= least) || UNITS[kind][0];
  const number = value / size;
  const shown = number.toPrecision(digits);
  return (shown.includes("e") || Number.isInteger(number) && size === 1 ? String(Math.round(number)) : shown) +
    (unit && " " + unit);
}
const time = (value) => scaled(value, "time"), bytes = (value) => scaled(value, "bytes");
const count = (value) => scaled(value, "count");
const share = (value) => value === null || value === undefined ? "–" : (100 * value).toFixed(1) + " %";

/// An HTML element: attributes, then children or texts.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
/// A part of an SVG. `tip` is shown when the pointer rests on it.
function part(tag, attributes, tip = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (tip) element.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), {textContent: tip}));
  return element;
}
function picture(width, height, label) {
  return part("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label});
}
/// Cut so that it fits: a place in the source without its function, else in the middle, for names differ at both ends.
function fitting(words, width) {
  const most = Math.max(4, Math.floor(width / 7.3));
  if (words.length <= most) return words;
  const place = words.match(/^(.+:\d+) \(/);
  if (place && place[1].length <= most) return place[1];
  const half = (most - 1) / 2;
  return words.slice(0, Math.ceil(half)) + "…" + words.slice(words.length - Math.floor(half));
}
/// Words at a place; anchor: start, middle, end. They are cut to `width` and whole in the tip.
function words(x, y, text, {anchor = "start", dim = false, width = Infinity} = {}) {
  const element = part("text", {x, y, "text-anchor": anchor, ...(dim ? {class: "dim"} : {})});
  const shown = fitting(text, width);
  element.textContent = shown;
  if (shown !== text) element.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), {textContent: text}));
  return element;
}
/// Round numbers from 0 to `most`, at most `wanted` steps, in the units that `kind` is shown in.
function ticks(most, wanted, kind) {
  if (!(most > 0)) return [0];
  const [unit] = [...UNITS[kind]].reverse().find(([least]) => most >= least) || UNITS[kind][0];
  const rough = most / unit / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) * unit;
  return Array.from({length: Math.floor(most / step + 1e-9) + 1}, (_, at) => at * step);
}
/// A scale of time below a chart.
function timeAxis(svg, left, right, y, most, top) {
  for (const at of ticks(most, Math.max(2, Math.floor((right - left) / 90)), "time")) {
    const x = left + (right - left) * at / most;
    svg.append(part("line", {x1: x, x2: x, y1: top, y2: y, class: "grid"}));
    svg.append(words(x, y + 14, at ? scaled(at, "time", 2).replace(/\.0(?= )/, "") : "0", {anchor: "middle", dim: true}));
  }
}
function legend(...entries) {
  return make("div", {class: "legend"}, ...entries.map(([style, text, kind]) =>
    make("span", {}, make("i", {style, class: kind || ""}), text)));
}
/// From --slow to --fast: they differ in brightness, too, so that everybody can tell them apart.
const heat = (percent) => `color-mix(in oklab, var(--fast) ${percent}%, var(--slow))`;
const RAMP_STYLE = `background: linear-gradient(90deg, ${[0, 25, 50, 75, 100].map(heat)})`;
/// After Okabe and Ito; order: tiers and policies.
const colour = (number) => `var(--c${number % 8})`;
