"use strict";
(() => {
  // A choice of which questions count holds in every section.
  const choices = Array.from(document.querySelectorAll(".which input"));
  for (const input of choices) {
    input.addEventListener("change", () => {
      for (const other of choices) other.checked = other.value === input.value;
    });
  }

  // One menu is open at a time, and none once a section is chosen.
  const menus = Array.from(document.querySelectorAll(".menu"));
  const close = (but) => menus.forEach((menu) => { if (menu !== but) menu.open = false; });
  for (const menu of menus) {
    menu.addEventListener("toggle", () => { if (menu.open) close(menu); });
    menu.addEventListener("click", (event) => { if (event.target.closest("a")) close(null); });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      close(null);
      menu.querySelector("summary").focus();
    });
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".menu")) close(null);
  });

  // A link to something inside of a closed part opens it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
  };
  window.addEventListener("hashchange", reveal);
  reveal();

  // On paper everything is open that a reader of the page could open.
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
