// The page: sections from the data, and what was chosen in them.
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const chosen = {region: Math.max(0, data.regions.findIndex((region) => region.kept.length)), place: 0, run: data.runs.length - 1, tier: 0};
const ours = data.runs.findIndex((run) => run.policy === "lbhm");
if (ours >= 0) chosen.run = ours;
const drawn = []; // functions that draw anew when the width changes

function section(title, explanation, ...children) {
  const element = make("section", {}, make("h2", {}, title), make("p", {class: "sub"}, explanation), ...children);
  main.append(element);
  return element;
}
/// A place whose content depends on its width and on what is chosen.
function place(draw) {
  const element = make("div");
  const again = () => element.replaceChildren(...[draw(Math.max(320, element.clientWidth))].flat().filter(Boolean));
  drawn.push(again);
  return {element, again};
}
function choice(label, options, selected, pick) {
  const select = make("select", {onchange: (event) => pick(Number(event.target.value))},
    ...options.map((text, at) => make("option", {value: at, ...(at === selected ? {selected: ""} : {})}, text)));
  return make("label", {}, label + " ", select);
}
function tabs(names, selected, pick) {
  return make("div", {class: "tabs"}, ...names.map((name, at) =>
    make("button", {type: "button", "aria-pressed": String(at === selected), onclick: () => pick(at)}, name)));
}

function lanePanels(region) {
  if (!region || !region.kept.length) return [];
  const single = data.runs.length === 1, first = region.kept.indexOf(0);
  const panels = single && first >= 0 && chosen.place !== first ? [[0, first], [0, chosen.place]] : data.runs.map((_, run) => [run, chosen.place]);
  return panels.filter(([run, at]) => region.runs[run].bars[at]).map(([run, at]) => ({
    title: single ? (region.kept[at] === 0 ? "before: instance 0, which is measured" : `after: instance ${region.kept[at]}`) : data.runs[run].policy,
    bars: region.runs[run].bars[at],
  }));
}
function waiting(bars) {
  const end = Math.max(...bars.tasks.map(([, taken]) => taken)), last = bars.tasks.find(([, taken]) => taken === end);
  if (bars.tasks.length < 2) return `One task: ${time(end)}.`;
  const idle = bars.tasks.reduce((sum, [, taken]) => sum + end - taken, 0) / (bars.tasks.length - 1);
  return `Task ${last[0]} is the last one, after ${time(end)}; the others wait ${time(idle)} for it on average (${share(idle / end)}).`;
}
function drawLanes(width) {
  const region = data.regions[chosen.region], panels = lanePanels(region);
  if (!panels.length) return [make("p", {class: "dim"}, "This region has no bars here; choose one of those that take longest.")];
  const most = Math.max(...panels.flatMap(({bars}) => bars.tasks.map(([, taken]) => taken)));
  const most_columns = Math.max(1, Math.floor((width + 19) / 225)), rows = Math.ceil(panels.length / most_columns);
  const columns = Math.ceil(panels.length / rows);
  const each = Math.floor((width - 19 * (columns - 1)) / columns);
  const grid = make("div", {class: "panels", style: `grid-template-columns: repeat(${columns}, 1fr)`});
  for (const {title, bars} of panels) grid.append(make("div", {class: "panel"}, make("h3", {}, title), make("p", {}, waiting(bars)), laneBars(bars, most, each)));
  return [grid];
}
function laneSection() {
  if (!data.regions.some((region) => region.kept.length)) return;
  const controls = make("div", {class: "controls"}), bars = place(drawLanes), table = make("div");
  const withBars = data.regions.map((region, at) => [region, at]).filter(([region]) => region.kept.length);
  function show() {
    const region = data.regions[chosen.region];
    controls.replaceChildren(
      choice("region", withBars.map(([one]) => one.name), withBars.findIndex(([, at]) => at === chosen.region),
        (at) => { chosen.region = withBars[at][1]; chosen.place = 0; show(); }),
      choice("instance", region.kept.map((number, at) => at ? String(number) : `${number} (the longest)`), chosen.place,
        (at) => { chosen.place = at; show(); }));
    bars.again();
    table.replaceChildren(regionTable(data, (one) => one === region, (one) => { chosen.region = data.regions.indexOf(one); chosen.place = 0; show(); }));
  }
  const entries = [["background: var(--work)", "at work"], ["background: var(--last)", "the last task"], ["background: var(--wait)", "waits for the last one"]];
  const predicted = data.regions.some((region) => region.runs.some((run) => run.bars.some((bars) => bars && bars.tasks.some((task) => task[2]))));
  if (predicted) entries.push(["background: var(--mark); width: 3px", "predicted before it ran"]);
  section("Who waits for whom", "A parallel region ends when its last task does. Bars are the tasks of one instance of a region; " +
    "all panels have the same scale. The table has all instances.", controls, legend(...entries), bars.element, make("h3", {}, data.runs.length > 1 ? "Regions: time of all instances, and the share of it that tasks wait for the last one" : "Regions: all instances; waiting: the share of their time that tasks wait for the last one"), table);
  show();
}

function drawTime(width) {
  const run = data.runs[chosen.run];
  if (!run.time) return [make("p", {class: "dim"}, "This run has no timeline: the machine has one memory, or the report is of an older LB-HM.")];
  const left = Math.min(260, Math.max(150, width * .24)), found = [];
  const tier = (at) => (data.tiers[at] || {name: `tier ${at}`}).name;
  found.push(make("h3", {}, `Objects: share of each in ${tier(chosen.tier)}`));
  found.push(legend([RAMP_STYLE, "0 % to 100 % of what was touched of it", "ramp"], ["background: var(--none)", "not there, or not touched"]));
  found.push(heatMap(run, objectRows(run, chosen.tier), "where objects lie over time", width, left));
  if (run.time.lanes.length) {
    found.push(make("h3", {}, `Lanes: share of the accesses of each that ${tier(chosen.tier)} served`));
    found.push(heatMap(run, laneRows(run, chosen.tier), "whose accesses are fast over time", width, left));
  }
  if (run.time.busy.length) {
    found.push(make("h3", {}, "Tiers: bandwidth in use"));
    const peak = data.tiers.map((one) => `${one.name} ${one.read_bandwidth_gb_per_s} GB/s reading, ${one.write_bandwidth_gb_per_s} GB/s writing`).join("; ");
    found.push(make("div", {class: "legend"}, `100 %: ${peak}. Copies between memories are in it.`));
    found.push(steps(run.time.busy.map((values, at) => ({name: tier(at), values, fill: colour(at)})), run.time.times, run.makespan_ns,
      {top: 100, format: (value) => `${Math.round(value)} %`, width, left, label: "bandwidth in use over time"}));
  }
  if (run.time.used.length) {
    found.push(make("h3", {}, `Fast memory: what lies in it, ${run.capacity < 2 ** 62 ? `of ${bytes(run.capacity)}` : "without limit"}`));
    const top = Math.max(...run.time.used[0], Math.min(run.capacity, 4 * Math.max(...run.time.used[0], 1)), 1);
    found.push(steps([{name: tier(0), values: run.time.used[0], fill: colour(0)}], run.time.times, run.makespan_ns,
      {top, format: bytes, width, left, height: 90, label: "bytes in fast memory over time"}));
  }
  if (run.time.moved.some((value) => value > 0)) {
    const rates = run.time.moved.map((value, at) => 1e9 * value / Math.max(1, run.time.times[at] - (at ? run.time.times[at - 1] : 0)));
    found.push(make("h3", {}, `Moved between memories: ${bytes(run.migrated_bytes)} in all`));
    found.push(steps([{name: "moved", values: rates, fill: colour(2)}], run.time.times, run.makespan_ns,
      {top: Math.max(...rates, 1), format: (value) => value ? `${bytes(value)}/s` : "0", width, left, height: 90, label: "bytes moved over time"}));
  }
  return found;
}
function objectSections() {
  if (!data.runs.some((run) => run.time && run.objects.length)) return;
  const controls = make("div", {class: "controls"}), chart = place(drawTime), table = make("div"), heading = make("h2");
  function show() {
    const run = data.runs[chosen.run];
    const parts = [];
    if (data.runs.length > 1) parts.push(tabs(data.runs.map((one) => one.policy), chosen.run, (at) => { chosen.run = at; show(); }));
    if (data.tiers.length > 2) parts.push(choice("tier", data.tiers.map((tier) => tier.name), chosen.tier, (at) => { chosen.tier = at; show(); }));
    controls.replaceChildren(...parts);
    chart.again();
    heading.textContent = "Why each object is where it is" + (data.runs.length > 1 ? `: ${run.policy}` : "");
    table.replaceChildren(objectTable(data, run));
  }
  section("Where objects are over time", "One row an object: all blocks of one name, or of one place in the program, with their number. " +
    "Time goes from the begin of the program to its end.", controls, chart.element);
  main.append(make("section", {}, heading, make("p", {class: "sub"},
    "Where each object was when it was last seen, what was counted of it, and what follows from both. " +
    "Accesses are those of the instances that were planned; without LB_HM_config there are none."), table));
  show();
}

document.getElementById("title").textContent = `${data.title} on ${data.machine}`;
document.getElementById("lines").append(...data.lines.map((line) => make("div", {}, line)));
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.dataset.theme || (dark ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
});
if (data.runs.length > 1) section(data.runs_are === "rank" ? "Ranks" : "Policies",
  (data.runs_are === "rank" ? "The processes of the program" : "The program ran once under each policy") + "; a click on a heading sorts.", runTable(data));
if (data.capacities.length > 1) {
  const curve = place((width) => capacityCurve(data, width));
  section("What more fast memory buys", "Time of the program with each size of fast memory, absolute and as a share of its footprint.", curve.element,
    make("ul", {}, ...data.bought.map((line) => make("li", {}, line))));
  curve.again();
}
laneSection();
objectSections();
if (data.remarks.length) main.append(make("section", {}, make("h2", {}, "Remarks"), make("ul", {}, ...data.remarks.map((text) => make("li", {}, text)))));
let waits = 0;
addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(() => drawn.forEach((draw) => draw()), 120); });
document.documentElement.dataset.drawn = `${Math.round(performance.now())} ms`;
