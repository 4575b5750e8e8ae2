/// Measures links to other nodes by the buffers that a PE sends anyway, while the job runs.
///
/// At any time one small and one large buffer are timed: from their sending until their sender sees that their slot has come
/// back, less the time for which the receiver says that it held them. So no clocks are compared, and what handlers take is
/// not counted. A time is worth nothing if the buffer may have waited at a busy receiver.
///
/// Let x be the bytes of this PE that are under way when a buffer has been sent, itself included, y its time, and t the time of a
/// small buffer that is alone. A byte takes at most y / x (Little's law: what is under way is throughput times time). Where
/// buffers wait for one another on the link, y is much longer than t, and a byte takes nearly (y - t) / x. Elsewhere bytes delay
/// nobody. PEs have other things to do at times, so the least of several values counts.
///
/// It takes two looks at the clock for a timed buffer, a compare and an addition for any other, and nothing for messages. A
/// stream of large buffers says nothing of t, so the substrate sends a probe now and then: a transfer that no layer above sees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

class substrate;

/// Whether its sender times it.
inline bool is_timed(const buffer& b) noexcept {
  return (b.header.flags & (buffer_header::timed | buffer_header::timed_large)) != 0;
}

/// A receiver's part. In 32 bits, which suffice for 4 s.
class holding_times {
public:
  static constexpr std::uint32_t unknown = 0;

  /// This PE has looked for a buffer, and found none.
  void note_none() noexcept { is_idle_ = true; }
  /// It has found `b`, which it will hold from `now_ns` on.
  void note_arrival(buffer& b, std::uint64_t now_ns) noexcept {
    b.held_ns = is_idle_ ? static_cast<std::uint32_t>(now_ns) : unknown;
    is_idle_ = false;
  }
  /// It has found one that is not timed.
  void note_arrival() noexcept { is_idle_ = false; }
  /// For how long it held a buffer whose `held_ns` was `arrived_ns`.
  static std::uint32_t until(std::uint64_t now_ns, std::uint32_t arrived_ns) noexcept {
    return arrived_ns == unknown ? unknown : static_cast<std::uint32_t>(now_ns) - arrived_ns;
  }

private:
  bool is_idle_ = false;
};

/// Of buffers to other nodes.
class link_meter {
public:
  enum class size : std::uint8_t { small, large };

  /// `payload_bytes`: of a slot. `is_on`: otherwise nothing is timed.
  explicit link_meter(std::size_t payload_bytes, bool is_on = true) noexcept
      : payload_bytes_(payload_bytes), is_on_(is_on) {}

  /// Marks a buffer that is about to be sent, if it is to be timed; removes old marks.
  void mark(buffer& full) const noexcept;
  static void unmark(buffer& full) noexcept {
    full.header.flags &= static_cast<std::uint16_t>(~(buffer_header::timed | buffer_header::timed_large));
  }
  static size size_of(const buffer& marked) noexcept {
    return (marked.header.flags & buffer_header::timed) != 0 ? size::small : size::large;
  }

  /// A buffer with so many bytes was sent, or its slot has come back; its mark does not matter.
  void note_under_way(std::uint64_t bytes) noexcept { bytes_under_way_ += bytes; }
  void note_back(std::uint64_t bytes) noexcept { bytes_under_way_ -= bytes; }

  /// A marked buffer, already noted as under way, was sent by a call that took from `begin_ns` to `end_ns`.
  void note_sent(const buffer& marked, std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

  /// Whether a probe should go before a buffer that is marked as large.
  bool wants_probe(std::uint64_t now_ns) const noexcept {
    return bytes_under_way_ == 0 && !is_away(size::small) && now_ns >= next_probe_ns_;
  }
  /// As note_sent, for a probe in place of a small buffer.
  void note_probe(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

  /// It has come back after its receiver held it for `held_ns`, perhaps unknown. Tells `whose` when it knows more than before.
  void note_return(size which, std::uint32_t held_ns, std::uint64_t now_ns, substrate& whose) noexcept;

private:
  struct timed_buffer {
    std::uint64_t sent_ns = 0;
    std::uint64_t bytes_under_way = 0;  // when it was sent, itself included
    bool is_away = false;
  };
  // The least of `n` values.
  template <class T>
  struct least {
    T value = std::numeric_limits<T>::max();
    unsigned n = 0;

    void note(T one) noexcept {
      ++n;
      if (one < value) value = one;
    }
  };

  static std::size_t index_of(size which) noexcept { return static_cast<std::size_t>(which); }
  bool is_away(size which) const noexcept { return away_[index_of(which)].is_away; }
  bool is_small(std::uint64_t bytes) const noexcept;
  void note_time(size which, std::uint64_t took_ns, std::uint64_t bytes_under_way) noexcept;
  void tell(substrate& whose) noexcept;

  std::size_t payload_bytes_;
  bool is_on_;
  std::uint64_t bytes_under_way_ = 0;
  std::array<timed_buffer, 2> away_;  // by size
  least<double> byte_ns_most_;  // of large buffers
  least<double> byte_ns_busy_;  // of those that waited for others
  least<std::uint64_t> alone_;  // times of small ones
  std::uint64_t alone_ns_ = 0;  // the shortest of the last ones; 0: unknown
  least<std::uint64_t> sending_;  // calls that send small buffers
  std::uint64_t next_probe_ns_ = 0;
};

}  // namespace shoal::internal
