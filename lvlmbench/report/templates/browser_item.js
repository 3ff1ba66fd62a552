"use strict";
/* How the sample browser shows an item. All text is untrusted and only ever becomes text nodes. */
const browserItem = (() => {
  /** Characters of a text seen at once; the rest opens on request. */
  const SHOWN = 240;
  /** Characters that hide or reorder the text around them, as lvlmbench/analysis/text.py has them. */
  const UNSAFE = new RegExp(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e" +
    "\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ud800-\\udfff\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\ufffe\\uffff\\u{e0000}-\\u{e0fff}]|(?:[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff" +
    "\\u20d0-\\u20ff\\ufe20-\\ufe2f]{4})+", "gu",
  );
  const OUTCOMES = ["right", "wrong", "caption", "unscored", "refused", "failed"];
  const KINDS = { guesser: "guesses", reference: "reference", brought: "brought by its owner" };
  const count = (n) => n.toLocaleString("en-US");

  /** An element with attributes and children; a string becomes a text node, null is left out. */
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
    return node;
  };

  /** Untrusted text: hidden characters named, its direction kept to itself. */
  const visible = (text) => {
    const node = el("bdi");
    let from = 0;
    for (const match of text.replaceAll("\r\n", "\n").matchAll(UNSAFE)) {
      const names = Array.from(match[0], (c) =>
        `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
      node.append(match.input.slice(from, match.index), el("span", { class: "cp" }, names.join(" ")));
      from = match.index + match[0].length;
    }
    node.append(text.replaceAll("\r\n", "\n").slice(from));
    return node;
  };

  /** The beginning of a text, not ended within a pair of surrogates. */
  const head = (text, length) => {
    const last = text.charCodeAt(length - 1);
    return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
  };

  /** A text in two steps: its beginning at once, the rest on request. */
  const excerpt = (text, cut = 0) => {
    if (text.length <= SHOWN && !cut) return el("span", { class: "quote" }, visible(text));
    return el("div", {},
      el("span", { class: "quote" }, visible(head(text, SHOWN)), "…"),
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
        ? el("button", { type: "button", class: "zoom", "aria-pressed": "false", title: "Larger or smaller" }, shown)
        : shown;
      const lines = picture.done.map((line) => el("span", { class: "read" }, visible(line)));
      const node = el("figure", {}, zoom, el("figcaption", {}, el("b", {}, visible(label)), lines,
        picture.printed ? el("span", { class: "read" }, "printed: “", visible(picture.printed), "”") : null));
      if (zoom !== shown) {
        zoom.addEventListener("click", () => {
          const large = node.classList.toggle("large");
          zoom.setAttribute("aria-pressed", String(large));
        });
      }
      return node;
    };
    const strip = (list, item) =>
      list.length ? el("div", { class: "pictures" }, list.map((picture) => figure(picture, item))) : null;

    const answerCell = (answer, hit) => {
      const outcome = data.outcomes[answer.o];
      const scored = answer.sim !== null && outcome.name === "caption";
      const said = answer.text !== ""
        ? excerpt(answer.text, answer.cut)
        : answer.status === "answered" ? el("span", { class: "read" }, "empty answer") : null;
      const failed = answer.status !== "answered"
        ? el("span", { class: "read" }, visible(answer.status.replaceAll("_", " ")),
          answer.error ? ": " : "", answer.error ? visible(answer.error) : "")
        : null;
      return el("div", { class: hit ? "answer hit" : "answer" },
        el("span", { class: verdictClass(outcome.name) },
          scored ? `${outcome.label} ${answer.sim.toFixed(1)}` : outcome.label),
        said, failed, answer.reading ? el("span", { class: "read" }, visible(answer.reading)) : null);
    };

    /** Answers to one question: models down, scenarios across. */
    const board = (question, hits, narrow) => {
      const asked = data.scenarios.map((_, s) => s).filter((s) => question.answers.some((a) => a.s === s));
      const places = new Map(question.answers.map((a, i) => [a.m * data.scenarios.length + a.s, i]));
      const models = data.models.map((_, m) => m).filter((m) => question.answers.some((a) => a.m === m));
      const row = (m) => el("tr", { role: "row" },
        el("th", { scope: "row", role: "rowheader" }, visible(data.models[m].name),
          KINDS[data.models[m].kind] ? el("small", {}, KINDS[data.models[m].kind]) : null),
        asked.map((s) => {
          const i = places.get(m * data.scenarios.length + s);
          const label = el("span", { class: "where", "aria-hidden": "true" }, visible(data.scenarios[s].label));
          if (i === undefined) return el("td", { role: "cell", class: "absent" }, label, "not asked");
          return el("td", { role: "cell" }, label, answerCell(question.answers[i], narrow && hits[i]));
        }));
      const table = el("table", { class: "said-table", role: "table" },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" },
          el("th", { scope: "col", role: "columnheader" }, "Model"),
          asked.map((s) => el("th", { scope: "col", role: "columnheader" }, visible(data.scenarios[s].label))))),
        el("tbody", { role: "rowgroup" }, models.map(row)));
      table.style.setProperty("--columns", String(asked.length));
      return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answers" }, table);
    };

    const options = (question) => question.options.length
      ? el("ul", { class: "options" }, question.options.map((option, i) => {
        const right = i === question.right;
        return el("li", right ? { class: "is-right" } : {}, `(${letter(i)}) `, visible(option),
          right ? el("span", {}, " ✓", el("span", { class: "hide" }, " right answer")) : null);
      }))
      : null;

    const prompts = (question) => question.prompts.length
      ? el("details", {}, el("summary", {}, "Prompt as sent"), question.prompts.map((prompt) => [
        question.prompts.length > 1
          ? el("span", { class: "read" }, "to ", visible(prompt.models.map((m) => data.models[m].name).join(", ")))
          : null,
        el("div", { class: "sent", tabindex: "0", role: "group", "aria-label": "Prompt" }, visible(prompt.text)),
      ]))
      : null;

    const ask = (item, index, hits, narrow) => {
      const question = item.questions[index];
      const type = data.types[question.type];
      const chance = question.chance === null ? "" : ` · chance ${Math.round(100 * question.chance)}%`;
      return el("div", { class: "question", "data-type": type.name },
        el("h4", {}, visible(type.label), " · ", visible(data.subtasks[question.subtask].label), chance,
          question.dropped ? el("span", {}, " · ", el("span", { class: "flag" }, "dropped by consensus")) : null),
        el("p", { class: "ask" }, visible(question.text)),
        options(question),
        strip(item.pictures.filter((picture) => picture.q === index), item),
        question.answers.length ? board(question, hits, narrow) : el("p", { class: "read" }, "Nobody was asked."),
        prompts(question));
    };

    /** What stands below the heading of an item; `hits` says for each question which answers fit. */
    const body = (item, hits, narrow) => {
      const fits = item.questions.map((_, i) => !narrow || hits[i].some(Boolean));
      const asks = item.questions.map((_, i) => ask(item, i, hits[i], narrow));
      const rest = asks.filter((_, i) => !fits[i]);
      return [
        strip(item.pictures.filter((picture) => picture.q === null), item),
        el("div", { class: "scene" },
          el("div", {},
            el("p", { class: "scene-text" }, el("b", {}, "Prompt "), excerpt(item.prompt)),
            el("p", { class: "scene-text" }, el("b", {}, "Reference caption "), excerpt(item.caption))),
          el("dl", { class: "facts" }, item.facts.map(([key, value]) =>
            [el("dt", {}, visible(key)), el("dd", {}, visible(value))]))),
        asks.filter((_, i) => fits[i]),
        rest.length
          ? el("details", { class: "rest" },
            el("summary", {}, `${rest.length} more ${rest.length === 1 ? "question" : "questions"} about this scene, outside of the filters`), rest)
          : null,
      ].flat();
    };

    /** The picture that stands for an item in the list: of the scenario filtered by, if any. */
    const cover = (item, scenario, question) => {
      const shown = item.pictures.filter((picture) => picture.p !== null && picture.kind !== "difference");
      const own = (picture) => picture.q === null || picture.q === question;
      return shown.find((picture) => picture.s === scenario && own(picture)) || shown[0] || item.pictures[0];
    };

    return { body, cover, image };
  };

  return { build, count, el, visible, head };
})();
