"""Settings under which one processor computes as others do, and what differs between two runs.

Libraries choose their kernels by what the processor can do. Each has a switch of its own that
hides some of it. :data:`SETTINGS` turns all of these switches together.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

_AVX512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
_AVX2 = f"{_AVX512} AVX2 FMA3"
_NO_AVX512 = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD"
_OPENCV_AVX512 = "AVX512-SKX,AVX512F"

#: Name of a setting -> environment variables, the first one none. "compatible" is AVX2 with those
#: kernels of MKL that it has for processors of others.
SETTINGS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "as-it-is": {},
        "avx2": {
            "NPY_DISABLE_CPU_FEATURES": _AVX512,
            "ATEN_CPU_CAPABILITY": "avx2",
            "ONEDNN_MAX_CPU_ISA": "AVX2",
            "MKL_ENABLE_INSTRUCTIONS": "AVX2",
            "MKL_CBWR": "AVX2",
            "OPENBLAS_CORETYPE": "Haswell",
            "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={_NO_AVX512}",
            "OPENCV_CPU_DISABLE": _OPENCV_AVX512,
            "OPENCV_IPP": "avx2",
            "ARROW_USER_SIMD_LEVEL": "AVX2",
        },
        "sse": {
            "NPY_DISABLE_CPU_FEATURES": f"{_AVX2} F16C AVX SSE42 POPCNT SSE41 SSSE3",
            "ATEN_CPU_CAPABILITY": "default",
            "ONEDNN_MAX_CPU_ISA": "SSE41",
            "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
            "MKL_CBWR": "COMPATIBLE",
            "OPENBLAS_CORETYPE": "Prescott",
            "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={_NO_AVX512},-AVX2,-AVX,-FMA,-FMA4,-ERMS,-FSRM",
            "OPENCV_CPU_DISABLE": f"{_OPENCV_AVX512},AVX2,FMA3,AVX,FP16,SSE4.2,SSE4.1,SSSE3",
            "OPENCV_IPP": "disabled",
            "JSIMD_FORCENONE": "1",
            "ARROW_USER_SIMD_LEVEL": "NONE",
        },
        "avx512": {
            "ATEN_CPU_CAPABILITY": "avx512",
            "MKL_CBWR": "AVX512,STRICT",
            "OPENBLAS_CORETYPE": "SkylakeX",
            "OPENCV_IPP": "avx512",
            "ARROW_USER_SIMD_LEVEL": "AVX512",
        },
    }
)

#: Name of a setting -> what the processor must have for it, in the words of NumPy.
_NEEDS: Mapping[str, str] = MappingProxyType({"avx2": "AVX2", "avx512": "AVX512_SKX"})

#: Files that say when and where something was made, and are not hashed either.
_NOT_HASHED = ("provenance.json", "run.html")

_EVIDENCE = """
import hashlib, json
import numpy as np, pyarrow as pa, cv2, torch, math
from numpy._core._multiarray_umath import __cpu_features__ as found
torch.set_num_threads(1)
rng = np.random.default_rng(0)
a = rng.standard_normal((96, 96)); t = torch.from_numpy(a)
def of(x): return hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()[:8]
print(json.dumps({
    "numpy": [k for k in ("SSE3", "SSE42", "AVX2", "AVX512_ICL") if found[k]][-1],
    "torch": torch.backends.cpu.get_cpu_capability(),
    "arrow": pa.runtime_info().simd_level,
    "opencv": cv2.getCPUFeaturesLine(),
    "numpy_sum": of(np.float32(a).sum(axis=1)),
    "numpy_dot": of(a @ a),
    "torch_dot": of((t @ t).numpy()),
    "torch_dot32": of((t.float() @ t.float()).numpy()),
    "torch_exp": of(t.exp().numpy()),
    "libm": of(np.array([math.exp(x) for x in a.ravel()] + [math.sin(x) for x in a.ravel()])),
}))
"""


def environment(setting: str) -> dict[str, str]:
    """The environment of a process under a setting; one thread a process."""
    switches = {name for each in SETTINGS.values() for name in each}
    kept = {name: value for name, value in os.environ.items() if name not in switches}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**kept, **threads, **SETTINGS[setting]}


def possible() -> tuple[str, ...]:
    """Names of the settings that this processor has the instructions for, in their order."""
    has = import_module("numpy._core._multiarray_umath").__cpu_features__
    return tuple(name for name in SETTINGS if name not in _NEEDS or has[_NEEDS[name]])


def evidence(setting: str) -> dict[str, Any]:
    """What libraries say of the processor under a setting, and hashes of what they compute."""
    said = subprocess.run(
        [sys.executable, "-c", _EVIDENCE],
        env=environment(setting),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def artifacts(folder: Path) -> dict[str, Path]:
    """What a run has made and hashed: path below the project -> file."""
    files = sorted(f for top in ("data", "results") for f in (folder / top).rglob("*"))
    return {
        f.relative_to(folder).as_posix(): f
        for f in files
        if f.is_file() and f.name not in _NOT_HASHED
    }


def differing(one: Path, two: Path) -> Iterator[tuple[str, str]]:
    """Each file that two runs do not have alike, and how large the difference is."""
    first, second = artifacts(one), artifacts(two)
    for name in sorted({*first, *second}):
        if name not in first or name not in second:
            yield name, f"is only in the {'first' if name in first else 'second'}"
            continue
        a, b = first[name].read_bytes(), second[name].read_bytes()
        if a != b:
            yield name, _size(name, a, b)


def _size(name: str, a: bytes, b: bytes) -> str:
    if name.endswith(".parquet"):
        return _of_tables(a, b) or "equal rows in other bytes"
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} bytes"
    apart = np.flatnonzero(np.frombuffer(a, np.uint8) != np.frombuffer(b, np.uint8))
    at = int(apart[0])
    some = (repr(each[max(0, at - 20) : at + 20]) for each in (a, b))
    return f"{len(apart)} of {len(a)} bytes, from byte {at}: {' and '.join(some)}"


def _of_tables(a: bytes, b: bytes) -> str:
    import pyarrow.parquet as pq

    one, two = (pq.read_table(io.BytesIO(each)) for each in (a, b))
    if one.num_rows != two.num_rows or one.column_names != two.column_names:
        return f"{one.num_rows} and {two.num_rows} rows, or other columns"
    found = []
    for column in one.column_names:
        pairs = zip(one[column].to_pylist(), two[column].to_pylist(), strict=True)
        other = [pair for pair in pairs if pair[0] != pair[1]]
        if other:
            found.append(f"{column}: {len(other)} of {one.num_rows} rows{_largest(other)}")
    return "; ".join(found)


def _largest(pairs: list[tuple[Any, Any]]) -> str:
    """How far the pairs are apart at most."""
    if all(isinstance(value, float) for pair in pairs for value in pair):
        return f", by {max(abs(a - b) for a, b in pairs):.3g} at most"
    if all(isinstance(value, dict) and "bytes" in value for pair in pairs for value in pair):
        return _pixels(pairs)
    return f", the first {pairs[0][0]!r:.160} and {pairs[0][1]!r:.160}"


def _pixels(pairs: list[tuple[Any, Any]]) -> str:
    from PIL import Image

    most, share = 0, 0.0
    for pair in pairs:
        one, two = (
            np.asarray(Image.open(io.BytesIO(each["bytes"])).convert("RGB"), np.int16)
            for each in pair
        )
        if one.shape != two.shape:
            return ", images of other sizes"
        apart = np.abs(one - two)
        most, share = max(most, int(apart.max())), max(share, float((apart > 0).mean()))
    return f", by {most} of 255 at most, in {100 * share:.3g} % of an image's values at most"
