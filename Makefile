# The environment lives in .venv and is renewed when pyproject.toml or constraints.txt changes.
# Another interpreter: make test PYTHON=python3.13

VENV ?= .venv
BIN := $(VENV)/bin
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	"$$name" -c '$(IS_NEW_ENOUGH)' 2>/dev/null && { echo "$$name"; break; }; done)
PYTHON_VERSION := $(shell "$(PYTHON)" -c 'import platform; print(platform.python_version())' 2>/dev/null)
RUN_READY := $(VENV)/run-$(PYTHON_VERSION).stamp
DEV_READY := $(VENV)/dev-$(PYTHON_VERSION).stamp
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest
# Two processes at a time; a file's tests stay together, since they share what was compiled, and the files stay in the
# order of tests/conftest.py.
TEST_FLAGS ?= -p no:benchmark -n 2 --dist loadfile --no-loadscope-reorder
# Asked for once there is an environment to ask: the games, and those of them that have a search.
KERNELS = $(shell $(BIN)/python -c 'from kernels.registry import GAMES, spec; print( \
	*(f"kernels-of-{game}" for game in GAMES), *(f"search-of-{game}" for game in GAMES if spec(game).searches))')
DEALS ?= 1_000_000
comma := ,

# The tests start hundreds of programs, which read the same sources.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test test-all checked compiled bench lint format clean
.DEFAULT_GOAL := run

run: $(RUN_READY)
	@$(BIN)/carteador run canastra --deals $(DEALS)

test: checked
	@$(PYTEST) $(TEST_FLAGS) -m "not slow"

test-all: checked
	@$(PYTEST) $(TEST_FLAGS)

# What the tests begin with, two at a time: each of these keeps one processor busy.
checked: $(DEV_READY)
	@$(MAKE) --no-print-directory -j 2 lint $(KERNELS)

# Fill the cache of kernels once, before several processes ask for them: what many tests need.
compiled: $(DEV_READY)
	@$(MAKE) --no-print-directory -j 2 $(KERNELS)

kernels-of-%: $(DEV_READY)
	@$(BIN)/carteador run $* --deals 1 >/dev/null

search-of-%: kernels-of-%
	@$(BIN)/carteador run $* --deals 1 --policy search:rollouts=1 >/dev/null
	@$(BIN)/carteador advise $* --seed 5 --deal 2 --turn 3 --rollouts 1 >/dev/null

# The quick checks first, so that a slip shows in seconds.
lint: $(DEV_READY)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

format: $(DEV_READY)
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: $(DEV_READY)
	@$(PYTEST) benches --benchmark-columns=median,min,max,rounds --benchmark-group-by=group --benchmark-sort=name -q
	@$(BIN)/python -m benches.memory canastra 1e6 1e7

clean:
	@rm -rf $(VENV) build dist .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

# $(1): what to install, $(2): the stamps to set.
define install
	@"$(PYTHON)" -c '$(IS_NEW_ENOUGH)' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed$(if $(PYTHON), and $(PYTHON) is not). Name one:" \
		"make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@test "$$($(BIN)/python -c 'import platform; print(platform.python_version())' 2>/dev/null)" = "$(PYTHON_VERSION)" \
		|| "$(PYTHON)" -m venv --clear $(VENV)
	@echo "Installing $(1) into $(VENV) ..." >&2
	@$(PIP_INSTALL) -e "$(1)"
	@touch $(2)
endef

$(RUN_READY): pyproject.toml constraints.txt
	$(call install,.[report$(comma)tune],$(RUN_READY))

$(DEV_READY): pyproject.toml constraints.txt
	$(call install,.[dev],$(RUN_READY) $(DEV_READY))
