# make play | window | serve | test | check | soak | bench | pictures | browser | axe | postgres | display
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run
WEB_STAMP := $(VENV)/.web
WINDOW_STAMP := $(VENV)/.window
DEV_STAMP := $(VENV)/.dev

.PHONY: play window serve test check sanitize fuzz soak bench pictures browser axe postgres display clean

play: $(RUN_STAMP)
	@$(BIN)/noughts play

window: $(WINDOW_STAMP)
	@$(BIN)/noughts window

# The page, at the address that it prints.
serve: $(WEB_STAMP)
	@$(BIN)/noughts serve

test: $(DEV_STAMP)
	@$(BIN)/python -m pytest -n auto -m "not soak"

# Lint, format and types.
check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror core/*
	$(BIN)/python -m nanobind.stubgen -q -m noughts._core -O $(VENV)
	diff src/noughts/_core.pyi $(VENV)/_core.pyi

# The core's own tests under the sanitizers: of addresses and undefined behaviour, and of threads.
sanitize:
	@mkdir -p build
	$(CXX) -std=c++20 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra \
	  core/tests.cpp -o build/core-tests-address
	build/core-tests-address
	$(CXX) -std=c++20 -O1 -g -fsanitize=thread -Wall -Wextra core/tests.cpp -o build/core-tests-thread
	build/core-tests-thread

# The parsers under a coverage-guided fuzzer, SECONDS each.
SECONDS ?= 20
fuzz: $(DEV_STAMP)
	$(BIN)/python tests/fuzz.py --seconds $(SECONDS)

# The full figures of what `make test` and .ci/run do in short.
soak: $(DEV_STAMP)
	@$(BIN)/python -m pytest -n auto
	@$(MAKE) --no-print-directory fuzz SECONDS=120

# DATA and PONS, if given, are folders for bench/engine.py.
bench: $(DEV_STAMP)
	@$(BIN)/python bench/textbook.py
	@$(BIN)/python bench/engine.py $(if $(DATA),--data $(DATA)) $(if $(PONS),--pons $(PONS))

pictures: $(DEV_STAMP)
	@$(BIN)/python docs/pictures.py

# A display without a screen, and hands for it, for the tests of the window: Debian's, as root.
display:
	@{ command -v Xvfb && command -v xdotool; } >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq xvfb xdotool fonts-dejavu-core; } \
	|| { echo "no display: install xvfb and xdotool" >&2; exit 1; }

# A browser for the tests and the pictures of pages, where there is none: Debian's, as root.
browser:
	@command -v chromium >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } \
	|| { echo "no browser: install chromium" >&2; exit 1; }

# A PostgreSQL for the tests of the store, where there is none: Debian's, as root. They run their own.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } \
	|| { echo "no PostgreSQL: install postgresql" >&2; exit 1; }

# What finds faults of accessibility on the page, for its tests: a file in build/, which git ignores.
AXE := build/axe-core/package/axe.min.js
axe: $(AXE)

$(AXE):
	@command -v npm >/dev/null || { echo "no npm: install npm" >&2; exit 1; }
	@mkdir -p build/axe-core
	@cd build/axe-core && npm pack --silent axe-core@4.14.1 >/dev/null && tar xzf axe-core-4.14.1.tgz && rm axe-core-4.14.1.tgz
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "noughts needs Python 3.11 or newer; name one with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "no virtual environment can be made: install python3-venv" >&2; exit 1; }

$(RUN_STAMP): pyproject.toml CMakeLists.txt $(wildcard core/*.hpp core/*.cpp) | $(BIN)/python
	@command -v $(CXX) >/dev/null || { echo "no C++ compiler ($(CXX)): install g++" >&2; exit 1; }
	@$(BIN)/python -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' \
	|| { echo "no Python headers: install python3-dev" >&2; exit 1; }
	@echo "setting up and building the core (once, about a minute) …" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(WINDOW_STAMP): pyproject.toml $(RUN_STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[window]'
	@touch $@

$(WEB_STAMP): pyproject.toml $(RUN_STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[web]'
	@touch $@

$(DEV_STAMP): pyproject.toml $(RUN_STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,plots,web,window]'
	@for extra in oracle fuzz cluster; do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: \
	    $$($(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$$extra'])" | tr -d "'") \
	  || { [ -z "$$CI" ] || exit 1; echo "no wheels of the extra '$$extra' for this machine; its tests will be skipped" >&2; }; \
	done
	@touch $@
