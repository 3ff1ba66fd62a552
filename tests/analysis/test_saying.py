"""What a model says where it sees what."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis.saying import said_with


def test_claims_are_counted_by_what_is_shown() -> None:
    shown = [
        ("s1", "cup", "layout"), ("s1", "cat", "layout"), ("s1", "sky", "listed"),
        ("s2", "cup", "layout"), ("s3", "dog", "layout"),
    ]  # fmt: skip
    truth = [
        {"scene_id": scene, "feature": thing, "kind": "object", "subject": thing, "source": source}
        for scene, thing, source in shown
    ]
    truth.append(truth[0] | {"feature": "cup.color", "kind": "attribute", "source": "graph"})
    judgements = [
        {"question_id": f"q{n}", "image_id": "i", "scene_id": f"s{n}", "status": status}
        for n, status in ((1, "judged"), (2, "judged"), (3, "unjudged"))
    ]
    # A cup is called a mug, a cat a kitten and an animal; the heavens are the sky.
    said = [
        ("q1", "cup", "cup", "matched"), ("q1", "mug", "cup", "matched"),
        ("q1", "spoon", None, "hallucinated"), ("q1", "spoon", None, "hallucinated"),
        ("q1", "kitten", "cat", "narrower"), ("q1", "animal", "cat", "broader"),
        ("q1", "dog", "cat", "contradicted"), ("q1", "heavens", "sky", "matched"),
        ("q2", "mug", "cup", "matched"), ("q2", "spoon", None, "hallucinated"),
        ("q2", "kitten", None, "hallucinated"), ("q3", "bone", None, "hallucinated"),
    ]  # fmt: skip
    claims, matches = [], []
    for n, (question, word, feature, verdict) in enumerate(said):
        key = {"question_id": question, "image_id": "i", "claim": n}
        claims.append(key | {"kind": "object", "subject": word, "negated": False})
        matches.append(key | {"feature": feature, "verdict": verdict})
    claims.append(claims[0] | {"claim": 90, "subject": "horse", "negated": True})
    claims.append(claims[0] | {"claim": 91, "subject": "red", "kind": "attribute"})
    tables = (pa.Table.from_pylist(rows) for rows in (judgements, claims, matches, truth))
    assert [tuple(row.values()) for row in said_with(*tables)] == [
        ("cat", 1, "object", "cup", 1),
        ("cat", 1, "object", "dog", 1),
        ("cat", 1, "object", "sky", 1),
        ("cat", 1, "object", "spoon", 1),
        ("cup", 2, "object", "cat", 1),
        ("cup", 2, "object", "dog", 1),
        ("cup", 2, "object", "kitten", 1),
        ("cup", 2, "object", "sky", 1),
        ("cup", 2, "object", "spoon", 2),
    ]
