"""Families of pipelines: the images are those that diffusers itself draws."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.decoding import Decoder
from support import tiny_diffusion
from support.diffusion_families import family, hand_over, loaded, pipeline_of

torch = pytest.importorskip("torch")
diffusers = pytest.importorskip("diffusers")

PROMPT, NEGATIVE = "an owl, at dawn", "ugly, blurry"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Loaded tiny pipelines by kind."""

    def folder() -> Path:
        return tmp_path_factory.mktemp("pipeline")

    without = {"text_encoder_3": None, "tokenizer_3": None}
    return {
        "sdxl": loaded(tiny_diffusion.sdxl(folder(), force_zeros_for_empty_prompt=True)),
        "sd15": loaded(tiny_diffusion.sd15(folder())),
        "sd3": loaded(tiny_diffusion.sd3(folder())),
        "sd3 without t5": loaded(tiny_diffusion.sd3(folder(), t5=False), **without),
        "flux": loaded(tiny_diffusion.flux(folder())),
    }


def _drawn(driver: Any, pairs: list[tuple[str, str]], seeds: list[int]) -> list[Any]:
    images = driver.decode(driver.denoise(driver.encode(pairs), seeds, 64))
    assert all(image.mode == "RGB" and image.size == (64, 64) for image in images)
    return [np.asarray(image).astype(int) for image in images]


def _plain(pipeline: Any, negative: str, seed: int, **options: Any) -> Any:
    """What diffusers draws by itself."""
    common = {"num_inference_steps": 3, "guidance_scale": 5.0, "output_type": "pil"}
    generator = torch.Generator("cpu").manual_seed(seed)
    if "Flux" not in type(pipeline).__name__:
        options["negative_prompt"] = negative or None
    images = pipeline(PROMPT, generator=generator, **common, **options).images
    return np.asarray(images[0]).astype(int)


@pytest.mark.parametrize("negative", [NEGATIVE, ""])
@pytest.mark.parametrize("kind", ["sdxl", "sd15", "sd3", "sd3 without t5", "flux"])
def test_the_pixels_are_those_of_a_plain_call(
    folders: dict[str, Any], kind: str, negative: str
) -> None:
    theirs = _plain(folders[kind].pipeline, negative, 7, width=64, height=64)
    ours = _drawn(family(folders[kind]), [(PROMPT, negative)], [7])[0]
    assert theirs.std() > 10  # not gray: equality says something
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("scheduler", ["EulerDiscrete", "EulerAncestralDiscrete"])
def test_a_refiner_ends_what_the_base_began(
    folders: dict[str, Any], tmp_path: Path, scheduler: str
) -> None:
    base = pipeline_of_same(folders["sdxl"].pipeline)
    refiner = pipeline_of(tiny_diffusion.sdxl_refiner(tmp_path))
    for pipeline in (base, refiner):
        kind = getattr(diffusers, f"{scheduler}Scheduler")
        pipeline.scheduler = kind.from_config(pipeline.scheduler.config)
    generator = torch.Generator("cpu").manual_seed(3)
    common = {"negative_prompt": NEGATIVE, "num_inference_steps": 6, "generator": generator}
    common |= {"guidance_scale": 5.0}
    latents = base(
        PROMPT, width=64, height=64, denoising_end=0.5, output_type="latent", **common
    ).images
    theirs = refiner(PROMPT, image=latents, denoising_start=0.5, **common).images[0]
    refined = family(hand_over(base, refiner), steps=6, refiner={"start": 0.5})
    ours = _drawn(refined, [(PROMPT, NEGATIVE)], [3])[0]
    np.testing.assert_array_equal(ours, np.asarray(theirs))
    alone = _drawn(family(hand_over(base), steps=6), [(PROMPT, NEGATIVE)], [3])[0]
    assert (alone != ours).any()


def pipeline_of_same(pipeline: Any, **other: Any) -> Any:
    """A second pipeline of the same parts, some of them replaced."""
    parts = {k: v for k, v in pipeline.components.items() if v is not None} | other
    return type(pipeline)(**parts, force_zeros_for_empty_prompt=True)


_NOISY = {
    "ancestral": lambda config: diffusers.EulerAncestralDiscreteScheduler.from_config(config),
    "sde": lambda config: diffusers.DPMSolverMultistepScheduler.from_config(
        config, algorithm_type="sde-dpmsolver++", use_karras_sigmas=True
    ),
}


@pytest.mark.parametrize("noise", sorted(_NOISY))
def test_the_noise_of_an_image_is_its_own(folders: dict[str, Any], noise: str) -> None:
    base = folders["sdxl"].pipeline
    driver = family(
        hand_over(pipeline_of_same(base, scheduler=_NOISY[noise](base.scheduler.config)))
    )
    pairs, seeds = [(PROMPT, NEGATIVE), ("a fox", NEGATIVE), (PROMPT, NEGATIVE)], [5, 6, 8]
    torch.manual_seed(1)
    state = torch.get_rng_state()
    together = _drawn(driver, pairs, seeds)
    for i, image in enumerate(together):
        torch.manual_seed(i)
        alone = _drawn(driver, pairs[i : i + 1], seeds[i : i + 1])[0]
        assert abs(alone - image).max() <= 1
    assert abs(together[0] - together[2]).mean() > 1
    torch.set_rng_state(state)
    _drawn(driver, pairs[:1], seeds[:1])
    assert torch.equal(torch.get_rng_state(), state)


def test_noise_that_no_seed_determines_is_refused(folders: dict[str, Any]) -> None:
    sd3 = folders["sd3"].pipeline
    before = sd3.scheduler
    sd3.scheduler = type(before).from_config(before.config, stochastic_sampling=True)
    try:
        with pytest.raises(UserError, match="noise that no seed determines; choose another"):
            family(folders["sd3"])
    finally:
        sd3.scheduler = before


def test_a_distilled_flow_draws_noise_of_no_seed(
    folders: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import diffusers

    pipeline = folders["flux"].pipeline
    kind: Any = diffusers.FlowMatchLCMScheduler
    monkeypatch.setattr(pipeline, "scheduler", kind())
    with pytest.raises(UserError, match="noise that no seed determines"):
        family(folders["flux"])


def test_what_a_pipeline_itself_refuses_is_one_line(
    folders: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import diffusers

    kind: Any = diffusers.FlowMatchHeunDiscreteScheduler
    monkeypatch.setattr(folders["flux"].pipeline, "scheduler", kind())
    driver = family(folders["flux"])
    with pytest.raises(UserError, match=r"custom sigmas.*; take another .*scheduler"):
        driver.denoise(driver.encode([(PROMPT, "")]), [1], 64)


@pytest.mark.parametrize("kind", ["sdxl", "sd3", "flux"])
def test_prompts_of_one_group_make_a_batch(folders: dict[str, Any], kind: str) -> None:
    driver = family(folders[kind], exact=False)
    long = "many words, " * 20
    encoded = driver.encode([(PROMPT, NEGATIVE), ("a fox", ""), (long, ""), (long + "!", "")])
    groups = [e.group for e in encoded]
    assert groups[0] == groups[1] and groups[2] == groups[3]
    assert (groups[0] == groups[2]) == (kind == "flux")
    for batch in (encoded[:2], encoded[2:]):
        assert len(driver.decode(driver.denoise(batch, [1, 2], 64))) == 2


@pytest.mark.parametrize(
    ("kind", "size", "fix"), [("sdxl", 68, "64 or 72"), ("flux", 72, "64 or 80")]
)
def test_sizes_that_the_latents_cannot_have(
    folders: dict[str, Any], kind: str, size: int, fix: str
) -> None:
    driver = family(folders[kind])
    with pytest.raises(UserError, match=f"render.size: {size} is not a multiple.*write {fix}"):
        driver.denoise(driver.encode([(PROMPT, "")]), [1], size)


def test_nan_is_an_error_and_not_a_black_image(folders: dict[str, Any], tmp_path: Path) -> None:
    pipeline = pipeline_of(tiny_diffusion.sdxl(tmp_path))
    driver = family(hand_over(pipeline, dtype="float16"))
    encoded = driver.encode([(PROMPT, "")])
    latents = driver.denoise(encoded, [1], 64)
    message = "NaN in float16; write 'bfloat16' or 'float32'"
    with torch.no_grad():
        pipeline.vae.decoder.conv_out.bias.fill_(float("nan"))
        with pytest.raises(UserError, match=message):
            driver.decode(latents)
        pipeline.unet.conv_out.bias.fill_(float("nan"))
    with pytest.raises(UserError, match=message):
        driver.denoise(encoded, [1], 64)


def test_an_sdxl_decoder_that_overflows_is_converted_once(tmp_path: Path) -> None:
    pipeline = pipeline_of(tiny_diffusion.sdxl(tmp_path))
    pipeline.vae.half()
    assert pipeline.vae.config.force_upcast
    latents = torch.randn(2, 4, 8, 8, generator=torch.Generator().manual_seed(0))
    decoder = Decoder(pipeline.vae, "float16", upcast=True)
    assert pipeline.vae.dtype == torch.float32
    first = decoder.images(latents.half())
    assert pipeline.vae.dtype == torch.float32 and len(first) == 2
    pipeline.vae.enable_slicing()
    for one, other in zip(first, decoder.images(latents.half()), strict=True):
        assert abs(np.asarray(one).astype(int) - np.asarray(other)).max() <= 1


def test_latents_with_mean_and_deviation_are_unscaled_as_the_pipeline_does(
    tmp_path: Path,
) -> None:
    pipeline = pipeline_of(tiny_diffusion.sdxl(tmp_path))
    pipeline.vae.register_to_config(
        latents_mean=[-1.6, 1.1, -0.2, 0.5], latents_std=[8.4, 5.7, 6.9, 10.0]
    )
    theirs = _plain(pipeline, NEGATIVE, 7, width=64, height=64)
    ours = _drawn(family(hand_over(pipeline)), [(PROMPT, NEGATIVE)], [7])[0]
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", ["sdxl", "flux"])
def test_one_thread_decodes_while_another_denoises(folders: dict[str, Any], kind: str) -> None:
    driver = family(folders[kind])
    encoded = driver.encode([(PROMPT, NEGATIVE)])
    latents = [driver.denoise(encoded, [seed], 64) for seed in range(4)]
    expected = [np.asarray(driver.decode(each)[0]) for each in latents]
    found: list[Any] = []

    def decode() -> None:
        found.extend(np.asarray(driver.decode(each)[0]) for each in latents)

    thread = threading.Thread(target=decode)
    thread.start()
    again = [driver.denoise(encoded, [seed], 64) for seed in range(4)]
    thread.join()
    assert driver.decodes_beside
    assert all(map(np.array_equal, found, expected))
    assert all(map(torch.equal, again, latents))


@pytest.fixture(scope="module")
def general(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A distilled pipeline that takes no negative prompt, of no known family."""
    folder = tiny_diffusion.sd15(tmp_path_factory.mktemp("lcm"), time_cond_proj_dim=8)
    parts = pipeline_of(folder).components | {"scheduler": diffusers.LCMScheduler()}
    return diffusers.LatentConsistencyModelPipeline(**parts, requires_safety_checker=False)


def test_any_other_pipeline_draws_from_the_text(general: Any) -> None:
    driver = family(hand_over(general), exact=False)
    assert type(driver).__name__ == "General" and not driver.reads_negative
    images = _drawn(driver, [(PROMPT, NEGATIVE), ("a fox", "")], [7, 8])
    generator = torch.Generator("cpu").manual_seed(7)
    options = {"num_inference_steps": 3, "guidance_scale": 5.0, "width": 64, "height": 64}
    theirs = general(PROMPT, generator=generator, **options).images[0]
    assert abs(images[0] - np.asarray(theirs)).max() <= 1
    assert (images[0] != images[1]).any()


def test_a_general_pipeline_counts_what_it_cuts(general: Any) -> None:
    driver = family(hand_over(general))
    fits, cut = driver.encode([(" ".join("a" * 75), "x" * 100), (" ".join("a" * 80), "")])
    assert (fits.tokens, fits.cut, cut.tokens, cut.cut) == (75, 0, 80, 5)


def test_a_distilled_pipeline_reads_no_negative_prompt(general: Any) -> None:
    parts = dict(general.components)
    driver = family(hand_over(diffusers.StableDiffusionPipeline(**parts)))
    assert not driver.reads_negative
    _drawn(driver, [(PROMPT, NEGATIVE)], [1])


def test_a_general_pipeline_that_takes_a_negative_prompt(folders: dict[str, Any]) -> None:
    parts = folders["sd15"].pipeline.components
    pipeline = diffusers.StableDiffusionPAGPipeline(**parts, requires_safety_checker=False)
    driver = family(hand_over(pipeline))
    assert type(driver).__name__ == "General" and driver.reads_negative
    with_negative, without = driver.encode([(PROMPT, NEGATIVE), (PROMPT, "")])
    assert with_negative.group != without.group
    images = [
        np.asarray(driver.decode(driver.denoise([e], [1], 64))[0]) for e in (with_negative, without)
    ]
    assert (images[0] != images[1]).any()


def test_with_offloading_nothing_is_decoded_beside(folders: dict[str, Any]) -> None:
    driver = family(folders["sdxl"], offload="model")
    assert not driver.decodes_beside
    driver.release_encoders()
    theirs = _drawn(family(folders["sdxl"]), [(PROMPT, NEGATIVE)], [7])[0]
    np.testing.assert_array_equal(_drawn(driver, [(PROMPT, NEGATIVE)], [7])[0], theirs)
