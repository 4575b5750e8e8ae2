/// Decides whether a link's buffers are worth encoding: on while it pays, off when it does not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace shoal::internal {

struct codec_policy_options {
  double ns_per_byte = 0.1;  // cost of a byte on the link; with 0, encoding never pays
  std::uint32_t n_skipped_first = 16;  // buffers sent plain after the first failed trial; > 0
  std::uint32_t n_skipped_max = 65536;  // and after many failed trials in a row
};

/// Keeps what encoding gained on one link, in ns: bytes saved times the link's cost per byte, minus the time taken. It
/// stays on while a moving average of the gain is positive, so one bad buffer among good ones changes nothing. After it
/// turns off, it skips a number of buffers and then tries one. A failed trial doubles that number, a gain halves it.
/// With the defaults, encoding that never pays is tried 13 times in the first 65,536 buffers and once per 65,536 after
/// that. While off, a buffer costs a compare and a decrement.
///
///     if (policy.should_try()) {
///       … n = codecs.encode(…) …
///       policy.record(items.size(), n, ns);
///     }
///
/// The caller supplies the time, so that simulated links replay, and may change the price of a byte.
class codec_policy {
public:
  explicit codec_policy(const codec_policy_options& options = {}) noexcept
      : ns_per_byte_(options.ns_per_byte),
        n_skipped_first_(options.n_skipped_first),
        n_skipped_max_(std::max(options.n_skipped_first, options.n_skipped_max)),
        pause_(options.n_skipped_first) {}

  /// Sets the cost of a byte on the link. If it is another one, earlier gains and losses count no more.
  void set_price(double ns_per_byte) noexcept {
    if (ns_per_byte == ns_per_byte_) return;
    ns_per_byte_ = ns_per_byte;
    is_on_ = false;
    try_soon();
  }

  /// Forgets how often trials have failed, as if the last were the first.
  void try_soon() noexcept {
    pause_ = n_skipped_first_;
    n_to_skip_ = std::min(n_to_skip_, n_skipped_first_);
  }

  /// Whether to encode the next buffer. Called once per buffer; if true, record() must follow.
  bool should_try() noexcept {
    if (n_to_skip_ == 0) return true;
    --n_to_skip_;
    return false;
  }

  /// Records a buffer of `bytes` payload bytes that encoding shortened to `encoded_bytes`; 0: it did not pay.
  /// `cost_ns`: time of encoding, plus that of decoding if the caller knows or estimates it.
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

  /// The gain of such a buffer; a loss if negative.
  double gain_ns(std::size_t bytes, std::size_t encoded_bytes, double cost_ns) const noexcept {
    const std::size_t n_spared = encoded_bytes == 0 || encoded_bytes > bytes ? 0 : bytes - encoded_bytes;
    return static_cast<double>(n_spared) * ns_per_byte_ - cost_ns;
  }

  /// Whether the last trial, or the average since then, was a gain.
  bool is_on() const noexcept { return is_on_; }

  /// For reports. Undefined before the first record().
  double mean_gain_ns() const noexcept { return mean_gain_ns_; }

private:
  static constexpr double n_averaged = 4;

  std::uint32_t n_to_skip_ = 0;
  bool is_on_ = false;
  double mean_gain_ns_ = 0;
  double ns_per_byte_;
  std::uint32_t n_skipped_first_;
  std::uint32_t n_skipped_max_;
  std::uint32_t pause_;  // buffers to skip after the next failed trial
};

}  // namespace shoal::internal
