// Goal: buffers arrive once, whole and in order, whether words announce them or they are signed, and no place is
// written before it is free. Method: several ranks in one process over memory that is as late as it may be
// (late_memory.hpp), at random speeds.
// labels: substrate
#include "shoal/substrate/internal/one_sided/landing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/random.hpp"
#include "test/one_sided/late_memory.hpp"

namespace shoal::internal::one_sided {
namespace {

constexpr std::size_t payload_bytes = 192;
constexpr std::size_t place_bytes = sizeof(buffer) + payload_bytes;

struct job_options {
  int n_ranks = 2;
  std::size_t window = 4;
  std::size_t n_slots = 8;
  std::uint64_t n_buffers = 40;  // from each rank to each other one
  std::uint64_t seed = 1;
  bool signs = false;
};

// The contents of the n-th buffer of a pair, from its length on.
random_engine contents(int source, int target, std::uint64_t nth) {
  return random_engine{mixed_bits(nth), static_cast<std::uint64_t>(source * 1000 + target)};
}

// Often nothing: then no byte of a payload can come after the first line.
std::uint32_t length(random_engine& random) {
  return static_cast<std::uint32_t>(random.chance(0.3) ? 0 : random.below(payload_bytes + 1));
}

class pool {
public:
  explicit pool(std::size_t n_slots) : lines_(n_slots * place_bytes / sizeof(buffer)) {
    for (std::size_t slot = 0; slot < n_slots; ++slot) {
      free_.push_back(&lines_[slot * place_bytes / sizeof(buffer)]);
    }
  }
  buffer* acquire() {
    if (free_.empty()) return nullptr;
    buffer* const taken = free_.back();
    free_.pop_back();
    return taken;
  }
  void give_back(buffer& done) {
    // Anybody who still reads it now reads garbage.
    std::fill_n(done.payload(), payload_bytes, std::byte{0xdb});
    free_.push_back(&done);
  }
  std::size_t n_free() const { return free_.size(); }

private:
  std::vector<buffer> lines_;
  std::vector<buffer*> free_;
};

class rank {
public:
  rank(late_network& network, const job_options& job, const landing_layout& layout, int me,
       const network::wire_sizes& sizes)
      : network_(network),
        job_(job),
        me_(me),
        memory_(network.at(me)),
        slots_(job.n_slots),
        ends_(memory_, layout, me, sizes),
        n_sent_(sizes.is_remote.size()),
        n_received_(sizes.is_remote.size()),
        is_remote_(sizes.is_remote.begin(), sizes.is_remote.end()) {
    ends_.start();
  }

  void send_one(random_engine& random) {
    const int target = static_cast<int>(random.below(is_remote_.size()));
    if (is_remote_[at(target)] && n_sent_[at(target)] < job_.n_buffers) send(target);
  }

  bool send(int target) {
    buffer* const full = slots_.acquire();
    if (full == nullptr) return false;
    random_engine random = contents(me_, target, n_sent_[at(target)]);
    full->header.bytes = length(random);
    for (std::uint32_t i = 0; i < full->header.bytes; ++i) {
      full->payload()[i] = static_cast<std::byte>(random.below(256));
    }
    if (!ends_.try_send(*full, target)) {
      slots_.give_back(*full);
      return false;
    }
    ++n_sent_[at(target)];
    return true;
  }

  void take_sent() {
    if (buffer* const done = ends_.take_sent()) slots_.give_back(*done);
  }

  bool poll() {
    buffer* const landed = ends_.poll();
    if (landed != nullptr) check(*landed);
    return landed != nullptr;
  }

  void check(buffer& landed) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&landed) % cache_line_bytes, 0u);
    const int source = landed.sender;
    ASSERT_TRUE(source >= 0 && at(source) < is_remote_.size() && is_remote_[at(source)]);
    random_engine random = contents(source, me_, n_received_[at(source)]++);
    ASSERT_EQ(landed.header.bytes, length(random));
    for (std::uint32_t i = 0; i < landed.header.bytes; ++i) {
      ASSERT_EQ(landed.payload()[i], static_cast<std::byte>(random.below(256)));
    }
    landed.next_pending = &landed;
    held_.push_back({&landed, source});
  }

  void release_one(random_engine& random) {
    if (held_.empty()) return;
    const std::size_t nth = random.below(held_.size());
    const auto [done, source] = held_[nth];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(nth));
    EXPECT_EQ(done->sender, source) << "a byte of the buffer came after it had been taken";
    EXPECT_EQ(done->next_pending, done) << "a byte of the buffer came after it had been taken";
    network_.give_place(me_, static_cast<std::size_t>(reinterpret_cast<std::byte*>(done) - memory_.at(0)));
    ends_.release(*done);
  }

  void act(random_engine& random) {
    switch (random.below(4)) {
      case 0: send_one(random); break;
      case 1: take_sent(); break;
      case 2: poll(); break;
      case 3: release_one(random); break;
    }
  }

  bool has_all() const {
    for (std::size_t peer = 0; peer < is_remote_.size(); ++peer) {
      const std::uint64_t expected = is_remote_[peer] ? job_.n_buffers : 0;
      if (n_sent_[peer] != expected || n_received_[peer] != expected) return false;
    }
    return held_.empty() && slots_.n_free() == job_.n_slots;
  }

private:
  static std::size_t at(int peer) { return static_cast<std::size_t>(peer); }

  late_network& network_;
  job_options job_;
  int me_;
  late_memory& memory_;
  pool slots_;
  landing ends_;
  std::vector<std::uint64_t> n_sent_;
  std::vector<std::uint64_t> n_received_;
  std::vector<std::uint8_t> is_remote_;

  struct held {
    buffer* landed = nullptr;
    int source = 0;
  };
  std::vector<held> held_;
};

// Ranks 0 and 1 share a node if there are more than three.
class job {
public:
  explicit job(const job_options& options) : options_(options), random_(options.seed) {
    const auto n_ranks = static_cast<std::size_t>(options.n_ranks);
    is_remote_.assign(n_ranks, std::vector<std::uint8_t>(n_ranks, 1));
    for (std::size_t me = 0; me < n_ranks; ++me) is_remote_[me][me] = 0;
    if (n_ranks > 3) is_remote_[0][1] = is_remote_[1][0] = 0;

    std::size_t bytes = 0;
    for (int me = 0; me < options.n_ranks; ++me) bytes = std::max(bytes, layout(me).bytes());
    network_ = std::make_unique<late_network>(n_ranks, bytes, payload_bytes, options.signs);
    for (int me = 0; me < options.n_ranks; ++me) {
      ranks_.push_back(std::make_unique<rank>(*network_, options_, layout(me), me, sizes(me)));
    }
  }

  network::wire_sizes sizes(int me) const {
    const std::vector<std::uint8_t>& remote = is_remote_[static_cast<std::size_t>(me)];
    const auto n_senders = static_cast<std::size_t>(std::ranges::count(remote, 1));
    return {.payload_bytes = payload_bytes,
            .n_slots = options_.n_slots,
            .landing_bytes = n_senders * options_.window * place_bytes,
            .is_remote = remote};
  }
  landing_layout layout(int me) const { return {options_.n_ranks, sizes(me)}; }

  rank& at(int me) { return *ranks_[static_cast<std::size_t>(me)]; }
  random_engine& random() { return random_; }

  // Runs until everything has arrived. `slow` acts seldom; -1: all act equally often.
  void run(int slow) {
    const std::uint64_t n_pairs = ranks_.size() * ranks_.size();
    for (std::uint64_t n_left = 20'000 * n_pairs; n_left > 0 && !testing::Test::HasFatalFailure(); --n_left) {
      const auto me = static_cast<int>(random_.below(ranks_.size()));
      if (me != slow || random_.chance(0.02)) at(me).act(random_);
      for (std::uint64_t n_steps = random_.below(4); n_steps > 0; --n_steps) network_->step(random_);
      if (is_over()) return;
    }
    FAIL() << "buffers or credits are held back";
  }

  // Runs until words and bytes have all arrived, while ranks only look.
  void settle() {
    for (int n_idle = 0; n_idle < 3; n_idle = network_->is_quiet() ? n_idle + 1 : 0) {
      for (const auto& each : ranks_) {
        if (each->poll()) n_idle = 0;
      }
      for (int n_steps = 0; n_steps < 100; ++n_steps) network_->step(random_);
    }
  }

private:
  bool is_over() const {
    return std::ranges::all_of(ranks_, [](const auto& each) { return each->has_all(); });
  }

  job_options options_;
  random_engine random_;
  std::vector<std::vector<std::uint8_t>> is_remote_;
  std::unique_ptr<late_network> network_;
  std::vector<std::unique_ptr<rank>> ranks_;
};

// Whether buffers are signed.
class landing_test : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(landing, landing_test, testing::Bool());

TEST_P(landing_test, carries_every_buffer_once_whole_and_in_order) {
  for (const std::size_t window : {1, 2, 3, 5, 8, 16}) {
    for (const int n_ranks : {1, 2, 3, 5}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(testing::Message() << "window " << window << " ranks " << n_ranks << " seed " << seed);
        job every{{.n_ranks = n_ranks, .window = window, .n_slots = 16, .seed = seed, .signs = GetParam()}};
        every.run(-1);
        if (HasFailure()) return;
      }
    }
  }
}

TEST_P(landing_test, waits_for_a_slow_receiver_and_for_its_own_few_slots) {
  for (const std::size_t n_slots : {1, 2, 8}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(testing::Message() << "slots " << n_slots << " seed " << seed);
      job every{{.n_ranks = 3, .window = 8, .n_slots = n_slots, .n_buffers = 30, .seed = seed, .signs = GetParam()}};
      every.run(0);
      if (HasFailure()) return;
    }
  }
}

// At the start a sender has exactly the window; when all has been released, it has all but what is too little to
// report.
TEST_P(landing_test, gives_credits_back) {
  for (std::uint64_t window = 1; window <= 16; ++window) {
    SCOPED_TRACE(window);
    job pair{{.n_ranks = 2, .window = window, .n_slots = 32, .signs = GetParam()}};
    pair.settle();
    for (int lap = 0; lap < 3; ++lap) {
      std::uint64_t n_sent = 0;
      while (n_sent <= window && pair.at(0).send(1)) ++n_sent;
      EXPECT_LE(n_sent, window);
      EXPECT_GT(2 * n_sent, lap == 0 ? 2 * window - 1 : window);
      pair.settle();
      EXPECT_FALSE(pair.at(0).send(1));
      for (std::uint64_t n = 0; n < n_sent; ++n) pair.at(1).release_one(pair.random());
      pair.settle();
      for (std::uint64_t n = 0; n < n_sent; ++n) pair.at(0).take_sent();
    }
  }
}

// One buffer arrives without any further call than a poll.
TEST_P(landing_test, holds_nothing_back) {
  job pair{{.n_ranks = 2, .window = 16, .n_buffers = 1, .signs = GetParam()}};
  pair.settle();
  EXPECT_TRUE(pair.at(0).send(1));
  EXPECT_TRUE(pair.at(1).send(0));
  pair.settle();
  for (const int me : {0, 1}) {
    pair.at(me).release_one(pair.random());
    pair.at(me).take_sent();
    EXPECT_TRUE(pair.at(me).has_all());
  }
}

#if SHOAL_CHECKED

// One rank of two, and its memory, into which the tests write what a correct peer never would.
struct lone_rank {
  std::vector<std::uint8_t> is_remote{0, 1};
  network::wire_sizes sizes{
      .payload_bytes = payload_bytes, .n_slots = 8, .landing_bytes = 4 * place_bytes, .is_remote = is_remote};
  landing_layout layout{2, sizes};
  late_network network{2, layout.bytes(), payload_bytes, false};
  landing ends{network.at(0), layout, 0, sizes};

  void store(std::size_t word, std::uint64_t value) { std::memcpy(network.at(0).at(word), &value, sizeof value); }
};

TEST(landing_invariants_death_test, a_place_is_released_once) {
  lone_rank me;
  me.store(me.layout.sent_word(1), 2);
  me.ends.poll();
  buffer* const second = me.ends.poll();
  me.ends.release(*second);
  EXPECT_EXIT(me.ends.release(*second), testing::ExitedWithCode(status_failure),
              "broken assertion: from.n_freed < from.n_taken");
}

TEST(landing_invariants_death_test, nothing_lands_in_a_place_that_is_not_free) {
  lone_rank me;
  me.store(me.layout.sent_word(1), 5);
  for (int n = 0; n < 4; ++n) me.ends.poll();
  EXPECT_EXIT(me.ends.poll(), testing::ExitedWithCode(status_failure),
              "broken assertion: from.n_taken < from.n_reported");
}

TEST(landing_invariants_death_test, no_more_is_freed_than_was_sent) {
  lone_rank me;
  me.store(me.layout.ring_word(1), 1024 << 8 | 1);
  pool slots(2);
  me.ends.try_send(*slots.acquire(), 1);
  me.store(me.layout.freed_word(1, 0), 7);
  EXPECT_EXIT(me.ends.try_send(*slots.acquire(), 1), testing::ExitedWithCode(status_failure),
              "broken assertion: told <= to.n_sent");
}

#endif

TEST(landing, window_follows_the_memory_that_it_may_use) {
  const std::vector<std::uint8_t> is_remote = {0, 1, 1, 1};
  const auto window = [&](std::size_t landing_bytes, std::size_t n_slots) {
    return landing_layout{
        4, {.payload_bytes = payload_bytes, .n_slots = n_slots, .landing_bytes = landing_bytes, .is_remote = is_remote}}
        .window;
  };
  EXPECT_EQ(window(0, 64), 1u);
  EXPECT_EQ(window(3 * 5 * place_bytes, 64), 5u);
  EXPECT_EQ(window(3 * 5 * place_bytes - 1, 64), 4u);
  EXPECT_EQ(window(3 * 5 * place_bytes, 2), 2u);
  EXPECT_EQ(window(1 << 20, 64), 16u);
}

}  // namespace
}  // namespace shoal::internal::one_sided
