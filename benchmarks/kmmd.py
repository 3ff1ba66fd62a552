"""How long the distance of two sets of images takes, and how much memory, without the encoder.

Two sets of unit vectors are drawn, one a little shifted, and held against each other as the rule
``distances`` does it. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import numpy as np

from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stages.distances.kmmd import kmmd


@main_guard
def main() -> None:
    """Measure one pair of sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=3000, help="of each set")
    parser.add_argument("--dimensions", type=int, default=512)
    parser.add_argument("--permutations", type=int, default=999)
    args = parser.parse_args()

    sets = []
    for number in range(2):
        random = generator(0, "benchmark/kmmd", str(number))
        points = random.standard_normal((args.images, args.dimensions))
        points[:, 0] += number
        sets.append(points / np.linalg.norm(points, axis=1, keepdims=True))
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start, cpu = time.perf_counter(), time.process_time()
    found = kmmd(sets[0], sets[1], generator(0, "benchmark/kmmd", "null"), args.permutations)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"KMMD^2 {found.mmd2:.6f}, p {found.p:.3f}: {seconds:.1f} s, {cpu:.1f} s of CPU")
    print(
        json.dumps(
            {
                "benchmark": "kmmd",
                "images": args.images,
                "dimensions": args.dimensions,
                "permutations": args.permutations,
                "seconds": round(seconds, 2),
                "cpu_seconds": round(cpu, 2),
                "pairs_per_s": round(1 / seconds, 4),
                "base_mib": round(base, 1),
                "peak_mib": round(peak, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
