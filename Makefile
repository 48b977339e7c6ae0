# Astragal. `make help` lists the targets.

MAKEFLAGS += --no-builtin-rules
B        ?= build
CC       ?= cc
CXX      ?= c++
AR       ?= ar
OPT      ?= -O2
PREFIX   ?= /usr/local
# 1: warnings are errors
STRICT   ?= 0

WARN      = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wvla -Wwrite-strings -Wundef -Wno-psabi $(if $(filter 1,$(STRICT)),-Werror)
STD       = -std=c11 -D_GNU_SOURCE -ffp-contract=off -pthread
INCLUDES  = -Iinclude -Ihost -Ikernels
ALL_CFLAGS = $(STD) $(OPT) $(WARN) $(INCLUDES) -MMD -MP $(CFLAGS)
LIBS      = -lm -ldl -pthread

# In the order in which every kernel compiler reads them.
KERNELS   = kernels/ag_kl.h kernels/ag_philox.h kernels/ag_dice.h kernels/selftest_params.h kernels/dice_params.h \
            kernels/hog_params.h kernels/lcr_play_params.h kernels/selftest.cl kernels/dice.cl kernels/hog_game.h kernels/hog_pairs.h kernels/hog.cl \
            kernels/hog_sweep.cl kernels/lcr_common.h kernels/lcr_play.cl kernels/lcr_play_small.cl

# The kernels as C: one object for each instruction set that a run may choose.
ARCH     := $(shell $(CC) -dumpmachine | cut -d- -f1)
ISA       = base $(if $(filter x86_64,$(ARCH)),avx2 avx512)
FLAGS_base   =
FLAGS_avx2   = -mavx2 -mno-fma
FLAGS_avx512 = -mavx512f -mavx512dq -mavx512vl -mavx512bw -mno-fma
KERNEL_WARN  = -Wno-missing-prototypes -Wno-unused-function -Wno-unused-parameter

LIB_SRC   = $(wildcard host/core/*.c host/device/*.c host/dice/*.c host/hog/*.c host/lcr/*.c host/reference/*.c host/output/*.c)
LIB_OBJ   = $(patsubst %.c,$(B)/%.o,$(filter-out host/device/cpu_kernels.c,$(LIB_SRC))) \
            $(B)/host/device/kernel_src.o $(ISA:%=$(B)/host/device/cpu_kernels_%.o)
CLI_OBJ   = $(patsubst %.c,$(B)/%.o,$(wildcard host/cli/*.c))
BENCH_OBJ = $(patsubst %.c,$(B)/%.o,$(wildcard bench/*.c))
ORACLE_OBJ = $(patsubst %.c,$(B)/%.o,tests/oracle/hog_oracle.c tests/oracle/hog_law.c)
TEST_SRC  = $(wildcard tests/*/test_*.c tests/oracle/*_self.c examples/*_test.c)
LONG_SRC  = $(wildcard tests/*/long_*.c)
TESTS     = $(TEST_SRC:%.c=$(B)/%)
LONGS     = $(LONG_SRC:%.c=$(B)/%)
# A CUDA driver and compiler that tests run on, and a driver that lacks a function; all tests find them first.
STANDIN   = $(addprefix $(B)/standin/,libcuda.so.1 broken/libcuda.so.1 nvrtc/libnvrtc.so.13)
STANDIN_CUDA = driver memory stream module image kernels record
STANDIN_NVRTC = nvrtc record
ON_STANDIN = AG_BIN=$(B)/astragal AG_STANDIN=$(B)/standin AG_CACHE=off \
             LD_LIBRARY_PATH=$(abspath $(B))/standin:$(abspath $(B))/standin/nvrtc:$$LD_LIBRARY_PATH

## all          the program build/astragal and the library build/libastragal.a (a C compiler is enough)
all: $(B)/astragal $(B)/libastragal.a

## run          build, solve Hog on the default backend, show it, write build/results/
run: all
	@mkdir -p $(B)/results
	$(B)/astragal hog solve --out $(B)/results/hog.csv --out $(B)/results/hog.json

## test         install what the tests need (it says what), then `make check`
test:
	@tools/test-deps
	@$(MAKE) --no-print-directory check

## check        all tests but the long ones: about three minutes
check: all $(TESTS) $(STANDIN) $(B)/astragal-bench
	@$(ON_STANDIN) tools/run-tests $(TESTS)
	@$(ON_STANDIN) tools/check-sig $(B)/astragal-bench

## check-long   more: proofs by counting, many random rule sets, valgrind, oclgrind
check-long: check $(LONGS) oclgrind valgrind
	@$(ON_STANDIN) tools/run-tests $(LONGS)

## bench        every job checked, then timed; JSON lines in build/bench.jsonl
bench: $(B)/astragal-bench
	$(B)/astragal-bench > $(B)/bench.jsonl

## sig          write SIGNATURE: one hash over the fixed jobs, the same on every backend
sig: $(B)/astragal-bench
	$(B)/astragal-bench -s > SIGNATURE.new && mv SIGNATURE.new SIGNATURE && cat SIGNATURE

## check-sig    hold every backend present to SIGNATURE
check-sig: $(B)/astragal-bench
	@tools/check-sig $(B)/astragal-bench

## asan         the tests under the address and undefined-behaviour sanitizers
asan:
	LSAN_OPTIONS=suppressions=$(CURDIR)/tools/lsan.supp:print_suppressions=0 $(MAKE) sanitized B=build-asan \
	    OPT='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'

## tsan         the tests under the thread sanitizer, but for those whose hard work is all on one thread
tsan:
	TSAN_OPTIONS=ignore_noninstrumented_modules=1 $(MAKE) sanitized B=build-tsan CC=clang \
	    OPT='-O1 -g -fsanitize=thread' LEAVE_OUT='%/test_exact %_self %/test_cuda_commands'
sanitized: all $(TESTS) $(STANDIN)
	@$(ON_STANDIN) tools/run-tests $(filter-out $(LEAVE_OUT),$(TESTS))

## valgrind     commands and small tests under memcheck (instruction set base)
valgrind: all $(TESTS)
	@tools/valgrind-check $(B)

## oclgrind     kernels under the OpenCL simulator: bounds, races, calls
oclgrind: all
	@tools/oclgrind-check $(B)

## cuda-compile every kernel through nvcc for sm_75, 80, 90, 120; registers and spills. Needs no GPU
cuda-compile:
	@tools/cuda-compile $(B) $(KERNELS)

## gpu-check    on a machine with an NVIDIA GPU, in four minutes: all checks, bench, cuRAND; results/gpu/
gpu-check: all $(B)/astragal-bench
	@tools/gpu-check $(B)

## gpu-rehearse the same on the stand-in driver of the tests, into build/gpu/: shows that the script works
gpu-rehearse: all $(STANDIN) $(B)/astragal-bench
	@$(ON_STANDIN) GPU_CHECK_OUT=$(B)/gpu GPU_CHECK_MS=1 GPU_CHECK_JOBS='hog/[ls]*' tools/gpu-check $(B)

## lint         formatting, clang-tidy, cppcheck, warnings of gcc and clang, headers as C++, who may include whom
lint:
	@tools/lint $(B) $(CC) $(CXX)

programs: all $(TESTS) $(LONGS) $(STANDIN) $(B)/astragal-bench

## format       clang-format over all sources
format:
	clang-format -i $$(git ls-files '*.c' '*.h' '*.cl')

## install      program, library and headers under PREFIX (default /usr/local)
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include/astragal
	install $(B)/astragal $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(B)/libastragal.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/astragal/*.h $(DESTDIR)$(PREFIX)/include/astragal/

## help         this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## clean        remove build folders
clean:
	rm -rf build build-*

$(B)/astragal: $(CLI_OBJ) $(B)/libastragal.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/astragal-bench: $(BENCH_OBJ) $(B)/libastragal.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libastragal.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(TESTS) $(LONGS): $(B)/%: $(B)/%.o $(ORACLE_OBJ) $(B)/libastragal.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ -lcmocka -lgmp $(LIBS)

$(B)/standin/%.o: tests/cuda/standin_%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden $(STANDIN_$*_FLAGS) -c -o $@ $<
STANDIN_kernels_FLAGS = -O3 $(KERNEL_WARN)

$(B)/standin/libcuda.so.1 $(B)/standin/broken/libcuda.so.1: $(STANDIN_CUDA:%=$(B)/standin/%.o)
$(B)/standin/nvrtc/libnvrtc.so.13: $(STANDIN_NVRTC:%=$(B)/standin/%.o)
$(B)/standin/broken/libcuda.so.1: LDFLAGS += -Wl,--version-script=tests/cuda/standin_broken.map
$(STANDIN):
	@mkdir -p $(@D)
	$(CC) $(OPT) $(LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^ $(LIBS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/host/device/cpu_kernels_%.o: host/device/cpu_kernels.c $(KERNELS)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -O3 $(KERNEL_WARN) $(FLAGS_$*) -DAG_ENTRY_SUFFIX=_$* -c -o $@ $<

$(B)/host/device/kernel_src.o: host/device/kernel_src.S host/device/kernel_src.h $(KERNELS)
	@mkdir -p $(@D)
	$(CC) -Ikernels -c -o $@ $<

.SECONDARY:
.PHONY: all run test check check-long bench sig check-sig asan tsan sanitized valgrind oclgrind cuda-compile gpu-check \
        gpu-rehearse lint programs format install help clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
