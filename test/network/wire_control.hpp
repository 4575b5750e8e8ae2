/// Control messages of a wire: each arrives once, whatever is on its way beside it, and close drops what nobody took.
#pragma once

#include <sched.h>

#include <cstring>
#include <vector>

#include "test/network/wire_job.hpp"

namespace shoal::test {

class wire_control {
public:
  explicit wire_control(exchange_rounds& rounds) : job_(rounds.job()), rounds_(rounds) {
    for (int rank = 0; rank < job_.n_ranks(); ++rank) {
      if (job_.sizes.is_remote[static_cast<std::size_t>(rank)] != 0) remote_.push_back(rank);
    }
  }

  /// Every rank sends to every remote one in turn.
  void run() {
    std::vector<std::vector<bool>> has_come(static_cast<std::size_t>(job_.n_ranks()));
    for (std::vector<bool>& of_one : has_come) of_one.resize(n_to_each);
    const std::size_t n = n_to_each * remote_.size();
    std::size_t n_sent = 0;
    std::size_t n_taken = 0;
    const int end = rounds_.n_done() + 1;
    for (; n_sent < n || n_taken < n || rounds_.n_done() < end; sched_yield()) {
      if (n_sent < n && send(remote_[n_sent % remote_.size()], n_sent / remote_.size())) ++n_sent;
      internal::control_message arrived;
      for (; job_.wire.poll_control(arrived); ++n_taken) take(arrived, has_come);
      // The round is over when all ranks have everything; until then, others need this one.
      if (n_sent == n && n_taken == n && rounds_.n_done() < end) rounds_.advance();
    }
    internal::control_message late;
    job_.expect(!job_.wire.poll_control(late), "a control message came twice");
    rounds_.finish_one();
  }

  /// More than rank 0 has places for, which it never takes. Before close.
  void leave_unread() {
    if (job_.rank() == 0 || job_.sizes.is_remote[0] == 0) return;
    for (std::uint64_t nth = 0; nth < 60; ++nth) send(0, nth);
  }

private:
  static constexpr std::size_t n_to_each = 50;

  std::uint64_t word_of(int from, int to, std::uint64_t nth) const {
    return mixed_bits(job_.seed * 7 +
                      mixed_bits((static_cast<std::uint64_t>(from) << 16 | static_cast<unsigned>(to)) ^ nth << 40));
  }
  static std::size_t bytes_of(std::uint64_t word) {
    return sizeof word + word % (internal::control_bytes_max + 1 - sizeof word);
  }

  bool send(int target, std::uint64_t nth) {
    std::byte bytes[internal::control_bytes_max];
    const std::uint64_t word = word_of(job_.rank(), target, nth);
    wire_job::fill(bytes, bytes_of(word), word);
    std::memcpy(bytes, &nth, sizeof nth);
    return job_.wire.try_send_control({bytes, bytes_of(word)}, target);
  }

  void take(internal::control_message& arrived, std::vector<std::vector<bool>>& has_come) const {
    std::uint64_t nth = n_to_each;
    std::memcpy(&nth, arrived.data, sizeof nth);
    const auto source = static_cast<std::size_t>(arrived.source);
    job_.expect(source < has_come.size() && nth < n_to_each, "a control message came that nobody sent");
    job_.expect(!has_come[source][nth], "a control message came twice");
    has_come[source][nth] = true;
    const std::uint64_t word = word_of(static_cast<int>(arrived.source), job_.rank(), nth);
    std::byte expected[internal::control_bytes_max];
    wire_job::fill(expected, bytes_of(word), word);
    std::memcpy(expected, &nth, sizeof nth);
    job_.expect(arrived.bytes == bytes_of(word) && std::memcmp(arrived.data, expected, arrived.bytes) == 0,
                "a control message came with other bytes");
  }

  wire_job& job_;
  exchange_rounds& rounds_;
  std::vector<int> remote_;
};

}  // namespace shoal::test
