#include "shoal/actor/internal/captured_addresses.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "shoal/actor/internal/closure_types.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal {
namespace {

// User addresses of 64-bit systems.
constexpr std::uintptr_t lowest = std::uintptr_t{1} << 32;
constexpr std::uintptr_t beyond = std::uintptr_t{1} << 48;

const char* name_of(private_memory memory) noexcept {
  switch (memory) {
    case private_memory::stack: return "its PE's stack";
    case private_memory::file: return "the program or a library";
    default: return "its process's heap or other private memory";
  }
}

[[noreturn, gnu::cold]] void accuse(const closure_type& type, std::size_t offset, private_memory memory,
                                    const std::source_location& where) {
  end_job(status_usage, std::string("closure ") + closures_with(type.number)[type.number].name + ", sent at " +
                            source_place(where) + ", captures an address in " + name_of(memory) + " (at byte " +
                            std::to_string(offset) +
                            "), which means nothing on another PE; capture a value or the handle of a per_pe, and "
                            "shoal::origin for an address that only travels back here");
}

}  // namespace

bool captured_addresses::trusts(const closure_type& type) const noexcept {
  return type.place < by_type_.size() && by_type_[type.place].numbers == ~std::uint64_t{0};
}

captured_addresses::verdicts& captured_addresses::verdicts_on(const closure_type& type) {
  if (type.place >= by_type_.size()) by_type_.resize(type.place + 1);
  verdicts& on = by_type_[type.place];
  on.numbers |= ~type.captured_words;
  return on;
}

// The map is read again where it does not know a word, which then becomes a number for good: at most once a word.
private_memory captured_addresses::find(std::uintptr_t word) {
  if (word < lowest || word >= beyond) return private_memory::none;
  const auto is_in = [&](const std::byte* begin) {
    return begin != nullptr && word - reinterpret_cast<std::uintptr_t>(begin) < heap_.bytes();
  };
  if (is_in(heap_.mine()) || std::ranges::any_of(heap_.direct(), is_in)) return private_memory::none;
  if (map_.at(word) == private_memory::none) map_.read_again();
  return map_.at(word);
}

void captured_addresses::look(const void* closure, const closure_type& type, const std::source_location& where) {
  verdicts& on = verdicts_on(type);
  for (std::uint64_t left = ~on.numbers; left != 0; left &= left - 1) {
    const std::uint64_t bit = left & -left;
    const auto offset = static_cast<std::size_t>(std::countr_zero(left)) * sizeof(std::uintptr_t);
    std::uintptr_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(closure) + offset, sizeof word);
    if (word == 0) continue;
    const private_memory memory = find(word);
    if (memory == private_memory::none) {
      on.numbers |= bit;
    } else if ((on.suspects & bit) != 0) {
      accuse(type, offset, memory, where);
    } else {
      on.suspects |= bit;
    }
  }
}

}  // namespace shoal::internal
