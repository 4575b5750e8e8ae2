/// Ways to pull, and to keep the compiler from dropping what was pulled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"

namespace shoal::cli {

/// Makes the compiler assume that somebody reads the bytes at `p`.
inline void keep(const void* p) noexcept { asm volatile("" : : "r"(p) : "memory"); }

/// Pulls like a program that cannot use every item at once: puts some back and pulls them again. Also checks
/// alignments.
template <class Stream>
class puller {
public:
  puller(Stream& from, double reject, bool checks_alignment, std::uint64_t seed, pe_id my_pe)
      : stream_(from),
        random_(seed, static_cast<std::uint64_t>(my_pe)),
        reject_(reject),
        checks_alignment_(checks_alignment),
        is_plain_(reject == 0 && !checks_alignment) {}

  /// Only pulls.
  bool is_plain() const noexcept { return is_plain_; }

  const std::byte* pull(pe_id& from) {
    const std::byte* item = stream_.pull(from);
    if (is_plain_ || item == nullptr) [[likely]]
      return item;
    return checked(item, from);
  }

  /// The last fault; empty if there was none.
  const std::string& fault() const noexcept { return fault_; }

private:
  [[gnu::cold]] const std::byte* checked(const std::byte* item, pe_id& from) {
    if (checks_alignment_ && reinterpret_cast<std::uintptr_t>(item) % stream_.alignment() != 0) {
      fault_ = "an item was pulled that is not aligned to " + std::to_string(stream_.alignment()) + " bytes";
    }
    if (random_.chance(reject_)) return pull_again(item, from);
    return item;
  }

  [[gnu::cold]] const std::byte* pull_again(const std::byte* item, pe_id& from) {
    const pe_id first_from = from;
    if (!stream_.unpull()) fault_ = "a pulled item could not be put back";
    if (stream_.unpull()) fault_ = "two items were put back, although only one may be";
    const std::byte* const again = stream_.pull(from);
    if (again != item || from != first_from) fault_ = "an item was put back, but the next pull gave another one";
    return again != nullptr ? again : item;
  }

  Stream& stream_;
  random_engine random_;
  double reject_;
  bool checks_alignment_;
  bool is_plain_;
  std::string fault_;
};

}  // namespace shoal::cli
