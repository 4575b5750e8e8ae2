/// Measures links to other nodes by the buffers that a PE sends anyway, while the job runs.
///
/// At any time one small and one large buffer are timed, from their sending until their slots have come back. Let t be the
/// shortest time of a small buffer that is alone, and y that of a large one, less the time for which its receiver may have
/// held it. Let x be the bytes that were under way when it had been sent, itself included. Where buffers wait for one another on
/// the link, y is much longer than t, and a byte takes at least (y - t) / x. Elsewhere bytes delay nobody.
///
/// A byte takes at most what it took in a while: the time, divided by the bytes that were both sent and acknowledged in it.
///
/// PEs compute, and see late that something has come. So each end counts from its last look that found nothing, which can only
/// make y too short; and a time counts only if its sender looked often. No clocks of two PEs are compared.
///
/// A stream of large buffers says nothing of t, so the substrate sends a probe now and then: a transfer that no layer above
/// sees. If a PE has always something under way, t stays what it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

class substrate;

/// Whether its sender times it.
inline bool is_timed(const buffer& b) noexcept {
  return (b.header.flags & (buffer_header::timed | buffer_header::timed_large)) != 0;
}

/// A receiver's part: for how long it may have held a buffer. In 32 bits, which suffice for 4 s.
class holding_times {
public:
  static constexpr std::uint32_t unknown = 0;

  /// This PE has looked for a buffer, and found none.
  void note_none(std::uint64_t now_ns) noexcept { last_none_ns_ = now_ns; }
  /// It has found `b`, a timed one, at `now_ns`: it may have been here since the last look that found none.
  void note_arrival(buffer& b, std::uint64_t now_ns) const noexcept {
    b.held_ns = now_ns - last_none_ns_ < ns_most ? static_cast<std::uint32_t>(last_none_ns_) : unknown;
  }
  /// The time until `now_ns`, if `since_ns` is what note_arrival wrote.
  static std::uint32_t until(std::uint64_t now_ns, std::uint32_t since_ns) noexcept {
    return since_ns == unknown ? unknown : static_cast<std::uint32_t>(now_ns) - since_ns;
  }

private:
  static constexpr std::uint64_t ns_most = 1'000'000'000;

  std::uint64_t last_none_ns_ = 0;
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
    full.header.flags &= static_cast<std::uint8_t>(~(buffer_header::timed | buffer_header::timed_large));
  }
  static size size_of(const buffer& marked) noexcept {
    return (marked.header.flags & buffer_header::timed) != 0 ? size::small : size::large;
  }

  /// A buffer with so many bytes was sent, or its slot has come back; its mark does not matter.
  void note_under_way(std::uint64_t bytes) noexcept { bytes_under_way_ += bytes; }
  void note_back(std::uint64_t bytes) noexcept {
    SHOAL_ASSERT(bytes <= bytes_under_way_);
    bytes_under_way_ -= bytes;
    while_.bytes_back += bytes;
  }

  /// A marked buffer, already noted as under way, was sent by a call that took from `begin_ns` to `end_ns`.
  void note_sent(const buffer& marked, std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

  /// Whether a probe should go before a buffer that is marked as large.
  bool wants_probe(std::uint64_t now_ns) const noexcept {
    return bytes_under_way_ == 0 && !is_away(size::small) && now_ns >= next_probe_ns_;
  }
  /// As note_sent, for a probe in place of a small buffer.
  void note_probe(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept;

  /// Whether looks count now.
  bool wants_looks() const noexcept { return is_away(size::large); }
  /// This PE looks for what has come back.
  void note_look(std::uint64_t now_ns) noexcept;

  /// A timed buffer has come back, seen at `now_ns`. Its receiver may have held it for `held_ns`, perhaps unknown. Tells `whose`
  /// when it knows more than before.
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
  struct period {
    std::uint64_t begin_ns = 0;
    std::uint64_t bytes_before = 0;  // under way when it began
    std::uint64_t bytes_back = 0;
  };

  static std::size_t index_of(size which) noexcept { return static_cast<std::size_t>(which); }
  bool is_away(size which) const noexcept { return away_[index_of(which)].is_away; }
  bool is_small(std::uint64_t bytes) const noexcept;
  void note_alone(std::uint64_t took_ns) noexcept;
  void note_large(const timed_buffer& its, std::uint32_t held_ns) noexcept;
  void end_period(std::uint64_t now_ns) noexcept;
  void tell(substrate& whose) noexcept;

  std::size_t payload_bytes_;
  bool is_on_;
  std::uint64_t bytes_under_way_ = 0;
  std::array<timed_buffer, 2> away_;  // by size
  std::uint64_t last_look_ns_ = 0;  // since the large one was sent
  std::uint64_t longest_unseen_ns_ = 0;  // between two of those looks
  period while_;
  least<double> byte_ns_most_;
  least<double> byte_ns_least_;
  least<std::uint64_t> alone_;
  std::uint64_t alone_ns_ = 0;  // t; 0: unknown
  least<std::uint64_t> sending_;  // calls that send small buffers
  std::uint64_t next_probe_ns_ = 0;
};

}  // namespace shoal::internal
