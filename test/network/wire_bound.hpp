/// What a receiver must take in is bounded: everybody sends to rank 0, which releases nothing.
#pragma once

#include <algorithm>
#include <chrono>

#include "test/network/wire_job.hpp"
#include "test/network/wire_slots.hpp"

namespace shoal::test {

class wire_bound {
public:
  explicit wire_bound(exchange_rounds& rounds) : job_(rounds.job()), rounds_(rounds), slots_(job_.sizes) {}

  void run() {
    const auto& is_remote = job_.sizes.is_remote;
    if (job_.rank() == 0) {
      receive(static_cast<std::size_t>(std::count(is_remote.begin(), is_remote.end(), 1)));
    } else if (is_remote[0] != 0) {
      send();
    } else {
      rounds_.finish_one();
    }
    rounds_.finish_one();
  }

private:
  // Sends as much as possible, until nothing was accepted for a while. Once that is known, rank 0 keeps no more than it
  // may, which pays for a last buffer.
  void send() {
    const auto n_ranks = static_cast<std::size_t>(job_.n_ranks());
    const std::size_t n_fit = job_.sizes.landing_bytes / (job_.sizes.payload_bytes + sizeof(internal::buffer));
    const std::size_t n_most = std::max<std::size_t>(n_fit, 2) + n_ranks;
    std::size_t n_accepted = 0;
    using clock = std::chrono::steady_clock;
    for (auto last = clock::now(); n_accepted == 0 || clock::now() - last < std::chrono::milliseconds(10);
         sched_yield()) {
      if (!try_send(0)) continue;
      ++n_accepted;
      job_.expect(n_accepted <= n_most, "more is accepted than may land: " + std::to_string(n_accepted));
      last = clock::now();
    }
    rounds_.finish_one();
    while (!try_send(internal::buffer_header::last)) sched_yield();
    while (slots_.free.size() < job_.sizes.n_slots) take_back();
  }

  bool try_send(std::uint8_t flags) {
    take_back();
    if (slots_.free.empty()) return false;
    internal::buffer& full = *slots_.free.back();
    full.header = {};
    full.header.flags = flags;
    full.header.bytes = 8;
    if (!job_.wire.try_send(full, 0)) return false;
    slots_.free.pop_back();
    return true;
  }

  void take_back() {
    job_.expect(job_.wire.poll() == nullptr, "a buffer came that nobody sent");
    while (internal::buffer* const returned = job_.wire.take_sent()) slots_.free.push_back(returned);
  }

  void receive(std::size_t n_senders) {
    std::vector<internal::buffer*> flood(job_.early.begin(), job_.early.end());
    job_.early.clear();
    rounds_.finish_one([&](internal::buffer& landed) { flood.push_back(&landed); });

    // Each sender must get credits, although as many of its buffers as the wire lends stay here.
    std::vector<internal::buffer*> held;
    std::vector<std::size_t> n_held(static_cast<std::size_t>(job_.n_ranks()));
    std::size_t n_last = 0;
    const auto take = [&](internal::buffer& landed) {
      if (landed.header.flags == internal::buffer_header::last) ++n_last;
      const auto source = static_cast<std::size_t>(landed.sender);
      if (n_held[source] == job_.wire.n_lendable(landed.sender)) return job_.wire.release(landed);
      ++n_held[source];
      held.push_back(&landed);
    };
    for (internal::buffer* const landed : flood) take(*landed);
    for (; n_last < n_senders; sched_yield()) {
      if (internal::buffer* const landed = job_.wire.poll())
        take(*landed);  // some of the flood, too, may come only now
    }
    for (internal::buffer* const landed : held) job_.wire.release(*landed);
  }

  wire_job& job_;
  exchange_rounds& rounds_;
  wire_slots slots_;
};

/// Twice, since what a release returns is bounded, too.
inline void check_bound(exchange_rounds& rounds) {
  wire_bound bound(rounds);
  bound.run();
  bound.run();
}

}  // namespace shoal::test
