# Everything a contributor runs. `make demo` and `make test` set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NPM := npm --no-audit --no-fund --loglevel=error

.DEFAULT_GOAL := help
.PHONY: help install demo test test-editors check fix golden pictures bench bench-panel lock clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 15

$(VENV)/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

editor-client/vscode/node_modules/.installed: editor-client/vscode/package-lock.json
	cd editor-client/vscode && $(NPM) ci --ignore-scripts
	touch $@

install: $(VENV)/.installed ## Set up the Python environment

demo: install ## Explain, call chain, ask and check on this repository; no key needed
	$(BIN)/python docs/demo.py

test: install editor-client/vscode/node_modules/.installed ## Run all tests but those that need editors from apt
	tests/editors/install.sh pypi
	$(BIN)/python -m pytest
	cd editor-client/vscode && npm test

test-editors: install editor-client/vscode/node_modules/.installed ## Run all tests of the editors' clients: VS Code, Neovim, Emacs, the oldest too (needs apt)
	tests/editors/install.sh debian
	cd editor-client/vscode && npm test
	$(BIN)/python -m pytest -m "not live" tests/editors
	tests/editors/vscode/run.sh

check: install editor-client/vscode/node_modules/.installed ## Lint, types and import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md server knowledge skills
	cd editor-client/vscode && npm run check

fix: install ## Format and repair what can be repaired
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

golden: install ## Rewrite the expected transcripts; read the diff
	$(BIN)/python -m pytest tests/golden --update-golden

pictures: install editor-client/vscode/node_modules/.installed ## Take the pictures and the film of the READMEs in real VS Code
	cd tests/editors/vscode/pictures && $(NPM) ci --ignore-scripts
	tests/editors/vscode/run.sh film
	node tests/editors/vscode/pictures/make.mjs

$(VENV)/.benched: $(VENV)/.installed pyproject.toml
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['dependency-groups']['bench'])" | xargs $(BIN)/pip install --quiet --disable-pip-version-check
	touch $@

bench: install $(VENV)/.benched ## Measure, as ratios against a peer or a floor
	cd tests && ../$(BIN)/python -m benchmarks

bench-panel: ## Measure the panel of the VS Code extension; needs Node and Chromium
	[ -d editor-client/vscode/node_modules ] || npm --prefix editor-client/vscode ci --ignore-scripts --no-audit --no-fund
	[ -d tests/editors/vscode/node_modules ] || npm --prefix tests/editors/vscode ci
	cd editor-client/vscode && node scripts/build.mjs --production
	node tests/editors/vscode/panel-speed.mjs

lock: ## Resolve the dependencies again; hashes, no hosts
	uv lock --quiet && uv export --quiet --format requirements.txt --no-emit-project --all-groups --no-group bench --no-header -o requirements.lock; rm -f uv.lock

clean: ## Remove what was set up
	rm -rf $(VENV) editor-client/vscode/node_modules editor-client/vscode/dist tests/editors/.state tests/editors/vscode/node_modules tests/editors/vscode/pictures/node_modules
