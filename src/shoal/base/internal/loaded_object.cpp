#include "shoal/base/internal/loaded_object.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <span>

#include "shoal/base/internal/digest.hpp"

namespace shoal::internal {
namespace {

using segment = ElfW(Phdr);

std::span<const segment> segments_of(const dl_phdr_info& object) {
  return std::span(object.dlpi_phdr, object.dlpi_phnum);
}

std::span<const std::byte> contents(const dl_phdr_info& object, const segment& part) {
  return {reinterpret_cast<const std::byte*>(object.dlpi_addr + part.p_vaddr), part.p_memsz};
}

// Calls `visit` with the type, name and description of each note, until it returns true.
template <class Visit>
bool any_note(const dl_phdr_info& object, const Visit& visit) {
  for (const segment& part : segments_of(object)) {
    if (part.p_type != PT_NOTE) continue;
    const std::size_t align = part.p_align == 8 ? 8 : 4;
    const auto padded = [align](std::size_t n) { return (n + align - 1) / align * align; };
    std::span<const std::byte> left = contents(object, part);
    ElfW(Nhdr) head;
    while (left.size() >= sizeof head) {
      std::memcpy(&head, left.data(), sizeof head);
      const std::size_t description_at = padded(sizeof head + head.n_namesz);
      const std::size_t end = description_at + head.n_descsz;
      if (end > left.size()) break;
      const auto* name = reinterpret_cast<const char*>(left.data() + sizeof head);
      // The name's size counts the zero at its end.
      const std::size_t name_size = std::max<std::size_t>(head.n_namesz, 1) - 1;
      if (visit(head.n_type, std::string_view(name, name_size), left.subspan(description_at, head.n_descsz)))
        return true;
      left = left.subspan(std::min(padded(end), left.size()));
    }
  }
  return false;
}

// Of code and constants, as the file has them: in memory, breakpoints of a debugger change code.
std::uint64_t digest_of_file(const dl_phdr_info& object, bool is_program) {
  std::ifstream file(is_program ? "/proc/self/exe" : object.dlpi_name, std::ios::binary);
  digest all;
  for (const segment& part : segments_of(object)) {
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    file.seekg(static_cast<std::streamoff>(part.p_offset));
    std::array<std::uint64_t, 4096> block;
    for (std::size_t left = part.p_filesz; left != 0;) {
      const std::size_t n = std::min(left, sizeof block);
      block.fill(0);
      // What cannot be read counts as zeros.
      file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(n));
      for (const std::uint64_t word : std::span(block).first((n + 7) / 8)) all.add_word(word);
      left -= n;
    }
  }
  return all.value();
}

std::uint64_t identity_of(const dl_phdr_info& object, bool is_program) {
  digest id;
  const bool has_id = any_note(object, [&](unsigned type, std::string_view name, std::span<const std::byte> build_id) {
    if (type != NT_GNU_BUILD_ID || name != "GNU") return false;
    id.add(build_id);
    return true;
  });
  return has_id ? id.value() : digest_of_file(object, is_program);
}

bool has(const dl_phdr_info& object, std::uintptr_t address) {
  return std::ranges::any_of(segments_of(object), [&](const segment& part) {
    return part.p_type == PT_LOAD && address - (object.dlpi_addr + part.p_vaddr) < part.p_memsz;
  });
}

// Calls `visit(object, is_program)` with each object, until it returns true.
template <class Visit>
void for_objects(Visit visit) {
  struct walk {
    Visit& visit;
    bool is_first;
  } now{visit, true};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& here = *static_cast<walk*>(data);
        const bool is_program = here.is_first;  // the dynamic linker tells it first
        here.is_first = false;
        return here.visit(*object, is_program) ? 1 : 0;
      },
      &now);
}

std::string path_of(const dl_phdr_info& object, bool is_program) {
  return is_program ? "the program" : object.dlpi_name;
}

}  // namespace

loaded_object object_with(const void* address) {
  loaded_object found;
  for_objects([&](const dl_phdr_info& object, bool is_program) {
    if (!has(object, reinterpret_cast<std::uintptr_t>(address))) return false;
    found = {
        .path = path_of(object, is_program), .identity = identity_of(object, is_program), .is_program = is_program};
    return true;
  });
  return found;
}

loaded_object program_object() {
  loaded_object found;
  for_objects([&](const dl_phdr_info& object, bool) {
    found = {.path = path_of(object, true), .identity = identity_of(object, true), .is_program = true};
    return true;
  });
  return found;
}

std::vector<std::string> objects_with_note(std::string_view name) {
  std::vector<std::string> found;
  for_objects([&](const dl_phdr_info& object, bool is_program) {
    if (any_note(object, [&](unsigned, std::string_view n, std::span<const std::byte>) { return n == name; })) {
      found.push_back(path_of(object, is_program));
    }
    return false;
  });
  return found;
}

}  // namespace shoal::internal
