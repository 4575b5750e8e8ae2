/// Chooses a link's codec among several, and whether to encode at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/codec/codec.hpp"
#include "shoal/codec/internal/policy.hpp"

namespace shoal::internal {

/// The outcome of one codec on a buffer.
struct codec_trial {
  codec_number number = codec_number::none;
  std::size_t encoded_bytes = 0;  // 0: it did not pay
  double cost_ns = 0;  // of encoding and decoding
};

/// A link's policy (policy.hpp), and the codec that gained most when all candidates were last tried on one buffer.
/// While the policy is off, each trial is such a comparison. While it is on, comparisons are spaced by a number of
/// buffers that doubles as long as the same codec wins, so they soon cost next to nothing.
///
///     if (choice.should_try()) {
///       if (choice.should_compare()) { … choice.compare(bytes, trials); }
///       … one buffer with choice.chosen() …
///       choice.record(bytes, trial);
///     }
class codec_choice {
public:
  explicit codec_choice(const codec_policy_options& options = {}) noexcept : policy_(options) {}

  /// As codec_policy::set_price.
  void set_price(double ns_per_byte) noexcept { policy_.set_price(ns_per_byte); }

  /// Whether there has been no comparison.
  bool is_new() const noexcept { return chosen_ == codec_number::none; }
  /// For a link that begins: with what this one has learnt, and as far from the next comparison as after the first.
  codec_choice for_new_link() const noexcept {
    codec_choice made = *this;
    made.policy_.try_soon();
    made.n_until_comparison_ = made.pause_ = n_between_first;
    return made;
  }

  /// Whether to encode the next buffer. Called once per buffer; if true, record() must follow.
  bool should_try() noexcept { return policy_.should_try(); }

  /// Whether to try all candidates on this buffer first.
  bool should_compare() noexcept {
    if (!policy_.is_on() || n_until_comparison_ == 0) return true;
    --n_until_comparison_;
    return false;
  }

  /// Chooses the codec of the trial that gained most; the first one in a tie.
  void compare(std::size_t bytes, std::span<const codec_trial> trials) noexcept {
    const codec_trial* best = nullptr;
    for (const codec_trial& t : trials) {
      if (best == nullptr || gain_of(bytes, t) > gain_of(bytes, *best)) best = &t;
    }
    if (best == nullptr) return;
    pause_ = best->number == chosen_ ? std::min(2 * pause_, n_between_max) : n_between_first;
    chosen_ = best->number;
    n_until_comparison_ = pause_;
  }

  /// Records a buffer of `bytes` that was encoded as `t` says.
  void record(std::size_t bytes, const codec_trial& t) noexcept { policy_.record(bytes, t.encoded_bytes, t.cost_ns); }

  /// `none` before the first comparison.
  codec_number chosen() const noexcept { return chosen_; }
  const codec_policy& policy() const noexcept { return policy_; }

private:
  static constexpr std::uint32_t n_between_first = 64;
  static constexpr std::uint32_t n_between_max = 65536;

  double gain_of(std::size_t bytes, const codec_trial& t) const noexcept {
    return policy_.gain_ns(bytes, t.encoded_bytes, t.cost_ns);
  }

  codec_policy policy_;
  codec_number chosen_ = codec_number::none;
  std::uint32_t n_until_comparison_ = 0;
  std::uint32_t pause_ = n_between_first;
};

}  // namespace shoal::internal
