/// The address of an object of this PE, for a message that travels back here.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "shoal/actor/world.hpp"

namespace shoal {

namespace internal {
[[noreturn]] void refuse_origin_of_another_pe() noexcept;
}

/// Names an object of the PE that made it. Other PEs carry it and may not use it. An answer finds with it where the
/// question came from:
///
///     world.send(owner, [to = shoal::origin(best), vertex](shoal::world& w, shoal::pe_id asker) {
///       w.send(asker, [to, found = …] { *to = found; });
///     });
///
/// A captured pointer would do the same, but nobody could tell whether it is meant to come back, so it is refused. The
/// object must outlive the superstep. Local, does not wait.
template <class T>
class origin {
public:
  explicit origin(T& object)
      : word_(std::rotl(reinterpret_cast<std::uint64_t>(std::addressof(object)), pe_bits) ^ short_number()) {}

  /// Ends the job on another PE than that of the object.
  T& operator*() const {
    const std::uint64_t address = std::rotr(word_ ^ short_number(), pe_bits);
    if (address >> (64 - pe_bits) != 0) [[unlikely]]
      internal::refuse_origin_of_another_pe();
    return *reinterpret_cast<T*>(address);
  }
  T* operator->() const { return std::addressof(**this); }

private:
  // An address has 48 bits. The others hold the PE, the last bits of its number if it has more.
  static constexpr int pe_bits = 16;
  static std::uint64_t short_number() {
    return static_cast<std::uint64_t>(world::of_job().my_pe()) & ((std::uint64_t{1} << pe_bits) - 1);
  }

  std::uint64_t word_;
};

}  // namespace shoal
