#include "test/contract/substrate/control_claims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "shoal/base/random.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {

using namespace internal;
namespace {

// So many calls of `wait` since something happened that the next one sleeps.
constexpr unsigned no_patience = 1'000'000;

// Whether the bound of a sender is exact: within a node a message counts until it is polled. Between nodes it counts
// until it has reached a place at its target, which has a few dozen.
bool counts_until_polled(const substrate& machine, pe_id target) {
  const std::span<const std::uint32_t> nodes = machine.nodes();
  return nodes.empty() || nodes[static_cast<std::size_t>(target)] == nodes[static_cast<std::size_t>(machine.my_pe())];
}

// The nth message of a PE: any length, and bytes that differ from those of most others.
std::string text_of(std::uint64_t seed, pe_id source, std::size_t nth) {
  random_engine random(seed + 1, static_cast<std::uint64_t>(source) << 32 | nth);
  const std::size_t n_bytes = nth % 4 == 0 ? control_bytes_max : 1 + random.below(control_bytes_max);
  std::string text(n_bytes, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

// What one PE does between two rounds of its own: sends, and ticks off what arrives.
class one_pe {
public:
  explicit one_pe(substrate& machine) : machine_(machine) { round_without_polling(); }

  /// `each` is told of every message that comes.
  void on_message(std::function<void(const control_message&)> each) { on_message_ = std::move(each); }

  bool try_send(const std::string& text, pe_id target) {
    return machine_.try_send_control(std::as_bytes(std::span(text)), target);
  }

  void send(const std::string& text, pe_id target) {
    for (unsigned patience = 0; !try_send(text, target);) rest(patience);
  }

  /// Takes in what has come; waits if that was nothing.
  void rest(unsigned& patience) {
    if (poll()) {
      patience = 0;
    } else {
      machine_.wait(patience);
    }
  }

  bool poll() {
    control_message arrived;
    bool has_any = false;
    for (; machine_.poll_control(arrived); has_any = true) {
      if (on_message_) on_message_(arrived);
    }
    return has_any;
  }

  /// Takes part in a round, takes in what comes meanwhile, and calls `beside` once a turn.
  void round(const std::function<bool()>& beside = [] { return true; }) {
    machine_.arrive({}, nullptr);
    for (unsigned patience = 0; !machine_.is_round_complete();) {
      beside();
      rest(patience);
    }
  }

  /// The same, but leaves what comes where it is.
  void round_without_polling() {
    machine_.arrive({}, nullptr);
    for (unsigned patience = 0; !machine_.is_round_complete();) machine_.wait(patience);
  }

private:
  substrate& machine_;
  std::function<void(const control_message&)> on_message_ = [](const control_message& early) {
    ADD_FAILURE() << "a message of PE " << early.source << " that nobody has sent";
  };
};

// The messages expected here: each may be ticked off once.
class expected_messages {
public:
  void add(pe_id source, const std::string& text) {
    ++counts_[{source, text}];
    ++n_left_;
  }

  void tick_off(const control_message& arrived) {
    const std::string text(reinterpret_cast<const char*>(arrived.data), arrived.bytes);
    const auto found = counts_.find({arrived.source, text});
    const bool is_expected = found != counts_.end() && found->second > 0;
    EXPECT_TRUE(is_expected) << arrived.bytes << " bytes from PE " << arrived.source << ": twice, or never sent";
    if (!is_expected) return;
    --found->second;
    --n_left_;
  }

  std::size_t n_left() const { return n_left_; }

private:
  std::map<std::pair<pe_id, std::string>, std::size_t> counts_;
  std::size_t n_left_ = 0;
};

// Every PE sends `n` messages to the targets that `target_of(sender, nth)` returns; all arrive, each once. `beside`
// runs once a turn, until it returns true on all PEs.
template <class Target>
void exchange(
    substrate& machine, std::uint64_t seed, std::size_t n, const Target& target_of,
    const std::function<bool()>& beside = [] { return true; }) {
  const pe_id me = machine.my_pe();
  one_pe here(machine);
  expected_messages expected;
  for (pe_id source = 0; source < machine.n_pes(); ++source) {
    for (std::size_t nth = 0; nth < n; ++nth) {
      if (target_of(source, nth) == me) expected.add(source, text_of(seed, source, nth));
    }
  }
  here.on_message([&](const control_message& arrived) { expected.tick_off(arrived); });

  unsigned patience = 0;
  std::size_t n_sent = 0;
  for (bool is_over = false; n_sent < n || expected.n_left() > 0 || !is_over;) {
    is_over = beside();
    bool has_sent = false;
    for (; n_sent < n && here.try_send(text_of(seed, me, n_sent), target_of(me, n_sent)); ++n_sent) has_sent = true;
    if (has_sent) patience = 0;
    here.rest(patience);
  }
  here.round(beside);  // others may still need this PE
  EXPECT_FALSE(here.poll());
  here.round_without_polling();
}

void each_arrives_once_with_its_bytes_and_source(substrate& machine, std::uint64_t seed) {
  constexpr std::size_t n = 60;
  std::vector<std::vector<pe_id>> targets;
  for (pe_id source = 0; source < machine.n_pes(); ++source) {
    targets.push_back(targets_of(seed, source, machine.n_pes(), n));  // including this PE
  }
  exchange(machine, seed, n,
           [&](pe_id source, std::size_t nth) { return targets[static_cast<std::size_t>(source)][nth]; });
}

void those_of_all_PEs_reach_one(substrate& machine, std::uint64_t seed) {
  const auto target = static_cast<pe_id>(seed % static_cast<std::uint64_t>(machine.n_pes()));
  exchange(machine, seed, 60, [=](pe_id, std::size_t) { return target; });
}

// Buffers and rounds continue at the same time.
void they_mix_with_buffers_and_rounds(substrate& machine, std::uint64_t seed) {
  constexpr std::size_t n = 40;
  const pe_id next = (machine.my_pe() + 1) % machine.n_pes();
  std::size_t n_posted = 0;
  std::size_t n_buffers = 0;
  std::size_t n_rounds = 0;
  bool is_in_round = false;
  const auto buffers_and_rounds = [&] {
    if (n_posted < n) {
      if (buffer* const open = machine.try_acquire()) {
        open->header.bytes = sizeof n_posted;
        std::memcpy(open->payload(), &n_posted, sizeof n_posted);
        ++n_posted;
        machine.post(*open, next);
      }
    }
    while (buffer* const arrived = machine.poll()) {
      std::size_t number = 0;
      std::memcpy(&number, arrived->payload(), sizeof number);
      EXPECT_EQ(number, n_buffers) << "of the buffers";
      ++n_buffers;
      machine.release(*arrived);
    }
    if (is_in_round && machine.is_round_complete()) {
      pe_id sum = 0;
      std::memcpy(&sum, machine.round_result(), sizeof sum);
      EXPECT_EQ(sum, machine.n_pes() * (machine.n_pes() - 1) / 2);
      is_in_round = false;
    }
    if (!is_in_round && n_rounds < 10) {
      const pe_id me = machine.my_pe();
      ++n_rounds;
      is_in_round = true;
      machine.arrive(std::as_bytes(std::span(&me, 1)), [](std::byte* into, const std::byte* from, std::size_t) {
        pe_id a = 0;
        pe_id b = 0;
        std::memcpy(&a, into, sizeof a);
        std::memcpy(&b, from, sizeof b);
        a += b;
        std::memcpy(into, &a, sizeof a);
      });
    }
    const bool slots_are_home = machine.n_free() == machine.n_slots();
    return n_posted == n && n_buffers == n && slots_are_home && n_rounds == 10 && !is_in_round;
  };
  exchange(
      machine, seed, n,
      [&](pe_id source, std::size_t nth) { return (source + static_cast<pe_id>(nth)) % machine.n_pes(); },
      buffers_and_rounds);
}

// A PE that has lent or taken all its slots still sends and receives.
void they_need_no_slots(substrate& machine, std::uint64_t seed) {
  std::vector<buffer*> taken;
  while (taken.size() < machine.n_slots()) {
    if (buffer* const slot = machine.try_acquire()) taken.push_back(slot);
  }
  exchange(machine, seed, 30,
           [&](pe_id source, std::size_t nth) { return (source + 1 + static_cast<pe_id>(nth % 2)) % machine.n_pes(); });
  for (buffer* const slot : taken) machine.release(*slot);
}

// At first nobody polls: only a bounded number of messages is accepted. Then the targets poll, and all the rest goes
// through.
void a_sender_has_a_bounded_number_of_them(substrate& machine, std::uint64_t seed) {
  const pe_id target = (machine.my_pe() + 1) % machine.n_pes();
  const pe_id source = (machine.my_pe() + machine.n_pes() - 1) % machine.n_pes();
  constexpr std::size_t n = 100;
  expected_messages expected;
  for (std::size_t nth = 0; nth < n; ++nth) expected.add(source, text_of(seed, source, nth));

  one_pe here(machine);
  here.on_message([&](const control_message& arrived) { expected.tick_off(arrived); });
  std::size_t n_sent = 0;
  for (int n_refused = 0; n_refused < 100 && n_sent < n;) {  // the simulator may refuse any, up to 64 in a row
    if (here.try_send(text_of(seed, machine.my_pe(), n_sent), target)) {
      ++n_sent;
      n_refused = 0;
    } else {
      ++n_refused;
    }
  }
  constexpr std::size_t n_places_max = 32;  // of a target on another node
  EXPECT_GE(n_sent, n_controls_max);
  EXPECT_LE(n_sent, counts_until_polled(machine, target) ? n_controls_max : n_controls_max + n_places_max);
  here.round_without_polling();

  for (unsigned patience = 0; n_sent < n || expected.n_left() > 0;) {
    if (n_sent < n && here.try_send(text_of(seed, machine.my_pe(), n_sent), target)) {
      ++n_sent;
      patience = 0;
    }
    here.rest(patience);
  }
  here.round();
  here.round_without_polling();
}

// Waits without patience, so that the machine sleeps if it can, and remembers its shortest sleep.
class impatient_sleeper {
public:
  explicit impatient_sleeper(substrate& machine) : machine_(machine) {}

  void wait() {
    unsigned patience = no_patience;
    const std::uint64_t n_before = machine_.counts().n_sleeps;
    const std::uint64_t begin_ns = machine_.now_ns();
    machine_.wait(patience);
    if (machine_.counts().n_sleeps == n_before) return;
    ++n_sleeps_;
    shortest_ns_ = std::min(shortest_ns_, machine_.now_ns() - begin_ns);
  }

  /// Where nobody wakes it, every sleep lasts 100 ms; in the simulator, for ever. A sleep may end late on a busy machine.
  void expect_was_woken() const {
    const bool has_slept_in_vain = n_sleeps_ >= 5 && shortest_ns_ > 90'000'000;
    EXPECT_FALSE(has_slept_in_vain) << "nobody woke this PE: its shortest sleep took " << shortest_ns_ << " ns";
  }

private:
  substrate& machine_;
  int n_sleeps_ = 0;
  std::uint64_t shortest_ns_ = UINT64_MAX;
};

// A token goes round, and all other PEs sleep.
void one_wakes_a_sleeper(substrate& machine, std::uint64_t) {
  one_pe here(machine);
  impatient_sleeper sleeper(machine);
  constexpr int n_laps = 20;
  int n_seen = 0;
  here.on_message([&](const control_message&) { ++n_seen; });
  const pe_id next = (machine.my_pe() + 1) % machine.n_pes();
  for (int lap = 0; lap < n_laps; ++lap) {
    if (machine.my_pe() == 0) here.send("token", next);
    while (n_seen <= lap) {
      if (!here.poll()) sleeper.wait();
    }
    if (machine.my_pe() != 0) here.send("token", next);
  }
  sleeper.expect_was_woken();
  here.round();
  here.round_without_polling();
}

// A sender that was refused sleeps until a place comes back; it gets no messages.
void a_place_that_comes_back_wakes_a_refused_sender(substrate& machine, std::uint64_t seed) {
  one_pe here(machine);
  impatient_sleeper sleeper(machine);
  constexpr std::size_t n_from_each = 80;
  const pe_id target = machine.n_pes() - 1;
  std::size_t n_left = machine.my_pe() == target ? n_from_each * static_cast<std::size_t>(machine.n_pes()) : 0;
  here.on_message([&](const control_message&) { --n_left; });
  for (std::size_t nth = 0; nth < n_from_each; ++nth) {
    while (!here.try_send(text_of(seed, machine.my_pe(), nth), target)) {
      if (machine.my_pe() != target || !here.poll()) sleeper.wait();
    }
  }
  while (n_left > 0) {
    if (!here.poll()) sleeper.wait();
  }
  sleeper.expect_was_woken();
  here.round();
  here.round_without_polling();
}

// With such a message unpolled, a PE that only looks for buffers would spin.
void one_that_nobody_polls_ends_one_wait(substrate& machine, std::uint64_t) {
  one_pe here(machine);
  int n_seen = 0;
  here.on_message([&](const control_message&) { ++n_seen; });
  if (machine.my_pe() == 0) {
    static_cast<void>(machine.n_free());  // takes in what came back
    here.send("to myself", 0);
    const bool sleeps = machine.kind() == substrate_kind::local || machine.kind() == substrate_kind::threads;
    unsigned patience = no_patience;
    const std::uint64_t n_before = machine.counts().n_sleeps;
    machine.wait(patience);
    if (sleeps) {
      EXPECT_EQ(machine.counts().n_sleeps, n_before) << "it slept although a message was there";
      machine.wait(patience);
      EXPECT_EQ(machine.counts().n_sleeps, n_before + 1) << "it was told of one message twice";
    }
    for (patience = 0; n_seen == 0;) here.rest(patience);
    EXPECT_EQ(n_seen, 1);
  }
  here.round();
  here.round_without_polling();
}

}  // namespace

std::vector<control_claim> control_claims() {
  return {
      {"each arrives once with its bytes and source", each_arrives_once_with_its_bytes_and_source},
      {"those of all PEs reach one", those_of_all_PEs_reach_one},
      {"they mix with buffers and rounds", they_mix_with_buffers_and_rounds},
      {"they need no slots", they_need_no_slots},
      {"a sender has a bounded number of them", a_sender_has_a_bounded_number_of_them},
      {"one wakes a sleeper", one_wakes_a_sleeper},
      {"a place that comes back wakes a refused sender", a_place_that_comes_back_wakes_a_refused_sender},
      {"one that nobody polls ends one wait", one_that_nobody_polls_ends_one_wait},
  };
}

void leave_control_messages_unread(substrate& machine, std::uint64_t seed) {
  one_pe here(machine);
  for (std::size_t nth = 0; nth < 100; ++nth) {
    const auto step = static_cast<pe_id>(nth % 3 == 0);  // more to PE 0 than it has places
    static_cast<void>(
        here.try_send(text_of(seed, machine.my_pe(), nth), (machine.my_pe() + 1) % machine.n_pes() * step));
  }
  here.round_without_polling();
}

}  // namespace shoal::test
