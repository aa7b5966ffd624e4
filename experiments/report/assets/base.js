// Small helpers of all scripts of the page.

function byId(id) { return document.getElementById(id); }

// make returns an HTML element. Text children are text, whatever they hold.
function make(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// shape returns an SVG element.
function shape(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// island returns JSON of the page, null where there is none.
function island(id) {
  const element = byId(id);
  return element ? JSON.parse(element.textContent) : null;
}

// text formats a value of a table: six digits of a number that is no integer.
function text(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

// remember and recall keep a setting of the reader where the browser allows that.
function remember(key, value) {
  try { localStorage.setItem(key, value); } catch (refused) { /* a file of its own may not */ }
}

function recall(key) {
  try { return localStorage.getItem(key); } catch (refused) { return null; }
}
