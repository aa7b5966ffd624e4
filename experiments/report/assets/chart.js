// What drawings over time have in common.

const leftMargin = 52, rightMargin = 10;

// ticks returns round values from low to high, about as many as wanted.
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0)) return [low];
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].find(function (k) { return k * power >= rough; }) * power;
  const list = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k++) list.push(k * step);
  return list;
}

// tickText writes a tick without the noise of binary numbers.
function tickText(value) { return String(Number(value.toPrecision(10))); }

// timeScale turns times into places across a drawing of a width.
function timeScale(part, width) {
  const inner = Math.max(1, width - leftMargin - rightMargin);
  const length = Math.max(part.until - part.from, 1e-12);
  return {
    x: function (t) { return leftMargin + inner * (t - part.from) / length; },
    time: function (x) {
      return part.from + length * Math.min(1, Math.max(0, (x - leftMargin) / inner));
    },
  };
}

// axisHeight is the room for the axis of time.
const axisHeight = 36;

// timeAxis draws the axis of time at a height.
function timeAxis(part, width, y, scale, unit) {
  const group = shape("g", { "font-size": 11 });
  group.append(shape("path", { class: "axis", d: `M${leftMargin} ${y}H${width - rightMargin}` }));
  for (const t of ticks(part.from, part.until, (width - leftMargin) / 90)) {
    const x = scale.x(t), half = 3.2 * tickText(t).length;
    group.append(shape("path", { class: "axis", d: `M${x.toFixed(1)} ${y}v4` }));
    group.append(shape("text", { x: Math.min(x, width - 2 - half).toFixed(1), y: y + 16,
      "text-anchor": "middle" }, tickText(t)));
  }
  group.append(shape("text", { x: (leftMargin + width - rightMargin) / 2, y: y + 31, class: "soft",
    "text-anchor": "middle" }, `time (${unit})`));
  return group;
}

// placeOf returns the place of a pointer in the units of a drawing.
function placeOf(svg, event) {
  const p = new DOMPoint(event.clientX, event.clientY);
  const inside = p.matrixTransform(svg.getScreenCTM().inverse());
  return { x: inside.x, y: inside.y };
}

// Tip is a line of text beside the pointer.
function Tip(parent) {
  const box = make("div", { class: "tip", hidden: "" });
  parent.append(box);
  this.hide = function () { box.hidden = true; };
  this.show = function (event, words) {
    box.textContent = words;
    box.hidden = false;
    const frame = parent.getBoundingClientRect();
    const x = Math.min(event.clientX - frame.left + 12, frame.width - box.offsetWidth - 2);
    box.style.left = Math.max(0, x) + "px";
    box.style.top = Math.max(0, event.clientY - frame.top - 26) + "px";
  };
}
