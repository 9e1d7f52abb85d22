# The everyday commands. The build itself is CMake's: see CMakeLists.txt and `cmake --list-presets`.
# On a bare Debian this needs make itself first: apt-get install -y make

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: web help setup build demo check check-long sweep bench install fuzz coverage format clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install what building needs and the machine lacks (Debian 12 and 13, as root or with sudo)
	@scripts/setup

build: ## Build the library and the command in build/release
	@cmake --preset release
	@cmake --build --preset release --target lvl_command lvl_shared

demo: setup build ## Build, then show the command at work on samples/; pictures go to out/demo
	@scripts/demo build/release/lvl

check: ## Set up, build and run the tests; check style, docs and an installed copy: within 8 minutes on two cores
	@scripts/check

check-long: ## The longer checks: tests under sanitizers, clang-tidy, a fixed run of every fuzzer, the real Tiled and Chromium
	@scripts/check --long

sweep: ## The hostile-input tests in full: every cut, flipped bit and false count; takes hours
	@scripts/check slow

web: ## Build web/lvl.wasm with emscripten from Debian
	@scripts/setup --web
	@scripts/web

bench: ## Measure each stage, as a ratio to what is measured beside it in the same run
	@scripts/setup --bench
	@scripts/bench

install: ## Install below PREFIX (/usr/local), staged below DESTDIR if given
	cmake --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)'
	cmake --build --preset release --target lvl_command lvl_shared lvl_static
	DESTDIR='$(DESTDIR)' cmake --install build/release

fuzz: ## Run each fuzzer for FUZZ_SECONDS (60)
	@scripts/setup --check
	@scripts/fuzz $(FUZZ_SECONDS)

coverage: ## Run the tests with counters and print the share of lines reached, by room and file
	@scripts/setup --check
	@scripts/coverage

format: ## Rewrite the C files in the project's style
	@scripts/format

clean: ## Remove build/ and out/
	rm -rf build out
