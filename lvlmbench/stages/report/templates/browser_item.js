"use strict";
/* How the sample browser shows an item. All text is untrusted and only ever becomes text nodes. */
const browserItem = (() => {
  /** Characters of a text and of an answer seen at once; the rest opens on request. */
  const SHOWN = 320;
  const SHOWN_ANSWER = 160;
  /** Hidden characters in a row that are named one by one. */
  const NAMED = 6;
  /** Characters that hide or reorder the text around them, as lvlmbench/analysis/text.py has them. */
  const UNSAFE = new RegExp(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e" +
    "\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\ufffe\\uffff\\u{e0000}-\\u{e0fff}]|(?:[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff" +
    "\\u20d0-\\u20ff\\ufe20-\\ufe2f]{4})+", "gu",
  );
  /** Places that a search marks at most. */
  const MARKS = 2000;
  /** Scenarios that stand side by side in a wide window without scrolling. */
  const FITTING = 6;
  const OUTCOMES = ["right", "wrong", "caption", "unscored", "refused", "truncated", "failed"];
  const KINDS = { guesser: "guesses", reference: "reference", brought: "brought by its owner" };
  const count = (n) => n.toLocaleString("en-US");

  /** An element with attributes and children; a string becomes a text node, null is left out. */
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
    return node;
  };

  /** Append untrusted text to a node, hidden characters named. */
  const pieces = (node, text) => {
    const lines = text.replace(/\r\n/g, "\n");
    let from = 0;
    for (const match of lines.matchAll(UNSAFE)) {
      const names = Array.from(match[0], (c) =>
        `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
      const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
      node.append(lines.slice(from, match.index),
        el("span", { class: "cp" }, names.slice(0, NAMED).join(" ") + more));
      from = match.index + match[0].length;
    }
    node.append(lines.slice(from));
    return node;
  };

  /** Untrusted text: hidden characters named, its direction kept to itself. */
  const visible = (text) => pieces(el("bdi"), text);

  /** The beginning of a text, not ended within a pair of surrogates. */
  const head = (text, length) => {
    const last = text.charCodeAt(length - 1);
    return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
  };

  /** A text in two steps: its beginning at once, the rest on request. */
  const excerpt = (text, shown = SHOWN, cut = 0) => {
    if (text.length <= shown && !cut) return el("span", { class: "quote" }, visible(text));
    return el("div", {},
      el("span", { class: "quote" }, visible(head(text, shown)), "…"),
      el("details", {},
        el("summary", {}, `Show all (${count(text.length + cut)} characters)`),
        el("div", { class: "full quote", tabindex: "0", role: "group", "aria-label": "Whole text" },
          visible(text)),
        cut ? el("span", { class: "read" },
          `Cut here: ${count(cut)} more characters are in the answers table.`) : null));
  };

  const letter = (index) => (index < 26 ? String.fromCharCode(65 + index) : String(index + 1));
  const verdictClass = (name) => `verdict ${OUTCOMES.includes(name) ? name : "unscored"}`;

  /** Pictures of the page by their number, each chunk parsed when first needed. */
  const pictures = (data) => {
    const chunks = new Map();
    const mime = /^image\/(jpeg|png|webp)$/.test(data.mime) ? data.mime : "image/jpeg";
    const load = (number) => {
      if (!chunks.has(number)) {
        const node = document.querySelector(`.browser-pictures[data-chunk="${number}"]`);
        let found = [];
        try {
          found = JSON.parse(node.textContent);
        } catch { /* a page that was cut off: its pictures are missing, its words are not */ }
        chunks.set(number, found);
      }
      return chunks.get(number);
    };
    return (place) => {
      let rest = place;
      for (let number = 0; number < data.chunks.length; number += 1) {
        if (rest < data.chunks[number]) {
          const text = load(number)[rest];
          return typeof text === "string" ? `data:${mime};base64,${text}` : null;
        }
        rest -= data.chunks[number];
      }
      return null;
    };
  };

  const build = (data) => {
    const source = pictures(data);

    /** A picture, or in its place why there is none. */
    const image = (picture, alt) => {
      const found = picture && picture.p !== null ? source(picture.p) : null;
      if (found === null) {
        const bare = picture && picture.p === null && picture.image_id === "";
        return el("span", { class: "blank" }, bare ? "asked without an image" : "not shown here");
      }
      return el("img", { src: found, alt, decoding: "async" });
    };

    const figure = (picture, item) => {
      const name = data.scenarios[picture.s].label;
      const label = picture.kind === "difference" ? `${name}: difference` : name;
      const shown = image(picture, `${label}: ${head(item.caption, 160)}`);
      const zoom = shown.tagName === "IMG"
        ? el("button", { type: "button", class: "zoom", "aria-pressed": "false", title: "Enlarge" }, shown)
        : shown;
      const lines = picture.done.map((line) => el("span", { class: "read" }, visible(line)));
      const node = el("figure", {}, zoom, el("figcaption", {}, el("b", {}, visible(label)), lines,
        picture.printed
          ? el("span", { class: "read" }, "printed: “", visible(picture.printed), "”")
          : null));
      if (zoom !== shown) {
        zoom.addEventListener("click", () => {
          const large = node.classList.toggle("large");
          zoom.setAttribute("aria-pressed", String(large));
        });
      }
      return node;
    };
    /** Pictures side by side, in the order of the scenarios. */
    const strip = (list, item) => list.length
      ? el("div", { class: "pictures" },
        [...list].sort((a, b) => a.s - b.s).map((picture) => figure(picture, item)))
      : null;

    const claims = browserClaims({ data, el, visible, pieces, head, count, image });
    const pairs = browserPairs({ data, el, visible, excerpt });

    /** An answer; keys that have their usual value are left out of the data. */
    const answerCell = (answer, hit, item) => {
      const { text, cut = 0, reading = "", sim = null, status = "answered", error = null } = answer;
      const outcome = data.outcomes[answer.o];
      const scored = sim !== null && outcome.name === "caption";
      const answered = status === "answered";
      const said = text !== "" && answer.judged
        ? claims.cell(answer, item)
        : text !== ""
          ? excerpt(text, SHOWN_ANSWER, cut)
          : answered ? el("span", { class: "read" }, "empty answer") : null;
      const failed = answered ? null : el("span", { class: "read" },
        visible(status.replace(/_/g, " ")), error ? [": ", visible(error)] : null);
      return el("div", { class: hit ? "answer hit" : "answer" },
        el("span", { class: verdictClass(outcome.name) },
          scored ? `${outcome.label} ${sim.toFixed(1)}` : outcome.label),
        said, failed, reading ? el("span", { class: "read" }, visible(reading)) : null,
        pairs.cell(answer));
    };

    /** Answers to one question: models down, one of them `first`, scenarios across. */
    const board = (item, question, number, hits, narrow, first) => {
      const width = data.scenarios.length;
      const marked = narrow && !hits.every(Boolean);
      const among = (list, key) =>
        list.map((_, i) => i).filter((i) => question.answers.some((answer) => answer[key] === i));
      const asked = among(data.scenarios, "s");
      const models = among(data.models, "m").sort((a, b) => (b === first) - (a === first));
      const places = new Map(question.answers.map((answer, i) => [answer.m * width + answer.s, i]));
      const scenario = (s) => visible(data.scenarios[s].label);
      const row = (m) => el("tr", { role: "row" },
        el("th", { scope: "row", role: "rowheader" }, visible(data.models[m].name),
          KINDS[data.models[m].kind] ? el("small", {}, KINDS[data.models[m].kind]) : null),
        asked.map((s) => {
          const i = places.get(m * width + s);
          const label = el("span", { class: "where", "aria-hidden": "true" }, scenario(s));
          if (i === undefined) return el("td", { role: "cell", class: "absent" }, label, "not asked");
          return el("td", { role: "cell" }, label, answerCell(question.answers[i], marked && hits[i], item));
        }));
      const fits = asked.length <= FITTING ? "said-table fits" : "said-table";
      const table = el("table", { class: fits, role: "table" },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
          el("th", { scope: "col", role: "columnheader" }, "Model"),
          asked.map((s) => el("th", { scope: "col", role: "columnheader" }, scenario(s))))),
        el("tbody", { role: "rowgroup" }, models.map(row)));
      table.style.setProperty("--columns", String(asked.length));
      const label = `Answers to question ${number}`;
      return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
    };

    const listed = ({ options, right }) => el("ul", { class: "options" }, options.map((option, i) =>
      el("li", i === right ? { class: "is-right" } : {}, `(${letter(i)}) `, visible(option),
        i === right ? el("span", {}, " ✓", el("span", { class: "hide" }, " right answer")) : null)));

    /** Options of a question, and what scenarios offer that ask it with others. */
    const options = (question) => question.options.length
      ? [listed(question), (question.elsewhere || []).map((other) => [
        el("p", { class: "read" }, "Offered in ", other.s.map((s, i) =>
          [i ? ", " : "", visible(data.scenarios[s].label)]), ":"),
        listed(other),
      ])]
      : question.accepted
        ? el("p", { class: "read" }, "Right: ", visible(question.accepted.join(", ")))
        : null;

    /** What models say to the single facts that a question rests on: models down, checks across. */
    const checks = (question, number) => {
      const list = question.checks || [];
      const models = data.models.map((_, i) => i)
        .filter((m) => list.some((check) => check.answers.some((answer) => answer.m === m)));
      if (!models.length) return null;
      const told = (check) => [visible(check.text), el("small", {}, "right: ", visible(check.right))];
      const cell = (check, m) => {
        const answer = check.answers.find((each) => each.m === m);
        const label = el("span", { class: "where", "aria-hidden": "true" }, told(check));
        return answer
          ? el("td", { role: "cell" }, label, answerCell(answer, false, null))
          : el("td", { role: "cell", class: "absent" }, label, "not asked");
      };
      const table = el("table", { class: list.length <= FITTING ? "said-table fits" : "said-table", role: "table" },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
          el("th", { scope: "col", role: "columnheader" }, "Model"),
          list.map((check) => el("th", { scope: "col", role: "columnheader" }, told(check))))),
        el("tbody", { role: "rowgroup" }, models.map((m) => el("tr", { role: "row" },
          el("th", { scope: "row", role: "rowheader" }, visible(data.models[m].name)),
          list.map((check) => cell(check, m))))));
      table.style.setProperty("--columns", String(list.length));
      const label = `Checks of question ${number}`;
      return el("details", { open: "" },
        el("summary", {}, `Single facts that it rests on, asked one by one (${count(list.length)})`),
        el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table));
    };

    const prompts = (question) => question.prompts.length
      ? el("details", {}, el("summary", {}, "Prompt as sent"), question.prompts.map((prompt) => [
        question.prompts.length > 1
          ? el("span", { class: "read" }, "to ", prompt.models.map((m, i) =>
            [i ? ", " : "", visible(data.models[m].name)]))
          : null,
        el("div", { class: "sent", tabindex: "0", role: "group", "aria-label": "Prompt" },
          visible(prompt.text)),
      ]))
      : null;

    /** Where the same item stands with pictures in full size, beside the report. */
    const full = (item) => {
      const file = `${document.documentElement.dataset.suite}/report_items/part-${String(item.part).padStart(5, "0")}.html`;
      return el("a", { href: `${file}#item:${encodeURIComponent(item.id)}` }, "Pictures in full size");
    };

    const ask = (item, index, hits, narrow, first) => {
      const question = item.questions[index];
      const type = data.types[question.type];
      const chance = question.chance === null ? "" : ` · chance ${Math.round(100 * question.chance)}%`;
      return el("div", { class: "question", "data-type": type.name },
        el("h4", {}, visible(type.label), " · ", visible(data.subtasks[question.subtask].label), chance,
          question.dropped
            ? el("span", {}, " · ", el("span", { class: "flag" }, "dropped by consensus"))
            : null),
        pairs.before(question),
        el("p", { class: "ask" }, visible(question.text)),
        options(question),
        pairs.against(question),
        strip(item.pictures.filter((picture) => picture.q === index), item),
        question.answers.length
          ? claims.beside(board(item, question, index + 1, hits, narrow, first), question, item)
          : el("p", { class: "read" }, "Nobody was asked."),
        checks(question, index + 1),
        prompts(question));
    };

    /** What stands below the heading of an item; `hits` says for each question which answers fit. */
    const body = (item, hits, narrow, first) => {
      const fits = item.questions.map((_, i) => !narrow || hits[i].some(Boolean));
      const asks = item.questions.map((_, i) => ask(item, i, hits[i], narrow, first));
      const rest = asks.filter((_, i) => !fits[i]);
      const more = rest.length === 1 ? "1 more question" : `${rest.length} more questions`;
      return [
        strip(item.pictures.filter((picture) => picture.q === null), item),
        el("div", { class: "scene" },
          el("div", {},
            el("p", { class: "scene-text" }, el("b", {}, "Prompt "), excerpt(item.prompt)),
            el("p", { class: "scene-text" }, el("b", {}, "Reference caption "), excerpt(item.caption)),
            Number.isInteger(item.part) ? el("p", { class: "scene-text" }, full(item)) : null),
          el("dl", { class: "facts" }, item.facts.map(([key, value]) =>
            [el("dt", {}, visible(key)), el("dd", {}, visible(value))]))),
        asks.filter((_, i) => fits[i]),
        rest.length
          ? el("details", { class: "rest" },
            el("summary", {}, `${more} about this scene, outside of the filters`), rest)
          : null,
      ].flat().filter(Boolean);
    };

    /** The picture that stands for an item in the list: of the scenario filtered by, if any. */
    const cover = (item, scenario, question) => {
      const shown = item.pictures.filter((picture) => picture.p !== null && picture.kind !== "difference");
      const own = (picture) => picture.q === null || picture.q === question;
      return shown.find((picture) => picture.s === scenario && own(picture)) || shown[0] || item.pictures[0];
    };

    /** What became of the answers that fit: name, number and label of each outcome. */
    const tally = (item, hits) => {
      const found = new Map();
      item.questions.forEach((question, q) => question.answers.forEach((answer, a) => {
        if (hits[q][a]) found.set(answer.o, (found.get(answer.o) || 0) + 1);
      }));
      return [...found].sort((a, b) => a[0] - b[0])
        .map(([o, n]) => [data.outcomes[o].name, n, data.outcomes[o].label.toLowerCase()]);
    };

    return { body, cover, image, tally };
  };

  /** Scroll tables that are wider than the page to the first answer that fits. */
  const center = (root) => {
    for (const table of root.querySelectorAll(".said-table")) {
      const hit = table.querySelector(".hit")?.closest("td");
      const room = table.parentNode;
      if (hit && table.offsetWidth > room.clientWidth) {
        room.scrollLeft = hit.offsetLeft - (room.clientWidth - hit.offsetWidth) / 2;
      }
    }
  };

  /** Mark what was searched for, where the browser can do so without touching the text. */
  const mark = (root, query) => {
    if (!("highlights" in CSS)) return;
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const ranges = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = words.length ? walker.nextNode() : null; node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          ranges.push(new StaticRange({ startContainer: node, startOffset: at,
            endContainer: node, endOffset: at + word.length }));
        }
      }
    }
    CSS.highlights.set("browser-search", new Highlight(...ranges.slice(0, MARKS)));
  };

  return { build, count, el, visible, head, mark, center };
})();
