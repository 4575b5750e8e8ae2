/// Numbered objects of a PE. The numbers are the same on every PE, so a handle may be sent. per_pe.hpp builds on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>

#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace shoal::internal {

/// Tells types of objects apart, the same in all processes and in plugins, whatever compiled them. Never 0.
using object_type = std::uint32_t;

template <class T>
inline const object_type object_type_of = static_cast<object_type>(digest_of_names({typeid(T).name()})) | 1;

class pe_objects {
public:
  /// Numbers a new object. All PEs enlist theirs in the same order. Numbers are never reused, so a destroyed object
  /// costs 16 bytes until the world ends, and the object after 2^31 - 1 others ends the job.
  std::uint32_t enlist(void* object, object_type type);
  void delist(std::uint32_t id) noexcept;
  bool is_empty() const noexcept { return n_words_ == 0; }
  bool holds(std::uint32_t id, const void* object) const noexcept {
    return id < n_words_ && entry_at(id)->object == object;
  }

  /// The object of this PE. Ends the job if it is not yet constructed here, already destroyed or of another type.
  template <class T>
  T* at(std::uint32_t id) const noexcept {
    const entry* found = entry_at(id);  // before the test, so that a loop of closures loads entries_ once
    if (id >= n_words_) [[unlikely]]
      found = of_team(id, typeid(T).name());
    if (found->type != object_type_of<T>) [[unlikely]]  // destroyed, or of another type
      refuse(found, typeid(T).name());
    return static_cast<T*>(found->object);
  }

private:
  struct entry {
    void* object = nullptr;
    object_type type = 0;  // 0: destroyed
  };
  static constexpr std::uint32_t words_of_entry = sizeof(entry) / sizeof(std::uint64_t);

  // A number is the place of its entry in words of 8 bytes, the most by which an address can scale an index. So a use of
  // a handle takes no shift. Nor does it take the subtraction by which a vector would tell its size.
  const entry* entry_at(std::uint32_t id) const noexcept {
    return reinterpret_cast<const entry*>(reinterpret_cast<std::uintptr_t>(entries_.get()) + std::size_t{id} * 8);
  }
  [[noreturn]] static void refuse(const entry* found, const char* type) noexcept;
  // Pure: it changes nothing, so that the entries need not be loaded again after it.
  [[gnu::pure]] static const entry* of_team(std::uint32_t id, const char* name) noexcept;
  void grow();

  array_owner<entry> entries_;  // has room for the next power of two of entries, at least 16
  // 4 bytes, so that the compiler knows that the counters of 8 bytes, which handlers write most, are elsewhere.
  std::uint32_t n_words_ = 0;
};

}  // namespace shoal::internal
