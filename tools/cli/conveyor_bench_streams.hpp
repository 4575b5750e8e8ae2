/// Typed and untyped conveyors behind one interface of bytes, resolved at compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal::cli {

/// Items whose type, hence size, the compiler knows.
template <item T>
class typed_stream {
public:
  typed_stream(world& w, const conveyor_options& options) : conveyor_(w.buffers(), options) {}

  static constexpr std::size_t item_bytes() noexcept { return sizeof(T); }
  static constexpr std::size_t alignment() noexcept { return alignof(T); }

  void begin(std::size_t) { conveyor_.begin(); }
  conveyor_base& base() noexcept { return conveyor_; }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return conveyor_.push(*reinterpret_cast<const T*>(item), target);
  }
  [[nodiscard]] const std::byte* pull() { return reinterpret_cast<const std::byte*>(conveyor_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) {
    return reinterpret_cast<const std::byte*>(conveyor_.pull(from));
  }
  void copy(std::byte* to, const std::byte* from) const noexcept { std::memcpy(to, from, sizeof(T)); }

private:
  conveyor<T> conveyor_;
};

/// Items of a size that each session chooses.
class byte_stream {
public:
  byte_stream(world& w, const conveyor_options& options) : conveyor_(w.buffers(), options) {}

  std::size_t item_bytes() const noexcept { return item_bytes_; }
  std::size_t alignment() const noexcept { return byte_conveyor::largest_alignment(item_bytes_); }

  void begin(std::size_t item_bytes) {
    item_bytes_ = item_bytes;
    conveyor_.begin(item_bytes, alignment());
  }
  conveyor_base& base() noexcept { return conveyor_; }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) { return conveyor_.push(item, target); }
  [[nodiscard]] const std::byte* pull() { return static_cast<const std::byte*>(conveyor_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) {
    return static_cast<const std::byte*>(conveyor_.pull(from));
  }
  void copy(std::byte* to, const std::byte* from) const noexcept { std::memcpy(to, from, item_bytes_); }

private:
  std::size_t item_bytes_ = 1;
  byte_conveyor conveyor_;
};

/// Makes the compiler believe that somebody reads the bytes at `p`.
inline void keep(const void* p) noexcept { asm volatile("" : : "r"(p) : "memory"); }

/// Pulls as a program does that cannot use every item at once: puts some back and pulls them again. Looks at
/// alignments, too.
template <class Stream>
class puller {
public:
  puller(Stream& from, double reject, bool checks_alignment, std::uint64_t seed, pe_id my_pe)
      : stream_(from),
        random_(seed, static_cast<std::uint64_t>(my_pe)),
        reject_(reject),
        checks_alignment_(checks_alignment),
        is_plain_(reject == 0 && !checks_alignment) {}

  /// It does nothing but pull.
  bool is_plain() const noexcept { return is_plain_; }

  const std::byte* pull(pe_id& from) {
    const std::byte* item = stream_.pull(from);
    if (is_plain_ || item == nullptr) [[likely]]
      return item;
    if (checks_alignment_ && reinterpret_cast<std::uintptr_t>(item) % stream_.alignment() != 0) {
      fault_ = "an item was pulled that is not aligned to " + std::to_string(stream_.alignment()) + " bytes";
    }
    if (random_.chance(reject_)) return pull_again(item, from);
    return item;
  }

  /// The last thing that was wrong; empty if nothing was.
  const std::string& fault() const noexcept { return fault_; }

private:
  const std::byte* pull_again(const std::byte* item, pe_id& from) {
    const pe_id first_from = from;
    if (!stream_.base().unpull()) fault_ = "a pulled item could not be put back";
    if (stream_.base().unpull()) fault_ = "two items were put back, although only one may be";
    const std::byte* const again = stream_.pull(from);
    if (again != item || from != first_from)
      fault_ = "an item was put back, but the next pull gave another one";
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
