/*
 * standin_image.c -- reads what is given to a driver as machine code or PTX: images of the stand-in NVRTC, cubins of
 * NVIDIA's compilers, PTX. Nothing is translated: names, sizes of parameters and registers are all that is wanted.
 */
#include "standin_driver.h"
#include "standin_image.h"

#include "ag_kl.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int arch, version; /* of the device, of the driver */
    standin_image *out;
    char *log;
    size_t size_log;
} reader;

#define FAIL(r, code, ...) (snprintf((r)->log, (r)->size_log, __VA_ARGS__), (ag_cu_result)(code))

/* A new kernel of the image; NULL if there are too many or its name is too long. */
static standin_kernel *add_kernel(reader *r, const char *name, size_t length)
{
    if (r->out->n_kernels == STANDIN_KERNELS_MAX || length >= sizeof r->out->kernels[0].name)
        return NULL;
    standin_kernel *kernel = &r->out->kernels[r->out->n_kernels++];
    *kernel = (standin_kernel){.registers = 64};
    memcpy(kernel->name, name, length);
    return kernel;
}

/* Machine code runs on devices of its own major version, and of its minor one or later. */
static ag_cu_result check_machine_code(const reader *r, int toolkit, int arch)
{
    if (toolkit > r->version / 1000)
        return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "machine code of CUDA %d is newer than the driver\n", toolkit);
    if (arch / 10 != r->arch / 10 || arch > r->arch)
        return FAIL(r, STANDIN_ERROR_NO_BINARY_FOR_GPU, "machine code for sm_%d, the device is sm_%d\n", arch, r->arch);
    return STANDIN_SUCCESS;
}

/* ---------------------------------------------------- the stand-in NVRTC's own */

static ag_cu_result read_own(reader *r, const char *text)
{
    int toolkit = 0, arch = 0;
    text += strlen(STANDIN_IMAGE_MAGIC);
    if (sscanf(text, STANDIN_IMAGE_MADE, &toolkit, &arch) != 2)
        return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "an image without its second line\n");
    const ag_cu_result result = check_machine_code(r, toolkit, arch);
    if (result != STANDIN_SUCCESS)
        return result;
    for (text = strchr(text, '\n'); text && text[1]; text = strchr(text + 1, '\n')) {
        standin_kernel kernel;
        memset(&kernel, 0, sizeof kernel);
        if (sscanf(text + 1, STANDIN_IMAGE_KERNEL, kernel.name, &kernel.size_struct, &kernel.size_params,
                   &kernel.registers, &kernel.local_bytes) != 5)
            return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "a line of an image that describes no kernel\n");
        standin_kernel *place = add_kernel(r, "", 0);
        if (!place)
            return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "too many kernels\n");
        *place = kernel;
    }
    return STANDIN_SUCCESS;
}

/* --------------------------------------------------------------------- cubins */

/* Attributes of the sections .nv.info, as nvcc 13.0 writes them: a format, an attribute, 16 bits; of format 4 the
 * 16 bits say how many bytes follow. */
#define MACHINE_CUDA          190
#define FORMAT_SIZED          4
#define INFO_FRAME_SIZE       0x11 /* of .nv.info: symbol, bytes of local memory */
#define INFO_KERNEL_PARAMETER 0x17 /* of .nv.info.<kernel>: index; ordinal + (offset << 16); flags + (size << 18) */
#define INFO_PARAMETERS_SIZE  0x19 /* of .nv.info.<kernel>: in the 16 bits */
#define INFO_REGISTERS        0x2F /* of .nv.info: symbol, registers of a thread */
#define ABI_NEW_FLAGS         8    /* of the ELF header: below it the architecture stands elsewhere in e_flags */

typedef struct {
    const uint8_t *bytes;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const char *names;
} elf_file;

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word = 0;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static const char *section_name(const elf_file *elf, unsigned i)
{
    return elf->names + elf->sections[i].sh_name;
}

/* The section of that name and ending; 0 if there is none. */
static unsigned find_section(const elf_file *elf, const char *name, const char *ending)
{
    const size_t length = strlen(name);
    for (unsigned i = 1; i < elf->header->e_shnum; i++)
        if (!strncmp(section_name(elf, i), name, length) && !strcmp(section_name(elf, i) + length, ending))
            return i;
    return 0;
}

/* The name of symbol i; "" if there is no table of symbols. */
static const char *symbol_name(const elf_file *elf, uint32_t i)
{
    const unsigned table = find_section(elf, ".symtab", ""), strings = find_section(elf, ".strtab", "");
    if (!table || !strings || i >= elf->sections[table].sh_size / sizeof(Elf64_Sym))
        return "";
    const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(elf->bytes + elf->sections[table].sh_offset);
    return (const char *)elf->bytes + elf->sections[strings].sh_offset + symbols[i].st_name;
}

/* Reads the attributes of a section: those of one kernel, or, if kernel is NULL, of all. */
static void read_info(const elf_file *elf, unsigned section, standin_kernel *kernel, standin_image *image)
{
    const uint8_t *at = elf->bytes + elf->sections[section].sh_offset, *end = at + elf->sections[section].sh_size;
    while (end - at >= 4) {
        const unsigned format = at[0], attribute = at[1], value = at[2] | (unsigned)at[3] << 8;
        const uint8_t *body = at + 4;
        at = body + (format == FORMAT_SIZED ? value : 0);
        if (kernel && attribute == INFO_PARAMETERS_SIZE)
            kernel->size_params = value;
        if (kernel && attribute == INFO_KERNEL_PARAMETER && (word_at(body + 4) & 0xFFFFu) == 0)
            kernel->size_struct = word_at(body + 8) >> 18;
        if (kernel || (attribute != INFO_REGISTERS && attribute != INFO_FRAME_SIZE))
            continue;
        const char *name = symbol_name(elf, word_at(body));
        for (standin_kernel *k = image->kernels; k < image->kernels + image->n_kernels; k++)
            if (!strcmp(k->name, name))
                *(attribute == INFO_REGISTERS ? &k->registers : &k->local_bytes) = word_at(body + 4);
    }
}

static ag_cu_result read_cubin(reader *r, const uint8_t *bytes)
{
    static const char text[] = ".text.";
    elf_file elf = {.bytes = bytes, .header = (const Elf64_Ehdr *)(const void *)bytes};
    if (elf.header->e_ident[EI_CLASS] != ELFCLASS64 || elf.header->e_machine != MACHINE_CUDA)
        return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "an ELF file for another machine\n");
    const bool is_new = elf.header->e_ident[EI_ABIVERSION] >= ABI_NEW_FLAGS;
    const uint32_t flags = elf.header->e_flags;
    const int arch = (int)(is_new ? flags >> 8 & 0xFFu : flags & 0xFFu);
    /* CUDA 12.9 writes the new form for sm_100 and newer, CUDA 13 for all. */
    const ag_cu_result result = check_machine_code(r, is_new && arch < 100 ? 13 : 12, arch);
    if (result != STANDIN_SUCCESS)
        return result;
    elf.sections = (const Elf64_Shdr *)(const void *)(bytes + elf.header->e_shoff);
    elf.names = (const char *)bytes + elf.sections[elf.header->e_shstrndx].sh_offset;
    for (unsigned i = 1; i < elf.header->e_shnum; i++) {
        const char *name = section_name(&elf, i);
        if (strncmp(name, text, strlen(text)) != 0)
            continue;
        name += strlen(text);
        const unsigned info = find_section(&elf, ".nv.info.", name);
        standin_kernel *kernel = info ? add_kernel(r, name, strlen(name)) : NULL;
        if (!kernel)
            return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "%s cannot be described\n", name);
        read_info(&elf, info, kernel, r->out);
    }
    const unsigned info = find_section(&elf, ".nv.info", "");
    if (info)
        read_info(&elf, info, NULL, r->out);
    return STANDIN_SUCCESS;
}

/* ------------------------------------------------------------------------ PTX */

/* Reads one parameter, `.param .align 8 .b8 name[24]` or `.param .u64 name`: its size and alignment; false if it is
 * of another form. */
static bool read_parameter(const char *text, size_t *size, size_t *alignment)
{
    unsigned long align = 0, count = 0;
    unsigned bits = 0;
    char type = 0;
    if (sscanf(text, " .param .align %lu .b8 %*[A-Za-z0-9_$][%lu]", &align, &count) == 2) {
        *size = count;
        *alignment = align;
        return align > 0;
    }
    if (sscanf(text, " .param .%c%u", &type, &bits) != 2 || bits % 8 != 0 || bits == 0)
        return false;
    *size = *alignment = bits / 8;
    return true;
}

/* Reads `name(parameters)` after .entry; false if it is of another form. */
static bool read_entry(reader *r, const char *text)
{
    text += strspn(text, " \t");
    const size_t length = strcspn(text, "( \n");
    standin_kernel *kernel = add_kernel(r, text, length);
    const char *at = strchr(text, '('), *end = strchr(text, ')');
    if (!kernel || !at || !end)
        return false;
    for (int i = 0; at && at < end; i++) {
        size_t size = 0, alignment = 1;
        if (!read_parameter(at + 1, &size, &alignment))
            return false;
        if (i == 0)
            kernel->size_struct = size;
        kernel->size_params = (kernel->size_params + alignment - 1) / alignment * alignment + size;
        at = strchr(at + 1, ',');
    }
    return true;
}

static ag_cu_result read_ptx(reader *r, const char *text)
{
    static const char entry[] = ".entry ";
    int major = 0, minor = 0, arch = 0;
    char exact = 0;
    const char *version = strstr(text, ".version"), *target = strstr(text, ".target");
    if (!version || sscanf(version, ".version %d.%d", &major, &minor) != 2)
        return FAIL(r, STANDIN_ERROR_INVALID_IMAGE, "neither machine code nor PTX\n");
    if (major * 10 + minor > standin_ptx_version(r->version))
        return FAIL(r, STANDIN_ERROR_UNSUPPORTED_PTX_VERSION,
                    "ptxas fatal   : Unsupported .version %d.%d; current version is '%d.%d'\n", major, minor,
                    standin_ptx_version(r->version) / 10, standin_ptx_version(r->version) % 10);
    if (!target || sscanf(target, ".target sm_%d%c", &arch, &exact) < 1)
        return FAIL(r, STANDIN_ERROR_INVALID_PTX, "ptxas fatal   : no .target\n");
    if (arch > r->arch || ((exact == 'a' || exact == 'f') && arch != r->arch))
        return FAIL(r, STANDIN_ERROR_INVALID_PTX, "ptxas fatal   : .target sm_%d, the device is sm_%d\n", arch,
                    r->arch);
    for (const char *at = strstr(text, entry); at; at = strstr(at + 1, entry))
        if (!read_entry(r, at + strlen(entry)))
            return FAIL(r, STANDIN_ERROR_INVALID_PTX, "ptxas fatal   : %.*s: no entry of the usual form\n",
                        (int)strcspn(at, "\n"), at);
    return STANDIN_SUCCESS;
}

ag_cu_result standin_image_read(const void *image, int arch, int driver_version, standin_image *out, char *log,
                                size_t size_log)
{
    reader r = {.arch = arch, .version = driver_version, .out = out, .log = log, .size_log = size_log};
    memset(out, 0, sizeof *out);
    log[0] = '\0';
    if (!strncmp(image, ELFMAG, SELFMAG))
        return read_cubin(&r, image);
    if (!strncmp(image, STANDIN_IMAGE_MAGIC, strlen(STANDIN_IMAGE_MAGIC)))
        return read_own(&r, image);
    return read_ptx(&r, image);
}
