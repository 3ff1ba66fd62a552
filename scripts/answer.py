"""Rule ``answer``: one model answers the questions about one shard of images."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.answer.answering import answer_rows, make_items
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, check_made
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path
from lvlmbench.stages.reference.folder import WEIGHTS_HELP, folders
from lvlmbench.stages.requests.budget import Budget
from lvlmbench.suites.instructions import prompts_of, schemas_of


@main_guard
def main() -> None:
    """Read a shard's images, verdicts and questions; ask; write its answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--model", required=True, help="name of a model under answer.models")
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--verdicts", type=Path, nargs="*", default=[])
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help=WEIGHTS_HELP)
    parser.add_argument(
        "--elsewhere", type=Path, nargs="*", default=[], help="tables of the suite that it knows"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=default_path(), help="answers already paid")
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    chosen = next((m for m in params.answer.models if m.name == args.model), None)
    where = f"{args.config}: answer.models"
    if chosen is None:
        names = ", ".join(m.name for m in params.answer.models)
        raise UserError(where, f"there is no model '{args.model}'", f"use one of: {names}")
    kind = MODELS.get(chosen.engine, f"{where}: {chosen.name}: engine")
    model = kind(params, chosen, folders([*args.weights, *args.elsewhere]))
    check_made(model, kind)
    checks = params.scenarios.spec(args.scenario).checks
    items = make_items(
        tables.read([args.images], tables.IMAGES),
        tables.read(args.verdicts, tables.VERDICTS),
        tables.of_scenario(tables.read(args.questions, tables.QUESTIONS), checks),
        params.filter.names,
        prompts_of(params),
        schemas_of(params),
    )
    if model.cached:
        budget = Budget.of(chosen.find(Endpoint), args.cache)
        with AnswerCache(args.cache) as cache:
            rows = answer_rows(model, items, cache, chosen.name, args.scenario, budget)
    else:
        rows = answer_rows(model, items, None, chosen.name, args.scenario)
    tables.write_rows(rows, args.out, tables.ANSWERS, params_id(params))


if __name__ == "__main__":
    main()
