#include "shoal/actor/internal/same_binary.hpp"

#include <link.h>

#include <cstddef>
#include <span>

#include "shoal/actor/closure.hpp"
#include "shoal/base/internal/digest.hpp"

namespace shoal::internal {
namespace {

// A digest of the program's notes, among them the build id.
std::uint64_t build_digest() {
  digest notes;
  ::dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* data) {
        auto& all = *static_cast<digest*>(data);
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          if (program->dlpi_phdr[i].p_type != PT_NOTE) continue;
          const auto* bytes = reinterpret_cast<const std::byte*>(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
          all.add(std::span(bytes, program->dlpi_phdr[i].p_memsz));
        }
        return 1;  // the first object is the program itself
      },
      &notes);
  return notes.value();
}

}  // namespace

std::uint64_t digest_of_program() { return closure_table_digest() ^ build_digest(); }

}  // namespace shoal::internal
