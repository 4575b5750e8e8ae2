/// Conveyors behind one interface of bytes, resolved at compile time. Besides the verbs of conveyors, a stream has:
///
///     Stream(world&, const bench_options&)  collective
///     bool is_elastic                       static; if true, there is also a push of items of a given size
///     begin(item_bytes)                     begins a session of items of up to this many bytes
///     item_bytes(), alignment()             of items of this session
///     bytes_of_push(i)                      bytes that the i-th push of this session takes
///     pulled_bytes()                        size of the item pulled last
///     copy(to, from, bytes)                 copies an item of this many bytes
///
/// This file has typed and untyped conveyors; elastic_streams.hpp, query_streams.hpp and make_*.cpp have the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "tools/conveyor_bench/options.hpp"

namespace shoal::cli {

inline conveyor_options options_of(const bench_options& options) {
  return {.steady = options.is_steady, .n_hops = options.kind->n_hops};
}

/// What all streams share whose items have a type, and so a size, known at compile time.
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

/// A conveyor of typed items as a stream. A kind that differs has its own class.
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
  explicit stream_over(world& w, Arguments&&... arguments) : conveyor_(w, std::forward<Arguments>(arguments)...) {}

  Conveyor conveyor_;

private:
  static const std::byte* bytes_at(const T* value) noexcept { return reinterpret_cast<const std::byte*>(value); }
};

template <item T>
class typed_stream : public stream_over<T, conveyor<T>> {
public:
  typed_stream(world& w, const bench_options& options) : stream_over<T, conveyor<T>>(w, options_of(options)) {}
};

/// Items of a size that each session chooses.
class byte_stream {
public:
  static constexpr bool is_elastic = false;

  byte_stream(world& w, const bench_options& options) : conveyor_(w, options_of(options)) {}

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

}  // namespace shoal::cli
