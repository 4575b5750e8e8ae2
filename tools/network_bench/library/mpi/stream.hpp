/// Messages from the first process to the second, with many nonblocking sends in flight.
#pragma once

#include <cstddef>
#include <cstdint>

namespace network_bench {

/// The receiver acknowledges every `window` messages, and the sender is at most `n_windows_ahead` windows ahead of the
/// acknowledgements. So a long round trip does not limit the rate, and messages that the receiver has not expected yet
/// take a limited amount of memory.
struct stream {
  /// Stream `number` of `n_streams` that are used at the same time, and that share the memory for messages.
  explicit stream(std::size_t message_bytes, int number = 0, int n_streams = 1);

  std::size_t bytes;
  std::int64_t window;
  std::int64_t n_windows_ahead;
  /// These differ for each number.
  int data_tag;
  int control_tag;
};

/// Returns the nanoseconds from the first send until the last acknowledgement.
double send_stream(const stream& of, const std::byte* message, std::int64_t n);

/// `slots` has room for `window` messages, which are received in turn.
void receive_stream(const stream& of, std::byte* slots, std::int64_t n);

}  // namespace network_bench
