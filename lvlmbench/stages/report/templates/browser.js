"use strict";
/* The sample browser: filters, list, item, keyboard, and links that lead to each of them. */
(() => {
  const { FACETS, LISTS, PAGE_SIZE, everything, narrowed } = browserIndex;
  const { count, el, visible, head } = browserItem;
  const section = document.getElementById("browser");
  const source = document.getElementById("browser-data");
  if (!section) return;
  /** Milliseconds without a key after which a search is made. */
  const PAUSE = 120;
  /** Milliseconds within which changes of one filter are one step of the history. */
  const RUN = 1000;

  const start = () => {
    const data = JSON.parse(source.textContent);
    const index = browserIndex.build(data);
    const view = browserItem.build(data);
    const part = (name) => document.getElementById(`browser-${name}`);
    const form = part("filters");
    const field = (key) => form.elements.namedItem(key);
    const search = field("q");
    const state = { want: everything(), page: 1, item: -1 };
    let result = null;
    let base = {};
    let shown = null;

    const reveal = (node, block) => node.scrollIntoView({ block, behavior: "instant" });

    const fill = () => {
      for (const key of FACETS) {
        data[LISTS[key]].forEach((entry, i) => {
          field(key).append(el("option", { value: String(i) }, entry.label ?? entry.name));
        });
      }
      base = index.match(everything()).counts;
    };

    /** Selects, with the number of items that each choice would leave. */
    const showFilters = () => {
      for (const key of FACETS) {
        const select = field(key);
        data[LISTS[key]].forEach((entry, i) => {
          const option = select.options[i + 1];
          const n = result.counts[key][i];
          option.textContent = `${entry.label ?? entry.name} (${count(n)})`;
          option.hidden = base[key][i] === 0;
          option.disabled = n === 0 && state.want[key] !== i;
        });
        select.value = state.want[key] < 0 ? "" : String(state.want[key]);
        select.classList.toggle("set", state.want[key] >= 0);
      }
      if (search.value.trim() !== state.want.q) search.value = state.want.q;
      part("clear").hidden = !narrowed(state.want);
    };

    const card = (i) => {
      const item = data.items[i];
      const hits = index.within(i, state.want);
      const first = Math.max(0, hits.findIndex((of) => of.some(Boolean)));
      const question = item.questions[first];
      const told = view.tally(item, hits);
      const bar = el("span", { class: "tally-bar", "aria-hidden": "true" }, told.map(([name, n]) => {
        const piece = el("span", { class: `of-${/^[a-z]+$/.test(name) ? name : "unscored"}` });
        piece.style.flexGrow = String(n);
        return piece;
      }));
      return el("li", {}, el("a", { href: index.itemLink(i, state.want), "data-item": String(i) },
        view.image(view.cover(item, state.want.scenario, first), ""),
        el("span", { class: "kind" }, visible(data.subtasks[question ? question.subtask : item.subtask].label),
          " · ", visible(data.styles[item.style].label)),
        el("span", { class: "ask" }, visible(head(question ? question.text : item.caption, 160))),
        told.length > 1 ? bar : null,
        el("span", { class: "read" }, told.map(([, n, label]) => `${count(n)} ${label}`).join(", "))));
    };

    const pages = () => Math.max(1, Math.ceil(result.items.length / PAGE_SIZE));
    const showPagers = () => {
      for (const nav of section.querySelectorAll(".pager")) {
        const step = (page, label) => page >= 1 && page <= pages()
          ? el("a", { href: index.listLink(state.want, page), "data-page": String(page) }, label)
          : el("span", { class: "off" }, label);
        nav.hidden = pages() === 1;
        nav.replaceChildren(step(state.page - 1, "Previous"),
          el("span", {}, `Page ${count(state.page)} of ${count(pages())}`), step(state.page + 1, "Next"));
      }
    };

    const plural = (n, word) => (n === 1 ? word : `${word}s`);
    const showList = () => {
      state.page = Math.min(state.page, pages());
      const from = (state.page - 1) * PAGE_SIZE;
      part("cards").replaceChildren(...result.items.slice(from, from + PAGE_SIZE).map(card));
      part("cards").setAttribute("start", String(from + 1));
      part("count").textContent =
        `${count(result.items.length)} of ${count(data.items.length)} ${plural(data.items.length, "item")}, ` +
        `${count(result.answers)} ${plural(result.answers, "answer")}`;
      part("none").hidden = result.items.length > 0;
      showPagers();
    };

    const showItem = () => {
      const item = data.items[state.item];
      const place = result.items.indexOf(state.item);
      const narrow = narrowed(state.want) && place >= 0;
      const step = (by, label, key) => {
        const other = place < 0 ? undefined : result.items[place + by];
        return other === undefined
          ? el("span", { class: "off" }, label)
          : el("a", { href: index.itemLink(other, state.want), "data-step": String(by),
            "aria-keyshortcuts": key }, label);
      };
      const where = place < 0
        ? "outside of the filters"
        : `${count(place + 1)} of ${count(result.items.length)}${narrow ? " that fit" : ""}`;
      const print = el("button", { type: "button" }, "Print");
      print.addEventListener("click", () => {
        document.documentElement.classList.add("print-item");
        window.print();
      });
      part("item").replaceChildren(
        el("nav", { class: "browser-bar", "aria-label": "Item" },
          el("a", { href: index.listLink(state.want, pageOf(state.item)), "data-close": "",
            "aria-keyshortcuts": "Escape" },
          el("span", { "aria-hidden": "true" }, "← "), narrowed(state.want) ? "Back to the list" : "All items"),
          el("span", { class: "place" }, where), step(-1, "Previous", "k"), step(1, "Next", "j"), print),
        el("h3", { id: "browser-title", tabindex: "-1" },
          el("span", {}, visible(data.subtasks[item.subtask].label), ", ",
            visible(data.styles[item.style].label)),
          item.tag ? el("span", { class: "tag" }, visible(item.tag)) : null,
          el("span", { class: "id" }, visible(item.id))),
        ...view.body(item, index.within(state.item, state.want), narrow, state.want.model));
    };

    const pageOf = (i) => Math.floor(Math.max(0, result.items.indexOf(i)) / PAGE_SIZE) + 1;

    /** Show what the address asks for; `moved` tells that it changed after the page was loaded. */
    const route = (moved) => {
      const asked = index.parse(location.hash);
      if (result && (!asked || location.hash === shown)) return;
      shown = location.hash;
      const { want, page, item, unknown } = asked || index.parse("");
      const before = { ...state };
      const same = result && JSON.stringify(want) === JSON.stringify(state.want);
      Object.assign(state, { want, page, item });
      if (!same) result = index.match(want);
      const open = item >= 0;
      const closed = before.item >= 0 && !open;
      if (closed && same && result.items.includes(before.item)) {
        state.page = pageOf(before.item);
        if (state.page !== page) address(index.listLink(want, state.page), true);
      }
      part("note").textContent = unknown.length
        ? `Not known in this report and left out of the link: ${head(unknown.join(", "), 200)}.`
        : "";
      showFilters();
      if (open) showItem();
      else showList();
      form.hidden = open;
      part("list").hidden = open;
      part("item").hidden = !open;
      browserItem.mark(part(open ? "item" : "cards"), want.q);
      if (open) browserItem.center(part("item"));
      if (open && (moved || asked)) {
        reveal(part("item"), "start");
        part("title").focus({ preventScroll: true });
      } else if (closed) {
        const link = section.querySelector(`[data-item="${before.item}"]`);
        (link || section).focus({ preventScroll: true });
        reveal(link || section, link ? "center" : "start");
      } else if (!moved && location.hash.startsWith("#browse:")) reveal(section, "start");
    };

    /** Change the address; the entry keeps whether the reader came to it from the list. */
    const address = (hash, replace) => {
      const note = { browser: replace ? history.state?.browser : state.item < 0 };
      try {
        if (!replace && state.item < 0 && index.parse(location.hash)) {
          history.replaceState(history.state, "", index.listLink(state.want, state.page));
        }
        history[replace ? "replaceState" : "pushState"](note, "", hash);
      } catch { // a frame without an address of its own
        location.hash = hash;
      }
      shown = location.hash;
    };
    const go = (hash, replace = false) => {
      address(hash, replace);
      shown = null;
      route(true);
    };

    const close = () => {
      if (history.state?.browser) history.back();
      else go(index.listLink(state.want, pageOf(state.item)));
    };
    const step = (by) => {
      if (state.item >= 0) {
        const place = result.items.indexOf(state.item);
        const other = place < 0 ? undefined : result.items[place + by];
        if (other !== undefined) go(index.itemLink(other, state.want), true);
        return;
      }
      const links = [...part("cards").querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      const next = links[at < 0 ? 0 : at + by];
      if (next) {
        next.focus();
        reveal(next, "nearest");
      } else if (at >= 0 && state.page + by >= 1 && state.page + by <= pages()) {
        turn(state.page + by);
        part("cards").querySelector(`li:${by > 0 ? "first" : "last"}-child a`).focus();
      }
    };
    const turn = (page) => {
      go(index.listLink(state.want, page));
      reveal(part("count"), "center");
    };

    const read = () => {
      const want = { ...everything(), q: search.value.trim() };
      for (const key of FACETS) want[key] = field(key).value === "" ? -1 : Number(field(key).value);
      return want;
    };
    let timer = 0;
    const searched = () => {
      clearTimeout(timer);
      const want = read();
      if (want.q !== state.want.q) go(index.listLink(want, 1), want.q !== "" && state.want.q !== "");
    };
    let turned = { name: "", at: 0, hash: "" };
    form.addEventListener("input", (event) => {
      clearTimeout(timer);
      if (event.target === search) {
        timer = setTimeout(searched, PAUSE);
        return;
      }
      // Arrow keys run through the choices one by one: that is one step back, not ten.
      const { name } = event.target;
      const again = turned.name === name && turned.hash === location.hash && event.timeStamp - turned.at < RUN;
      go(index.listLink(read(), 1), again);
      turned = { name, at: event.timeStamp, hash: location.hash };
    });
    search.addEventListener("focus", index.warm, { once: true });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      searched();
    });
    part("clear").addEventListener("click", () => {
      search.value = "";
      go(index.listLink(everything(), 1));
      search.focus();
    });
    section.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const { item, page, step: by, close: closes } = link.dataset;
      if (item !== undefined) go(link.hash);
      else if (page !== undefined) turn(Number(page));
      else if (by !== undefined) step(Number(by));
      else if (closes !== undefined) close();
      else return;
      event.preventDefault();
    });

    /* Keys work only while the focus is in this part: elsewhere letters belong to the reader. */
    const moves = { j: 1, k: -1, ArrowRight: 1, ArrowLeft: -1 };
    section.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const typing = event.target.closest("input, select, textarea");
      const sideways = event.key.startsWith("Arrow") && event.target.closest(".scroll");
      if (event.key === "Escape" && state.item >= 0) close();
      else if (event.key === "/" && !typing && state.item < 0) search.focus();
      else if (moves[event.key] && !typing && !sideways) step(moves[event.key]);
      else return;
      event.preventDefault();
    });
    window.addEventListener("popstate", () => route(true));
    window.addEventListener("hashchange", () => route(true));
    window.addEventListener("afterprint", () => document.documentElement.classList.remove("print-item"));

    fill();
    part("app").hidden = false;
    route(false);
  };

  let started = false;
  const once = () => {
    if (started) return;
    started = true;
    if (source && document.getElementById("browser-app")) start();
  };
  const soon = () => {
    if (/^#(browse:|item:|browser$)/.test(location.hash)) once();
    else if ("requestIdleCallback" in window) requestIdleCallback(once, { timeout: 2000 });
    else setTimeout(once, 200);
  };
  window.addEventListener("hashchange", () => {
    if (/^#(browse:|item:)/.test(location.hash)) once();
  });
  window.addEventListener("beforeprint", once);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", soon);
  else soon();
})();
