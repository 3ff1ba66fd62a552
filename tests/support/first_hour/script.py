"""What the long test types of the documents' commands, and why it leaves others out."""

from __future__ import annotations

#: Names that a reader puts something of their own for, and what the test puts there.
STORAGE, SERVER = "/shared/lvlmbench", "http://localhost:8000/v1"

#: README.md's commands in their order -> what is typed; the command itself where it is empty.
README: tuple[tuple[str, str], ...] = (
    ("make report", ""),
    ("make test", "make test PYTEST_ARGS='-n 0 tests/core/test_seeding.py'"),  # else ten minutes
    (". .venv/bin/activate", ""),
    ("lvlmbench config check my-model.yaml", ""),
    ("make report CONFIG=my-model.yaml", ""),
    ("lvlmbench export-questions --snapshot . --suite dysca --out questions", ""),
    ("python questions/run.py", ""),
    (
        "lvlmbench score --snapshot . --suite dysca --answers questions/answers.jsonl"
        " --model my-program",
        "",
    ),
    (". .venv/bin/activate", ""),
    (f"dvc remote add --default storage {STORAGE}", ""),
    ("make report && make snapshot NAME=v1", ""),
    ("git push origin HEAD v1", ""),
)

#: Typed in its folder after its own: from the pages that it leads to.
ALSO = (
    "dvc status",
    "snakemake -n",
    "dvc metrics diff",
    "lvlmbench hash --without image data/dysca/images/clean",
    "lvlmbench hash --without latency_s data/dysca/answers/chance/clean",
    "lvlmbench hash data/dysca/questions",
    "lvlmbench verify v1 --files-only",
    "lvlmbench verify v1 --sample 5",
    "lvlmbench diff v1 --suite dysca",
    "mkdir -p fresh",
    "sed 's/^  seed: .*/  seed: 20261201/' params.yaml > fresh/params.yaml",
    "snakemake results/report.html --directory fresh --configfile fresh/params.yaml",
    "lvlmbench overlap . fresh --suite dysca",
)

#: In a clone of another place, as README says it in a sentence.
ELSEWHERE = ("git checkout v1 && make install && . .venv/bin/activate && dvc pull",
             "lvlmbench verify v1")  # fmt: skip

#: Commands of other pages that no test types as they stand, by what they want.
LEFT_OUT = {
    "make test-long": "hours; this test is part of it",
    "LVLMBENCH_LONG=1 LVLMBENCH_KILLS=200 LVLMBENCH_FAULTS_OUT=kills.json"
    " python -m pytest -s tests/faults/test_kills.py": "hours",
    "vllm serve org/my-model --revision 0123abc... --port 8000 --generation-config vllm"
    " --max-model-len 8192 --limit-mm-per-prompt '{\"image\": 1}' --max-num-seqs 64"
    " --max-logprobs 20": "a GPU",
    "hf download Qwen/Qwen2.5-VL-7B-Instruct --revision COMMIT"
    " --local-dir weights/qwen2.5-vl-7b": "a network",
    "lvlmbench retry --model my-model": "tests/engine/test_engine_retry.py",
    "lvlmbench retry --truncated --max-tokens 2048":
        "tests/engine/test_engine_retry.py",
    "git clone <the repository that v1 was pushed to> lvlmbench && cd lvlmbench": "its address",
    "make snapshot NAME=v1": "typed with 'make report' in one line",
    "git checkout v1": "typed with the others in one line",
    "make install": "typed with the others in one line",
    "dvc pull": "typed with the others in one line",
    "dvc get https://example.org/lvlmbench.git data/dysca/questions --rev v1":
        "tests/e2e/test_snapshot_round_trip.py",
    "dvc get https://example.org/lvlmbench.git results/dysca/exports/huggingface --rev v1":
        "tests/e2e/test_snapshot_round_trip.py",
    "dvc list https://example.org/lvlmbench.git data --rev v1": "a network",
    "git checkout -": "after a kill in the midst of 'dvc exp run'; tried by hand",
    "git update-ref -d refs/exps/exec/EXEC_BASELINE": "likewise",
    "git checkout params.yaml dvc.lock": "likewise",
    "dvc checkout": "likewise",
    "lvlmbench diff v1 v2 --suite dysca": "tests/versions/test_versions_diff.py",
    "lvlmbench diff v1 ../other --suite dysca": "tests/versions/test_versions_diff.py",
    "lvlmbench diff v1 https://host/repository.git@v3 --suite dysca": "a network",
}  # fmt: skip

#: Pages of which the commands must be known.
PAGES = ("docs/running.md", "docs/models.md", "docs/snapshots.md", "docs/extending.md")
