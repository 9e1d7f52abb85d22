# The usual commands. CMake does the build: see CMakeLists.txt and `cmake --list-presets`.
# On a minimal Debian, install make first: apt-get install -y make

PREFIX ?= /usr/local
DESTDIR ?=
# Some shells leave ~ in arguments as it is.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
override DESTDIR := $(patsubst ~/%,$(HOME)/%,$(DESTDIR))
need_cmake = @command -v cmake >/dev/null || { echo 'cmake is missing; as root: scripts/setup' >&2; exit 3; }
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: web site help setup build demo bindings check check-long sweep bench install uninstall fuzz coverage format clean \
    dist dist-source dist-html dist-static dist-windows dist-installer dist-npm dist-python dist-bindings dist-deb

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## Install missing packages that the build needs (Debian 12 and 13, as root or with sudo)
	@scripts/setup

build: ## Build the library and the command in build/release
	$(need_cmake)
	@cmake --preset release
	@cmake --build --preset release --target lvl_command lvl_shared

demo: setup build ## Build, and run a tour of the command on samples/; writes pictures to out/demo
	@scripts/demo build/release/lvl

bindings: build ## Write the bindings for C#, Go and LuaJIT to build/bindings
	@bindings/generate build/release/liblvl.so build/bindings

check: ## Install what is missing, build, run the tests; check style, docs and an installed copy (8 minutes on two cores)
	@scripts/check

check-long: ## The longer checks: tests under sanitizers, clang-tidy, a fixed run of every fuzzer, the real Tiled and Chromium, the ABI, Wine
	@scripts/check --long

sweep: ## The hostile-input tests in full: every cut, flipped bit and false count; takes hours
	@scripts/check slow

web: ## Build web/lvl.wasm and the viewer's page with emscripten from Debian
	@scripts/setup --web
	@scripts/web

site: ## Build the project's site in build/site: the viewer, the documentation, the gallery of the samples
	@scripts/setup --site
	@scripts/web
	@$(MAKE) build
	@scripts/site

bench: ## Measure each stage, as a ratio to a reference measured in the same run
	@scripts/setup --bench
	@scripts/bench

install: ## Install to PREFIX (/usr/local), staged below DESTDIR if that is set
	$(need_cmake)
	cmake --preset release -DCMAKE_INSTALL_PREFIX='$(PREFIX)'
	cmake --build --preset release --target lvl_command lvl_shared lvl_static
	DESTDIR='$(DESTDIR)' cmake --install build/release

uninstall: ## Remove what `make install` wrote below PREFIX (and DESTDIR)
	$(need_cmake)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' cmake -P cmake/lvl_uninstall.cmake

dist: ## Make everything that is released, in dist/, and test it
	@scripts/setup --dist
	@scripts/dist
	@scripts/check-dist

dist-source dist-html dist-static dist-windows dist-installer dist-npm dist-python dist-bindings dist-deb: ## One part of a release; see docs/releasing.md
	@scripts/setup --dist
	@scripts/dist $(@:dist-%=%)
	@scripts/check-dist $(@:dist-%=%)

fuzz: ## Run each fuzzer for FUZZ_SECONDS (60)
	@scripts/setup --check
	@scripts/fuzz $(FUZZ_SECONDS)

coverage: ## Run the tests with counters, and print the share of lines that they reach, by folder and file
	@scripts/setup --check
	@scripts/coverage

format: ## Rewrite the C files in the project's style
	@scripts/format

clean: ## Remove build/, out/ and dist/
	rm -rf build out dist
