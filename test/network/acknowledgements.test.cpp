// Goal: a slot comes back exactly when its bytes have left and its receiver has released a buffer of its mailbox,
// whichever is last; and each debt to other PEs is reported once, in buffers of bounded size. Method: the accounts of
// two PEs, with this test instead of the wire between them.
#include "shoal/substrate/internal/network/acknowledgements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::internal::network {
namespace {

constexpr std::size_t payload_bytes = 1024;
constexpr std::size_t n_slots = 64;
constexpr pe_id sender = 0;
constexpr pe_id receiver = 1;

// The pool of PE `sender`: numbers follow those of other PEs, as in a node's segment.
class pool {
public:
  pool() {
    for (std::uint32_t i = 0; i < n_slots; ++i) {
      slots_.push_back(std::make_unique<buffer>());
      slots_.back()->slot = 3 * n_slots + i;
    }
  }
  buffer& slot(std::size_t i) { return *slots_[i]; }

  // A buffer sent for a mailbox.
  buffer& filled(std::size_t i, std::uint32_t mailbox) {
    slot(i).header = {.mailbox = mailbox};
    return slot(i);
  }

private:
  std::vector<std::unique_ptr<buffer>> slots_;
};

// The accounts of two PEs.
class books : public testing::Test {
protected:
  // The receiver releases `n` buffers of a mailbox.
  void release(std::uint32_t mailbox, std::size_t n = 1) {
    for (std::size_t i = 0; i < n; ++i) of_receiver_.owe(sender, mailbox);
  }

  // Transfers one acknowledgement; returns the slots that it frees, in order.
  std::vector<buffer*> tell() {
    EXPECT_EQ(of_receiver_.next_due(true), sender);
    buffer& made = of_receiver_.compose(sender, now_ns_);
    made.sender = static_cast<std::int32_t>(receiver);
    EXPECT_TRUE(acknowledgements::is_one(made));
    n_bytes_most_ = std::max<std::size_t>(n_bytes_most_, made.header.bytes);
    std::vector<buffer*> freed;
    of_sender_.take_in(
        made, [&](buffer& slot) { freed.push_back(&slot); },
        [&](link_meter::size which, std::uint32_t held_ns) { held_.emplace_back(which, held_ns); });
    of_receiver_.has_been_sent(made, sender);
    EXPECT_FALSE(of_receiver_.has_left(made)) << "an acknowledgement is no slot";
    return freed;
  }

  pool slots_;
  acknowledgements of_sender_{2, n_slots, payload_bytes};
  acknowledgements of_receiver_{2, n_slots, payload_bytes};
  std::size_t n_bytes_most_ = 0;
  std::uint64_t now_ns_ = 0;
  std::vector<std::pair<link_meter::size, std::uint32_t>> held_;
};

using slots = std::vector<buffer*>;

TEST_F(books, a_slot_that_has_left_is_free_once_it_is_acknowledged) {
  buffer& slot = slots_.filled(5, 7);
  EXPECT_FALSE(acknowledgements::is_one(slot));
  of_sender_.hold(slot, receiver);
  EXPECT_FALSE(of_sender_.has_left(slot));
  release(7);
  EXPECT_EQ(tell(), slots{&slot});
}

TEST_F(books, a_slot_that_is_acknowledged_is_free_once_it_has_left) {
  buffer& slot = slots_.filled(5, 7);
  of_sender_.hold(slot, receiver);
  release(7);
  EXPECT_EQ(tell(), slots{});
  EXPECT_TRUE(of_sender_.has_left(slot));
}

TEST_F(books, a_slot_remembers_nothing_of_its_last_use) {
  buffer& slot = slots_.filled(0, 1);
  for (int use = 0; use < 3; ++use) {
    of_sender_.hold(slot, receiver);
    EXPECT_FALSE(of_sender_.has_left(slot)) << use;
    release(1);
    EXPECT_EQ(tell(), slots{&slot}) << use;
  }
}

TEST_F(books, a_count_frees_the_oldest_of_its_port_and_of_no_other) {
  for (std::size_t i = 0; i < 6; ++i) {
    buffer& slot = slots_.filled(i, i % 2 == 0 ? 10 : 11);
    of_sender_.hold(slot, receiver);
    EXPECT_FALSE(of_sender_.has_left(slot));
  }
  release(11, 2);
  EXPECT_EQ(tell(), (slots{&slots_.slot(1), &slots_.slot(3)}));
  release(10);
  EXPECT_EQ(tell(), slots{&slots_.slot(0)});
}

TEST_F(books, nobody_is_told_before_enough_is_owed_unless_there_is_time) {
  release(3, n_slots / 8 - 1);
  EXPECT_EQ(of_receiver_.next_due(false), -1);
  EXPECT_EQ(of_receiver_.next_due(true), sender);
  release(4);
  EXPECT_EQ(of_receiver_.next_due(false), sender);
}

TEST_F(books, what_could_not_be_sent_is_still_owed) {
  of_sender_.hold(slots_.filled(0, 2), receiver);
  EXPECT_FALSE(of_sender_.has_left(slots_.slot(0)));
  release(2);
  of_receiver_.give_back(of_receiver_.compose(sender, 0));
  EXPECT_EQ(tell(), slots{&slots_.slot(0)});
  EXPECT_EQ(of_receiver_.next_due(true), -1);
}

TEST_F(books, more_ports_than_one_acknowledgement_holds_take_several) {
  acknowledgements of_many{2, 1000, payload_bytes};
  for (std::uint32_t mailbox = 0; mailbox < 1000; ++mailbox) of_many.owe(sender, mailbox);
  std::size_t n_told = 0;
  int n_buffers = 0;
  for (; of_many.next_due(true) == sender; ++n_buffers) {
    buffer& made = of_many.compose(sender, 0);
    EXPECT_LE(made.header.bytes, 512U);
    n_told += made.header.n_items;
    of_many.has_been_sent(made, sender);
    of_many.has_left(made);
  }
  EXPECT_EQ(n_told, 1000U);
  EXPECT_EQ(n_buffers, 34);
}

TEST_F(books, tell_how_long_timed_buffers_were_held) {
  using size = link_meter::size;
  for (std::size_t i = 0; i < 3; ++i) {
    of_sender_.hold(slots_.filled(i, 7), receiver);
    EXPECT_FALSE(of_sender_.has_left(slots_.slot(i)));
  }
  release(7);
  of_receiver_.owe_time(sender, size::large, UINT32_MAX - 9);
  now_ns_ = (std::uint64_t{5} << 32) + 90;
  of_receiver_.give_back(of_receiver_.compose(sender, now_ns_ - 50));
  EXPECT_EQ(tell(), slots{&slots_.slot(0)});
  EXPECT_EQ(held_, (std::vector<std::pair<size, std::uint32_t>>{{size::large, 100}})) << "the clock's lower bits wrap";
  release(7);
  EXPECT_EQ(tell(), slots{&slots_.slot(1)});
  EXPECT_EQ(held_.size(), 1u) << "it is told once";
  release(7);
  of_receiver_.owe_time(sender, size::small, 91);
  of_receiver_.owe_time(sender, size::large, 92);
  now_ns_ += 10;
  EXPECT_EQ(tell(), slots{&slots_.slot(2)});
  EXPECT_EQ(held_.at(1), std::pair(size::small, 9U));
  EXPECT_EQ(held_.at(2), std::pair(size::large, 8U));
}

// Compares with the simplest accounts: for every mailbox a list of the slots in transit.
TEST_F(books, agree_with_lists) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    random_engine random(seed);
    std::vector<std::vector<buffer*>> released(4);  // by mailbox: sent and not yet released, oldest first
    std::vector<buffer*> idle;
    std::vector<buffer*> leaving;
    for (std::size_t i = 0; i < n_slots; ++i) idle.push_back(&slots_.slot(i));
    const auto take = [&](std::vector<buffer*>& from) {
      const auto chosen = from.begin() + static_cast<std::ptrdiff_t>(random.below(from.size()));
      buffer* const taken = *chosen;
      from.erase(chosen);
      return taken;
    };
    std::size_t n_held = 0;
    for (int step = 0; step < 3000; ++step) {
      const auto mailbox = static_cast<std::uint32_t>(random.below(released.size()));
      const std::uint64_t what = random.below(4);
      if (what == 0 && !idle.empty()) {
        buffer* const slot = take(idle);
        slot->header = {.mailbox = mailbox};
        of_sender_.hold(*slot, receiver);
        released[mailbox].push_back(slot);
        leaving.push_back(slot);
        ++n_held;
      } else if (what == 1 && !leaving.empty()) {
        buffer* const slot = take(leaving);
        if (of_sender_.has_left(*slot)) idle.push_back(slot);
      } else if (what == 2 && !released[mailbox].empty()) {
        released[mailbox].erase(released[mailbox].begin());
        release(mailbox);
      } else if (what == 3 && of_receiver_.next_due(true) == sender) {
        for (buffer* const freed : tell()) {
          EXPECT_EQ(std::ranges::count(leaving, freed), 0);
          for (const auto& under_way : released) EXPECT_EQ(std::ranges::count(under_way, freed), 0);
          idle.push_back(freed);
        }
      }
    }
    // Everything comes back.
    for (buffer* const slot : leaving) {
      if (of_sender_.has_left(*slot)) idle.push_back(slot);
    }
    for (std::uint32_t mailbox = 0; mailbox < released.size(); ++mailbox) release(mailbox, released[mailbox].size());
    while (of_receiver_.next_due(true) == sender) std::ranges::copy(tell(), std::back_inserter(idle));
    EXPECT_GT(n_held, n_slots);
    std::ranges::sort(idle);
    EXPECT_EQ(std::ranges::adjacent_find(idle), idle.end());
    EXPECT_EQ(idle.size(), n_slots);
  }
}

using books_death = books;

TEST_F(books_death, a_release_of_what_was_never_sent_ends_the_job) {
  release(9);
  EXPECT_DEATH(tell(), "acknowledgements");
}

}  // namespace
}  // namespace shoal::internal::network
