/// A wire over which nothing goes, for tests that need a part of one.
#pragma once

#include <cstdlib>
#include <string>

#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::network {

class idle_wire : public wire {
public:
  idle_wire(int rank, int n_ranks) {
    rank_ = rank;
    n_ranks_ = n_ranks;
  }

  std::string library() const override { return "a test"; }
  void all_gather(const void*, void*, std::size_t) override {}
  std::string open(const wire_sizes&) override { return {}; }
  void close(const std::function<void()>&) override {}
  bool try_send(buffer&, int) override { return false; }
  buffer* take_sent() override { return nullptr; }
  buffer* poll() override { return nullptr; }
  void release(buffer&) override {}
  std::size_t n_lendable(int) const noexcept override { return 0; }
  bool try_send_control(std::span<const std::byte>, int) override { return false; }
  bool poll_control(control_message&) override { return false; }
  void start_exchange(int, int, std::span<const std::byte>, int, std::byte*, int) override {}
  bool is_exchange_done(std::size_t&) override { return true; }
  void get(void*, std::size_t, std::size_t, int) override {}
  void put(std::size_t, const void*, std::size_t, int) override {}
  std::uint64_t atomic(const atomic_call&, std::size_t, int) override { return 0; }
  void start_get(void*, std::size_t, std::size_t, int) override {}
  void start_put(std::size_t, const void*, std::size_t, int) override {}
  void start_atomic(const atomic_call&, std::size_t, int) override {}
  void quiet() override {}
  bool claim_report() override { return true; }
  [[noreturn]] void abort(int) override { std::abort(); }
};

}  // namespace shoal::internal::network
