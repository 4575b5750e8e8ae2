/// Whether a link's buffers are worth encoding: on while it pays, off by itself when it does not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace shoal {

struct codec_policy_options {
  double ns_per_byte = 0.1;  // what a byte costs on the link; 0: encoding never pays
  std::uint32_t n_skipped_first = 16;  // buffers sent plainly after the first time that it did not pay; > 0
  std::uint32_t n_skipped_max = 65536;  // and after many times in sequence
};

/// One link's memory of what encoding gained, in ns: bytes spared times the link's cost of a byte, less the
/// time that it took. It stays on while a moving average of that is positive, so one bad buffer among good
/// ones changes nothing. When it goes off, it skips a number of buffers, then tries one; each trial in vain
/// doubles that number, each gain halves it. With the defaults, encoding that never pays is tried 13 times in
/// the first 65,536 buffers and once in 65,536 then. While off, a buffer costs a compare and a decrement.
///
///     if (policy.should_try()) {
///       … n = codecs.encode(…) …
///       policy.record(items.size(), n, ns);
///     }
///
/// The caller brings the time, so that simulated links replay.
class codec_policy {
public:
  explicit codec_policy(const codec_policy_options& options = {}) noexcept
      : ns_per_byte_(options.ns_per_byte),
        n_skipped_first_(options.n_skipped_first),
        n_skipped_max_(std::max(options.n_skipped_first, options.n_skipped_max)),
        pause_(options.n_skipped_first) {}

  /// Once per buffer: whether to encode it. If so, record() must follow.
  bool should_try() noexcept {
    if (n_to_skip_ == 0) return true;
    --n_to_skip_;
    return false;
  }

  /// Accounts for a buffer of `bytes` payload bytes that encoding made `encoded_bytes` long; 0: it did not
  /// pay. `cost_ns` is what encoding took, and decoding where the caller knows or guesses it.
  void record(std::size_t bytes, std::size_t encoded_bytes, double cost_ns) noexcept {
    const double gain = gain_ns(bytes, encoded_bytes, cost_ns);
    mean_gain_ns_ = is_on_ ? mean_gain_ns_ + (gain - mean_gain_ns_) / n_averaged : gain;
    is_on_ = mean_gain_ns_ > 0;
    if (!is_on_) {
      n_to_skip_ = pause_;
      pause_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{2} * pause_, n_skipped_max_));
    } else if (gain > 0) {
      pause_ = std::max(pause_ / 2, n_skipped_first_);
    }
  }

  /// What such a buffer gains, or loses if it is negative.
  double gain_ns(std::size_t bytes, std::size_t encoded_bytes, double cost_ns) const noexcept {
    const std::size_t n_spared = encoded_bytes == 0 || encoded_bytes > bytes ? 0 : bytes - encoded_bytes;
    return static_cast<double>(n_spared) * ns_per_byte_ - cost_ns;
  }

  /// Whether the last trial, or the average since, was a gain.
  bool is_on() const noexcept { return is_on_; }

  /// For reports. Means nothing before the first record().
  double mean_gain_ns() const noexcept { return mean_gain_ns_; }

private:
  static constexpr double n_averaged = 4;

  std::uint32_t n_to_skip_ = 0;
  bool is_on_ = false;
  double mean_gain_ns_ = 0;
  double ns_per_byte_;
  std::uint32_t n_skipped_first_;
  std::uint32_t n_skipped_max_;
  std::uint32_t pause_;  // what the next trial in vain costs
};

}  // namespace shoal
