"""How often the intervals of rank correlations hold the truth, by simulated rankings.

Models are drawn from a population in which two benchmarks go together: a bivariate normal
distribution, one with heavy tails (Student's t of 3 degrees of freedom), and one whose better half
is the same on both while they agree on nothing in the lower half. The true coefficients come from a
sample of a million. Beside the intervals that the stage ``validity`` writes stand those of the
percentile bootstrap over models. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stages.validity.ranks import RHO, Normal, spearman

F64 = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], F64]
CORRELATIONS = (0.0, 0.5, 0.9)
_LARGE = 1_000_000


def normal(r: float, random: np.random.Generator, n: int) -> F64:
    """Pairs from a bivariate normal distribution, as (2, n)."""
    x, noise = random.standard_normal((2, n))
    return np.stack([x, r * x + math.sqrt(1 - r * r) * noise])


def heavy(r: float, random: np.random.Generator, n: int) -> F64:
    """Pairs from a bivariate t distribution with 3 degrees of freedom."""
    pairs: F64 = normal(r, random, n) / np.sqrt(random.chisquare(3, n) / 3)
    return pairs


def halves(r: float, random: np.random.Generator, n: int) -> F64:
    """Pairs whose better halves are the same; inside of the lower one nothing goes together."""
    pairs = normal(r, random, n)
    low = pairs[0] < 0
    pairs[1, low] = -np.abs(random.standard_normal(int(low.sum())))
    pairs[1, ~low] = np.abs(pairs[1, ~low])
    return pairs


def bootstrap(pairs: F64, random: np.random.Generator, samples: int) -> tuple[float, float]:
    """The percentile interval over resampled models; those without a coefficient are left out."""
    n = pairs.shape[1]
    drawn = random.integers(0, n, (samples, n))
    found = np.array([spearman(pairs[0, rows], pairs[1, rows]) for rows in drawn])
    found = found[np.isfinite(found)]
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def truth(draw: Draw, name: str) -> float:
    """Spearman's rho of the population."""
    x, y = draw(generator(0, "benchmark/truth", name), _LARGE)
    return float(spearman(x, y))


@main_guard
def main() -> None:
    """Simulate rankings and print a line for each population and number of models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, nargs="+", default=[4, 8, 26])
    parser.add_argument("--rankings", type=int, default=100, help="simulated ones of each kind")
    parser.add_argument("--samples", type=int, default=999)
    args = parser.parse_args()

    start = time.perf_counter()
    worst = {"interval": 100.0, "bootstrap": 100.0}
    made = 0
    for n in args.models:
        sampler = Normal(n, args.samples, generator(0, "benchmark/normal", str(n)))
        known: dict[float, tuple[float, float]] = {}
        for kind in (normal, heavy, halves):
            for r in CORRELATIONS:
                name = f"{kind.__name__} {r}"

                def draw(random: np.random.Generator, size: int, kind=kind, r=r) -> F64:  # type: ignore[no-untyped-def]
                    return kind(r, random, size)  # type: ignore[no-any-return]

                true = truth(draw, name)
                held, widths = {"interval": 0, "bootstrap": 0}, {"interval": 0.0, "bootstrap": 0.0}
                for number in range(args.rankings):
                    random = generator(0, f"benchmark/rankings/{n}/{name}", str(number))
                    pairs = draw(random, n)
                    seen = round(float(spearman(pairs[0], pairs[1])), 9)
                    if seen not in known:
                        known[seen] = sampler.interval(RHO, seen)
                    ends = {
                        "interval": known[seen],
                        "bootstrap": bootstrap(pairs, random, 199),
                    }
                    for method, (low, high) in ends.items():
                        held[method] += low - 1e-9 <= true <= high + 1e-9
                        widths[method] += high - low
                made += args.rankings
                shares = {m: 100 * count / args.rankings for m, count in held.items()}
                worst = {m: min(worst[m], share) for m, share in shares.items()}
                told = "  ".join(
                    f"{m} {shares[m]:5.1f} % of width {widths[m] / args.rankings:.2f}" for m in held
                )
                print(f"{n:3d} models, {name:12s} rho {true:6.3f}: {told}", flush=True)
    seconds = time.perf_counter() - start
    print(
        json.dumps(
            {
                "benchmark": "correlations",
                "rankings_per_s": round(made / seconds, 2),
                "worst_coverage_percent": round(worst["interval"], 1),
                "worst_bootstrap_percent": round(worst["bootstrap"], 1),
            }
        )
    )


if __name__ == "__main__":
    main()
