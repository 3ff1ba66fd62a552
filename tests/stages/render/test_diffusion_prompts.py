"""Prompts of any length: where they are split, and that nothing of them is lost."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.stages.render.kinds.diffusion.encoders import Kept
from lvlmbench.stages.render.kinds.diffusion.prompts import pieces, tokens_of
from support import tiny_diffusion
from support.diffusion_families import family, loaded

torch = pytest.importorskip("torch")
pytest.importorskip("diffusers")

#: Prompts in which a letter is a token.
OWL = "an owl, at dawn"
NEGATIVE = "ugly, blurry"


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """Knows every byte and no words."""
    return tiny_diffusion.clip_tokenizer()


@pytest.fixture(scope="module")
def sdxl(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A loaded tiny SDXL."""
    return loaded(tiny_diffusion.sdxl(tmp_path_factory.mktemp("sdxl")))


@pytest.fixture(scope="module")
def sd3(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A loaded tiny Stable Diffusion 3 with T5."""
    return loaded(tiny_diffusion.sd3(tmp_path_factory.mktemp("sd3")))


def _words(found: list[list[int]], tokenizer: Any) -> list[str]:
    return ["".join(tokenizer.convert_ids_to_tokens(piece)) for piece in found]


@pytest.mark.parametrize(
    ("tokens", "sizes"),
    [(0, [0]), (1, [1]), (75, [75]), (76, [75, 1]), (150, [75, 75]), (151, [75, 75, 1])],
)
def test_pieces_have_room_for_75_tokens(tokenizer: Any, tokens: int, sizes: list[int]) -> None:
    assert [len(p) for p in pieces(" ".join("a" * tokens), tokenizer, 75)] == sizes


@pytest.mark.parametrize("seed", range(8))
def test_pieces_are_the_whole_text_in_whole_words(tokenizer: Any, seed: int) -> None:
    rng = random.Random(seed)
    letters = "aZé中🦉'-1"
    words = ["".join(rng.choices(letters, k=rng.randint(1, 9))) for _ in range(90)]
    text = "".join(word + rng.choice([" ", ", ", "  ", "\n"]) for word in words)
    found = pieces(text, tokenizer, 75)
    assert [i for piece in found for i in piece] == tokens_of(text, tokenizer)[0]
    assert len(found) > 3 and all(0 < len(piece) <= 75 for piece in found)
    # Every piece begins where a word of the text begins.
    starts, offsets = 0, tokens_of(text, tokenizer)[1]
    for piece in found[:-1]:
        starts += len(piece)
        assert text[: offsets[starts][0]][-1].isspace()


def test_a_piece_ends_after_a_clause_that_is_near(tokenizer: Any) -> None:
    near = " ".join([*"a" * 60, "b,", *"c" * 40])
    assert _words(pieces(near, tokenizer, 75), tokenizer)[0].endswith("b</w>,</w>")
    far = " ".join([*"a" * 30, "b,", *"c" * 60])
    assert [len(piece) for piece in pieces(far, tokenizer, 75)] == [75, 17]


def test_a_number_is_no_clause(tokenizer: Any) -> None:
    text = " ".join([*"a" * 65, "1,5", *"c" * 40])
    assert [len(piece) for piece in pieces(text, tokenizer, 75)] == [75, 33]


def test_a_word_longer_than_a_piece_is_torn_between_characters(tokenizer: Any) -> None:
    assert [len(piece) for piece in pieces("b" * 100, tokenizer, 75)] == [75, 25]
    # An owl is four bytes.
    assert [len(piece) for piece in pieces("🦉" * 40, tokenizer, 75)] == [72, 72, 16]


@pytest.mark.parametrize("negative", [NEGATIVE, ""])
@pytest.mark.parametrize("prompt", [OWL, "", " ".join("ab" * 37), " ".join("a" * 75), "Ünï 🦉"])
def test_what_fits_is_encoded_as_the_pipeline_does(sdxl: Any, prompt: str, negative: str) -> None:
    encoded = family(sdxl).encode([(prompt, negative)])[0]
    with torch.inference_mode():
        theirs = sdxl.pipeline.encode_prompt(prompt, negative_prompt=negative)
    names = ["prompt_embeds", "negative_prompt_embeds"]
    names += ["pooled_prompt_embeds", "negative_pooled_prompt_embeds"]
    assert set(encoded.tensors) == set(names)
    for name, tensor in zip(names, theirs, strict=True):
        assert torch.equal(encoded.tensors[name], tensor), name
    assert (encoded.chunks, encoded.cut) == (1, 0)


def test_pieces_are_encoded_one_after_the_other(sdxl: Any) -> None:
    long = " ".join("a" * 75 + "b" * 30)
    encoded = family(sdxl).encode([(long, NEGATIVE)])[0]
    parts = family(sdxl).encode([(" ".join("a" * 75), ""), (" ".join("b" * 30), "")])
    tensors = encoded.tensors
    assert tensors["prompt_embeds"].shape == (1, 154, 64)
    joined = torch.cat([part.tensors["prompt_embeds"] for part in parts], dim=1)
    assert torch.allclose(tensors["prompt_embeds"], joined, atol=1e-5)
    first = parts[0].tensors["pooled_prompt_embeds"]
    assert torch.allclose(tensors["pooled_prompt_embeds"], first, atol=1e-5)
    assert (encoded.tokens, encoded.chunks, encoded.cut) == (105, 2, 0)
    assert tensors["negative_prompt_embeds"].shape == (1, 154, 64)


def test_the_longer_of_prompt_and_negative_prompt_decides(sdxl: Any) -> None:
    short, long = OWL, " ".join("x" * 200)
    one, two, three = family(sdxl).encode([(short, NEGATIVE), (short, long), (long, short)])
    assert one.group != two.group == three.group
    for name in ("prompt_embeds", "negative_prompt_embeds"):
        assert one.tensors[name].shape[1] == 77
        assert two.tensors[name].shape == three.tensors[name].shape == (1, 231, 64)
    # Filled up behind, so that the pooled embedding is the same.
    pooled = [e.tensors["pooled_prompt_embeds"] for e in (one, two)]
    assert torch.allclose(*pooled, atol=1e-5)
    # The count is that of the prompt.
    assert [e.chunks for e in (one, two, three)] == [1, 1, 3]


def test_no_negative_prompt_is_zeros_where_the_weights_want_it(tmp_path: Path) -> None:
    forced = loaded(tiny_diffusion.sdxl(tmp_path, force_zeros_for_empty_prompt=True))
    empty, named = family(forced).encode([(" ".join("a" * 100), ""), (OWL, NEGATIVE)])
    for name in ("negative_prompt_embeds", "negative_pooled_prompt_embeds"):
        assert not empty.tensors[name].any() and named.tensors[name].any()
    assert empty.tensors["prompt_embeds"].shape == empty.tensors["negative_prompt_embeds"].shape
    assert empty.tensors["prompt_embeds"].any()


def test_without_guidance_there_is_no_negative_prompt(sdxl: Any) -> None:
    turbo = family(sdxl, guidance=0)
    encoded = turbo.encode([(OWL, " ".join("x" * 100))])[0]
    assert not turbo.reads_negative
    assert not any(name.startswith("negative") for name in encoded.tensors)
    assert (encoded.tensors["prompt_embeds"].shape[1], encoded.cut) == (77, 0)


def test_a_text_is_encoded_once_and_alone(sdxl: Any) -> None:
    model, rows = sdxl.pipeline.text_encoder, list[int]()
    pairs = [(f"owl number {i % 3}", NEGATIVE) for i in range(9)]
    hook = model.register_forward_pre_hook(lambda _, args: rows.append(len(args[0])))
    try:
        exact = family(sdxl)
        among = exact.encode(pairs)
        assert rows == [1] * 4
        exact.encode(pairs)
        assert rows == [1] * 4
        rows.clear()
        together = family(sdxl, exact=False).encode(pairs)
        assert rows == [4]
    finally:
        hook.remove()
    shared = [encoded.tensors["negative_prompt_embeds"] for encoded in among]
    assert all(tensor is shared[0] for tensor in shared)
    alone = family(sdxl).encode(pairs[1:2])[0]
    for name, tensor in alone.tensors.items():
        assert torch.equal(tensor, among[1].tensors[name])
        assert torch.allclose(tensor, together[1].tensors[name], atol=1e-5)


def test_t5_reads_as_much_as_it_can_and_the_rest_is_counted(sd3: Any) -> None:
    # A letter between spaces is two tokens of T5, and there is an end.
    fits, longer, cut = family(sd3).encode([(" ".join("a" * n), "") for n in (127, 128, 256)])
    assert [e.cut for e in (fits, longer, cut)] == [0, 0, 1]
    assert [e.tokens for e in (fits, longer, cut)] == [127, 128, 256]
    # 77 for each piece, and what T5 reads.
    lengths = [e.tensors["prompt_embeds"].shape[1] for e in (fits, longer, cut)]
    assert lengths == [2 * 77 + 256, 2 * 77 + 512, 4 * 77 + 512]


@pytest.mark.parametrize(("guidance", "lengths"), [(True, [512] * 3), (False, [256, 512, 512])])
def test_flux_reads_with_t5(tmp_path: Path, guidance: bool, lengths: list[int]) -> None:
    flux = loaded(tiny_diffusion.flux(tmp_path, guidance_embeds=guidance))
    found = family(flux).encode([(" ".join("a" * n), NEGATIVE) for n in (127, 128, 256)])
    assert [e.tensors["prompt_embeds"].shape[1] for e in found] == lengths
    assert [(e.tokens, e.chunks, e.cut) for e in found] == [(254, 1, 0), (256, 1, 0), (512, 1, 1)]
    assert all(e.tensors.keys() == {"prompt_embeds", "pooled_prompt_embeds"} for e in found)


def test_embeddings_are_kept_up_to_a_limit() -> None:
    kept = Kept(limit=30)
    for key in "abc":
        kept.put(key, {"x": torch.zeros(1, 10, dtype=torch.uint8)})
    assert kept.get("a") is not None
    kept.put("d", {"x": torch.zeros(1, 10, dtype=torch.uint8)})
    assert [kept.get(key) is None for key in "abcd"] == [False, True, False, False]
