# Development of nnc. `make` lists the targets; each of them works on a fresh clone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV = $(BIN)/uv pip install --quiet --python $(BIN)/python
# Made only if it is ours: an environment that is given (make BIN=…) is left as it is.
READY := $(if $(filter $(VENV)/bin,$(BIN)),$(VENV)/.ready)
DEMO := build/demo
SOURCES := bench compiler isa models nnc runtime tests
WORKERS ?= 2
# Targets that `make check` runs beside the tests: test-browser, where there is Chromium.
BESIDE ?=
PYTEST_ALL = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/package/test_install.py --ignore tests/browser
SMOKE := tests/unit/test_layout_rules.py tests/unit/test_errors.py tests/golden tests/unit/cli/test_smoke.py
DIGIT ?= 7
SUMS ?= 123+456= 98+7= 999+999=
N ?= 1000
SEED ?= 0
CODE = $(shell git rev-parse --short HEAD)
FUZZ = $(BIN)/python -m bench.fuzz --cases $(N) --seed $(SEED)

# Tests run in processes side by side: more threads of BLAS would only get in each other's way.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Kept byte code halves the time until a command starts: the examples of the pages are a hundred processes.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo demo-llm check smoke test test-slow golden lint type type-editor bench bench-compile bench-traffic bench-cores bench-estimate bench-stitch bench-int8 bench-energy bench-papers conformance bench-floors digests plan-table ablate fuzz-onnx fuzz-program fuzz-text fuzz-chip digits-int8 house docs package-test test-browser bench-page picture clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

define show
@echo '> $(1)'
@$(BIN)/$(1)

endef

demo: $(READY) ## compile a trained network, run it on a picture of a digit (DIGIT=0 … 9)
	@mkdir -p $(DEMO)
	$(call show,nnc compile models/digits/digits_cnn.onnx --chip npu -o $(DEMO)/digits.bin --asm $(DEMO)/digits.asm)
	$(call show,nnc run $(DEMO)/digits.bin --input models/digits/digit-$(DIGIT).png --scale 0.00390625)
	@echo
	@echo 'Largest first: [digit] probability for models/digits/digit-$(DIGIT).png. Program text: $(DEMO)/digits.asm'

demo-llm: $(READY) ## compile a trained decoder with weights of 4 bits, ask it for sums (SUMS="1+2= …"), count right answers to 500
	@mkdir -p $(DEMO)
	$(call show,nnc models build sums -o $(DEMO)/sums.onnx)
	$(call show,nnc quantize $(DEMO)/sums.onnx --weights int4 --block 32 -o $(DEMO)/sums.int4.onnx)
	$(call show,nnc compile $(DEMO)/sums.int4.onnx --state auto --chip npu -o $(DEMO)/sums.bin)
	$(foreach sum,$(SUMS),$(call show,nnc generate $(DEMO)/sums.bin --vocabulary models/sums/tokenizer.json --prompt $(sum)))
	$(call show,python bench/sums_accuracy.py npu)

check: lint ## style, types, packaging and tests, side by side; continuous integration adds BESIDE=test-browser
	@$(MAKE) -j4 type package-test test $(BESIDE)

smoke: lint ## a check of under a minute: style, who imports whom, a network on each chip, the command line
	$(BIN)/python -m pytest -p no:cacheprovider $(SMOKE)

test: $(READY) ## run all tests but the cases of tests/slow.txt (installing is tested by package-test)
	$(PYTEST_ALL) -m "not slow"

test-slow: $(READY) ## run the cases of tests/slow.txt: larger networks, whole matrices, the commands of the guide
	$(PYTEST_ALL) -m slow

test-browser: $(READY) ## open pages of `nnc report`, and Model Explorer, in Chromium (apt-get install chromium chromium-driver), and use them
	$(BIN)/python -m pytest tests/browser

golden: $(READY) ## rewrite the expected texts in tests/golden (read the diff afterwards)
	$(BIN)/python -m pytest tests/golden --update-golden
	git --no-pager diff --stat -- tests/golden

lint: $(READY) ## check style and imports (ruff)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

type: $(READY) ## check types (mypy, strict)
	$(BIN)/mypy
	$(BIN)/mypy bench/*.py
	$(BIN)/mypy -p bench.fuzz -p bench.papers

type-editor: $(READY) ## check types as editors show them (pyright), which takes longer than mypy and finds little beside it
	$(BIN)/pyright

bench: $(READY) ## measure ResNet-50 and MobileNetV2 beside onnxruntime, numpy and physical limits
	@$(BIN)/python bench/run_resnet50.py

bench-compile: $(READY) ## CPU seconds and peak memory of compilations beside what they may take: builders and long chains
	@$(BIN)/python bench/compile.py

bench-traffic: $(READY) ## DRAM traffic of five networks at 64K … 2M of SRAM beside floor, layer by layer and targets
	@$(BIN)/python bench/traffic.py

bench-cores: $(READY) ## cycles of five networks on 1 … 12 cores beside one core and the physical limit
	@$(BIN)/python bench/cores.py

bench-estimate: $(READY) ## estimates of the search beside the simulation: all builders and random networks on all presets
	@$(BIN)/python bench/estimate.py

bench-stitch: $(READY) ## cycles per picture on pixel-dsp, pictures stitched beside one by one: four sizes, batches of 1 … 33
	@$(BIN)/python bench/stitch.py

bench-int8: $(READY) ## run time of quantised ResNet-18 beside onnxruntime, with and without its products of integers
	@$(BIN)/python bench/int8.py

bench-energy: $(READY) ## energy of ResNet-50 int8 on a chip like Cocco's, by cause and objective
	@$(BIN)/python bench/energy.py

bench-papers: $(READY) ## published figures of Cocco, SoMa and Stream beside the same work on the same chips (PAPERS="cocco …")
	@$(BIN)/python -m bench.papers $(PAPERS)

conformance: $(READY) ## onnx's own backend tests by class of operator: passed, refused and why, crashed, wrong
	@$(BIN)/python bench/onnx_suite.py

bench-floors: $(READY) ## 2,000 random networks on all presets: no program comes out below a floor, SEED=1 for others
	@$(BIN)/python bench/floors.py --seed $(SEED)

digests: $(READY) ## digests of small programs on all presets into build/digests-COMMIT.json, compared with AGAINST=before.json
	@$(BIN)/python bench/program_digests.py build/digests-$(CODE).json $(if $(AGAINST),--against $(AGAINST))

plan-table: $(READY) ## bytes, cycles and price of all builders on six chips into build/plan-table-COMMIT.json, compared with AGAINST=before.json
	@$(BIN)/python bench/plan_table.py build/plan-table-$(CODE).json $(if $(AGAINST),--against $(AGAINST))

ablate: $(READY) ## what each mechanism of the compiler saves, on a sample (ALL=1: on all networks), into build/ablation-COMMIT.json
	@$(BIN)/python bench/ablate.py build/ablation-$(CODE).json $(if $(ALL),--all)

fuzz-onnx: $(READY) ## damaged models through the whole line, N=5000 of them, others with SEED=1
	@$(FUZZ) onnx
fuzz-program: $(READY) ## damaged program files: loaded, verified, run
	@$(FUZZ) program
fuzz-text: $(READY) ## damaged program text: assembled, verified, run
	@$(FUZZ) text
fuzz-chip: $(READY) ## damaged chip files: a small network compiled for them
	@$(FUZZ) chip

bench-page: $(READY) ## pages of `nnc report`: sizes, times beside compiling, frames a second while zooming
	@$(BIN)/python bench/page.py

digits-int8: $(READY) ## quantise the digits network on the pictures that it was trained on
	$(BIN)/python models/digits/dataset.py build/digits-training
	$(BIN)/nnc quantize models/digits/digits_cnn.onnx --calibration build/digits-training --scale 0.00390625 \
	  --activations u8 -o models/digits/digits_cnn.int8.onnx

house: $(READY) ## show files, imports between folders, circles, the longest file and function
	@$(BIN)/python bench/house.py

docs: $(READY) ## rewrite docs/isa.md, docs/errors.md and the outputs that README.md, the guide and the example show
	@mkdir -p build
	$(BIN)/python -m nnc.isa.reference > build/isa.md && mv build/isa.md docs/isa.md
	$(BIN)/python -m nnc.errors > build/errors.md && mv build/errors.md docs/errors.md
	$(BIN)/python tests/docs/examples.py

picture: $(READY) ## take docs/report.png, which README.md shows, with Chromium
	$(BIN)/python bench/picture.py docs/report.png

package-test: $(READY) ## build the wheel, install it into a fresh environment and use it there
	$(BIN)/python -m pytest tests/package

clean: ## remove everything that is made: build, caches, environment
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis $(VENV)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment: made once, and again when the dependencies or the list of packages change.
ifneq ($(READY),)
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v >= (3, 11) or sys.exit( \
	  "nnc needs Python 3.11 or later, but $(PYTHON) is %d.%d: try make PYTHON=python3.12" % v)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing nnc and what it needs into $(VENV) …"
	@# uv installs a hundred packages in seconds where pip takes minutes.
	@$(BIN)/python -m pip install -qq 'uv>=0.5'
	@$(UV) --editable '.[dev]'
	@# Without what it needs for TensorFlow (480 MB); what else it needs is in [dev].
	@$(UV) --no-deps 'ai-edge-model-explorer>=0.1.34' 'model-explorer-onnx>=0.4'
	@mkdir -p build
	@touch $@
endif
