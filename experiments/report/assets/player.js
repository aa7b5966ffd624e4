// The player: a point, a replication, a time, and what is chosen on the machine.

function Player(index) {
  const secondsOfRun = 60; // at speed 1
  const root = byId("player"), slider = byId("time"), playButton = byId("play");
  const map = new MachineMap(byId("map"), clickedMap);
  const gantt = new Gantt(byId("gantt"), function (t, job) {
    if (job) selection = { job: job, link: null, node: null };
    go(t);
  });
  const lines = new Lines(byId("lines"), go);
  let point = null, run = null, machine = null, part = null, time = 0, before = 0, playing = false;
  let selection = { job: null, link: null, node: null }, described = "";

  function clickedMap(what, t) {
    const job = what.node === null ? undefined : jobOn(run, what.node, t);
    selection = { job: job || null, link: what.link, node: job ? null : what.node };
    draw();
  }

  // choosePoint opens the point nearest to the chosen labels: that of the changed axis counts.
  function choosePoint(changed) {
    const wanted = selects.map(function (s) { return s.value; });
    const fit = function (p) {
      return p.labels.reduce(function (sum, label, axis) {
        return sum + (label === wanted[axis] ? (axis === changed ? 1000 : 1) : 0);
      }, 0);
    };
    openPoint(index.points.reduce(function (best, p) { return fit(p) > fit(best) ? p : best; }));
  }

  const selects = index.axes.map(function (key, axis) {
    const labels = Array.from(new Set(index.points.map(function (p) { return p.labels[axis]; })));
    const select = make("select", {}, ...labels.map(function (label) {
      return make("option", { value: label }, label);
    }));
    select.addEventListener("change", function () { choosePoint(axis); });
    byId("points").append(make("label", {}, key + " ", select));
    return select;
  });

  function openPoint(p) {
    point = p;
    machine = index.machines[p.machine];
    p.labels.forEach(function (label, axis) { selects[axis].value = label; });
    byId("replication").replaceChildren(...p.runs.map(function (r, i) {
      return make("option", { value: i }, String(r.replication));
    }));
    openReplication();
  }

  function openReplication() {
    const number = selection.job ? String(selection.job.number) : "";
    run = openRun(point, point.runs[Number(byId("replication").value)]);
    slider.min = run.first;
    slider.max = run.last;
    selection = { job: run.byNumber.get(number) || null, link: null, node: null };
    described = "";
    time = fullest();
    map.open(machine, run);
    drawLegend(byId("legend"), run, machine);
    showPart({ from: run.first, until: run.last });
  }

  // fullest returns the time at which most nodes are in use first.
  function fullest() {
    const counted = counts(run);
    let best = 0;
    counted.nodes.forEach(function (n, i) { if (n > counted.nodes[best]) best = i; });
    return counted.time.length ? counted.time[best] : run.first;
  }

  function showPart(p) {
    part = p;
    gantt.open(machine, run, part);
    lines.open(machine, run, part);
    draw();
  }

  // zoom changes the length of the part of the run that is shown, around the time.
  function zoom(factor) {
    const whole = run.last - run.first, length = Math.min(whole, (part.until - part.from) * factor);
    const from = Math.min(run.last - length, Math.max(run.first, time - length / 2));
    showPart({ from: from, until: from + length });
  }

  function go(t) {
    time = Math.min(run.last, Math.max(run.first, t));
    if (time < part.from || time > part.until) {
      const length = part.until - part.from;
      const from = Math.min(run.last - length, Math.max(run.first, time - length / 10));
      showPart({ from: from, until: from + length });
    } else {
      draw();
    }
  }

  // step goes to the next or the last change of the machine.
  function step(direction) {
    const events = run.events;
    let i = lastBefore(events.length, function (k) { return events[k]; }, time);
    if (direction > 0) i++;
    else if (i >= 0 && events[i] === time) i--;
    if (i >= 0 && i < events.length) go(events[i]);
    else go(direction > 0 ? run.last : run.first);
  }

  function select(job) {
    if (!job) return;
    selection = { job: job, link: null, node: null };
    if (time < job.start || time >= job.end) go(job.start);
    else draw();
  }

  function neighbour(direction) {
    const last = run.order.length - 1;
    const at = selection.job ? selection.job.rank + direction : direction > 0 ? 0 : last;
    select(run.order[Math.min(last, Math.max(0, at))]);
  }

  function draw() {
    const state = jobsAt(run, time);
    slider.value = time;
    const jobs = state.running.length === 1 ? "1 job runs" : `${state.running.length} jobs run`;
    const wait = state.waiting === 1 ? "1 waits" : `${state.waiting} wait`;
    const words = `Time ${text(Number(time.toPrecision(9)))} ${point.clock}: ${jobs} on ` +
      `${state.nodes} of ${machine.nodes} nodes, ${wait}.`;
    slider.setAttribute("aria-valuetext", words);
    byId("clock").textContent = words;
    map.draw(time, state, selection);
    gantt.draw(time, selection.job);
    lines.draw(time);
    describe(state);
  }

  // describe writes the details where they have changed.
  function describe(state) {
    const parent = byId("details"), s = selection;
    let load = "";
    if (s.link !== null && run.load) load = loadAt(run, time).get(machine.links.number[s.link]);
    const none = !s.job && s.link === null && s.node === null;
    const key = [s.job ? s.job.index : "", s.link, s.node, load].join("/") +
      (none ? state.running.map(function (job) { return job.index; }).join() : "");
    if (key === described) return;
    described = key;
    if (document.activeElement !== byId("job")) byId("job").value = s.job ? s.job.number : "";
    if (s.job) showJob(parent, index, machine, run, s.job);
    else if (s.link !== null) showLink(parent, index, machine, run, s.link, time);
    else if (s.node !== null) showNode(parent, index, machine, run, s.node);
    else parent.replaceChildren();
    byId("running").replaceChildren();
    if (none) showRunning(byId("running"), state, point.clock, select);
  }

  function play(on) {
    playing = on;
    playButton.textContent = on ? "Pause" : "Play";
    if (!on) return;
    if (time >= run.last) go(run.first);
    before = performance.now();
    requestAnimationFrame(frame);
  }

  function frame(now) {
    if (!playing) return;
    const speed = Number(byId("speed").value) * (run.last - run.first) / secondsOfRun;
    go(time + speed * Math.max(0, now - before) / 1000);
    before = now;
    if (time >= run.last) play(false);
    else requestAnimationFrame(frame);
  }

  // keys act in the whole player, but not where an element has a use of its own for them.
  function key(event) {
    const on = event.target, writes = on.tagName === "SELECT" || on === byId("job");
    if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && on.tagName !== "BUTTON" && on.tagName !== "SUMMARY") play(!playing);
    else if (event.key === "ArrowRight") { play(false); step(1); }
    else if (event.key === "ArrowLeft") { play(false); step(-1); }
    else if (event.key === "ArrowUp" && on === byId("gantt")) neighbour(-1);
    else if (event.key === "ArrowDown" && on === byId("gantt")) neighbour(1);
    else return;
    event.preventDefault();
  }

  root.hidden = false;
  root.addEventListener("keydown", key);
  byId("replication").addEventListener("change", openReplication);
  slider.addEventListener("input", function () { go(Number(slider.value)); });
  playButton.addEventListener("click", function () { play(!playing); });
  byId("first").addEventListener("click", function () { go(run.first); });
  byId("back").addEventListener("click", function () { play(false); step(-1); });
  byId("forward").addEventListener("click", function () { play(false); step(1); });
  byId("closer").addEventListener("click", function () { zoom(0.5); });
  byId("wider").addEventListener("click", function () { zoom(2); });
  byId("whole").addEventListener("click", function () { zoom(Infinity); });
  byId("job").addEventListener("change", function () {
    select(run.byNumber.get(byId("job").value.trim()));
  });
  byId("job-before").addEventListener("click", function () { neighbour(-1); });
  byId("job-after").addEventListener("click", function () { neighbour(1); });
  byId("job-start").addEventListener("click", function () {
    if (selection.job) go(selection.job.start);
  });
  let width = 0;
  new ResizeObserver(function () {
    if (Math.abs(root.clientWidth - width) < 2) return;
    width = root.clientWidth;
    if (run) showPart(part);
  }).observe(root);
  openPoint(index.points[0]);
}

const playerIndex = island("player-index");
if (playerIndex) new Player(playerIndex);
