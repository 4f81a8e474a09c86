// The charts. Each takes a width and gives an SVG.
/// Tasks of one instance of a region: at work, then waiting for the last one. most: the longest time of all panels.
function laneBars(bars, most, width) {
  const row = 15, left = Math.min(110, 16 + 7 * Math.max(...bars.tasks.map(([label]) => label.length), 1)), right = width - 58;
  const height = bars.tasks.length * row + 24, svg = picture(width, height, "time of each task");
  const end = Math.max(...bars.tasks.map(([, taken]) => taken));
  const place = (value) => (right - left) * value / (most || 1);
  bars.tasks.forEach(([label, taken, predicted], at) => {
    const y = at * row + 2, last = taken === end && bars.tasks.length > 1;
    const tip = `task ${label}: ${time(taken)} at work, ${time(end - taken)} waiting` + (predicted ? `, predicted ${time(predicted)}` : "");
    svg.append(words(left - 5, y + 10, label, {anchor: "end", dim: !last, width: left - 6}));
    svg.append(part("rect", {x: left, y, width: Math.max(1, place(end)), height: row - 3, fill: "var(--wait)"}, tip));
    svg.append(part("rect", {x: left, y, width: Math.max(1, place(taken)), height: row - 3, fill: last ? "var(--last)" : "var(--work)"}, tip));
    if (predicted) {
      const x = left + Math.min(place(predicted), right - left);
      svg.append(part("line", {x1: x, x2: x, y1: y - 1, y2: y + row - 2, stroke: "var(--mark)", "stroke-width": 2}, tip));
    }
    svg.append(words(left + place(end) + 5, y + 10, time(taken), {dim: !last}));
  });
  return svg;
}
/// Rows over time: {label, line, note}. line: % by column, which end at `times`; null: nothing there. of: what the shade is of.
function heatMap(run, rows, of, width, left) {
  const row = rows.length > 40 ? 14 : 18, right = width - 120, top = 4;
  const height = rows.length * row + top + 22, svg = picture(width, height, of);
  const times = run.time.times, most = run.makespan_ns;
  rows.forEach(({label, line, note}, at) => {
    const y = top + at * row;
    svg.append(words(left - 6, y + row / 2 + 4, label, {anchor: "end", width: left - 10}));
    svg.append(part("rect", {x: left, y, width: right - left, height: row - 1, fill: "var(--none)"}));
    for (let first = 0; first < line.length;) { // neighbours of one shade are one rectangle
      let next = first + 1;
      while (next < line.length && line[next] === line[first]) ++next;
      const from = first ? times[first - 1] : 0, x = left + (right - left) * from / most;
      const tip = `${label}: ${line[first]} % at ${time(times[first])}` + (next > first + 1 ? ` to ${time(times[next - 1])}` : "");
      if (line[first] !== null) svg.append(part("rect", {x, y, width: Math.max(.6, (right - left) * (times[next - 1] - from) / most + .3), height: row - 1, fill: heat(line[first])}, tip));
      first = next;
    }
    svg.append(words(right + 6, y + row / 2 + 4, note, {dim: true}));
  });
  timeAxis(svg, left, right, height - 18, most, height - 22);
  return svg;
}
function objectRows(run, tier) {
  return run.objects.map((object, at) => {
    const all = object.lies.reduce((sum, part) => sum + part, 0);
    return {label: object.shown + (object.objects > 1 ? ` (${object.objects})` : ""), line: run.time.lies[at][tier],
      note: all ? `${Math.round(100 * object.lies[tier] / all)} % of ${bytes(all)}` : "untouched"};
  });
}
function laneRows(run, tier) {
  return run.time.lanes.map((one) => ({label: `lane ${one.lane}`, line: one.served[tier], note: ""}));
}
/// Steps over time, one line each: {name, values, colour}. Columns end at `times`. label: what the height means.
function steps(lines, times, most, {top, format, width, left, height = 120, label}) {
  const right = width - 120, y0 = height - 20, svg = picture(width, height, label);
  const x = (at) => left + (right - left) * at / most, y = (value) => 8 + (y0 - 8) * (1 - Math.min(value / top, 1));
  for (const part_ of [0, .5, 1]) {
    svg.append(part("line", {x1: left, x2: right, y1: y(part_ * top), y2: y(part_ * top), class: "grid"}));
    svg.append(words(left - 6, y(part_ * top) + 4, format(part_ * top), {anchor: "end", dim: true}));
  }
  timeAxis(svg, left, right, y0, most, 8);
  const ends = [];
  for (const {name, values, fill} of lines) {
    let path = `M${x(0)},${y(values[0] || 0)}`;
    values.forEach((value, at) => { path += `V${y(value)}H${x(times[at])}`; });
    const tip = `${name}: at most ${format(Math.max(...values))}`;
    svg.append(part("path", {d: path, fill: "none", stroke: fill, "stroke-width": 1.6}, tip));
    let at = y(values[values.length - 1] || 0) + 4;
    while (ends.some((other) => Math.abs(other - at) < 13)) at = at > 24 ? at - 13 : at + 13 * (ends.length + 1);
    ends.push(at);
    const end = words(right + 6, at, name, {width: 112});
    end.setAttribute("style", `fill: ${fill}`);
    svg.append(end);
  }
  return svg;
}
/// Time of each policy over the size of fast memory.
function capacityCurve(data, width) {
  const points = data.capacities, left = 70, right = width - 150, height = 320, y0 = height - 44;
  const policies = [...new Set(points.flatMap((point) => Object.keys(point.times)))];
  const widest = Math.max(...points.map((point) => point.bytes)), svg = picture(width, height, "time by size of fast memory");
  const longest = Math.max(...points.flatMap((point) => Object.values(point.times)));
  const x = (value) => left + (right - left) * value / widest, y = (value) => 10 + (y0 - 10) * (1 - value / longest);
  for (const at of ticks(longest, 5, "time")) {
    svg.append(part("line", {x1: left, x2: right, y1: y(at), y2: y(at), class: "grid"}));
    svg.append(words(left - 6, y(at) + 4, at ? time(at) : "0", {anchor: "end", dim: true}));
  }
  for (const point of points) {
    svg.append(part("line", {x1: x(point.bytes), x2: x(point.bytes), y1: 10, y2: y0, class: "grid"}));
    svg.append(words(x(point.bytes), y0 + 16, bytes(point.bytes), {anchor: "middle"}));
    svg.append(words(x(point.bytes), y0 + 31, share(point.share), {anchor: "middle", dim: true}));
  }
  const labels = [];
  policies.forEach((policy, number) => {
    const line = points.filter((point) => policy in point.times);
    const path = line.map((point, at) => `${at ? "L" : "M"}${x(point.bytes)},${y(point.times[policy])}`).join("");
    svg.append(part("path", {d: path, fill: "none", stroke: colour(number), "stroke-width": 2}));
    for (const point of line) svg.append(part("circle", {cx: x(point.bytes), cy: y(point.times[policy]), r: 4, fill: colour(number)},
      `${policy} with ${bytes(point.bytes)}: ${time(point.times[policy])}`));
    labels.push({policy, number, at: y(line[line.length - 1].times[policy]) + 4});
  });
  labels.sort((a, b) => a.at - b.at);
  labels.forEach((label, at) => {
    if (at) label.at = Math.max(label.at, labels[at - 1].at + 15);
    const end = words(right + 10, label.at, label.policy, {width: 138});
    end.setAttribute("style", `fill: ${colour(label.number)}`);
    svg.append(end);
  });
  return svg;
}
