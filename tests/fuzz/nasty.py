"""Pieces of text and of YAML that programs stumble over."""

# Data in dense lines, some of it meant to look like something else.
# ruff: noqa: E501, RUF001

from __future__ import annotations

from fuzz.case import Rng

#: Texts: controls, escapes, directions, look-alikes, formulas, paths, lengths.
TEXTS = (
    "", " ", "\t", "\n", "a\nb", "a\r\nb", "\x00", "a\x00b", "\x1b[31mred\x1b[0m", "\x1b]0;own\x07",
    "\x07", "\x7f", "\x85", "\u2028", "\u202egnp.exe", "\u200b", "\ufeff", "\ufffe", "е", "ＡＢＣ", "ǆ",
    "e\u0301", "\U0001f98a", "\U0010ffff", "=1+1", "+1", "-1", "@SUM(1)", "=cmd|' /C calc'!A0",
    "../../etc/passwd", "/etc/passwd", "/dev/zero", "/", ".", "..", "~", "a/b", "a\\b", "C:\\x",
    "$HOME", "$(id)", "`id`", "; rm -rf x", "&& x", "| x", "${render.size}", "${", "{", "}", "{}",
    "{0}", "{subject}", "{noun}", "{a.__class__}", "%s", "%n", "<script>", "'", '"', "''", "\\",
    "null", "true", "no", "NaN", "1e999", "0x10", "1_000", "None", "nan", "-0", "a" * 64, "a" * 300,
    "a" * 5000, "é" * 200, "name with blanks", "UPPER", "-x", "--config", ".hidden", "con", "*", "?",
    "[a-z]", "#", "!", "&a", "*a", "%", "@", "a: b", "- a", "a #b", "http://[", "http://x:99999",
    "https://", "file:///etc/passwd", "https://u:p@h/v1", "\u0130", "ß", "clean", "all", "chance",
)  # fmt: skip

#: Values as YAML writes them: of wrong types, out of range, of no use, or traps for its reader.
YAML = (
    "null", "~", "", "true", "false", "yes", "no", "on", "0", "1", "-1", "2", "3", "-0", "0.5", "-0.5",
    "1.5", "0.1", "100", "1000000", "1000001", "2147483648", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "1" + "0" * 30, "9" * 4000, "9" * 5000,
    "-" + "9" * 6000, "0x" + "f" * 6000, "1e308", "1e309", "-1e309", "1e-400", ".nan", ".inf", "-.inf",
    "1:99:99", "0o17", "0b101", "0x1F", "1_000", "2026-11-22", "2026-99-99", "2026-11-22T25:61:61Z",
    "2026-11-22 10:00:00 +99:99", "[]", "{}", "[null]", "[[]]", "[{}]", "[1]", "[1, 1]", "[a, a]",
    "[true]", "{a: 1}", "{a: [1]}", "{1: 2}", "{null: 1}", "{true: 1}", "{[1]: 2}", "{{a: 1}: 2}",
    "{2026-11-22: 1}", "{.nan: 1}", '"\\0"', '"\\e[31m"', '"\\u202e"', '"\\ud800"', '"\\ud83d\\ude00"',
    '"\\U00110000"', "!!python/object/apply:os.system [id]", "!!python/name:os.system",
    "!!python/tuple [1]", "!!python/object:x.Y {}", "!!binary aGk=", "!!binary '%%%'", "!!binary é",
    "!!int ''", "!!int abc", "!!float abc", "!!float ''", "!!bool maybe", "!!null x", "!!timestamp x",
    "!!set {a, b}", "!!omap [a: 1]", "!!omap 1", "!!pairs [a: 1]", "!!str 5", "!!seq {}", "!!map []",
    "!!set []", "!unknown x", "!<tag:x> y", "! x", "*nowhere", "&x [*x]", "&x {a: *x}", "&x {*x : 1}",
    "{<<: 3}", "{<<: [1]}", "{<<: {name: x}}", "{a: 1, a: 2}", "|\n  text", ">\n  text", "'", '"', "[",
    "]", "{", "}", "@x", "`x`", "%x", "- x", "x: y", "? x", "[1, 2", "{a: 1", "'a", "=", "<<",
)  # fmt: skip


def bomb(rng: Rng) -> str:
    """A list that aliases make a billion times as long; as a flow value."""
    wide, deep = rng.choice([(10, 9), (2, 30), (100, 5)])
    lines = ["[&b0 [x, x]"]
    for level in range(1, deep):
        lines.append(f", &b{level} [{', '.join([f'*b{level - 1}'] * wide)}]")
    return "".join(lines) + "]"


def deep(rng: Rng) -> str:
    """Lists or mappings in each other, deep."""
    n = rng.choice([30, 500, 3000, 100_000])
    if rng.random() < 0.5:
        return "[" * n + "]" * n
    return "{a: " * n + "1" + "}" * n


def value(rng: Rng) -> str:
    """A value as YAML writes it."""
    chosen = rng.random()
    if chosen < 0.03:
        return bomb(rng)
    if chosen < 0.06:
        return deep(rng)
    if chosen < 0.45:
        return quoted(rng.choice(TEXTS))
    return rng.choice(YAML)


def quoted(text: str) -> str:
    """A text in double quotes, for YAML; what is not printable is escaped."""
    out = []
    for character in text:
        code = ord(character)
        if character in '"\\':
            out.append(f"\\{character}")
        elif 32 <= code < 127:
            out.append(character)
        else:
            out.append(f"\\U{code:08x}")
    return f'"{"".join(out)}"'


def bytes_(rng: Rng, raw: bytes) -> tuple[str, bytes]:
    """What was done, and the bytes after it: damage that knows nothing of the format."""
    ways = {
        "empty": lambda: b"",
        "random bytes": lambda: rng.randbytes(rng.choice([1, 40, 3000])),
        "cut off": lambda: raw[: rng.randrange(1, max(2, len(raw)))],
        "bytes flipped": lambda: _flipped(rng, raw, rng.choice([1, 2, 8, 64])),
        "bytes removed": lambda: _spliced(rng, raw, b""),
        "bytes put in": lambda: _spliced(rng, raw, rng.randbytes(rng.choice([1, 4, 200])), 0),
        "zeros": lambda: _spliced(rng, raw, b"\0" * rng.choice([1, 64, 4096])),
        "not UTF-8": lambda: _spliced(rng, raw, rng.choice([b"\xff", b"\xc3", b"\xed\xa0\x80"]), 0),
        "UTF-16": lambda: raw.decode("utf-8", "replace").encode("utf-16"),
        "UTF-32": lambda: raw.decode("utf-8", "replace").encode("utf-32"),
        "byte order mark": lambda: b"\xef\xbb\xbf" + raw,
        "twice": lambda: raw + raw,
        "tabs": lambda: raw.replace(b"  ", b"\t"),
        "line ends of Windows": lambda: raw.replace(b"\n", b"\r\n"),
        "line ends of old Macs": lambda: raw.replace(b"\n", b"\r"),
        "control characters": lambda: _spliced(rng, raw, rng.choice([b"\x1b[2J", b"\x07"]), 0),
        "a line removed": lambda: _without_line(rng, raw),
        "a line moved": lambda: _moved_line(rng, raw),
        "a line twice": lambda: _moved_line(rng, raw, keep=True),
        "indented anew": lambda: _indented(rng, raw),
    }
    way = rng.choice(sorted(ways))
    return way, ways[way]()


def _flipped(rng: Rng, raw: bytes, count: int) -> bytes:
    out = bytearray(raw or b"x")
    for _ in range(count):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _spliced(rng: Rng, raw: bytes, put: bytes, most: int = 200) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + put + raw[at + (rng.randrange(1, most) if most else 0) :]


def _without_line(rng: Rng, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _moved_line(rng: Rng, raw: bytes, keep: bool = False) -> bytes:
    lines = raw.split(b"\n")
    line = lines[rng.randrange(len(lines))]
    if not keep:
        lines.remove(line)
    lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _indented(rng: Rng, raw: bytes) -> bytes:
    lines = raw.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = rng.choice([b" ", b"\t", b"    "]) + lines[at]
    return b"\n".join(lines)
