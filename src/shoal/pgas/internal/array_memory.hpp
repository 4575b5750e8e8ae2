/// The memory of a distributed array, and which parts of it this PE reads by plain loads.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/types.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal::internal {

/// Symmetric memory in the world of the whole job; memory of the PE alone in a team, which has no symmetric one.
class array_memory {
public:
  /// Collective, and waits. `bytes` zeroed bytes on each PE, the same number on all, aligned to a cache line. Throws
  /// setup_error as world::allocate.
  array_memory(world& home, std::size_t bytes, bool reads_directly, const std::source_location& where);
  /// Collective, and waits; not while an exception unwinds the stack, when the world will release the memory.
  ~array_memory();
  array_memory(const array_memory&) = delete;
  array_memory& operator=(const array_memory&) = delete;

  std::byte* mine() const noexcept { return mine_; }
  /// The part of PE `pe` if this PE's loads reach it: on its node. Null otherwise, and without direct reads.
  const std::byte* part_of(pe_id pe) const noexcept { return parts_[static_cast<std::size_t>(pe)]; }
  /// The same, by PE.
  const std::byte* const* parts() const noexcept { return parts_.data(); }
  bool reads_directly() const noexcept { return reads_directly_; }
  /// Whether plain loads reach the parts of all PEs; the same on every PE.
  bool reads_all_directly() const noexcept { return reads_all_directly_; }
  /// Whether what plain loads reach, all parts together, is small enough for a processor's caches.
  bool is_cached() const noexcept { return is_cached_; }
  /// The memory as an array of the symmetric heap. Ends the job in a team.
  template <class T>
  symmetric<T> shared(const std::source_location& where) const {
    if (own_ != nullptr) [[unlikely]]
      refuse_in_team(where);
    return {shared_.offset, shared_.size / sizeof(T)};
  }

private:
  struct free_aligned {
    void operator()(std::byte* memory) const noexcept;
  };

  [[noreturn, gnu::cold]] static void refuse_in_team(const std::source_location& where);

  world& home_;
  const bool reads_directly_;
  symmetric<std::byte> shared_;
  std::unique_ptr<std::byte, free_aligned> own_;  // in a team
  std::byte* mine_ = nullptr;
  std::vector<const std::byte*> parts_;  // by PE
  bool reads_all_directly_ = false;
  bool is_cached_ = true;
  const int n_exceptions_;  // under way at construction
};

/// Misuse of an array: each ends the job with one line.
[[noreturn, gnu::cold]] void refuse_index(std::int64_t index, std::int64_t size, const std::source_location& where);
[[noreturn, gnu::cold]] void refuse_sizes(const char* what, std::size_t n_indices, std::size_t n_values,
                                          const std::source_location& where);
[[noreturn, gnu::cold]] void refuse_overlap(const char* what, const std::source_location& where);
[[noreturn, gnu::cold]] void refuse_distribution(std::int64_t index, const place& at,
                                                 const std::source_location& where);
/// The number of elements; ends the job if it is negative.
std::int64_t checked_size(std::int64_t size, const std::source_location& where);
/// Collective, and waits. Ends the job if an array is distributed over another number of PEs than `home` has, or if PEs
/// give different digests of their distributions. Throws setup_error if a part is too large.
void check_array(world& home, std::int64_t n_local_max, pe_id n_pes, std::uint64_t digest,
                 const std::source_location& where);

/// An index and where the program gives it, for operators, which take no source_location. `I`: an integer, or what
/// converts to one, as an element of an array of integers.
struct index_in_program {
  template <std::convertible_to<std::int64_t> I>
    requires(!std::is_floating_point_v<I>)
  index_in_program(const I& index, const std::source_location its_place = std::source_location::current())
      : value(static_cast<std::int64_t>(index)), where(its_place) {}

  std::int64_t value;
  std::source_location where;
};

}  // namespace shoal::internal
