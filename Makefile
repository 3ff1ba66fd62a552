# Three commands matter: make demo, make report, make test. 'make help' lists the others.
#
#   PYTHON          the interpreter that creates .venv (3.11 or newer; found by itself)
#   CORES           cores that Snakemake may use (all)
#   CONFIG          a file that is laid over params.yaml, e.g. my-model.yaml (none)
#   VERBOSE         1 for what Snakemake says, instead of one line for the whole run
#   SNAKEMAKE_ARGS  further options for Snakemake, e.g. --config snapshot='{seed: 7}'
#   PYTEST_ARGS     further options for pytest, e.g. -k corpus
#   BENCH_ARGS      names of benchmarks, e.g. corpus render (all)
#   NAME            of the version that 'make snapshot' pins, e.g. v1

# A variable that does not exist would be passed over in silence.
KNOWN = PYTHON CORES CONFIG VERBOSE SNAKEMAKE_ARGS PYTEST_ARGS BENCH_ARGS NAME
GIVEN := $(foreach name,$(.VARIABLES),$(if $(findstring command,$(origin $(name))),$(name)))
STRANGE := $(firstword $(filter-out $(KNOWN) MAKE% SHELL,$(GIVEN)))
$(if $(STRANGE),$(error there is no variable '$(STRANGE)'; use one of: $(KNOWN)))

SHELL := /bin/sh
.DEFAULT_GOAL := help
CORES ?= all
CONFIG =
unexport PYTHONPATH PYTHONHOME

# Commands run as if .venv were active; the path of the checkout may hold spaces.
ACTIVE = VIRTUAL_ENV="$(CURDIR)/.venv" PATH="$(CURDIR)/.venv/bin:$$PATH" $(CACHE)

# Snakemake wants a cache folder; containers often run users that have no home.
CACHE = $(if $(shell test -w "$$HOME" && echo yes),,XDG_CACHE_HOME="$(CURDIR)/.lvlmbench/cache")

# The first interpreter that is new enough, then scripts/setup_env.py with the groups asked for.
define set_up
@for python in $(if $(PYTHON),"$(PYTHON)",python3 python3.11 python3.12 python3.13 python3.14); do \
	if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		exec "$$python" scripts/setup_env.py $(1); \
	fi; \
done; \
echo "set-up: no Python 3.11 or newer was found; install one, or name it: make PYTHON=/path/to/python3.11" >&2; \
exit 2
endef

.PHONY: help report demo exam reference test test-long bench snapshot lint lint-style lint-types lint-rules \
	lint-generated format docs envs install install-dev install-diffusion install-remotes install-all clean distclean

.DEFAULT:
	$(error there is no target '$@'; 'make help' lists them)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-17s %s\n", $$1, $$2}' Makefile

# One line for the whole run; VERBOSE=1, or an option that asks for it, has Snakemake's own words.
QUIET = $(if $(VERBOSE)$(filter -n --dry-run --dryrun -q --quiet --verbose,$(SNAKEMAKE_ARGS)),,--quiet all)

READ = import sys; from pathlib import Path; from lvlmbench.core.guard import main_guard; \
	from lvlmbench.core.yaml_file import read_layer; main_guard(read_layer)(Path(sys.argv[1]))

# After Ctrl-C Snakemake has the last word: make, which got it too and ends by it, is silent about a
# recipe that ended well.
BEGIN = trap stopped=1 INT;
END = ; ended=$$?; test -z "$$stopped" || exit 0; exit $$ended

# Snakemake would end with a traceback where the file is missing or is no YAML. What the environment calls CONFIG
# is not meant.
CHECK_CONFIG = $(if $(CONFIG),@test -f "$(CONFIG)" || { echo "CONFIG: there is no file '$(CONFIG)'" \
	"in $(CURDIR); name one that holds what differs from params.yaml" >&2; exit 2; }; \
	$(ACTIVE) python -c "$(READ)" "$(CONFIG)")

CHECK_CORES = @case "$(CORES)" in all) ;; ""|0*|*[!0-9]*) \
	echo "CORES: '$(CORES)' is no number of cores; give a number or all" >&2; exit 2;; esac

report: install ## generate, render, ask, score: results/report.html
	$(CHECK_CORES)
	$(CHECK_CONFIG)
	@$(BEGIN) $(ACTIVE) snakemake $(QUIET) --cores $(CORES) results/report.html $(SNAKEMAKE_ARGS) \
		$(if $(CONFIG),--configfile "$(CONFIG)") $(END)

# In a folder of its own, so that the files of 'make report' stay as they are.
demo: install ## the same for 60 scenes, as a first look: demo/results/report.html
	$(CHECK_CORES)
	$(CHECK_CONFIG)
	@$(BEGIN) $(ACTIVE) snakemake $(QUIET) --directory demo --cores $(CORES) results/report.html $(SNAKEMAKE_ARGS) \
		--configfile profiles/demo.yaml $(if $(CONFIG),"$(CONFIG)") $(END)

# In a folder of its own, like the demo.
exam: install ## five requests made into aspects, asked of the models of profiles/autodavis.yaml (CONFIG: others): exam/results/report.html
	$(CHECK_CORES)
	$(CHECK_CONFIG)
	@echo "exam: asks the models of profiles/autodavis.yaml, which come with the code, and not those of params.yaml;" \
		"to ask others: make exam CONFIG=my-model.yaml" >&2
	@$(BEGIN) $(ACTIVE) snakemake $(QUIET) --directory exam --cores $(CORES) results/report.html $(SNAKEMAKE_ARGS) \
		--configfile profiles/autodavis.yaml $(if $(CONFIG),"$(CONFIG)") $(END)

# In a folder of its own, too; run again, it goes on where it was interrupted.
reference: install ## train the reference models anew, an hour or more, and pin them: data/pinned
	@$(BEGIN) $(ACTIVE) snakemake $(QUIET) --directory training --configfile profiles/reference.yaml --cores $(CORES) \
		references $(SNAKEMAKE_ARGS) $(subst exit 0,exit 130,$(END))
	$(if $(filter -n --dry-run --dryrun,$(SNAKEMAKE_ARGS)),,@$(ACTIVE) python scripts/pin_reference.py \
		--config profiles/reference.yaml --trained training)

# Three processes beside each other, as one often waits; see tests/support/whole_files.py.
# PYTEST_ARGS="-n 0" makes it one.
test: install-dev ## the tests, those left out that take long: see test-long
	@$(ACTIVE) python -m pytest -n 3 --dist loadfile $(PYTEST_ARGS)

# LVLMBENCH_KILLS and LVLMBENCH_FUZZ say how many.
test-long: install-dev ## what 'make test' leaves out: an hour and more; kills, full disks, bad input, clusters
	@LVLMBENCH_KILLS=$${LVLMBENCH_KILLS:-50} LVLMBENCH_FUZZ=$${LVLMBENCH_FUZZ:-1000} \
		LVLMBENCH_LONG=1 $(ACTIVE) python -m pytest -s -m "long or sampled or scaled or e2e or slurm" $(PYTEST_ARGS)

bench: install-dev ## all benchmarks: speed and memory, the table of docs/performance.md
	@$(ACTIVE) python scripts/bench.py $(BENCH_ARGS)

snapshot: install ## pin what lies here as a version: make snapshot NAME=v1
	@test -n "$(NAME)" || { echo "make snapshot: no NAME is given;" \
		"say which version: make snapshot NAME=v1" >&2; exit 2; }
	@$(ACTIVE) lvlmbench snapshot "$(NAME)"

lint: lint-style lint-types lint-rules lint-generated ## ruff, mypy, import contracts, snakefmt, snakemake --lint, generated files up to date

# Apart, so that 'make -j 2 lint' does two at a time.
lint-style: install-dev
	@$(ACTIVE) ruff check .
	@$(ACTIVE) ruff format --check .
	@$(ACTIVE) lint-imports --no-cache

lint-types: install-dev
	@$(ACTIVE) mypy

lint-rules: install-dev
	@$(ACTIVE) snakefmt --check Snakefile rules
	@$(ACTIVE) snakemake --lint

lint-generated: install-dev
	@$(ACTIVE) python -m lvlmbench.config.documentation --check
	@$(ACTIVE) python -m lvlmbench.engine.documentation --check
	@$(ACTIVE) python scripts/conda_envs.py --check

format: install-dev ## put code and rules into the one form that lint accepts
	@$(ACTIVE) ruff check --fix .
	@$(ACTIVE) ruff format .
	@$(ACTIVE) snakefmt Snakefile rules

docs: install ## write the generated documents and dvc.yaml anew
	@$(ACTIVE) python -m lvlmbench.config.documentation
	@$(ACTIVE) python -m lvlmbench.engine.documentation

envs: install ## write envs/*.yaml anew from requirements.lock
	@$(ACTIVE) python scripts/conda_envs.py

install: ## .venv with what the pipeline needs
	$(call set_up,core)

install-dev: ## ... and what the tests need
	$(call set_up,core dev diffusion filters exports cluster remotes)

install-diffusion: ## ... and what the renderer 'diffusion' needs
	$(call set_up,core diffusion)

install-remotes: ## ... and what sharing over S3 and SSH needs
	$(call set_up,core remotes)

install-all: ## ... and every optional group of requirements.lock
	$(call set_up,all)

clean: ## caches of the tools; generated data and results stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find lvlmbench scripts tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## ... and .venv; generated data and results stay
	rm -rf .venv .venv.lock .venv.unfinished lvlmbench.egg-info
