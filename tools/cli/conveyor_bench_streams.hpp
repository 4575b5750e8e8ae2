/// Conveyors behind one interface of bytes, resolved at compile time. A stream has, besides the verbs of conveyors:
///
///     Stream(world&, const bench_request&)  collective
///     bool is_elastic                       static; if so, there is a push of items of a given size, too
///     begin(item_bytes)                     a session, of items of up to so many bytes
///     item_bytes(), alignment()             of items of this session
///     bytes_of_push(i)                      size of what the i-th push of this session takes
///     pulled_bytes()                        size of the item pulled last
///     copy(to, from, bytes)                 an item of so many bytes
///
/// Here are typed and untyped conveyors; the others are in conveyor_bench_elastic.hpp and conveyor_bench_kinds.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "tools/cli/conveyor_bench.hpp"

namespace shoal::cli {

inline conveyor_options options_of(const bench_request& request) {
  return {.steady = request.is_steady, .n_hops = request.kind->n_hops};
}

/// What all streams of items have whose type, hence size, the compiler knows.
template <item T>
struct typed_items {
  using item_type = T;
  static constexpr bool is_elastic = false;
  static constexpr std::size_t item_bytes() noexcept { return sizeof(T); }
  static constexpr std::size_t alignment() noexcept { return alignof(T); }
  static constexpr std::size_t bytes_of_push(std::uint64_t) noexcept { return sizeof(T); }
  static constexpr std::size_t pulled_bytes() noexcept { return sizeof(T); }
  static void copy(std::byte* to, const std::byte* from, std::size_t) noexcept { std::memcpy(to, from, sizeof(T)); }
};

/// A conveyor of typed items as a stream. What a kind does otherwise, a class of its own says.
template <item T, class Conveyor>
class stream_over : public typed_items<T> {
public:
  void begin(std::size_t) { conveyor_.begin(); }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  bool unpull() { return conveyor_.unpull(); }
  void reset() { conveyor_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    return conveyor_.push(*reinterpret_cast<const T*>(item), target) != 0;
  }
  [[nodiscard]] const std::byte* pull() { return bytes_at(conveyor_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) { return bytes_at(conveyor_.pull(from)); }

protected:
  template <class... Arguments>
  explicit stream_over(world& w, Arguments&&... arguments)
      : conveyor_(w.buffers(), std::forward<Arguments>(arguments)...) {}

  Conveyor conveyor_;

private:
  static const std::byte* bytes_at(const T* value) noexcept { return reinterpret_cast<const std::byte*>(value); }
};

template <item T>
class typed_stream : public stream_over<T, conveyor<T>> {
public:
  typed_stream(world& w, const bench_request& request) : stream_over<T, conveyor<T>>(w, options_of(request)) {}
};

/// Items of a size that each session chooses.
class byte_stream {
public:
  static constexpr bool is_elastic = false;

  byte_stream(world& w, const bench_request& request) : conveyor_(w.buffers(), options_of(request)) {}

  std::size_t item_bytes() const noexcept { return item_bytes_; }
  std::size_t bytes_of_push(std::uint64_t) const noexcept { return item_bytes_; }
  std::size_t pulled_bytes() const noexcept { return item_bytes_; }
  std::size_t alignment() const noexcept { return byte_conveyor::largest_alignment(item_bytes_); }

  void begin(std::size_t item_bytes) {
    item_bytes_ = item_bytes;
    conveyor_.begin(item_bytes, alignment());
  }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  bool unpull() { return conveyor_.unpull(); }
  void reset() { conveyor_.reset(); }

  [[nodiscard]] bool push(const std::byte* item, pe_id target) { return conveyor_.push(item, target); }
  [[nodiscard]] const std::byte* pull() { return static_cast<const std::byte*>(conveyor_.pull()); }
  [[nodiscard]] const std::byte* pull(pe_id& from) { return static_cast<const std::byte*>(conveyor_.pull(from)); }
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

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
