/* The headers of ELF files of 64 bits, little-endian: those of the machines below. On others the loader's own checks do. */
#include "plugin/elf.h"

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64))

#include <elf.h>
#include <string.h>

#if defined(__x86_64__)
enum { THIS_MACHINE = EM_X86_64 };
static const char machine_name[] = "x86-64";
#elif defined(__aarch64__)
enum { THIS_MACHINE = EM_AARCH64 };
static const char machine_name[] = "AArch64";
#else
enum { THIS_MACHINE = EM_RISCV };
static const char machine_name[] = "RISC-V";
#endif

/* Are `n` entries of `item` bytes at the offset inside the file? */
static bool inside(size_t size, uint64_t offset, uint64_t n, uint64_t item)
{
    return offset <= size && n <= (size - offset) / item;
}

static const char *type_text(uint16_t type)
{
    return type == ET_REL ? "an object file" : type == ET_EXEC ? "a program" : "an ELF file of another kind";
}

static const char *header_fault(HeliaArena *arena, const uint8_t *bytes, size_t size, Elf64_Ehdr *header)
{
    if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return "it is no ELF file; expected a shared object";
    if (size < sizeof(*header))
        return "the file ends inside the ELF header";
    memcpy(header, bytes, sizeof(*header));
    const uint8_t *ident = header->e_ident;
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
        return helia_format(arena, "it is for a machine of %s bits, %s-endian; expected a shared object for %s",
                            ident[EI_CLASS] == ELFCLASS64 ? "64" : "32",
                            ident[EI_DATA] == ELFDATA2LSB ? "little" : "big", machine_name);
    if (header->e_machine != THIS_MACHINE)
        return helia_format(arena, "it is for another machine (ELF number %u); expected a shared object for %s (%u)",
                            header->e_machine, machine_name, (unsigned)THIS_MACHINE);
    if (header->e_type != ET_DYN)
        return helia_format(arena, "it is %s; expected a shared object", type_text(header->e_type));
    return NULL;
}

/* The dynamic section is read from memory, so a loaded part of the file must hold it. */
static bool is_loaded(const Elf64_Phdr *part, const Elf64_Phdr *segments, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (segments[i].p_type == PT_LOAD && part->p_vaddr >= segments[i].p_vaddr &&
            part->p_vaddr - segments[i].p_vaddr <= segments[i].p_filesz &&
            part->p_filesz <= segments[i].p_filesz - (part->p_vaddr - segments[i].p_vaddr))
            return true;
    return false;
}

static const char *segments_fault(HeliaArena *arena, size_t size, const Elf64_Phdr *segments, uint32_t n)
{
    bool dynamic = false;
    for (uint32_t i = 0; i < n; i++) {
        const Elf64_Phdr *s = &segments[i];
        if (!inside(size, s->p_offset, s->p_filesz, 1))
            return helia_format(arena, "the file ends inside segment %u: it has %zu bytes, the segment %llu at %llu", i,
                                size, (unsigned long long)s->p_filesz, (unsigned long long)s->p_offset);
        if (s->p_type == PT_LOAD && s->p_filesz > s->p_memsz)
            return helia_format(arena, "segment %u is larger in the file than in memory", i);
        if (s->p_type == PT_DYNAMIC && !is_loaded(s, segments, n))
            return "its dynamic section is in no segment that is loaded";
        dynamic = dynamic || s->p_type == PT_DYNAMIC;
    }
    return dynamic ? NULL : "it has no dynamic section; expected a shared object";
}

const char *elf_fault(HeliaArena *arena, const uint8_t *bytes, size_t size)
{
    Elf64_Ehdr header;
    const char *fault = header_fault(arena, bytes, size, &header);
    if (fault)
        return fault;
    if (header.e_phentsize != sizeof(Elf64_Phdr) || !header.e_phnum)
        return "it has no program headers; expected a shared object";
    if (!inside(size, header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr)))
        return helia_format(arena, "the file ends inside its program headers: it has %zu bytes", size);
    if (header.e_shoff && header.e_shentsize != sizeof(Elf64_Shdr))
        return "its section headers have another size than those of a shared object";
    if (header.e_shoff && !inside(size, header.e_shoff, header.e_shnum, sizeof(Elf64_Shdr)))
        return helia_format(arena, "the file ends before its section headers: it has %zu bytes", size);
    const Elf64_Phdr *segments = helia_memdup(arena, bytes + header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
    return segments_fault(arena, size, segments, header.e_phnum);
}

#else

const char *elf_fault(HeliaArena *arena, const uint8_t *bytes, size_t size)
{
    (void)arena;
    (void)bytes;
    (void)size;
    return NULL;
}

#endif
