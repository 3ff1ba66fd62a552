"""The report from a reader's side: size, time to build, first paint, and how long a filter takes.

A made-up snapshot of 400 scenes in six scenarios is built and its report opened from disk in
headless Chromium; filters are timed there, and on a sample browser of 2,000 items. ``--report``
measures a report that is there instead.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from lvlmbench.stages.report.thumbnails import executable  # noqa: E402
from support.chromium import Page, browser  # type: ignore[import-not-found]  # noqa: E402

#: Items of the browser on which filters are timed.
ITEMS = 2000
#: Milliseconds of each filter's choices, as a reader makes them; layout counts, too.
FILTERS = """(() => {
  const form = document.getElementById('browser-filters');
  const out = {};
  const time = (name, act) => {
    const from = performance.now();
    act();
    document.body.offsetHeight;
    out[name] = Math.max(out[name] || 0, performance.now() - from);
  };
  const set = (key, value) => {
    form.elements[key].value = value;
    form.elements[key].dispatchEvent(new Event('input', {bubbles: true}));
  };
  for (const key of ['subtask', 'style', 'scenario', 'model', 'type', 'outcome']) {
    const values = [...form.elements[key].options].map((o) => o.value);
    time('first', () => set(key, values[values.length - 1]));  // some work is done once
    set(key, '');
    for (const value of values) time(key, () => set(key, value));
    set(key, '');
  }
  const search = (words) => {
    form.elements.q.value = words;
    form.dispatchEvent(new Event('submit', {bubbles: true, cancelable: true}));
  };
  time('first', () => search('a'));
  for (const words of ['fox', 'owl in the', 'nothing', '']) time('text', () => search(words));
  return out;
})()"""
#: First contentful paint, in milliseconds since the navigation; 0 while there is none.
PAINT = "(performance.getEntriesByName('first-contentful-paint')[0] || {startTime: 0}).startTime"
CARDS = "document.querySelectorAll('#browser-cards > *').length > 0"


@contextmanager
def _fresh() -> Iterator[Page]:
    """A tab of a browser that has never seen a page."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        browser(executable(), Path(profile)) as tab,
    ):
        yield tab


def _open(tab: Page, page: Path) -> None:
    tab.open(page)
    tab.wait(f"{PAINT} > 0")
    tab.wait(CARDS)


def paint(page: Path, runs: int = 5) -> list[float]:
    """First paints of a page, each in a fresh browser, in milliseconds."""
    found = []
    for _ in range(runs):
        with _fresh() as tab:
            _open(tab, page)
            found.append(float(tab.run(PAINT)))
    return found


def filters(page: Path) -> tuple[int, dict[str, float]]:
    """Items in a page, and the longest that each of its filters took, in milliseconds."""
    with _fresh() as tab:
        _open(tab, page)
        code = "JSON.parse(document.getElementById('browser-data').textContent).items.length"
        return int(tab.run(code)), {k: float(v) for k, v in tab.run(FILTERS).items()}


def _report(root: Path, scenes: int) -> Path:
    """A report of the made-up snapshot with so many scenes drawn, written as the pipeline does."""
    from support.report_pages import make  # type: ignore[import-not-found]
    from support.report_snapshot import build, noisy_params  # type: ignore[import-not-found]

    p = noisy_params(
        corpus={"scenes_per_subtask": scenes // 16},  # of 20 subtasks 4 are not drawn
        render={"size": 512},
        report={},
    )
    build(root, p, shard=200)
    make(root)
    return root / "results" / "report.html"


def _build_again(root: Path) -> tuple[float, float]:
    """Seconds and peak of memory (MiB) of the script that writes the report."""
    from support.report_pages import run

    begin = time.perf_counter()
    done = run(root, "--out", "results/again.html")
    seconds = time.perf_counter() - begin
    if done.returncode:
        raise SystemExit(done.stderr)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return seconds, peak


def _measured(page: Path, many: Path) -> dict[str, Any]:
    paints = paint(page)
    own, here = filters(page)
    items, found = filters(many)
    first = found.pop("first")
    here.pop("first")
    for name, value in found.items():
        print(f"filter {name}: {value:.0f} ms at {items:,} items, {here[name]:.0f} ms at {own:,}")
    print(f"first use of a filter: {first:.0f} ms at {items:,} items")
    print(f"first paint: {', '.join(f'{p:.0f}' for p in paints)} ms")
    return {
        "mb": round(page.stat().st_size / 1e6, 2),
        "first_paint_ms": round(statistics.median(paints)),
        "filter_ms": round(max(found.values())),
        "first_filter_ms": round(first),
        "items": items,
        "report_filter_ms": round(max(here.values())),
        "report_items": own,
    }


def main() -> None:
    """Build, open and measure; print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=400, help="scenes with an image")
    parser.add_argument("--report", type=Path, help="measure this report instead")
    args = parser.parse_args()
    from support import browser_data  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        many = browser_data.page(root / "many.html", browser_data.browser(ITEMS))
        if args.report is not None:
            result = _measured(args.report, many)
        else:
            page = _report(root, args.scenes)
            seconds, peak = _build_again(root)
            built = {"build_s": round(seconds, 1), "peak_mib": round(peak)}
            result = _measured(page, many) | built
    print(json.dumps({"benchmark": "report", **result}))


if __name__ == "__main__":
    main()
