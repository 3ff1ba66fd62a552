"""What a model says where it sees what."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis.saying import said_with


def test_claims_are_counted_by_what_is_shown() -> None:
    shown = [("s1", "cup"), ("s1", "cat"), ("s2", "cup"), ("s3", "dog")]
    truth = [
        {"scene_id": scene, "kind": "object", "subject": thing, "source": "layout"}
        for scene, thing in shown
    ]
    truth.append({"scene_id": "s1", "kind": "object", "subject": "sky", "source": "listed"})
    truth.append({"scene_id": "s1", "kind": "attribute", "subject": "cup", "source": "graph"})
    judgements = [
        {"question_id": f"q{n}", "image_id": "i", "scene_id": f"s{n}", "status": status}
        for n, status in ((1, "judged"), (2, "judged"), (3, "unjudged"))
    ]
    said = [("q1", "cup"), ("q1", "spoon"), ("q1", "spoon"), ("q2", "spoon"), ("q3", "bone")]
    claims = [
        {"question_id": q, "image_id": "i", "kind": "object", "subject": word, "negated": False}
        for q, word in said
    ]
    claims.append(claims[0] | {"subject": "dog", "negated": True})
    claims.append(claims[0] | {"subject": "red", "kind": "attribute"})
    tables = (pa.Table.from_pylist(rows) for rows in (judgements, claims, truth))
    assert [tuple(row.values()) for row in said_with(*tables)] == [
        ("cat", 1, "object", "cup", 1),
        ("cat", 1, "object", "spoon", 1),
        ("cup", 2, "object", "spoon", 2),
    ]
