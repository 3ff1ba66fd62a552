"use strict";
(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const items = Array.from(document.querySelectorAll(".item"));
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const keys = ["subtask", "style", "type", "outcome"];
  const chosen = (key) => form.elements.namedItem(key).value;

  const fits = (question, want) =>
    (!want.subtask || question.dataset.subtask === want.subtask) &&
    (!want.type || question.dataset.type === want.type) &&
    (!want.outcome || question.dataset.outcomes.split(" ").includes(want.outcome));

  const apply = () => {
    const want = Object.fromEntries(keys.map((key) => [key, chosen(key)]));
    let count = 0;
    for (const item of items) {
      let any = false;
      for (const question of item.querySelectorAll(".question")) {
        const fit = fits(question, want);
        question.hidden = !fit;
        any = any || fit;
      }
      item.hidden = !any || (want.style !== "" && item.dataset.style !== want.style);
      if (!item.hidden) count += 1;
    }
    shown.textContent = count === 1 ? "1 item" : count + " items";
    none.hidden = count > 0;
    form.classList.toggle("active", keys.some((key) => want[key] !== ""));
  };

  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply, 0));
  document.getElementById("gallery").addEventListener("click", (event) => {
    const tag = event.target.closest("button.tag");
    if (!tag) return;
    const field = form.elements.namedItem(tag.dataset.filter);
    field.value = field.value === tag.dataset.value ? "" : tag.dataset.value;
    apply();
    tag.scrollIntoView({ block: "nearest" });
  });
  form.hidden = false;
  apply();

  const choices = Array.from(document.querySelectorAll(".which input"));
  for (const input of choices) {
    input.addEventListener("change", () => {
      for (const other of choices) other.checked = other.value === input.value;
    });
  }

  const closed = [];
  window.addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details.print:not([open])")) {
      part.open = true;
      closed.push(part);
    }
  });
  window.addEventListener("afterprint", () => {
    while (closed.length) closed.pop().open = false;
  });
})();
