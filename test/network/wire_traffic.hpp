/// Buffers from everybody to everybody: exactly once, in order, whole, also where the receiver is slow and gives its
/// buffers back late and in any order.
#pragma once

#include <unistd.h>

#include <algorithm>

#include "test/network/wire_job.hpp"
#include "test/network/wire_slots.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {

class wire_traffic {
public:
  wire_traffic(exchange_rounds& rounds, std::size_t n_buffers)
      : job_(rounds.job()),
        rounds_(rounds),
        random_(job_.seed, 1000 + static_cast<std::uint64_t>(job_.rank())),
        slots_(job_.sizes) {
    for (const pe_id target : targets_of(job_.seed, job_.rank(), job_.n_ranks(), n_buffers)) {
      if (is_remote(target)) targets_.push_back(static_cast<int>(target));
    }
    const auto from = expected_at(job_.seed, job_.rank(), job_.n_ranks(), n_buffers);
    for (std::size_t sender = 0; sender < from.size(); ++sender) {
      if (is_remote(static_cast<pe_id>(sender))) n_to_come_ += from[sender];
    }
    n_sent_to_.resize(from.size());
    n_received_from_.resize(from.size());
  }

  void run(int n_rounds) {
    const int end = rounds_.n_done() + n_rounds;
    const bool is_slow = job_.seed % 2 == 0 && job_.rank() == static_cast<int>(job_.seed / 2) % job_.n_ranks();
    const std::size_t n_held_max = 1 + random_.below(2 * job_.sizes.n_slots);
    while (n_sent_ < targets_.size() || n_to_come_ != 0 || !held_.empty() || slots_.free.size() < job_.sizes.n_slots ||
           rounds_.n_done() < end) {
      bool has_moved = send();
      if (held_.size() < n_held_max && receive()) has_moved = true;
      if (!held_.empty() && random_.below(4) == 0) release_one();
      if (rounds_.n_done() < end) rounds_.advance();
      if (is_slow && random_.below(64) == 0) usleep(500);
      if (!has_moved) sched_yield();
    }
  }

private:
  bool is_remote(pe_id other) const { return job_.sizes.is_remote[static_cast<std::size_t>(other)] != 0; }

  std::uint64_t word_of(int sender, int receiver, std::uint32_t number) const {
    return mixed_bits(job_.seed + mixed_bits((static_cast<std::uint64_t>(sender) << 48) ^
                                             (static_cast<std::uint64_t>(receiver) << 32) ^ number));
  }

  // A buffer stays filled until it is accepted: a refusal must leave it unchanged.
  bool send() {
    while (internal::buffer* const returned = job_.wire.take_sent()) {
      job_.expect(n_under_way_-- != 0, "a buffer came back twice");
      slots_.free.push_back(returned);
    }
    if (n_sent_ == targets_.size()) return false;
    const int target = targets_[n_sent_];
    if (filled_ == nullptr) {
      if (slots_.free.empty()) return false;
      filled_ = slots_.free.back();
      slots_.free.pop_back();
      fill_for(target);
    }
    if (!job_.wire.try_send(*filled_, target)) return false;
    filled_ = nullptr;
    ++n_under_way_;
    ++n_sent_;
    ++n_sent_to_[static_cast<std::size_t>(target)];
    return true;
  }

  void fill_for(int target) {
    internal::buffer& full = *filled_;
    const std::uint32_t number = n_sent_to_[static_cast<std::size_t>(target)];
    full.header = {};
    full.header.bytes = static_cast<std::uint32_t>(random_.below(3) == 0 ? job_.sizes.payload_bytes
                                                                         : random_.below(job_.sizes.payload_bytes + 1));
    full.header.n_items = number;
    full.header.mailbox = static_cast<std::uint32_t>(target);
    full.header.session = full.header.bytes ^ 0x5a5a5a5a;
    wire_job::fill(full.payload(), full.header.bytes, word_of(job_.rank(), target, number));
  }

  bool receive() {
    internal::buffer* const landed = job_.poll();
    if (landed == nullptr) return false;
    const internal::buffer_header& header = landed->header;
    job_.expect(landed->sender >= 0 && landed->sender < job_.n_ranks(), "a buffer of no rank");
    job_.expect(header.mailbox == static_cast<std::uint32_t>(job_.rank()), "a buffer for another rank");
    const std::string what = "from rank " + std::to_string(landed->sender) + ": ";
    std::uint32_t& number = n_received_from_[static_cast<std::size_t>(landed->sender)];
    job_.expect(header.n_items == number, what + "buffer " + std::to_string(header.n_items) + " came where " +
                                              std::to_string(number) + " was due");
    job_.expect(header.session == (header.bytes ^ 0x5a5a5a5a), what + "a spoilt header");
    check_payload(*landed, number);
    ++number;
    job_.expect(n_to_come_-- != 0, "more came than was sent");
    held_.push_back({landed, number - 1});
    return true;
  }

  void check_payload(const internal::buffer& landed, std::uint32_t number) {
    const std::uint64_t word = word_of(landed.sender, job_.rank(), number);
    job_.expect(wire_job::is_filled(landed.payload(), landed.header.bytes, word),
                "from rank " + std::to_string(landed.sender) + ": a spoilt payload");
  }

  // Still whole: nobody may have overwritten it.
  void release_one() {
    std::swap(held_[random_.below(held_.size())], held_.back());
    check_payload(*held_.back().landed, held_.back().number);
    job_.wire.release(*held_.back().landed);
    held_.pop_back();
  }

  struct held {
    internal::buffer* landed;
    std::uint32_t number;
  };

  wire_job& job_;
  exchange_rounds& rounds_;
  random_engine random_;
  wire_slots slots_;
  std::vector<int> targets_;
  internal::buffer* filled_ = nullptr;  // waits to be accepted
  std::size_t n_sent_ = 0;
  std::size_t n_under_way_ = 0;
  std::uint64_t n_to_come_ = 0;
  std::vector<std::uint32_t> n_sent_to_;
  std::vector<std::uint32_t> n_received_from_;
  std::vector<held> held_;
};

}  // namespace shoal::test
