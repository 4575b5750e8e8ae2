/// Conveyors: many-to-many transport of fixed-size items, many items to a transfer.
///
/// The contract is bale's (Maley and DeVinney, "Conveyors for streaming many-to-many communication", 2019, section 2).
/// A session is `begin`, a loop of `advance`, `push` and `pull`, then `reset`:
///
///     shoal::conveyor<long> c{world};
///     c.begin();
///     std::size_t i = 0;
///     while (c.advance(i == n) != shoal::progress::complete) {
///       for (; i < n && c.push(index[i], owner[i]); ++i) {}
///       while (const long* slot = c.pull()) ++counts[*slot];
///     }
///     c.reset();
///
/// Every pushed item is delivered exactly once. Items from one PE to another arrive in push order; items from different
/// senders have no order. A conveyor runs no handlers of its own, and only `advance` makes progress. Misuse (a call in
/// the wrong state, a PE out of range) ends the job with one line.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "shoal/base/internal/holds_address.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/types.hpp"

#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {

/// What `advance` reports about this PE's session.
enum class progress : std::uint8_t {
  working,  // keep pushing, pulling and advancing
  cleanup,  // nothing more will arrive, but items are left to pull
  complete,  // this PE's part of the session is over
};

enum class conveyor_state : std::uint8_t { dormant, working, endgame, cleanup, complete };

struct conveyor_options {
  /// A steady conveyor delivers every item as long as all PEs keep advancing and pulling, even if no PE is done.
  /// Request and reply need it. Otherwise a partly filled buffer may wait until its sender is done.
  bool steady = false;
  /// Hops of the route: 1, 2 or 3 (docs/design/routes.md). 0: the job's setting.
  int n_hops = 0;
  /// Upper limit, in microseconds and per hop, on how long a pushed item waits before it is posted. Holds while this PE
  /// keeps pushing or advancing and has credits. Makes every push look at the clock. 0: the job's setting
  /// (SHOAL_MAX_LATENCY).
  std::uint32_t max_latency_us = 0;
};

/// Counts of one conveyor since its construction.
struct conveyor_counts {
  std::uint64_t n_sessions = 0;
  std::uint64_t n_pushed = 0;  // not counting items in open buffers of the first hop
  std::uint64_t n_pulled = 0;
  std::uint64_t n_unpulled = 0;
  std::uint64_t n_advances = 0;
  std::uint64_t n_relayed = 0;  // items passed on for other PEs, once per hop
  std::uint64_t n_buffers = 0;  // transfers on all hops, including those to this PE itself
  std::uint64_t n_bytes = 0;  // their payload as sent
  std::uint64_t n_encoded = 0;  // how many of the transfers were encoded
  std::uint64_t n_spared = 0;  // bytes saved by encoding
  std::uint64_t buffer_bytes_most = 0;  // peak memory in buffers of all hops
  std::uint64_t monster_bytes_most = 0;  // peak memory in items larger than a buffer that leave or arrive here
};

/// The part that does not depend on the item type: states and the endgame.
class conveyor_base {
public:
  conveyor_base(const conveyor_base&) = delete;
  conveyor_base& operator=(const conveyor_base&) = delete;

  /// dormant -> working. All PEs call it; does not wait.
  void begin();

  /// Makes progress; no other call does. `is_done` promises that this PE pushes no more in this session; the promise
  /// cannot be taken back. Local, nonblocking (a PE with nothing to do briefly yields its core). Legal unless dormant.
  progress advance(bool is_done);

  /// Puts the last pulled item back, once: the next pull returns it again. False if there is none or the session is
  /// complete. Legal unless dormant.
  bool unpull();

  /// complete -> dormant, or stays dormant. Local, does not wait.
  void reset();

  conveyor_state state() const noexcept { return state_; }
  conveyor_counts counts() const noexcept;
  /// Identifies this conveyor; the same on all PEs.
  std::uint64_t serial() const noexcept { return stream_.serial(); }

protected:
  /// Like `begin()`, with items of another kind than in the last session.
  void begin(const internal::item_kind& kind);
  std::uint32_t item_bytes() const noexcept { return item_bytes_; }

  conveyor_base(internal::exchange& through, const internal::item_kind& kind, const conveyor_options& options);
  ~conveyor_base();

  /// Keeps the item pulled last readable after its buffer is released.
  virtual void keep_last_item();
  /// Sends what a push accepted but has not sent yet; false if some of it is left.
  virtual bool send_rest() { return true; }

  internal::stream stream_;  // accepts items while working

  // The next item to pull and the end of the front buffer; equal if the buffer is used up. The next pull releases the
  // buffer, so a pulled item stays readable until then. Once the buffer is released, its last item lies in last_item_,
  // and next_ and end_ point to its end.
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;
  const internal::buffer* front_ = nullptr;
  pe_id source_ = 0;  // the PE that sent the front buffer to us on the last hop
  internal::tag_origins origins_;  // the senders of its items
  pe_id last_origin_ = 0;  // the sender of the item in last_item_
  bool may_unpull_ = false;
  bool is_unpulled_ = false;  // the next pull returns the last pulled item again; elastic conveyors only

  void count_unpull() noexcept { ++counts_.n_unpulled; }
  /// Ends the job unless an item may be pushed to `target`.
  void check_push(pe_id target) const;
  /// The PE that pushed a pulled item of `bytes` bytes.
  pe_id origin_of(const std::byte* item, std::size_t bytes) const noexcept {
    if (front_ == nullptr) return last_origin_;
    const std::size_t i = static_cast<std::size_t>(item - front_->payload()) / bytes;
    return origins_(stream_.tag_of(*front_, static_cast<std::uint32_t>(i)));
  }
  bool has_more_items() const noexcept;
  /// Moves on to the next buffer; false if none has arrived.
  bool open_front();
  void drop_front();
  [[gnu::cold]] void require(bool is_legal, std::string_view call) const;

private:
  void flush_stale();

  internal::exchange& exchange_;
  conveyor_options options_;
  conveyor_state state_ = conveyor_state::dormant;
  internal::item_kind kind_;
  std::uint32_t item_bytes_;
  struct alignas(cache_line_bytes) line {
    std::byte bytes[cache_line_bytes];
  };
  std::vector<line> last_item_;
  unsigned patience_ = 0;
  unsigned n_unpulled_calls_ = 0;  // calls of advance in a row that moved nothing while the program pulled nothing
  const std::byte* next_before_ = nullptr;  // next_ at the last of them
  std::size_t phase_ = 0;  // the link that flush_stale checks next, counted over all hops
  std::vector<const std::byte*> last_cursor_;  // each link's cursor when flush_stale last checked it
  conveyor_counts counts_;
};

template <item T>
class conveyor : public conveyor_base {
  static_assert(internal::holds_no_address<T>());

public:
  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error if no buffer
  /// slot is left to reserve. May be destroyed only while dormant or complete.
  explicit conveyor(internal::exchange& through, const conveyor_options& options = {})
      : conveyor_base(through, {.bytes = sizeof(T), .align = alignof(T)}, options) {
    static_assert(alignof(T) <= cache_line_bytes);
  }

  /// Offers one item to `target`. Local, nonblocking; legal while working. False: no room now; call `advance` and offer
  /// it again. The item is copied.
  [[nodiscard]] bool push(const T& value, pe_id target) {
    SHOAL_ASSERT(internal::other_worker() == nullptr);
    if (!stream_.is_direct(target)) [[unlikely]]
      return push_routed(value, target);
    internal::link_end& link = stream_.link_to(target);
    if (link.cursor == link.limit) [[unlikely]] {
      if (!stream_.make_room(link, stream_.links().only_kind, internal::when_full::give_up)) return false;
    }
    stream_.links().write(link, value);
    return true;
  }

  /// The next item that has arrived, in place; null if there is none now (only `advance` tells whether more will come).
  /// Valid until the next pull, reset, or advance that completes. Local, nonblocking; legal unless dormant.
  [[nodiscard]] const T* pull() {
    if (next_ == end_ && !open_front()) [[unlikely]]
      return nullptr;
    const T* value = reinterpret_cast<const T*>(next_);
    next_ += sizeof(T);
    may_unpull_ = true;
    return value;
  }
  [[nodiscard]] const T* pull(pe_id& from) {
    const T* value = pull();
    if (value != nullptr) {
      from = stream_.current_route() == nullptr ? source_
                                                : origin_of(reinterpret_cast<const std::byte*>(value), sizeof(T));
    }
    return value;
  }

private:
  // With one hop only misuse leads here; check_push reports it.
  [[gnu::noinline]] bool push_routed(const T& value, pe_id target) {
    if (!stream_.may_send_to(target)) [[unlikely]]
      check_push(target);
    const internal::stream::way to = stream_.way_to(target);
    const internal::link_end& link = to.link();
    if (link.cursor == link.limit && !stream_.make_room(to, stream_.links().only_kind, internal::when_full::give_up))
      return false;
    to.write(value);
    return true;
  }
};

/// A conveyor whose item size is chosen at the beginning of a session: for bindings of C and scripting languages, where
/// no item type is known. Each item costs a copy of run-time size; conveyor<T> is faster.
class byte_conveyor : public conveyor_base {
public:
  /// As for conveyor<T>.
  explicit byte_conveyor(internal::exchange& through, const conveyor_options& options = {})
      : conveyor_base(through, {}, options) {}

  /// dormant -> working, with items of `bytes` bytes, aligned to `align` where they are pulled. All PEs call it with
  /// the same values; does not wait. `bytes` is at least 1 and a multiple of `align`, a power of two up to 64 (bale's
  /// choice: largest_alignment).
  void begin(std::size_t bytes, std::size_t align);

  /// The largest alignment that items of this size can have: the largest power of two that divides the size, at most
  /// 64.
  static constexpr std::size_t largest_alignment(std::size_t bytes) noexcept {
    const std::size_t power = bytes & (~bytes + 1);
    return power < cache_line_bytes ? power : cache_line_bytes;
  }

  /// As for conveyor<T>.
  [[nodiscard]] bool push(const void* item, pe_id target);
  [[nodiscard]] const void* pull();
  [[nodiscard]] const void* pull(pe_id& from);
};

}  // namespace shoal
