// One recorded run: its jobs, the state of the machine at a time, and the load of channels.

// spans reads intervals of node numbers such as 0-15,32.
function spans(cell) {
  if (cell === null || cell === "") return [];
  return String(cell).split(",").map(function (part) {
    const ends = part.split("-").map(Number);
    return [ends[0], ends[ends.length - 1]];
  });
}

// openRun reads the tables of a run of a point.
function openRun(point, of) {
  const tables = of.tables;
  const data = island(tables.jobs);
  const run = { point: point, data: data, jobs: [], byNumber: new Map() };
  for (let i = 0; i < data.job.length; i++) {
    const job = { index: i, number: data.job[i], submit: data.submit[i], start: data.start[i],
      end: data.end[i], spans: spans(data.nodes[i]), colour: of.colours[i], nodes: 0 };
    for (const [first, last] of job.spans) job.nodes += last - first + 1;
    run.jobs.push(job);
    run.byNumber.set(String(job.number), job);
  }
  run.order = run.jobs.slice().sort(function (a, b) {
    return a.start - b.start || a.index - b.index;
  });
  run.order.forEach(function (job, i) { job.rank = i; });
  run.first = Math.min(0, ...ends(run.jobs.map(function (job) { return job.submit; })));
  run.last = Math.max(run.first, ...ends(run.jobs.map(function (job) { return job.end; })));
  run.events = eventsOf(run.jobs);
  run.series = tables.series ? island(tables.series) : null;
  run.links = tables.links ? linkRows(island(tables.links)) : null;
  run.load = tables.load ? loadBins(island(tables.load)) : null;
  return run;
}

// ends returns the least and the greatest of many values, without a call of many arguments.
function ends(values) {
  if (values.length === 0) return [];
  let low = Infinity, high = -Infinity;
  for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
  return [low, high];
}

// eventsOf lists the times at which jobs start or end.
function eventsOf(jobs) {
  const times = new Set();
  for (const job of jobs) { times.add(job.start); times.add(job.end); }
  return Float64Array.from(times).sort();
}

// linkRows finds the row of a channel by its number.
function linkRows(data) {
  const rows = new Map();
  data.link.forEach(function (number, i) { rows.set(number, i); });
  return { data: data, rows: rows, most: ends(data.utilization_percent)[1] || 0 };
}

// loadBins cuts load.csv into bins. Its column time has each value once and its number of rows.
function loadBins(data) {
  const bins = [];
  let row = 0;
  for (let i = 0; i < data.time.length; i += 2) {
    bins.push({ time: data.time[i], from: row, until: row + data.time[i + 1] });
    row += data.time[i + 1];
  }
  return { data: data, bins: bins, most: ends(data.utilization_percent)[1] || 0 };
}

// lastBefore returns the index of the last value that is at most t, -1 for none.
function lastBefore(length, valueAt, t) {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) <= t) low = middle + 1; else high = middle;
  }
  return low - 1;
}

// jobsAt returns the jobs that run at a time, and how many wait. The end of the run belongs to
// its last jobs, so that the last picture is not empty.
function jobsAt(run, t) {
  const state = { running: [], waiting: 0, nodes: 0 };
  for (const job of run.jobs) {
    if (job.submit <= t && t < job.start) state.waiting++;
    if (job.start <= t && (t < job.end || t === run.last && job.end === t)) {
      state.running.push(job);
      state.nodes += job.nodes;
    }
  }
  return state;
}

// loadAt returns the load of channels at a time by number: of the bin, or of the whole run where
// there are no bins, or null.
function loadAt(run, t) {
  if (run.load) {
    const bins = run.load.bins;
    const at = lastBefore(bins.length, function (i) { return bins[i].time; }, t);
    if (run.load.kept !== at || !run.load.map) {
      run.load.kept = at;
      run.load.map = new Map();
      for (let i = at < 0 ? 0 : bins[at].from; at >= 0 && i < bins[at].until; i++) {
        run.load.map.set(run.load.data.link[i], run.load.data.utilization_percent[i]);
      }
    }
    return run.load.map;
  }
  if (run.links && !run.links.map) {
    const data = run.links.data;
    run.links.map = new Map(data.link.map(function (number, i) {
      return [number, data.utilization_percent[i]];
    }));
  }
  return run.links ? run.links.map : null;
}

// mostLoad is the largest load of a channel between routers.
function mostLoad(run) { return run.load ? run.load.most : run.links ? run.links.most : 0; }

// jobOn returns the job that has a node at a time.
function jobOn(run, node, t) {
  return run.order.find(function (job) {
    return job.start <= t && (t < job.end || t === run.last && job.end === t) &&
      job.spans.some(function (s) { return s[0] <= node && node <= s[1]; });
  });
}
