"use strict";
/* What the sample browser knows: its data as columns, which answers fit the filters, and what a
   link says. Nothing here touches the page. */
const browserIndex = (() => {
  const FACETS = ["subtask", "style", "scenario", "model", "type", "outcome"];
  const LISTS = {
    subtask: "subtasks", style: "styles", scenario: "scenarios",
    model: "models", type: "types", outcome: "outcomes",
  };
  const PAGE_SIZE = 24;
  /** Words of a search that are looked for; each takes one bit of a mask. */
  const WORDS = 8;

  const folded = (text) => text.normalize("NFKC").toLowerCase();
  /** A name within a link; half a surrogate pair has no place in one. */
  const escaped = (name) => encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\ufffd"));
  const everything = () => Object.fromEntries([...FACETS.map((key) => [key, -1]), ["q", ""]]);

  /** Answers, questions and items as flat columns: a filter is one pass over numbers. */
  const columns = (data) => {
    const questions = data.items.flatMap((item) => item.questions);
    const answers = questions.flatMap((question) => question.answers);
    const starts = (lists) => {
      const out = new Uint32Array(lists.length + 1);
      lists.forEach((list, i) => { out[i + 1] = out[i] + list.length; });
      return out;
    };
    return {
      questionOf: starts(data.items.map((item) => item.questions)),
      answerOf: starts(questions.map((question) => question.answers)),
      style: Uint16Array.from(data.items, (item) => item.style),
      subtask: Uint16Array.from(questions, (question) => question.subtask),
      type: Uint16Array.from(questions, (question) => question.type),
      dropped: Uint8Array.from(questions, (question) => (question.dropped ? 1 : 0)),
      model: Uint16Array.from(answers, (answer) => answer.m),
      scenario: Uint16Array.from(answers, (answer) => answer.s),
      outcome: Uint16Array.from(answers, (answer) => answer.o),
      questions,
      answers,
    };
  };

  /** Texts to search in, equal answers once: most models say the same few things. */
  const texts = (data, cols) => {
    const ids = new Map();
    const unique = [];
    const answers = Uint32Array.from(cols.answers, ({ text }) => {
      let id = ids.get(text);
      if (id === undefined) {
        id = unique.push(folded(text)) - 1;
        ids.set(text, id);
      }
      return id;
    });
    const joined = (parts) => folded(parts.filter(Boolean).join("\n"));
    return {
      unique,
      answers,
      questions: cols.questions.map((q) => joined([q.text, ...q.options])),
      items: data.items.map((item) => joined([
        item.id, item.prompt, item.caption, item.tag, ...item.facts.map((fact) => fact[1]),
        ...item.pictures.map((picture) => picture.printed),
      ])),
    };
  };

  const masks = (found, words) => Uint8Array.from(found, (text) => {
    let mask = 0;
    for (let k = 0; k < words.length; k += 1) if (text.includes(words[k])) mask |= 1 << k;
    return mask;
  });

  const build = (data) => {
    const cols = columns(data);
    const names = {};
    for (const key of FACETS) {
      names[key] = new Map(data[LISTS[key]].map((entry, i) => [entry.name, i]));
    }
    const scenes = new Map(data.items.map((item, i) => [item.id, i]));
    const droppedOutcome = names.outcome.get("dropped") ?? -2;
    let searched = null;
    let latest = { query: "", found: null };

    /** Make ready for searches; the first one would do so itself, but a little later. */
    const warm = () => { searched = searched || texts(data, cols); };
    const wordMasks = (query) => {
      if (query !== latest.query) latest = { query, found: look(query) };
      return latest.found;
    };
    const look = (query) => {
      const words = folded(query).split(/\s+/).filter(Boolean).slice(0, WORDS);
      if (!words.length) return null;
      warm();
      const unique = masks(searched.unique, words);
      return {
        full: (1 << words.length) - 1,
        items: masks(searched.items, words),
        questions: masks(searched.questions, words),
        answers: (a) => unique[searched.answers[a]],
      };
    };

    /** Whether one answer fits what is asked of answers; `q` is its question, `base` the words
        of the search that its item and question hold. */
    const answerFits = (want, found, q, a, base) =>
      (want.scenario < 0 || cols.scenario[a] === want.scenario) &&
      (want.model < 0 || cols.model[a] === want.model) &&
      outcomeFits(want, q, a) &&
      (!found || (base | found.answers(a)) === found.full);
    const outcomeFits = (want, q, a) =>
      want.outcome < 0 ||
      (want.outcome === droppedOutcome ? cols.dropped[q] === 1 : cols.outcome[a] === want.outcome);

    /** Items with at least one answer that fits everything at once, how many answers do, and for
        each value of each filter how many items would fit were it chosen instead. */
    const match = (want) => {
      const found = wordMasks(want.q);
      const counts = {};
      const last = {};
      for (const key of FACETS) {
        counts[key] = new Uint32Array(data[LISTS[key]].length);
        last[key] = new Uint32Array(data[LISTS[key]].length);
      }
      const items = [];
      let answers = 0;
      const count = (key, value, stamp) => {
        if (last[key][value] !== stamp) {
          last[key][value] = stamp;
          counts[key][value] += 1;
        }
      };
      for (let i = 0; i < data.items.length; i += 1) {
        const stamp = i + 1;
        const badStyle = want.style >= 0 && cols.style[i] !== want.style;
        let fits = false;
        for (let q = cols.questionOf[i]; q < cols.questionOf[i + 1]; q += 1) {
          const badSubtask = want.subtask >= 0 && cols.subtask[q] !== want.subtask;
          const badType = want.type >= 0 && cols.type[q] !== want.type;
          const bad = badStyle + badSubtask + badType;
          if (bad > 1) continue;
          const base = found ? found.items[i] | found.questions[q] : 0;
          for (let a = cols.answerOf[q]; a < cols.answerOf[q + 1]; a += 1) {
            if (found && (base | found.answers(a)) !== found.full) continue;
            const badScenario = want.scenario >= 0 && cols.scenario[a] !== want.scenario;
            const badModel = want.model >= 0 && cols.model[a] !== want.model;
            const badOutcome = !outcomeFits(want, q, a);
            const misses = bad + badScenario + badModel + badOutcome;
            if (misses > 1) continue;
            const all = misses === 0;
            if (all || badStyle) count("style", cols.style[i], stamp);
            if (all || badSubtask) count("subtask", cols.subtask[q], stamp);
            if (all || badType) count("type", cols.type[q], stamp);
            if (all || badScenario) count("scenario", cols.scenario[a], stamp);
            if (all || badModel) count("model", cols.model[a], stamp);
            if (all || badOutcome) {
              count("outcome", cols.outcome[a], stamp);
              if (cols.dropped[q] && droppedOutcome >= 0) count("outcome", droppedOutcome, stamp);
            }
            if (all) {
              fits = true;
              answers += 1;
            }
          }
        }
        if (fits) items.push(i);
      }
      return { items, answers, counts };
    };

    /** For each question of an item, which of its answers fit. */
    const within = (i, want) => {
      const found = wordMasks(want.q);
      const out = [];
      for (let q = cols.questionOf[i]; q < cols.questionOf[i + 1]; q += 1) {
        const asks =
          (want.style < 0 || cols.style[i] === want.style) &&
          (want.subtask < 0 || cols.subtask[q] === want.subtask) &&
          (want.type < 0 || cols.type[q] === want.type);
        const base = found ? found.items[i] | found.questions[q] : 0;
        const hits = [];
        for (let a = cols.answerOf[q]; a < cols.answerOf[q + 1]; a += 1) {
          hits.push(asks && answerFits(want, found, q, a, base));
        }
        out.push(hits);
      }
      return out;
    };

    const filtersIn = (text, unknown) => {
      const want = everything();
      let page = 1;
      const seen = new Set();
      for (const [key, value] of new URLSearchParams(text)) {
        const place = FACETS.includes(key) ? names[key].get(value) : undefined;
        if (seen.has(key)) unknown.push(`${key}=${value}`);
        else if (place !== undefined) want[key] = place;
        else if (key === "q") want.q = value;
        else if (key === "page" && /^[1-9][0-9]{0,5}$/.test(value)) page = Number(value);
        else unknown.push(`${key}=${value}`);
        seen.add(key);
      }
      return { want, page };
    };

    /** What a link asks for: null where it is about another part of the page. */
    const parse = (hash) => {
      const unknown = [];
      if (hash === "" || hash === "#" || hash === "#browser") {
        return { item: -1, want: everything(), page: 1, unknown };
      }
      if (hash.startsWith("#browse:")) {
        return { item: -1, ...filtersIn(hash.slice(8), unknown), unknown };
      }
      if (!hash.startsWith("#item:")) return null;
      const [name, filters] = hash.slice(6).split(/\?(.*)/s);
      let id = name;
      try {
        id = decodeURIComponent(name);
      } catch { /* a broken escape: no scene is called so, and the note says it */ }
      const item = scenes.get(id) ?? -1;
      if (item < 0) unknown.push(`item ${id}`);
      return { item, ...filtersIn(filters || "", unknown), unknown };
    };

    const query = (want, page) => {
      const out = new URLSearchParams();
      for (const key of FACETS) {
        if (want[key] >= 0) out.set(key, data[LISTS[key]][want[key]].name);
      }
      if (want.q) out.set("q", want.q);
      if (page > 1) out.set("page", String(page));
      return out.toString();
    };
    /** Never the name of an element: on the way back to one, browsers scroll and focus there. */
    const listLink = (want, page) => `#browse:${query(want, page)}`;
    const itemLink = (i, want) => {
      const text = query(want, 1);
      return `#item:${escaped(data.items[i].id)}${text ? `?${text}` : ""}`;
    };

    return { match, within, warm, parse, listLink, itemLink };
  };

  const narrowed = (want) => want.q !== "" || FACETS.some((key) => want[key] >= 0);
  return { FACETS, LISTS, PAGE_SIZE, build, everything, narrowed };
})();
