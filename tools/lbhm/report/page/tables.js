// Tables that are sorted by a click on a heading.
/// columns: {head, value: row -> what to sort by, show: row -> text or element, number: right-aligned, tip}.
/// Of more rows than `most` a button shows the others.
function sortable(columns, rows, {pick = null, chosen = () => false, most = Infinity} = {}) {
  const body = make("tbody"), more = make("button", {type: "button", onclick: () => { most = Infinity; fill(); }}, `all ${rows.length}`);
  let by = -1, down = true;
  const heads = columns.map((column, at) => make("th", {
    class: column.number ? "number" : "", title: column.tip || "sort", tabindex: "0", scope: "col",
    onclick: () => sort(at), onkeydown: (event) => { if (event.key === "Enter") sort(at); },
  }, column.head));
  function fill() {
    const sorted = by < 0 ? rows : [...rows].sort((a, b) => (down ? 1 : -1) * compare(columns[by].value(b), columns[by].value(a)));
    more.hidden = rows.length <= most;
    body.replaceChildren(...sorted.slice(0, most).map((row) => make("tr",
      {class: (pick ? "pick " : "") + (chosen(row) ? "chosen" : ""), onclick: () => pick && pick(row)},
      ...columns.map((column) => make("td", {class: column.number ? "number" : column.wide ? "why" : "name"}, column.show(row))))));
    heads.forEach((head, at) => head.setAttribute("aria-sort", at !== by ? "none" : down ? "descending" : "ascending"));
    heads.forEach((head, at) => { head.textContent = columns[at].head + (at !== by ? "" : down ? " ▾" : " ▴"); });
  }
  function sort(at) {
    down = at === by ? !down : columns[at].number === true;
    by = at;
    fill();
  }
  fill();
  return make("div", {class: "wide"}, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body), more);
}
function compare(a, b) {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : -1;
  if (b === null || b === undefined) return 1;
  return typeof a === "string" ? -a.localeCompare(b, "en", {numeric: true}) : a - b;
}
/// A bar in a cell: parts in %, with colours.
function cellBar(parts, width = 90) {
  const svg = picture(width, 12, parts.map(({percent}) => percent.toFixed(0) + " %").join(", "));
  let x = 0;
  svg.append(part("rect", {x: 0, y: 0, width, height: 12, fill: "var(--none)"}));
  for (const {percent, fill, tip} of parts) {
    svg.append(part("rect", {x, y: 0, width: Math.max(0, width * percent / 100), height: 12, fill}, tip || ""));
    x += width * percent / 100;
  }
  return svg;
}
function runTable(data) {
  const longest = Math.max(...data.runs.map((run) => run.makespan_ns), 1);
  const number = (head, key, show, tip) => ({head, number: true, value: (run) => run[key], show: (run) => show(run[key]), tip});
  return sortable([
    {head: data.runs_are, value: (run) => run.policy, show: (run) => run.policy},
    number("time", "makespan_ns", time, "of the whole program"),
    {head: "", value: (run) => run.makespan_ns, show: (run) => cellBar([{percent: 100 * run.makespan_ns / longest, fill: "var(--work)"}])},
    number("speed-up", "speedup", (value) => value ? value.toFixed(2) + "×" : "–", "against slow-only"),
    number("A.C.V.", "acv", (value) => value === null ? "–" : value.toFixed(3), "how unequal the tasks' times are; 0: all equal"),
    number("in fast", "fast_access_share", share, "share of the accesses that fast memory served"),
    number("migrated", "migrated_bytes", bytes, "bytes moved between memories"),
    number("deciding", "decision_ns", time, "time that plans took"),
  ], data.runs);
}
function regionTable(data, chosen, pick) {
  const columns = [{head: "region", value: (region) => region.name, show: (region) => region.name},
    {head: "instances", number: true, value: (region) => region.runs[0].instances, show: (region) => count(region.runs[0].instances)}];
  data.runs.forEach((run, at) => {
    const cell = (region) => `${time(region.runs[at].time)}, ${share(region.runs[at].waiting)}`;
    if (data.runs.length > 1) columns.push({head: run.policy, number: true, value: (region) => region.runs[at].time, show: cell});
  });
  if (data.runs.length === 1) {
    columns.push({head: "time", number: true, value: (region) => region.runs[0].time, show: (region) => time(region.runs[0].time)},
      {head: "waiting", number: true, value: (region) => region.runs[0].waiting, show: (region) => share(region.runs[0].waiting)},
      {head: "often last", value: (region) => region.runs[0].times_last, show: (region) => lastOne(region.runs[0])},
      {head: "in fast", number: true, value: (region) => region.runs[0].fast, show: (region) => share(region.runs[0].fast)});
  }
  return sortable(columns, data.regions, {chosen, most: 12, pick: (region) => region.kept.length && pick(region)});
}
function lastOne(run) {
  return run.tasks > 1 && run.last !== null ? `task ${run.last}, ${run.times_last} of ${run.instances} times` : "–";
}
function objectTable(data, run) {
  const fills = data.tiers.map((_, at) => heat(data.tiers.length > 1 ? 100 - 100 * at / (data.tiers.length - 1) : 100));
  const bar = (row) => {
    const all = row.lies.reduce((sum, part) => sum + part, 0) || 1;
    return cellBar(row.lies.map((part, at) => ({percent: 100 * part / all, fill: fills[at],
      tip: `${(data.tiers[at] || {name: "tier " + at}).name}: ${bytes(part)}`})));
  };
  const name = (row) => make("span", {title: row.place || row.name}, row.shown + (row.objects > 1 ? ` (${row.objects})` : ""));
  return sortable([
    {head: "object", value: (row) => row.shown, show: name},
    {head: "size", number: true, value: (row) => row.bytes, show: (row) => bytes(row.bytes)},
    {head: "accesses", number: true, value: (row) => row.accesses, show: (row) => count(row.accesses), tip: "to main memory, as far as they were counted"},
    {head: "in fast", number: true, value: (row) => row.fast, show: (row) => share(row.fast), tip: "share of its pages when it was last seen"},
    {head: "lies in", value: (row) => row.fast, show: bar},
    {head: "why", value: (row) => row.why, show: (row) => row.why, wide: true},
  ], run.objects, {most: 24});
}
