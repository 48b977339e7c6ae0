/*
 * curand_peer.cu -- what agk_dice_count_sixes is measured against on a GPU: cuRAND makes the words, which a second
 * kernel reads, cuts into six-sided dice and counts.
 *
 * nvcc -O3 -arch=native bench/curand_peer.cu -lcurand            usage: curand_peer [WORDS]
 *
 * Its legacy order gives cuRAND's word 4 j + q, j < 65536, as word q of the block with counter {0, 0, j, 0}: the dice
 * of game 0 for that seed, which is checked here by a plain Philox. The dynamic order is the one that cuRAND calls
 * fastest. Words that would not be uniform are left out, not replaced. Prints JSON lines as the bench does. Times are
 * those of the device, by events, for both kernels together and for each.
 */
#include <cuda_runtime.h>
#include <curand.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED        1ull
#define FACES       6u
#define PER_WORD    10u       /* dice cut from one word */
#define POWER       60466176u /* FACES^PER_WORD */
#define REJECT      1868800u  /* 2^32 mod POWER: a word that leaves less is not used */
#define FIELD       6u        /* bits of one face's count in a sum of up to 63 dice */
#define LANES       65536u    /* counters of cuRAND's legacy order */
#define CHECK_WORDS (4u * LANES)
#define BLOCK       256u
#define SAMPLES     7

/* The size of the bench's job dice/d6, and one that hides every start and end. */
static const uint64_t sizes[] = {40000000, UINT64_C(1) << 28};

/* Accepted words and, for each face, dice. */
typedef struct {
    unsigned long long n_words, faces[FACES];
} dice_counts;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "curand_peer: %s: %s\n", what, why);
    exit(1);
}

static void check_cuda(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        fail(what, cudaGetErrorString(error));
}

static void check_curand(curandStatus_t status, const char *what)
{
    char why[32];
    snprintf(why, sizeof why, "status %d", (int)status);
    if (status != CURAND_STATUS_SUCCESS)
        fail(what, why);
}

#define CUDA(call)   check_cuda(call, #call)
#define CURAND(call) check_curand(call, #call)

/* ------------------------------------------------------------------ on the device */

/* Cuts a word; returns whether it is used. fields: one is added to that of each die. faces is FACES, unknown to the
 * compiler, which would otherwise make each die anew from the whole word. */
__device__ __forceinline__ bool cut_word(uint32_t word, uint32_t faces, uint32_t *fields)
{
    uint32_t rest = word, sum = 0;
    for (uint32_t k = 0; k < PER_WORD; k++) {
        const uint32_t die = __umulhi(rest, faces); /* one instruction makes this and the next line */
        rest *= faces;
        sum += 1u << FIELD * die;
    }
    if (rest < REJECT)
        return false;
    *fields += sum;
    return true;
}

/* Adds the dice of 4 n_quads words to *out. Fewer than 2^28 words a thread. */
__global__ void count_dice(const uint4 *words, uint64_t n_quads, uint32_t faces, dice_counts *out)
{
    __shared__ uint32_t of_block[FACES];
    uint32_t n_words = 0, n[FACES - 1] = {0};

    if (threadIdx.x < FACES)
        of_block[threadIdx.x] = 0;
    __syncthreads();
    for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < n_quads; i += (uint64_t)gridDim.x * BLOCK) {
        const uint4 quad = words[i];
        uint32_t fields = 0; /* of 40 dice at most; the last face, at the top, overflows and is not read */
        n_words += cut_word(quad.x, faces, &fields);
        n_words += cut_word(quad.y, faces, &fields);
        n_words += cut_word(quad.z, faces, &fields);
        n_words += cut_word(quad.w, faces, &fields);
        for (uint32_t f = 0; f < FACES - 1; f++)
            n[f] += fields >> FIELD * f & ((1u << FIELD) - 1u);
    }
    for (uint32_t f = 0; f < FACES - 1; f++)
        atomicAdd(&of_block[f], n[f]);
    atomicAdd(&of_block[FACES - 1], n_words);
    __syncthreads();
    if (threadIdx.x < FACES - 1)
        atomicAdd(&out->faces[threadIdx.x], (unsigned long long)of_block[threadIdx.x]);
    if (threadIdx.x == FACES - 1)
        atomicAdd(&out->n_words, (unsigned long long)of_block[FACES - 1]);
}

/* -------------------------------------------------------------------- on the host */

/* Philox4x32-10, from its paper. */
static void philox(uint32_t counter, uint64_t seed, uint32_t out[4])
{
    uint32_t c[4] = {0, 0, counter, 0}, k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        const uint64_t p0 = (uint64_t)c[0] * 0xD2511F53u, p1 = (uint64_t)c[2] * 0xCD9E8D57u;
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
        c[1] = (uint32_t)p1;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
        c[3] = (uint32_t)p0;
    }
    for (int q = 0; q < 4; q++)
        out[q] = c[q];
}

static void count_plainly(uint32_t word, dice_counts *out)
{
    if (word * POWER < REJECT)
        return;
    out->n_words++;
    for (uint32_t k = 0, rest = word; k < PER_WORD; k++, rest *= FACES)
        out->faces[(uint64_t)rest * FACES >> 32]++;
}

/* The device counts five faces and words; the sixth is what is missing. */
static dice_counts read_counts(const dice_counts *on_device)
{
    dice_counts c;
    CUDA(cudaMemcpy(&c, on_device, sizeof c, cudaMemcpyDeviceToHost));
    c.faces[FACES - 1] = PER_WORD * c.n_words;
    for (uint32_t f = 0; f < FACES - 1; f++)
        c.faces[FACES - 1] -= c.faces[f];
    return c;
}

static unsigned int grid_size(void)
{
    int n_processors = 0, per_processor = 0;
    CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, count_dice, (int)BLOCK, 0));
    return (unsigned int)(n_processors * per_processor);
}

static curandGenerator_t create_generator(curandOrdering_t order)
{
    curandGenerator_t generator;
    CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    CURAND(curandSetPseudoRandomGeneratorSeed(generator, SEED));
    CURAND(curandSetGeneratorOrdering(generator, order));
    return generator;
}

/* cuRAND's first words are those of game 0, and the kernel counts their dice. */
static void check_first_words(uint32_t *words, dice_counts *counts)
{
    curandGenerator_t generator = create_generator(CURAND_ORDERING_PSEUDO_LEGACY);
    uint32_t *host = (uint32_t *)malloc(CHECK_WORDS * sizeof *host);
    dice_counts wanted = {0, {0}};
    if (!host)
        fail("check", "no memory");
    CURAND(curandGenerate(generator, words, CHECK_WORDS));
    CUDA(cudaMemset(counts, 0, sizeof *counts));
    count_dice<<<grid_size(), BLOCK>>>((const uint4 *)words, LANES, FACES, counts);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(host, words, CHECK_WORDS * sizeof *host, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < CHECK_WORDS; i++) {
        uint32_t block[4];
        philox(i / 4, SEED, block);
        if (host[i] != block[i % 4]) {
            fprintf(stderr, "curand_peer: word %u is %08x, game 0 has %08x\n", i, host[i], block[i % 4]);
            exit(1);
        }
        count_plainly(host[i], &wanted);
    }
    const dice_counts got = read_counts(counts);
    for (uint32_t f = 0; f < FACES; f++)
        if (got.n_words != wanted.n_words || got.faces[f] != wanted.faces[f]) {
            fprintf(stderr, "curand_peer: %llu words and %llu dice show %u, must be %llu and %llu\n", got.n_words,
                    got.faces[f], f + 1, wanted.n_words, wanted.faces[f]);
            exit(1);
        }
    free(host);
    CURAND(curandDestroyGenerator(generator));
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void print_job(const char *job, const char *part, float *each_ms, const char *unit, double n_items)
{
    qsort(each_ms, SAMPLES, sizeof *each_ms, compare_floats);
    const double median_ns = 1e6 * each_ms[SAMPLES / 2];
    printf(
        "{\"kind\":\"job\",\"job\":\"%s%s\",\"backend\":\"cuda\",\"threads\":null,\"min_ns\":%.0f,\"median_ns\":%.0f,"
        "\"max_ns\":%.0f,\"loops\":1,\"reps\":%d,\"unit\":\"%s\",\"items\":%.0f,\"items_per_s\":%.17g",
        job, part, 1e6 * each_ms[0], median_ns, 1e6 * each_ms[SAMPLES - 1], SAMPLES, unit, n_items,
        1e9 * n_items / median_ns);
}

/* Generates and counts n_words, a multiple of 4, SAMPLES times after once that is not timed. */
static void run_job(const char *job, curandOrdering_t order, uint64_t n_words, uint32_t *words, dice_counts *counts)
{
    curandGenerator_t generator = create_generator(order);
    const unsigned int n_blocks = grid_size();
    float both_ms[SAMPLES], generate_ms[SAMPLES], count_ms[SAMPLES];
    cudaEvent_t start, made, end;
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreate(&made));
    CUDA(cudaEventCreate(&end));
    for (int i = -1; i < SAMPLES; i++) {
        CUDA(cudaMemset(counts, 0, sizeof *counts));
        CUDA(cudaEventRecord(start));
        CURAND(curandGenerate(generator, words, n_words));
        CUDA(cudaEventRecord(made));
        count_dice<<<n_blocks, BLOCK>>>((const uint4 *)words, n_words / 4, FACES, counts);
        CUDA(cudaGetLastError());
        CUDA(cudaEventRecord(end));
        CUDA(cudaEventSynchronize(end));
        if (i < 0)
            continue;
        CUDA(cudaEventElapsedTime(&both_ms[i], start, end));
        CUDA(cudaEventElapsedTime(&generate_ms[i], start, made));
        CUDA(cudaEventElapsedTime(&count_ms[i], made, end));
    }
    const dice_counts c = read_counts(counts);
    const double n_dice = PER_WORD * (double)c.n_words;
    print_job(job, "", both_ms, "dice", n_dice);
    printf(",\"words\":%llu,\"rejected\":%llu,\"counts\":[", (unsigned long long)n_words, n_words - c.n_words);
    for (uint32_t f = 0; f < FACES; f++)
        printf("%s%llu", f > 0 ? "," : "", c.faces[f]);
    printf("]}\n");
    print_job(job, "/generate", generate_ms, "words", (double)n_words);
    printf("}\n");
    print_job(job, "/count", count_ms, "dice", n_dice);
    printf("}\n");
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(made));
    CUDA(cudaEventDestroy(end));
    CURAND(curandDestroyGenerator(generator));
}

static void print_context(void)
{
    cudaDeviceProp properties;
    int driver = 0, version = 0;
    CUDA(cudaGetDeviceProperties(&properties, 0));
    CUDA(cudaDriverGetVersion(&driver));
    CURAND(curandGetVersion(&version));
    printf("{\"kind\":\"context\",\"peer\":\"curand\",\"version\":\"%d\",\"backend\":\"cuda\",\"threads\":null,"
           "\"device\":\"%s\",\"driver\":\"CUDA %d.%d\"}\n",
           version, properties.name, driver / 1000, driver % 1000 / 10);
}

int main(int n_args, char **args)
{
    uint32_t *words;
    dice_counts *counts;
    uint64_t one_size = 0, most = sizes[1];
    if (n_args > 1) {
        one_size = strtoull(args[1], NULL, 10) / 4 * 4;
        if (n_args > 2 || one_size == 0 || one_size > UINT64_C(1) << 34)
            fail("WORDS", "must be 4..2^34");
        most = one_size > CHECK_WORDS ? one_size : CHECK_WORDS;
    }
    CUDA(cudaMalloc(&words, most * sizeof *words));
    CUDA(cudaMalloc(&counts, sizeof *counts));
    print_context();
    check_first_words(words, counts);
    for (size_t i = 0; i < (one_size ? 1 : sizeof sizes / sizeof sizes[0]); i++) {
        const uint64_t n_words = one_size ? one_size : sizes[i];
        run_job("dice/curand", CURAND_ORDERING_PSEUDO_LEGACY, n_words, words, counts);
        run_job("dice/curand-dynamic", CURAND_ORDERING_PSEUDO_DYNAMIC, n_words, words, counts);
    }
    CUDA(cudaFree(words));
    CUDA(cudaFree(counts));
    return 0;
}
