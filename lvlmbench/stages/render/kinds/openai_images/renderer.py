"""Renderer ``openai_images``: pictures from a server that speaks the OpenAI images API.

What comes is kept at once (:mod:`lvlmbench.stages.render.kinds.openai_images.store`): a run that
is killed, another shard and another run ask for nothing twice. The key is read just before
something is asked, and goes into the request's header alone.
"""

from __future__ import annotations

import io
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import request_hash
from lvlmbench.stages.render.kinds.openai_images.client import (
    FINAL,
    UNUSABLE,
    Asked,
    ImagesClient,
    Picture,
    fields_of,
)
from lvlmbench.stages.render.kinds.openai_images.settings import OpenAIImages, check, side_of
from lvlmbench.stages.render.kinds.openai_images.store import Pictures, default_path
from lvlmbench.stages.render.renderer import Attempt, Depiction, Drawn, Failed, Making, Scene
from lvlmbench.stages.requests.budget import Budget, dollars
from lvlmbench.stages.requests.client import Ticket
from lvlmbench.stages.requests.running import dispatching
from lvlmbench.stages.requests.server import read_key
from lvlmbench.stages.requests.throttle import Throttle

if TYPE_CHECKING:
    from lvlmbench.config import Params

#: Pictures that fail one after the other before the run ends, as a server that makes nothing of use
#: is not to be paid for all of them; and fewer where it has drawn nothing of use yet and says that
#: the requests are wrong, or sends pictures that are damaged or of another size.
MOST_FAILURES, MOST_REJECTED = 20, 3
#: Seeds are sent below this: servers hold them in 32 bits.
_SEEDS = 2**31


class ImagesRenderer:
    """Asks a server for pictures of the scenes' prompts."""

    name = "openai_images"

    def __init__(self, params: Params) -> None:
        check(params, "params.yaml")
        self._settings = settings = params.render.own(OpenAIImages)
        self._pixels = params.render.size
        self._side = side_of(settings, self._pixels)
        fields = fields_of(settings, self._side)
        self.provenance: Mapping[str, Any] | None = {
            "server": settings.base_url.rstrip("/"),
            "send_seed": settings.send_seed,
            **fields,
        }
        self._sent = json.dumps(self.provenance, sort_keys=True)
        self.version = f"1 {settings.model} {fields['size']} all={request_hash(self._sent)[:12]}"

    def refuses(self, scene: Scene) -> str | None:
        """A server is asked for whatever has a prompt."""
        return None if scene["prompt"] else "openai_images needs a prompt"

    def draw(self, scene: Scene) -> Depiction:
        """The first attempt at the scene.

        Raises
        ------
        UserError
            The server makes no picture of it.
        """
        (made,) = self.draw_batches([[Attempt(scene, 0, scene["seed"])]])
        if isinstance(made, Failed):
            raise UserError(f"renderer '{self.name}'", made.reason, "see to its server")
        return Depiction(made.image)

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Each attempt by itself."""
        return [[attempt] for attempt in attempts]

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn | Failed]:
        """What comes of each attempt: what is kept first, then the others as they arrive.

        Raises
        ------
        UserError
            Nothing can be asked of the server, the budget is spent, or too many pictures in a row
            have failed. What came is kept.
        """
        left: dict[str, list[Attempt]] = {}
        with Pictures(default_path()) as store:
            for attempt in (attempt for batch in batches for attempt in batch):
                request = self.request_sha256(attempt)
                kept = store.get(request)
                if kept is None:
                    left.setdefault(request, []).append(attempt)
                else:
                    yield self._outcome(attempt, request, kept)
            for request, picture in self._asked_for(left, store):
                for attempt in left.pop(request):
                    yield self._outcome(attempt, request, picture)

    def request_sha256(self, attempt: Attempt) -> str:
        """Server, model, what decides the picture, prompt, seed: whether that is sent or not, as
        another attempt is to have another picture."""
        return request_hash("openai_images", self._sent, attempt.scene["prompt"], attempt.seed)

    def _asked(self, attempt: Attempt) -> Asked:
        seed = attempt.seed % _SEEDS if self._settings.send_seed else None
        return Asked(attempt.scene["prompt"], seed)

    def _asked_for(
        self, left: Mapping[str, Sequence[Attempt]], store: Pictures
    ) -> Iterator[tuple[str, Picture]]:
        """What comes of requests, kept."""
        if not left:
            return
        settings, total = self._settings, len(left)
        failed, useless, last, drew = 0, 0, None, False  # in a row
        budget = Budget.of(settings, store.path)
        key = read_key(self.name, settings)
        throttle = Throttle(settings, 0.0)

        def client() -> ImagesClient:
            return ImagesClient(self.name, settings, key, throttle, self._side)

        with dispatching(client, throttle) as dispatcher:
            wanted = deque(Ticket(self._asked(each[0]), sha) for sha, each in left.items())

            def goes_on() -> bool:
                return failed < MOST_FAILURES and useless < MOST_REJECTED

            def affordable(pictures: int) -> bool:
                usd = pictures * (settings.price_per_image or 0.0)
                return budget is None or budget.covers(usd)

            def worth_asking() -> Iterator[Ticket[Asked]]:
                # The one that is about to start counts among those in flight.
                while wanted and goes_on():
                    if not affordable(throttle.pace.in_flight + dispatcher.waiting):
                        return
                    yield wanted.popleft()

            while wanted and goes_on() and affordable(1):  # what fails leaves its price
                for ticket, picture in dispatcher.run(worth_asking()):
                    store.put(ticket.name, picture)
                    if budget is not None:
                        budget.take(picture.cost_usd)
                    drew = drew or picture.status in FINAL
                    failed = 0 if picture.status in FINAL else failed + 1
                    bad = picture.rejected or picture.status in UNUSABLE
                    useless = useless + 1 if bad and not drew else 0
                    last = picture.error
                    yield ticket.name, picture
        if left and not goes_on():
            what = f"{max(failed, useless)} pictures in a row failed, the last with: {last}"
            raise self._ended(what, "correct what it names, or see to the server, and run again")
        if left and budget is not None:
            what = (
                f"{dollars(budget.spent)} of its budget of {dollars(budget.usd or 0)} are spent, "
                f"over all runs, and the next picture would be more; {len(left):,} of {total:,} "
                "pictures are left"
            )
            raise self._ended(what, f"raise {settings.place}.budget_usd and run again")

    def _ended(self, what: str, fix: str) -> UserError:
        fix = f"{fix}: pictures that came are kept"
        return UserError(f"renderer '{self.name}' at {self._settings.base_url}", what, fix)

    def _outcome(self, attempt: Attempt, request: str, came: Picture) -> Drawn | Failed:
        asked = self._asked(attempt)
        row = {
            "model": self._settings.model,
            "request_sha256": request,
            "prompt": asked.prompt,
            "revised_prompt": came.revised_prompt,
            "seed": asked.seed,
            "size": f"{self._side}x{self._side}",
            "status": came.status,
            "why": came.error,
            "served_model": came.served_model,
            "attempts": came.attempts,
            "prompt_tokens": came.prompt_tokens,
            "completion_tokens": came.completion_tokens,
            "latency_s": came.latency_s,
            "cost_usd": came.cost_usd,
        }
        if came.file is None:
            return Failed(attempt, came.status, came.error or "no picture came", row)
        with Image.open(io.BytesIO(came.file)) as picture:
            image = picture.convert("RGB")
        if self._side != self._pixels:
            image = image.resize((self._pixels, self._pixels), Image.Resampling.BOX)
        return Drawn(attempt, image, Making("text-to-image", exact=False), request=row)
