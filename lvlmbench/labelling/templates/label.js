"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/;
const store = "lvlmbench-labels-" + data.key;
let here = 0, offered = "", zoomed = false, unsaved = false;
let said = { rater: "", labels: {} };

// What was labelled before in this browser; one that keeps nothing only loses that.
function kept(write) {
  try {
    if (write) localStorage.setItem(store, JSON.stringify(said));
    else said = JSON.parse(localStorage.getItem(store)) || said;
  } catch { /* nothing is kept */ }
}

function tell() {
  const done = data.items.filter((item) => said.labels[item.id]).length;
  at("progress").value = done;
  const named = NAME.test(said.rater);
  at("save").disabled = !named || !done;
  const asked = "Write your name: small letters, digits, '_', '.' or '-'.";
  const left = data.items.length - done;
  at("state").textContent = named ? (left ? left + " left" : "All are labelled: save them.") : asked;
}

function offer(says) {
  if (offered === JSON.stringify(says)) return;
  offered = JSON.stringify(says);
  at("labels").replaceChildren(...says.map(([value, words], n) => {
    const button = document.createElement("button"), key = document.createElement("kbd");
    button.type = "button";
    button.value = value;
    key.textContent = n + 1;
    button.append(words, key);
    button.addEventListener("click", () => label(value));
    return button;
  }));
}

function show(place) {
  here = Math.min(Math.max(place, 0), data.items.length - 1);
  const item = data.items[here], own = said.labels[item.id];
  at("place").textContent = "Item " + (here + 1) + " of " + data.items.length;
  at("asks").textContent = item.asks;
  at("lines").replaceChildren(...item.lines.map((line) => {
    const row = document.createElement("li");
    row.textContent = line;
    return row;
  }));
  offer(item.says || data.says);
  for (const button of at("labels").children) {
    button.setAttribute("aria-pressed", String(own !== undefined && own.label === button.value));
  }
  at("note").value = own && own.note || "";
  at("note").disabled = at("write").disabled = !own;
  at("picture").removeAttribute("width");
  at("picture").src = data.pictures[item.image] || "";
  tell();
}

function size() {
  const picture = at("picture");
  if (picture.naturalWidth) picture.width = picture.naturalWidth * (zoomed ? 2 : 1);
  at("zoom").setAttribute("aria-pressed", String(zoomed));
}

function unlabelled() {
  const n = data.items.length;
  for (let step = 1; step <= n; step++) {
    if (!said.labels[data.items[(here + step) % n].id]) return (here + step) % n;
  }
  return here;
}

function label(value) {
  const id = data.items[here].id, before = said.labels[id];
  said.labels[id] = { ...before, label: value };
  unsaved = true;
  kept(true);
  show(before ? here : unlabelled());
}

function save() {
  if (at("save").disabled) return;
  const { format, sheet, suite } = data;
  const labels = Object.fromEntries(data.items.flatMap(({ id }) => said.labels[id] ? [[id, said.labels[id]]] : []));
  const text = JSON.stringify({ format, sheet, suite, rater: said.rater, labels }, null, 1) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "labels-" + suite + "-" + sheet + "-" + said.rater + ".json";
  link.click();
  unsaved = false;
}

const KEYS = {
  ArrowLeft: () => show(here - 1),
  ArrowRight: () => show(here + 1),
  u: () => show(unlabelled()),
  z: () => { zoomed = !zoomed; size(); },
  n: () => { if (!at("note").disabled) at("note").focus(); },
  s: save,
};
// Digits give the labels of the item that is shown.
function action(key) {
  const button = /^[1-9]$/.test(key) && at("labels").children[key - 1];
  return button ? () => label(button.value) : KEYS[key];
}
const BUTTONS = { back: "ArrowLeft", on: "ArrowRight", open: "u", zoom: "z", write: "n", save: "s" };
for (const [id, key] of Object.entries(BUTTONS)) at(id).addEventListener("click", () => KEYS[key]());
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const act = action(event.key);
  if (event.ctrlKey || event.metaKey || event.altKey || !act) return;
  event.preventDefault();
  act();
});
at("note").addEventListener("input", () => {
  said.labels[data.items[here].id].note = at("note").value;
  unsaved = true;
  kept(true);
});
at("rater").addEventListener("input", () => {
  said.rater = at("rater").value.trim();
  kept(true);
  tell();
});
at("picture").addEventListener("load", size);
window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
kept(false);
at("rater").value = said.rater;
show(0);
if (said.labels[data.items[0].id]) show(unlabelled());
