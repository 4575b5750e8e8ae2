/// Finds addresses among what closures capture: on another PE they mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include "shoal/base/internal/memory_map.hpp"

namespace shoal::internal {

class symmetric_memory;
struct closure_type;

/// Of one PE. Looks at closures now and then, where a run of equal ones begins.
///
/// A number may look like an address by chance. So a word is accused only if in every look at its type it was the
/// address of something in this process's private memory, or null, and an address at least twice. A word that was a
/// number once is a number.
///
/// Found are addresses of the stack, of the heap, and of the program and its libraries. Not found are addresses in
/// memory that PEs share, as of the symmetric heap; addresses below 4 GiB, where a program lies that is linked without
/// -pie; words beyond the 64th or partly of padding, which holds what was on the stack; closures with any padding, if
/// the compiler cannot tell it from captures (Clang); and on PEs that share a process an address that is valid there by
/// accident.
class captured_addresses {
public:
  /// `heap` outlives this object.
  explicit captured_addresses(const symmetric_memory& heap) noexcept : heap_(heap) {}

  /// Whether closures of this type need no more looks.
  bool trusts(const closure_type& type) const noexcept;

  /// Looks at a closure of this type, sent at `where`. Ends the job if it accuses a word. Local, does not wait.
  void look(const void* closure, const closure_type& type, const std::source_location& where);

private:
  // By word, in bits.
  struct verdicts {
    std::uint64_t numbers = 0;  // was a number once, or cannot be an address
    std::uint64_t suspects = 0;  // was an address in the last look
  };

  private_memory find(std::uintptr_t word);
  verdicts& verdicts_on(const closure_type& type);

  const symmetric_memory& heap_;
  memory_map map_;
  std::vector<verdicts> by_type_;  // by its place
};

}  // namespace shoal::internal
