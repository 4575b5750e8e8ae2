/// A loop over elements of distributed arrays whose reads and changes travel together: what `aggregate` does.
///
/// Iterations are run in chunks. A run asks for the elements that it reads and that are not here; then those of the
/// whole chunk are fetched, and the iterations that asked run again. docs/design/inspector-executor.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <source_location>
#include <span>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/types.hpp"
#include "shoal/pgas/distribution.hpp"
#include "shoal/pgas/internal/element_access.hpp"
#include "shoal/pgas/internal/iteration_checks.hpp"

namespace shoal::internal {

/// The place of an index that made-up values led to.
inline constexpr place nowhere{-1, 0};

/// By this exception a read whose value is not here leaves the iteration.
struct value_to_come {};

/// What a function of the program has done in an iteration.
enum class loop_misuse : std::uint8_t { catches_all, changes_while_it_reads, is_not_the_same_twice };

class aggregated_loop;

/// An entry of a list. Not on a stack: in the simulator, no PE reads another one's.
struct running_loop {
  const world* home;
  aggregated_loop* loop;
  running_loop* outer = nullptr;
};

class aggregated_loop {
public:
  /// Which function of the program runs.
  enum class part : std::uint8_t {
    body,  // reads and changes; a read whose value is not here leaves it
    reading,  // reads alone; a value that is not here is made up
    using_it,  // changes alone
  };

  /// Of the job. Ends it if a handler, a team or the body of another such loop is here, or if `n` is negative.
  aggregated_loop(std::int64_t n, std::size_t memory_bytes, const std::source_location& where);
  aggregated_loop(const aggregated_loop&) = delete;
  aggregated_loop& operator=(const aggregated_loop&) = delete;

  world& home() const noexcept { return home_; }

  /// Collective, and waits. Calls step(i) for each iteration of this PE until it says that the iteration is over.
  template <class Step>
  void finish(const Step& step) {
    home_.barrier(where_);  // plain loads do not wait until others have written
    home_.finish(
        [&] {
          while (begin_chunk()) {
            do {
              run_chunk(step);
            } while (fetch());
          }
        },
        where_);
  }

  // --- For steps

  /// Calls f() as a run of the iteration from its beginning. False: it asked for a value that is not here.
  template <class F>
  bool try_run(part what, const F& f) {
    begin_run(what);
    try {
      f();
    } catch (const value_to_come&) {
      return drop_run();
    } catch (...) {
      if (!is_incomplete_) throw;
      return drop_run();  // made-up values led to it
    }
    if (has_left_) [[unlikely]]
      refuse(loop_misuse::catches_all);
    return !is_incomplete_;
  }
  /// Whether all iterations before it are over.
  bool is_next() const noexcept { return n_left_ == 0; }
  void use_what_was_read() noexcept { part_ = part::using_it; }
  /// Sends what the iteration has changed.
  void send_changes();
  /// Ends the job with a line.
  [[noreturn, gnu::cold]] void refuse(loop_misuse what) const { refuse(what, where_); }

  // --- For elements, in the functions of the program

  bool has_made_up_values() const noexcept { return is_incomplete_; }
  template <class T>
  T made_up_value() {
    if (++n_made_up_ > n_made_up_most) {
      has_left_ = true;
      throw value_to_come{};
    }
    alignas(T) const std::array<std::byte, sizeof(T)> zeros{};
    return *reinterpret_cast<const T*>(zeros.data());
  }
  template <class T>
  T read(const element_place& at, const std::source_location& where) {
    const std::uint16_t kind = kind_of<sizeof(T)>();
    const std::byte* value = find_again(at, kind);
    if (value == nullptr) value = find(at, kind, where);
    if (value == nullptr) {
      if (has_left_) throw value_to_come{};  // here, since each function between throw and catch costs 1 us
      return made_up_value<T>();
    }
    alignas(T) std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), value, sizeof(T));
    return *reinterpret_cast<const T*>(bytes.data());
  }
  /// A plain load reads the element.
  void note_plain_read(const element_place& at, const std::source_location& where) {
    if (may_meet_change(at) || part_ == part::using_it) [[unlikely]]
      check_read(at, where);
    if constexpr (are_iterations_checked) {
      if (!is_incomplete_) check_use(at, element_use::read, where);
    }
  }
  template <class T, class Change>
  void change(const element_place& at, const T& value, const std::source_location& where) {
    if (part_ == part::reading) refuse(loop_misuse::changes_while_it_reads, where);
    if constexpr (are_iterations_checked) check_use(at, Change::use, where);
    if (part_ == part::using_it) return home_.send(at.pe, Change{at.offset, packed_value<T>(value)}, where);
    const packed_value<T> packed(value);
    keep_change(at, {send_kept<T, Change>, at, where}, packed.bytes);
  }

private:
  /// Sends queries, waits, and puts the answers where they belong: for elements of one size.
  using fetch_function = void (*)(aggregated_loop& loop, std::span<const element_query> queries,
                                  std::span<const std::uint64_t> large);
  static constexpr std::uint32_t none = UINT32_MAX;
  // After so many made-up values, a run ends: it may be a loop that only a true value would end.
  static constexpr std::uint32_t n_made_up_most = 4096;

  struct element_read {
    element_place at;
    std::uint64_t value;  // or, if it is larger than a word, where it is among the large ones
    std::uint32_t next;  // of the same iteration
    std::uint16_t kind;
    bool is_guess;  // a made-up value may have led to it
  };
  struct iteration {
    std::int64_t number;
    std::uint32_t first_read;
  };
  struct kept_change {
    void (*send)(world&, const kept_change&, const std::byte* value);
    element_place at;
    std::source_location where;
    std::size_t value = 0;  // its place among values_of_changes_
  };
  struct element_kind {
    std::size_t bytes;
    fetch_function fetch;
  };

  template <std::size_t N>
  static void fetch_elements(aggregated_loop& loop, std::span<const element_query> queries,
                             std::span<const std::uint64_t> large) {
    std::vector<element_bytes<N>> values(queries.size());
    loop.home_
        .ask_all(
            queries, values, [](const element_query& q) { return q.pe; },
            [](world& there, std::uint64_t at) { return bytes_at<N>(there, at); }, loop.where_)
        .get(loop.where_);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      std::byte* const to = N <= sizeof(std::uint64_t) ? reinterpret_cast<std::byte*>(queries[i].value_to)
                                                       : loop.large_values_.data() + large[i];
      std::memcpy(to, values[i].data(), N);
    }
  }
  template <class T, class Change>
  static void send_kept(world& home, const kept_change& its, const std::byte* value) {
    alignas(T) std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), value, sizeof(T));
    const packed_value<T> packed(*reinterpret_cast<const T*>(bytes.data()));
    home.send(its.at.pe, Change{its.at.offset, packed}, its.where);
  }
  template <std::size_t N>
  std::uint16_t kind_of() {
    if (last_kind_ < kinds_.size() && kinds_[last_kind_].bytes == N) [[likely]]
      return last_kind_;
    return last_kind_ = find_kind(N, fetch_elements<N>);
  }

  template <class Step>
  void run_chunk(const Step& step);

  std::size_t n_iterations_max() const noexcept;
  bool begin_chunk();
  bool is_too_large() const noexcept { return n_bytes_ > memory_bytes_ && n_in_chunk_ > 1; }
  void begin_run(part what) noexcept {
    part_ = what;
    last_read_ = none;
    n_reads_ = 0;
    n_made_up_ = 0;
    is_incomplete_ = false;
    asks_no_more_ = false;
    has_left_ = false;
    changed_bits_ = 0;
  }
  bool fetch();
  void note_luck(std::int32_t by) noexcept;
  std::uint16_t find_kind(std::size_t bytes, fetch_function by);
  const std::byte* find(const element_place& at, std::uint16_t kind, const std::source_location& where);
  /// The value of the next read of a run that repeats the last one; null: it is not so simple.
  const std::byte* find_again(const element_place& at, std::uint16_t kind) noexcept {
    if (are_iterations_checked || changed_bits_ != 0 || part_ == part::using_it) return nullptr;
    const std::uint32_t next = next_read();
    if (next >= n_fetched_) return nullptr;
    const element_read& its = reads_[next];
    if (its.at != at || its.kind != kind || its.is_guess) return nullptr;
    last_read_ = next;
    ++n_reads_;
    return value_of(its);
  }
  std::uint32_t next_read() const noexcept { return last_read_ == none ? first_read_ : reads_[last_read_].next; }
  void set_next_read(std::uint32_t number) noexcept {
    (last_read_ == none ? first_read_ : reads_[last_read_].next) = number;
  }
  const std::byte* value_of(const element_read& its) const noexcept {
    return kinds_[its.kind].bytes <= sizeof its.value ? reinterpret_cast<const std::byte*>(&its.value)
                                                      : large_values_.data() + its.value;
  }
  /// Nothing, where the value is not here: the run goes on with a made-up one, or is left.
  const std::byte* do_without() noexcept {
    is_incomplete_ = true;
    has_left_ = part_ == part::body;
    return nullptr;
  }
  const std::byte* ask_for(const element_place& at, std::uint16_t kind);
  bool may_meet_change(const element_place& at) const noexcept { return (bit_of(at) & changed_bits_) != 0; }
  static std::uint64_t bit_of(const element_place& at) noexcept {
    return std::uint64_t{1} << ((static_cast<std::uint64_t>(at.pe) * 31 + at.offset / 4) % 64);
  }
  void check_read(const element_place& at, const std::source_location& where) const;
  void check_use(const element_place& at, element_use use, const std::source_location& where);
  void forget_changes() noexcept;
  bool drop_run() noexcept {
    is_incomplete_ = true;
    forget_changes();
    return false;
  }
  void keep_change(const element_place& at, kept_change its, std::span<const std::byte> value);
  [[noreturn, gnu::cold]] void refuse(const std::source_location& where, const char* what) const;
  [[noreturn, gnu::cold]] void refuse(loop_misuse what, const std::source_location& where) const;

  world& home_;
  const std::unique_ptr<running_loop> entry_;
  const std::source_location where_;
  const std::int64_t n_;
  const std::size_t memory_bytes_;  // for the reads of a chunk, unless that is a single iteration

  std::int64_t n_begun_ = 0;  // iterations
  std::vector<iteration> pending_;  // begun and not over; those of the chunk first
  std::size_t n_in_chunk_ = 0;
  std::size_t n_left_ = 0;  // of those that have run since the last fetch: not over
  std::size_t chunk_size_;

  std::vector<element_kind> kinds_;
  std::uint16_t last_kind_ = 0;
  std::vector<element_read> reads_;  // of the chunk
  std::size_t n_fetched_ = 0;
  std::size_t n_bytes_ = 0;  // that they take
  std::vector<std::byte> large_values_;

  // The iteration that runs.
  part part_ = part::body;
  std::int64_t iteration_ = 0;
  std::uint32_t first_read_ = none;
  std::uint32_t last_read_ = none;  // in this run
  std::uint32_t n_reads_ = 0;
  std::uint32_t n_made_up_ = 0;
  bool is_incomplete_ = false;  // it has read something that is not here
  bool asks_no_more_ = false;
  bool has_left_ = false;  // by an exception
  std::vector<kept_change> changes_;
  std::vector<std::byte> values_of_changes_;
  std::uint64_t changed_bits_ = 0;

  // For each of the first reads of an iteration: how often it was right to ask although values were made up.
  static constexpr std::size_t n_guessed = 32;
  std::array<std::int32_t, n_guessed> luck_{};

  iteration_checks checks_;
};

/// The loops whose functions run now on this thread, which may run several PEs.
extern constinit thread_local running_loop* loops_now __attribute__((tls_model("initial-exec")));

/// During its lifetime, functions of the program run as iterations of `its`.
class running_iterations {
public:
  explicit running_iterations(running_loop& its) noexcept : its_(its) {
    its.outer = loops_now;
    loops_now = &its;
  }
  ~running_iterations();
  running_iterations(const running_iterations&) = delete;
  running_iterations& operator=(const running_iterations&) = delete;

private:
  running_loop& its_;
};

/// The loop of PE `home` whose function makes the access; null: another code does.
aggregated_loop* find_loop(const world& home) noexcept;
inline aggregated_loop* loop_now(const world& home) noexcept {
  return loops_now == nullptr ? nullptr : find_loop(home);
}

template <class Step>
void aggregated_loop::run_chunk(const Step& step) {
  n_left_ = 0;
  {
    const running_iterations here(*entry_);
    for (std::size_t i = 0; i < n_in_chunk_; ++i) {
      iteration its = pending_[i];
      if (!is_too_large()) {
        iteration_ = its.number;
        first_read_ = its.first_read;
        if (step(its.number)) continue;
        its.first_read = first_read_;
      }
      pending_[n_left_++] = its;
    }
  }
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(n_left_),
                 pending_.begin() + static_cast<std::ptrdiff_t>(n_in_chunk_));
  n_in_chunk_ = n_left_;
}

}  // namespace shoal::internal
