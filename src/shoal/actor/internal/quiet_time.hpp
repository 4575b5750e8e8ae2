/// Whether a PE waits for messages that may be on their way to it before it joins the first wave of a superstep.
///
/// A PE that has sent its last message has nothing left to do. If it joins at once, what is on its way to it makes the wave vain,
/// and between many nodes another wave takes longer than a message. To wait pays if all PEs end their work at about the same time.
/// So the last supersteps decide. See docs/design/termination.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shoal::internal {

struct link_costs;

/// What a PE says of its wait before the first wave of a superstep; or how many PEs say so.
struct quiet_votes {
  std::uint32_t n_short = 0;  // it was shorter than the waves that were in vain in the last superstep without a wait
  std::uint32_t n_helped = 0;  // something came meanwhile

  friend quiet_votes operator+(const quiet_votes& a, const quiet_votes& b) noexcept {
    return {a.n_short + b.n_short, a.n_helped + b.n_helped};
  }
};

/// All PEs of a world see the same waves and votes, so all wait or none does. Times are the substrate's, in ns.
class quiet_time {
public:
  /// With two nodes a wave is one exchange between their leaders, and as short as a message.
  explicit quiet_time(std::size_t n_nodes) noexcept : may_pay_(n_nodes > 2) {}

  /// Whether PEs may ever wait. If not, waves carry no votes, and nothing below need be called.
  bool may_pay() const noexcept { return may_pay_; }

  /// This PE begins to wait for the end of a superstep, whose messages take `n_hops` hops. `n_bytes`: what it has sent to other nodes,
  /// since the job began.
  void begin(const link_costs& links, int n_hops, std::uint64_t n_bytes, std::uint64_t now_ns) noexcept;
  /// Whether it waits before it joins the first wave.
  bool is_on() const noexcept { return is_on_; }
  void note_arrival(std::uint64_t now_ns) noexcept;
  /// It has sent more, to other nodes perhaps.
  void note_sent(std::uint64_t n_bytes, std::uint64_t now_ns) noexcept;
  /// This PE has nothing left to do: whether it has waited for long enough, or for so long that it does not pay.
  bool is_over(std::uint64_t now_ns) noexcept;

  /// It joins a wave of the superstep.
  quiet_votes join_wave(bool is_first, std::uint64_t now_ns) noexcept;
  /// The wave has ended.
  void end_wave(bool is_first, std::uint64_t now_ns) noexcept;
  /// The superstep has ended with its `n_waves`-th wave. `votes`: those of all `n_pes` PEs. `n_bytes`: as in `begin`.
  void learn(int n_waves, const quiet_votes& votes, std::uint32_t n_pes, std::uint64_t n_bytes) noexcept;

private:
  const bool may_pay_;
  bool is_wanted_ = false;  // in the next superstep
  bool is_on_ = false;
  int n_to_pass_over_ = 0;  // supersteps in which it would have been wanted before the next try
  int n_passed_over_next_ = 1;
  int n_without_help_ = 0;  // waits in a row in which nothing came
  bool has_come_ = false;  // since this PE had nothing left to do
  std::uint64_t after_sent_ns_ = 0;  // how long a PE waits after it has sent something
  std::uint64_t after_arrival_ns_ = 0;
  std::uint64_t until_ns_ = 0;
  double ns_per_byte_ = 0;
  std::uint64_t n_bytes_ = 0;  // sent to other nodes
  std::uint64_t sent_ns_ = 0;  // when the interface is done with what this PE has sent
  std::uint64_t noted_ns_ = 0;  // when `n_bytes_` was noted
  std::uint64_t idle_since_ns_ = 0;  // when it had nothing left to do for the first time; 0: not yet
  std::uint64_t joined_ns_ = 0;
  std::uint64_t wave_ns_ = UINT64_MAX;  // how long a wave takes
  std::uint64_t in_vain_ns_ = UINT64_MAX;  // what those in vain took in the last superstep without a wait
  std::uint64_t ended_ns_ = 0;  // when the last superstep ended
};

}  // namespace shoal::internal
