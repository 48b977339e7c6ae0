/*
 * ag_kl.h -- the kernel language: the few words that differ between OpenCL C 1.2,
 * CUDA C and C11, and nothing else. Every other kernel file keeps to their common
 * subset: no #include, no pointer to pointer, no libm, no float atomics, no recursion.
 *
 * A kernel is written for one *group*: a work-group, a thread block, or one CPU
 * thread. What a group does in parallel it says as a loop over items or packs,
 *
 *     AG_FOR_ITEMS(i, lo, hi) { ... }     each i of lo..hi-1 once, on some lane
 *     AG_FOR_PACKS(i, lo, hi) { ... }     i = lo, lo+AG_PACK, ...: AG_PACK items at a time
 *     AG_BARRIER();                       all lanes see what all lanes stored before
 *
 * Two loops with the same bounds give item i to the same lane. A pack is AG_PACK
 * doubles that move together: a SIMD register on a CPU (also through OpenCL), one
 * double on a GPU. Lanes never mix, so the width of a pack cannot change a result.
 * Likewise ag_words: AG_PACK random words, each in the low half of 64 bits, for ag_mul_words; and ag_halves: AG_HALVES
 * words of 32 bits in as many bits, twice as many as a pack on a CPU and one on a GPU.
 *
 * Every entry has the same form, so that one launcher serves all: a struct of
 * scalars by value and AG_N_BUFS buffers, b0 .. b5, cast to what they hold:
 *
 *     AG_ENTRY(agk_name, agk_name_params) { AG_GLOBAL double *v = (AG_GLOBAL double *)b0; ... }
 *
 * Inside: p (the parameters), AG_GROUP (this group's number), AG_N_GROUPS.
 *
 * Functions are AG_FN; AG_INLINE where an argument that is a constant shall be one inside. AG_UNROLL before a short
 * loop over packs keeps them in registers.
 *
 * Doubles: contraction is off (FP_CONTRACT OFF here, -ffp-contract=off for C,
 * --fmad=false for CUDA), so + - * / are the same IEEE operations everywhere.
 */
#ifndef AG_KL_H
#define AG_KL_H

#define AG_N_BUFS 6

/* ------------------------------------------------------------------ OpenCL C 1.2 */
#if defined(__OPENCL_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef uchar ag_u8;
typedef ushort ag_u16;
typedef int ag_i32;
typedef uint ag_u32;
typedef long ag_i64;
typedef ulong ag_u64;
#define AG_FN                 static inline
#define AG_INLINE             static inline __attribute__((always_inline))
#define AG_UNROLL             _Pragma("unroll")
#define AG_GLOBAL             __global
#define AG_MULHI32(a, b)      mul_hi((ag_u32)(a), (ag_u32)(b))
#define AG_ATOMIC_ADD32(p, v) ((void)atomic_add((p), (v)))
#define AG_GROUP              ((ag_u32)get_group_id(0))
#define AG_N_GROUPS           ((ag_u32)get_num_groups(0))
#define AG_ENTRY(name, params)                                                                                         \
    __kernel void name(const params p, __global ag_u8 *b0, __global ag_u8 *b1, __global ag_u8 *b2, __global ag_u8 *b3, \
                       __global ag_u8 *b4, __global ag_u8 *b5)
#ifdef AG_ONE_LANE /* a CPU behind OpenCL: one work-item is the group, packs are its lanes */
#define AG_LANE      0u
#define AG_N_LANES   1u
#define AG_BARRIER() ((void)0)
#else
#define AG_LANE      ((ag_u32)get_local_id(0))
#define AG_N_LANES   ((ag_u32)get_local_size(0))
#define AG_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#ifndef AG_PACK
#define AG_PACK 1
#endif
#if AG_PACK == 8
typedef double8 ag_pack;
typedef long8 ag_mask;
typedef ulong8 ag_words;
typedef uint16 ag_halves;
#elif AG_PACK == 4
typedef double4 ag_pack;
typedef long4 ag_mask;
typedef ulong4 ag_words;
typedef uint8 ag_halves;
#endif
#if AG_PACK > 1
#define AG_SELECT(m, a, b) ((m) ? (a) : (b))
#endif

/* ------------------------------------------------- CUDA C: NVRTC or nvcc, --fmad=false */
#elif defined(__CUDACC__)
typedef unsigned char ag_u8;
typedef unsigned short ag_u16;
typedef int ag_i32;
typedef unsigned int ag_u32;
typedef long long ag_i64;
typedef unsigned long long ag_u64;
#define AG_FN     static __device__ __forceinline__
#define AG_INLINE AG_FN
#define AG_UNROLL
#define AG_GLOBAL
#define AG_MULHI32(a, b)      __umulhi((ag_u32)(a), (ag_u32)(b))
#define AG_ATOMIC_ADD32(p, v) ((void)atomicAdd((p), (v)))
#define AG_GROUP              ((ag_u32)blockIdx.x)
#define AG_N_GROUPS           ((ag_u32)gridDim.x)
#define AG_LANE               ((ag_u32)threadIdx.x)
#define AG_N_LANES            ((ag_u32)blockDim.x)
#define AG_BARRIER()          __syncthreads()
#define AG_ENTRY(name, params)                                                                                         \
    extern "C" __global__ void name(const params p, ag_u8 *b0, ag_u8 *b1, ag_u8 *b2, ag_u8 *b3, ag_u8 *b4, ag_u8 *b5)
#define AG_PACK 1

/* ------------------------------------------------------ C11: the group is a CPU thread */
#else
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
typedef uint8_t ag_u8;
typedef uint16_t ag_u16;
typedef int32_t ag_i32;
typedef uint32_t ag_u32;
typedef int64_t ag_i64;
typedef uint64_t ag_u64;
#define AG_FN     static inline
#define AG_INLINE static inline __attribute__((always_inline))
#define AG_UNROLL
#define AG_GLOBAL
#define AG_MULHI32(a, b)      ((ag_u32)(((ag_u64)(ag_u32)(a) * (ag_u32)(b)) >> 32))
#define AG_ATOMIC_ADD32(p, v) ((void)__atomic_fetch_add((p), (v), __ATOMIC_RELAXED))
#define AG_GROUP              (group_)
#define AG_N_GROUPS           (n_groups_)
#define AG_LANE               0u
#define AG_N_LANES            1u
#define AG_BARRIER()          ((void)0)
#ifndef AG_ENTRY_SUFFIX /* the instruction set this copy is compiled for */
#define AG_ENTRY_SUFFIX _base
#endif
#define AG_CAT_(a, b) a##b
#define AG_CAT(a, b)  AG_CAT_(a, b)
#define AG_ENTRY(name, params)                                                                                         \
    static void AG_CAT(name, _body)(const params p, ag_u8 *b0, ag_u8 *b1, ag_u8 *b2, ag_u8 *b3, ag_u8 *b4, ag_u8 *b5,  \
                                    ag_u32 group_, ag_u32 n_groups_);                                                  \
    void AG_CAT(name, AG_ENTRY_SUFFIX)(const void *params_, ag_u8 *const *b_, ag_u32 group_, ag_u32 n_groups_);        \
    void AG_CAT(name, AG_ENTRY_SUFFIX)(const void *params_, ag_u8 *const *b_, ag_u32 group_, ag_u32 n_groups_)         \
    {                                                                                                                  \
        AG_CAT(name, _body)                                                                                            \
        (*(const params *)params_, b_[0], b_[1], b_[2], b_[3], b_[4], b_[5], group_, n_groups_);                       \
    }                                                                                                                  \
    static void AG_CAT(name, _body)(const params p, ag_u8 *b0, ag_u8 *b1, ag_u8 *b2, ag_u8 *b3, ag_u8 *b4, ag_u8 *b5,  \
                                    ag_u32 group_, ag_u32 n_groups_)
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define AG_PACK 8
#elif defined(__AVX2__)
#define AG_PACK 4
#else
#define AG_PACK 2
#endif
typedef double ag_pack __attribute__((vector_size(8 * AG_PACK)));
typedef int64_t ag_mask __attribute__((vector_size(8 * AG_PACK)));
typedef uint64_t ag_words __attribute__((vector_size(8 * AG_PACK)));
typedef uint32_t ag_halves __attribute__((vector_size(8 * AG_PACK)));
#define AG_SELECT(m, a, b) ((ag_pack)(((m) & (ag_mask)(a)) | (~(m) & (ag_mask)(b))))
#endif

/* ------------------------------------------------------------- the same text for all */
#define AG_FOR_ITEMS(i, lo, hi) for (ag_u32 i = (lo) + AG_LANE; i < (hi); i += AG_N_LANES)
#define AG_FOR_PACKS(i, lo, hi) for (ag_u32 i = (lo) + AG_LANE * AG_PACK; i < (hi); i += AG_N_LANES * AG_PACK)

#define AG_UNUSED_BUFS() ((void)b0, (void)b1, (void)b2, (void)b3, (void)b4, (void)b5)

/* Doubles at p, p+1, ...; no alignment beyond that of a double. */
#if AG_PACK == 1
typedef double ag_pack;
typedef ag_i64 ag_mask;
typedef ag_u64 ag_words;
#define AG_SELECT(m, a, b) ((m) ? (a) : (b))
#define AG_SPLAT(x)        (x)
AG_FN ag_pack ag_load(const AG_GLOBAL double *p)
{
    return *p;
}
AG_FN void ag_store(AG_GLOBAL double *p, ag_pack v)
{
    *p = v;
}
/* Stores the first n items of a pack (all of them when n >= AG_PACK). */
AG_FN void ag_store_first(AG_GLOBAL double *p, ag_pack v, ag_u32 n)
{
    if (n)
        *p = v;
}
#elif defined(__OPENCL_VERSION__)
#define AG_SPLAT(x) ((ag_pack)(x))
#if AG_PACK == 8
AG_FN ag_pack ag_load(const __global double *p)
{
    return vload8(0, p);
}
AG_FN void ag_store(__global double *p, ag_pack v)
{
    vstore8(v, 0, p);
}
#else
AG_FN ag_pack ag_load(const __global double *p)
{
    return vload4(0, p);
}
AG_FN void ag_store(__global double *p, ag_pack v)
{
    vstore4(v, 0, p);
}
#endif
AG_FN void ag_store_first(__global double *p, ag_pack v, ag_u32 n)
{
    double item[AG_PACK];
    if (n >= AG_PACK) {
        ag_store(p, v);
        return;
    }
#if AG_PACK == 8
    vstore8(v, 0, item);
#else
    vstore4(v, 0, item);
#endif
    for (ag_u32 i = 0; i < n; i++)
        p[i] = item[i];
}
#else
AG_FN ag_pack ag_splat(double x)
{
#if AG_PACK == 8
    return (ag_pack){x, x, x, x, x, x, x, x};
#elif AG_PACK == 4
    return (ag_pack){x, x, x, x};
#else
    return (ag_pack){x, x};
#endif
}
#define AG_SPLAT(x) ag_splat(x)
typedef double ag_pack_at __attribute__((vector_size(8 * AG_PACK), aligned(8), may_alias));
AG_FN ag_pack ag_load(const double *p)
{
    return *(const ag_pack_at *)p;
}
AG_FN void ag_store(double *p, ag_pack v)
{
    *(ag_pack_at *)p = v;
}
AG_FN void ag_store_first(double *p, ag_pack v, ag_u32 n)
{
    if (n >= AG_PACK) {
        ag_store(p, v);
        return;
    }
    for (ag_u32 i = 0; i < n; i++)
        p[i] = v[i];
}
#endif

/* Items from .. to - 1 of a pack; bounds outside 0..AG_PACK are fine. */
AG_FN ag_mask ag_lanes_between(ag_i32 from, ag_i32 to)
{
#if AG_PACK == 1
    return from <= 0 && 0 < to;
#else
#if defined(__OPENCL_VERSION__) && AG_PACK == 8
    const ag_mask item = (ag_mask)(0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(__OPENCL_VERSION__)
    const ag_mask item = (ag_mask)(0, 1, 2, 3);
#elif AG_PACK == 8
    const ag_mask item = {0, 1, 2, 3, 4, 5, 6, 7};
#elif AG_PACK == 4
    const ag_mask item = {0, 1, 2, 3};
#else
    const ag_mask item = {0, 1};
#endif
    return (item >= (ag_i64)from) & (item < (ag_i64)to);
#endif
}

/* a > b ? a : b in every lane. On x86 that is one instruction; gcc 12 makes two of the expression. */
#if AG_PACK == 8 && defined(__x86_64__) && !defined(__OPENCL_VERSION__)
AG_FN ag_pack ag_max(ag_pack a, ag_pack b)
{
    return (ag_pack)_mm512_max_pd((__m512d)a, (__m512d)b);
}
#elif AG_PACK == 4 && defined(__x86_64__) && !defined(__OPENCL_VERSION__)
AG_FN ag_pack ag_max(ag_pack a, ag_pack b)
{
    return (ag_pack)_mm256_max_pd((__m256d)a, (__m256d)b);
}
#else
AG_FN ag_pack ag_max(ag_pack a, ag_pack b)
{
    return AG_SELECT(a > b, a, b);
}
#endif
AG_FN double ag_max1(double a, double b)
{
    return a > b ? a : b;
}
AG_FN double ag_min1(double a, double b)
{
    return a < b ? a : b;
}

/* x in every lane, and words of private memory. */
#if AG_PACK == 1
#define AG_SPLAT_WORDS(x) ((ag_words)(x))
AG_FN ag_words ag_load_words(const ag_u64 *p)
{
    return *p;
}
AG_FN void ag_store_words(ag_u64 *p, ag_words v)
{
    *p = v;
}
#elif defined(__OPENCL_VERSION__)
#define AG_SPLAT_WORDS(x) ((ag_words)(x))
#if AG_PACK == 8
AG_FN ag_words ag_load_words(const ag_u64 *p)
{
    return vload8(0, p);
}
AG_FN void ag_store_words(ag_u64 *p, ag_words v)
{
    vstore8(v, 0, p);
}
#else
AG_FN ag_words ag_load_words(const ag_u64 *p)
{
    return vload4(0, p);
}
AG_FN void ag_store_words(ag_u64 *p, ag_words v)
{
    vstore4(v, 0, p);
}
#endif
#else
#define AG_SPLAT_WORDS(x) ((ag_words){0} + (x))
typedef uint64_t ag_words_at __attribute__((vector_size(8 * AG_PACK), aligned(8), may_alias));
AG_FN ag_words ag_load_words(const ag_u64 *p)
{
    return *(const ag_words_at *)p;
}
AG_FN void ag_store_words(ag_u64 *p, ag_words v)
{
    *(ag_words_at *)p = v;
}
#endif

/* The same for words of 32 bits, and the lesser of two in every lane. */
#if AG_PACK == 1
typedef ag_u32 ag_halves;
#define AG_HALVES          1u
#define AG_SPLAT_HALVES(x) ((ag_halves)(x))
AG_FN ag_halves ag_load_halves(const ag_u32 *p)
{
    return *p;
}
AG_FN void ag_store_halves(ag_u32 *p, ag_halves v)
{
    *p = v;
}
AG_FN ag_halves ag_min_halves(ag_halves a, ag_halves b)
{
    return a < b ? a : b;
}
#elif defined(__OPENCL_VERSION__)
#define AG_HALVES          (2u * AG_PACK)
#define AG_SPLAT_HALVES(x) ((ag_halves)(x))
#if AG_PACK == 8
AG_FN ag_halves ag_load_halves(const ag_u32 *p)
{
    return vload16(0, p);
}
AG_FN void ag_store_halves(ag_u32 *p, ag_halves v)
{
    vstore16(v, 0, p);
}
#else
AG_FN ag_halves ag_load_halves(const ag_u32 *p)
{
    return vload8(0, p);
}
AG_FN void ag_store_halves(ag_u32 *p, ag_halves v)
{
    vstore8(v, 0, p);
}
#endif
AG_FN ag_halves ag_min_halves(ag_halves a, ag_halves b)
{
    return min(a, b);
}
#else
#define AG_HALVES          (2u * AG_PACK)
#define AG_SPLAT_HALVES(x) ((ag_halves){0} + (x))
typedef uint32_t ag_halves_at __attribute__((vector_size(8 * AG_PACK), aligned(4), may_alias));
AG_FN ag_halves ag_load_halves(const ag_u32 *p)
{
    return *(const ag_halves_at *)p;
}
AG_FN void ag_store_halves(ag_u32 *p, ag_halves v)
{
    *(ag_halves_at *)p = v;
}
AG_FN ag_halves ag_min_halves(ag_halves a, ag_halves b)
{
#if defined(__x86_64__) && AG_PACK == 8
    return (ag_halves)_mm512_min_epu32((__m512i)a, (__m512i)b);
#elif defined(__x86_64__) && AG_PACK == 4
    return (ag_halves)_mm256_min_epu32((__m256i)a, (__m256i)b);
#else
    const ag_halves less = (ag_halves)(a < b);
    return (less & a) | (~less & b);
#endif
}
#endif

/* Two bits of a table of 16: (table >> at) & 3 in every lane, at = 0 .. 14. */
AG_INLINE ag_halves ag_pick_halves(ag_u32 table, ag_halves at)
{
#if defined(__x86_64__) && !defined(__OPENCL_VERSION__) && AG_PACK >= 4
    __m128i bytes = _mm_setzero_si128();
    for (int i = 14; i >= 0; i--)
        bytes = _mm_or_si128(_mm_slli_si128(bytes, 1), _mm_cvtsi32_si128((int)(table >> i & 3u)));
#if AG_PACK == 8
    return (ag_halves)_mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), (__m512i)at);
#else
    return (ag_halves)_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), (__m256i)at);
#endif
#else
    return (AG_SPLAT_HALVES(table) >> at) & 3u;
#endif
}

/* On a CPU alone: the bits of words as halves and back, of a mask as words; AG_PACK words of 32 bits, each in the low
 * half of 64. */
#if AG_PACK > 1
#if !defined(__OPENCL_VERSION__)
#define AG_AS_HALVES(v)  ((ag_halves)(v))
#define AG_AS_WORDS(v)   ((ag_words)(v))
#define AG_MASK_WORDS(m) ((ag_words)(m))
typedef uint32_t ag_narrow_at __attribute__((vector_size(4 * AG_PACK), aligned(4), may_alias));
AG_FN ag_words ag_widen(const ag_u32 *p)
{
    return __builtin_convertvector(*(const ag_narrow_at *)p, ag_words);
}
#elif AG_PACK == 8
#define AG_AS_HALVES(v)  as_uint16(v)
#define AG_AS_WORDS(v)   as_ulong8(v)
#define AG_MASK_WORDS(m) as_ulong8(m)
AG_FN ag_words ag_widen(const ag_u32 *p)
{
    return convert_ulong8(vload8(0, p));
}
#else
#define AG_AS_HALVES(v)  as_uint8(v)
#define AG_AS_WORDS(v)   as_ulong4(v)
#define AG_MASK_WORDS(m) as_ulong4(m)
AG_FN ag_words ag_widen(const ag_u32 *p)
{
    return convert_ulong4(vload4(0, p));
}
#endif

/* Appends the items of v whose lanes are set in m to a list of *n; it has room for AG_PACK more. */
AG_FN void ag_pack_words(ag_u64 *list, ag_u32 *n, ag_words v, ag_mask m)
{
#if defined(__x86_64__) && !defined(__OPENCL_VERSION__) && AG_PACK == 8
    const __mmask8 lanes = _mm512_movepi64_mask((__m512i)m);
    ag_store_words(list + *n, (ag_words)_mm512_maskz_compress_epi64(lanes, (__m512i)v));
    *n += (ag_u32)__builtin_popcount(lanes);
#else
    ag_u64 item[AG_PACK], lane[AG_PACK];
    ag_store_words(item, v);
    ag_store_words(lane, AG_MASK_WORDS(m));
    AG_UNROLL
    for (ag_u32 i = 0; i < AG_PACK; i++) { /* no branches: nobody could foretell them */
        list[*n] = item[i];
        *n += (ag_u32)lane[i] & 1u;
    }
#endif
}
/* The way back: the next items of a list, from number *n, in the lanes that are set in m, 0 in the others. A vector is
 * put together in registers: it cannot be loaded at once where its parts have just been stored. */
AG_FN ag_words ag_spread_words(const ag_u64 *list, ag_u32 *n, ag_mask m)
{
#if defined(__OPENCL_VERSION__)
    ag_u64 lane[AG_PACK];
    ag_words v;
    ag_store_words(lane, AG_MASK_WORDS(m));
#define AG_NEXT(i, s) v.s = list[*n], *n += (ag_u32)lane[i] & 1u
    AG_NEXT(0, s0), AG_NEXT(1, s1), AG_NEXT(2, s2), AG_NEXT(3, s3);
#if AG_PACK == 8
    AG_NEXT(4, s4), AG_NEXT(5, s5), AG_NEXT(6, s6), AG_NEXT(7, s7);
#endif
#undef AG_NEXT
    return v & AG_MASK_WORDS(m);
#elif defined(__x86_64__) && AG_PACK == 8
    const __mmask8 lanes = _mm512_movepi64_mask((__m512i)m);
    const ag_words v = ag_load_words(list + *n);
    *n += (ag_u32)__builtin_popcount(lanes);
    return (ag_words)_mm512_maskz_expand_epi64(lanes, (__m512i)v);
#else
    ag_words v = {0};
    for (ag_u32 i = 0; i < AG_PACK; i++) {
        v[i] = list[*n];
        *n += (ag_u32)m[i] & 1u;
    }
    return v & AG_MASK_WORDS(m);
#endif
}

/* table[at] in every lane. */
AG_FN ag_halves ag_lookup_halves(const AG_GLOBAL ag_u32 *table, ag_halves at)
{
#if defined(__OPENCL_VERSION__) && AG_PACK == 8
    return (ag_halves)(table[at.s0], table[at.s1], table[at.s2], table[at.s3], table[at.s4], table[at.s5], table[at.s6],
                       table[at.s7], table[at.s8], table[at.s9], table[at.sa], table[at.sb], table[at.sc], table[at.sd],
                       table[at.se], table[at.sf]);
#elif defined(__OPENCL_VERSION__)
    return (ag_halves)(table[at.s0], table[at.s1], table[at.s2], table[at.s3], table[at.s4], table[at.s5], table[at.s6],
                       table[at.s7]);
#elif defined(__x86_64__) && AG_PACK == 8
    return (ag_halves)_mm512_i32gather_epi32((__m512i)at, table, 4);
#elif defined(__x86_64__) && AG_PACK == 4
    return (ag_halves)_mm256_i32gather_epi32((const int *)table, (__m256i)at, 4);
#else
    ag_halves v = {0};
    for (ag_u32 i = 0; i < AG_HALVES; i++)
        v[i] = table[at[i]];
    return v;
#endif
}
#endif

/* Products, all 64 bits of them, of the low halves; gcc needs to be told the instruction. */
#if defined(__x86_64__) && !defined(__OPENCL_VERSION__) && AG_PACK == 8
AG_FN ag_words ag_mul_words(ag_words a, ag_words b)
{
    return (ag_words)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
#elif defined(__x86_64__) && !defined(__OPENCL_VERSION__) && AG_PACK == 4
AG_FN ag_words ag_mul_words(ag_words a, ag_words b)
{
    return (ag_words)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
#elif defined(__x86_64__) && !defined(__OPENCL_VERSION__) && AG_PACK == 2
AG_FN ag_words ag_mul_words(ag_words a, ag_words b)
{
    return (ag_words)_mm_mul_epu32((__m128i)a, (__m128i)b);
}
#else
AG_FN ag_words ag_mul_words(ag_words a, ag_words b)
{
    return (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
}
#endif

#endif /* AG_KL_H */
