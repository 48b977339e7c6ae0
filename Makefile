# Astragal. `make help` lists the targets.

MAKEFLAGS += --no-builtin-rules
B        ?= build
CC       ?= cc
AR       ?= ar
OPT      ?= -O2
PREFIX   ?= /usr/local
# 1: warnings are errors
STRICT   ?= 0

WARN      = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wvla -Wwrite-strings -Wundef $(if $(filter 1,$(STRICT)),-Werror)
STD       = -std=c11 -D_GNU_SOURCE -ffp-contract=off -pthread
INCLUDES  = -Iinclude -Ihost -Ikernels -I$(B)
ALL_CFLAGS = $(STD) $(OPT) $(WARN) $(INCLUDES) -MMD -MP $(CFLAGS)
LIBS      = -lm -ldl -pthread

# In the order in which every kernel compiler reads them.
KERNELS   = kernels/ag_kl.h kernels/ag_philox.h kernels/ag_dice.h kernels/selftest_params.h kernels/dice_params.h \
            kernels/hog_params.h kernels/selftest.cl kernels/dice.cl kernels/hog.cl kernels/hog_sweep.cl

# The kernels as C: one object for each instruction set that a run may choose.
ARCH     := $(shell $(CC) -dumpmachine | cut -d- -f1)
ISA       = base $(if $(filter x86_64,$(ARCH)),avx2 avx512)
FLAGS_base   =
FLAGS_avx2   = -mavx2 -mno-fma
FLAGS_avx512 = -mavx512f -mavx512dq -mavx512vl -mavx512bw -mno-fma
KERNEL_WARN  = -Wno-missing-prototypes -Wno-unused-function -Wno-unused-parameter -Wno-psabi

LIB_SRC   = $(wildcard host/core/*.c host/device/*.c host/dice/*.c host/hog/*.c host/reference/*.c host/output/*.c)
LIB_OBJ   = $(patsubst %.c,$(B)/%.o,$(filter-out host/device/cpu_kernels.c,$(LIB_SRC))) \
            $(B)/host/device/kernel_src.o $(ISA:%=$(B)/host/device/cpu_kernels_%.o)
CLI_OBJ   = $(patsubst %.c,$(B)/%.o,$(wildcard host/cli/*.c))

all: $(B)/astragal $(B)/libastragal.a

$(B)/astragal: $(CLI_OBJ) $(B)/libastragal.a
	$(CC) $(OPT) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libastragal.a: $(LIB_OBJ)
	rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/host/device/cpu_kernels_%.o: host/device/cpu_kernels.c $(KERNELS)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -O3 $(KERNEL_WARN) $(FLAGS_$*) -DAG_ENTRY_SUFFIX=_$* -c -o $@ $<

$(B)/host/device/kernel_src.o: host/device/kernel_src.S host/device/kernel_src.h $(KERNELS)
	@mkdir -p $(@D)
	$(CC) -Ikernels -c -o $@ $<

-include $(shell find $(B) -name '*.d' 2>/dev/null)
