#include "shoal/substrate/network/shared_object.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace shoal::network {
namespace {

constexpr unsigned char class_here = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

// One past the last byte of `n` things of `bytes` each from `offset` on; UINT64_MAX if there is no such byte.
std::uint64_t end_of(std::uint64_t offset, std::uint64_t n, std::uint64_t bytes) {
  std::uint64_t length = 0;
  std::uint64_t end = 0;
  const bool is_too_much = __builtin_mul_overflow(n, bytes, &length) || __builtin_add_overflow(offset, length, &end);
  return is_too_much ? UINT64_MAX : end;
}

bool is_shared_object(const ElfW(Ehdr) & header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == class_here &&
         header.e_type == ET_DYN && header.e_phnum > 0 && header.e_phentsize == sizeof(ElfW(Phdr));
}

}  // namespace

std::string damage_of_shared_object(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return std::string("it cannot be read (") + std::strerror(errno) + ")";
  const auto n_bytes = static_cast<std::uint64_t>(file.tellg());
  const auto cut_off = [&](std::uint64_t promised) {
    return "it is cut off: " + std::to_string(n_bytes) + " bytes, where its headers promise " +
           (promised == UINT64_MAX ? "more than any file has" : std::to_string(promised));
  };

  ElfW(Ehdr) header{};
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || !is_shared_object(header)) {
    return "it is no shared object of this machine";
  }
  // The table of sections lies at the end of what linkers write.
  std::uint64_t promised = std::max(end_of(header.e_phoff, header.e_phnum, header.e_phentsize),
                                    end_of(header.e_shoff, header.e_shnum, header.e_shentsize));
  if (promised > n_bytes) return cut_off(promised);
  std::vector<ElfW(Phdr)> segments(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  file.read(reinterpret_cast<char*>(segments.data()),
            static_cast<std::streamsize>(segments.size() * sizeof segments[0]));
  for (const ElfW(Phdr) & segment : segments)
    promised = std::max(promised, end_of(segment.p_offset, segment.p_filesz, 1));
  return promised > n_bytes ? cut_off(promised) : "";
}

}  // namespace shoal::network
