"use strict";
/* Free answers in the sample browser: claims marked in the text by color and sign, what is left
   out, and where the picture shows it. Data: data.judges, data.verdicts [{name, sign, label}];
   item.features [[words, [[left, top, right, bottom] in thousandths]]]; answer.judged [{j: judge,
   claims: [[start, end, verdict, feature or -1, words, counts]], missed: [feature]}], or {j,
   status, why} where it was not judged. Places count as strings here do. All text is untrusted and
   only ever becomes text nodes. */
const browserClaims = ({ data, el, visible, pieces, head, count, image }) => {
  /** Characters of a judged answer seen at once. */
  const SHOWN = 700;
  /** Worst first: where claims overlap, the color is that of the worst. */
  const WORST = ["hallucinated", "contradicted", "false_denial", "unverifiable", "broader",
    "narrower", "matched", "true_denial"];
  const rank = (claim) => WORST.indexOf(data.verdicts[claim[2]].name);
  const sign = (verdict) => data.verdicts[verdict].sign;
  const kind = (verdict) => `of-${data.verdicts[verdict].name}`;
  const label = (claim) => {
    const aside = claim[5] ? "" : " (was not to be described: counts nowhere)";
    return `${claim[4]}: ${data.verdicts[claim[2]].label}${aside}`;
  };

  /** A text up to a place, with the claims that it holds: cut where one begins or ends. */
  const marked = (text, claims, end = text.length) => {
    const node = el("bdi");
    const inside = claims.map((claim, i) => [claim, i])
      .filter(([claim]) => claim[0] < claim[1] && claim[0] < end);
    const cuts = [0, end, ...inside.flatMap(([claim]) => [claim[0], Math.min(claim[1], end)])];
    const places = [...new Set(cuts)].sort((a, b) => a - b);
    places.slice(0, -1).forEach((from, at) => {
      const to = places[at + 1];
      const mine = inside.filter(([claim]) => claim[0] <= from && claim[1] >= to);
      const part = text.slice(from, to);
      if (!mine.length) return pieces(node, part);
      const worst = mine.reduce((a, b) => (rank(b[0]) < rank(a[0]) ? b : a))[0];
      const counts = mine.some(([claim]) => claim[5]);
      const mark = el("mark", {
        class: `claim ${kind(worst[2])}${counts ? "" : " aside"}`,
        "data-claims": mine.map(([, i]) => i).join(" "),
        title: mine.map(([claim]) => label(claim)).join("\n"),
      });
      pieces(mark, part);
      const ended = mine.filter(([claim]) => Math.min(claim[1], end) === to);
      if (ended.length) {
        mark.append(el("span", { class: "sign" }, [...new Set(ended.map(([c]) => sign(c[2])))].join("")));
      }
      node.append(mark);
      return undefined;
    });
    return node;
  };

  /** How many claims of each sign count: "8 ✓ 1 ~ 3 ✗". */
  const tally = (claims) => {
    const found = new Map();
    for (const claim of claims) {
      if (claim[5]) found.set(sign(claim[2]), (found.get(sign(claim[2])) || 0) + 1);
    }
    const signs = [...new Set(data.verdicts.map((verdict) => verdict.sign))];
    return signs.filter((each) => found.has(each)).map((each) => `${found.get(each)} ${each}`).join("  ");
  };

  /** Lines that can have the focus; of a list one is a stop of the Tab key, arrows lead on. */
  const lines = (list) => {
    const node = el("ul", { class: "claims" }, list.map(([words, attributes], i) =>
      el("li", { tabindex: i ? "-1" : "0", ...attributes }, words)));
    node.addEventListener("keydown", (event) => {
      const way = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      const next = way && event.target.closest("li")?.[way];
      if (!next) return;
      event.preventDefault();
      for (const each of node.children) each.tabIndex = each === next ? 0 : -1;
      next.focus();
    });
    return node;
  };

  /** What a judge says of an answer: its text with marks, its claims, what it leaves out. */
  const judgement = (answer, one, item) => {
    const name = el("b", {}, visible(data.judges[one.j]));
    const { text, cut = 0 } = answer;
    if (one.status) {
      return el("div", { class: "judgement" }, el("span", { class: "read" }, name,
        " could not judge it: ", visible(one.status.replace(/_/g, " ")),
        one.why ? [": ", visible(one.why)] : null));
    }
    const shown = text.length > SHOWN ? head(text, SHOWN).length : text.length;
    const quote = el("span", { class: "quote" }, marked(text, one.claims, shown), shown < text.length ? "…" : null);
    const rest = shown < text.length || cut
      ? el("details", {}, el("summary", {}, `Show all (${count(text.length + cut)} characters)`),
        el("div", { class: "full quote", tabindex: "0", role: "group", "aria-label": "Whole text" },
          marked(text, one.claims)))
      : null;
    const claims = one.claims.length
      ? el("details", {}, el("summary", {}, `Claims (${count(one.claims.length)})`),
        lines(one.claims.map((claim, i) => [
          [el("span", { class: `sign ${kind(claim[2])}` }, sign(claim[2])), " ", visible(claim[4]),
            el("small", {}, data.verdicts[claim[2]].label, claim[5] ? null : "; was not to be described")],
          { "data-claims": String(i) }])))
      : el("span", { class: "read" }, "claims nothing");
    const missed = one.missed.length
      ? el("details", { open: "" }, el("summary", {}, `Left out (${count(one.missed.length)})`),
        lines(one.missed.map((feature) =>
          [visible(item.features[feature][0]), { "data-feature": String(feature) }])))
      : null;
    const node = el("div", { class: "judgement" },
      el("span", { class: "read" }, name, " ", el("span", { class: "signs" }, tally(one.claims))),
      quote, rest, claims, missed);
    node.claims = one.claims;
    return node;
  };

  /** All judges of an answer side by side. */
  const cell = (answer, item) =>
    el("div", { class: "judgements" }, answer.judged.map((one) => judgement(answer, one, item)));

  const HINT = "Point at a claim or at what is left out: its place in the picture is shown here.";

  /** The picture beside judged answers, on which boxes show what a claim is about. */
  const sight = (item) => {
    const clean = item.pictures.find((p) => p.q === null && p.kind !== "difference" && p.p !== null);
    if (!clean || !item.features) return null;
    const boxes = el("div", { class: "boxes", "aria-hidden": "true" });
    const told = el("figcaption", { "aria-live": "polite" }, HINT);
    const node = el("figure", { class: "sight-of-claims" },
      el("div", { class: "boxed" }, image(clean, "The picture that was described"), boxes), told);
    node.show = (feature, words) => {
      const places = feature >= 0 ? item.features[feature][1] : [];
      boxes.replaceChildren(...places.map(([left, top, right, bottom]) => {
        const box = el("span");
        Object.assign(box.style, { left: `${left / 10}%`, top: `${top / 10}%`,
          width: `${(right - left) / 10}%`, height: `${(bottom - top) / 10}%` });
        return box;
      }));
      const where = places.length ? "" : feature >= 0 ? " No place of it is known." : " Nothing in the picture stands for it.";
      told.replaceChildren(visible(words), where);
    };
    node.clear = () => { boxes.replaceChildren(); told.replaceChildren(HINT); };
    return node;
  };

  /** Have a board show in `figure` what is pointed at or has the focus. */
  const connect = (board, figure, item) => {
    let lit = [];
    const show = (event) => {
      const found = event.target.closest?.("[data-claims], [data-feature]");
      for (const node of lit) node.classList.remove("lit");
      lit = [];
      if (!found) return figure?.clear();
      const group = found.closest(".judgement");
      if (found.dataset.feature !== undefined) {
        const feature = Number(found.dataset.feature);
        return figure?.show(feature, item.features[feature][0]);
      }
      const [first, ...more] = found.dataset.claims.split(" ").map((i) => [group.claims[Number(i)], i])
        .sort((a, b) => (a[0][1] - a[0][0]) - (b[0][1] - b[0][0]));
      for (const node of group.querySelectorAll("[data-claims]")) {
        if (node.dataset.claims.split(" ").includes(first[1])) lit.push(node);
      }
      for (const node of lit) node.classList.add("lit");
      return figure?.show(first[0][3], [first, ...more].map(([claim]) => label(claim)).join("; "));
    };
    board.addEventListener("mouseover", show);
    board.addEventListener("focusin", show);
    return board;
  };

  /** The signs, for who sees them for the first time. */
  const legend = () => el("p", { class: "read signs-told" }, [...new Map(data.verdicts.map((verdict) =>
    [verdict.sign, verdict])).values()].map((verdict) => el("span", {},
    el("span", { class: `sign of-${verdict.name}` }, verdict.sign), ` ${WORDS[verdict.sign]}`)));
  const WORDS = { "✓": "true", "~": "true, but vague", "✗": "wrong", "¬": "denied", "?": "cannot be checked" };

  /** A board of answers with the picture beside it, where any of them was judged. */
  const beside = (board, question, item) => {
    if (!question.answers.some((answer) => answer.judged?.length)) return board;
    const figure = sight(item);
    return el("div", {}, legend(),
      el("div", { class: figure ? "judging" : "" }, connect(board, figure, item), figure));
  };

  return { cell, beside };
};
