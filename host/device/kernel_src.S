/*
 * kernel_src.S -- puts the text of every kernel file into the program.
 */
#include "kernel_src.h"

#define X(symbol, file)                                                            \
        .globl ag_kernel_##symbol; .globl ag_kernel_##symbol##_end;                \
        ag_kernel_##symbol: .incbin file; ag_kernel_##symbol##_end: .byte 0;

        .section .rodata
        AG_KERNEL_FILES(X)
        .section .note.GNU-stack, "", %progbits
