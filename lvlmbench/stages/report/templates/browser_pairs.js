"use strict";
/* Answers beside references in the sample browser. Data: data.judges, data.tie; question.turns
   [[what was asked before, what was answered]], question.reference, question.described;
   answer.pairs [{j: judge, scores: [answer first, reference second, answer second, reference
   first], reasons: [first order, second order]}], or {j, status, why} where the pair has no score.
   All text is untrusted and only ever becomes text nodes. */
const browserPairs = ({ data, el, visible, excerpt }) => {
  /** Characters of reasons seen at once. */
  const SHOWN = 240;
  const points = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

  /** Who is better over both orders, in words. */
  const verdict = ([first, after, second, before]) => {
    const margin = (first - after + second - before) / 2;
    if (Math.abs(margin) < data.tie) return "tied with the reference";
    return margin > 0 ? "better than the reference" : "worse than the reference";
  };

  /** An order: where the answer stood, both scores, and why. */
  const round = (place, mine, theirs, reasons) => el("div", { class: "told-round" },
    el("span", { class: "read" }, `Shown ${place}: `, mine === null
      ? "not counted"
      : [el("b", {}, points(mine)), " · reference ", el("b", {}, points(theirs))]),
    reasons ? excerpt(reasons, SHOWN) : null);

  const one = (pair) => {
    const name = el("b", {}, visible(data.judges[pair.j]));
    const [given = "", swapped = ""] = pair.reasons || [];
    if (!pair.scores) {
      const reasons = [given, swapped].map((text, i) =>
        text ? round(i ? "second" : "first", null, null, text) : null);
      return el("div", { class: "told-pair" }, el("span", { class: "read" }, name, " gives no score: ",
        visible(pair.status.replace(/_/g, " ")), pair.why ? [": ", visible(pair.why)] : null), reasons);
    }
    const [first, after, second, before] = pair.scores;
    return el("div", { class: "told-pair" },
      el("span", { class: "read" }, name, ": ",
        el("b", {}, points((first + second) / 2)), ` against ${points((after + before) / 2)}, `,
        verdict(pair.scores)),
      round("first", first, after, given), round("second", second, before, swapped));
  };

  /** What all judges say of an answer beside its reference. */
  const cell = (answer) => answer.pairs
    ? el("div", { class: "told-pairs" }, answer.pairs.map(one))
    : null;

  /** What was said before a question, who said what. */
  const before = (question) => question.turns
    ? el("div", { class: "turns", role: "group", "aria-label": "Said before" },
      question.turns.map(([asked, answered]) => [
        el("p", { class: "turn asked" }, el("b", {}, "Asked before "), visible(asked)),
        el("p", { class: "turn answered" }, el("b", {}, "Answer given "), visible(answered))]))
    : null;

  /** What answers are held against. */
  const against = (question) => question.reference
    ? el("div", { class: "scene-text reference" }, el("b", {}, "Reference "),
      excerpt(question.reference),
      question.described
        ? el("details", {}, el("summary", {}, "What judges are told of the picture"),
          el("span", { class: "quote" }, visible(question.described)))
        : null)
    : null;

  return { cell, before, against };
};
