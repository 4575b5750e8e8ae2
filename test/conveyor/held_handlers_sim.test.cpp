// Goal: while a PE holds its handlers, none of a sink with sessions runs there, and the PEs that send to it never wait because of
// that; others run, and supersteps end; once they may run again, each item is handled, in order. Method: sessions in the
// simulator with hostile conditions, in which one PE makes progress with its handlers held until all others have sent all
// that they have, which is far more than the slots.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::int64_t n_each = 2000;

// Numbers from each PE to each, with sessions as selectors of compat have.
class numbers : internal::sink {
public:
  explicit numbers(world& w)
      : w_(w),
        next_from_(static_cast<std::size_t>(w.n_pes())),
        stream_(w.message_exchange(), {.kind = kind, .consumer = this}) {
    stream_.begin_session(kind);
    stream_.let_send(true);
  }

  void send(std::int64_t value, pe_id target) {
    const internal::stream::way to = stream_.way_to(target);
    internal::link_end& link = to.link();
    if (link.cursor == link.limit) stream_.make_room(to, kind, internal::when_full::wait);
    to.write(value);
  }
  void end() {
    stream_.let_send(false);
    const internal::inbox& in = stream_.arrivals();
    for (unsigned patience = 0; !stream_.try_send_last() || !in.has_last_arrived() || !in.has_consumed_all();) {
      w_.message_exchange().progress_or_idle(patience);
    }
    stream_.end_session();
  }

  std::int64_t n_from(pe_id pe) const { return next_from_[static_cast<std::size_t>(pe)]; }
  bool may_handle = true;

private:
  static constexpr internal::item_kind kind{.bytes = sizeof(std::int64_t), .align = alignof(std::int64_t)};

  bool consume(const internal::buffer& b, internal::position& from, std::uint64_t& n_items) override {
    EXPECT_TRUE(may_handle);
    EXPECT_EQ(from.offset, 0);
    for (std::uint32_t i = 0; i < b.header.n_items; ++i) {
      std::int64_t value = 0;
      std::memcpy(&value, b.payload() + i * sizeof value, sizeof value);
      const pe_id sender = stream_.origins_by(b.header.source)(stream_.tag_of(b, i));
      EXPECT_EQ(next_from_[static_cast<std::size_t>(sender)]++, value);
    }
    n_items = b.header.n_items;
    from.offset = b.header.item_bytes();
    return true;
  }
  bool has_sessions() const noexcept override { return true; }
  std::string describe() const override { return "numbers"; }

  world& w_;
  std::vector<std::int64_t> next_from_;
  internal::stream stream_;
};

void hold_until_all_have_sent(world& w) {
  const pe_id holder = w.n_pes() - 1;
  const bool holds = w.my_pe() == holder;
  numbers held(w);
  std::int64_t n_not_held = 0;
  actor not_held(w, [&](int) { ++n_not_held; });
  internal::dispatch& arriving = w.message_exchange().arriving();
  held.may_handle = !holds;
  arriving.hold_handlers(holds);
  w.finish([&] {
    not_held.send(holder, 1);
    for (std::int64_t i = 0; i < (holds ? 1 : n_each); ++i) held.send(i, holder);
  });
  EXPECT_EQ(n_not_held, holds ? w.n_pes() : 0);  // the superstep ends although something is parked
  for (pe_id pe = 0; pe < w.n_pes() && holds; ++pe) EXPECT_EQ(held.n_from(pe), 0);
  held.may_handle = true;
  arriving.hold_handlers(false);
  held.end();
  for (pe_id pe = 0; pe < w.n_pes() && holds; ++pe) EXPECT_EQ(held.n_from(pe), pe == holder ? 1 : n_each);
}

TEST(held_handlers, keep_no_sender_waiting) {
  for_seeds(20, [](std::uint64_t seed) {
    settings chosen = hostile(seed, {.n_mailboxes = 4});
    chosen.memory_bytes.value = std::size_t{64} << 20;
    run_job(chosen, hold_until_all_have_sent);
  });
}

// What is parked counts against the budget. Beyond it the slots stay taken, and senders wait until handlers may run.
TEST(held_handlers, park_no_more_than_the_budget) {
  for_seeds(10, [](std::uint64_t seed) {
    static constexpr std::int64_t n_sent = 30000;
    settings chosen = hostile(seed, {.n_mailboxes = 4});
    chosen.slot_bytes.value = 0;
    chosen.n_slots.value = 0;
    chosen.memory_bytes.value = std::size_t{512} << 10;
    run_job(chosen, [](world& w) {
      internal::dispatch& arriving = w.message_exchange().arriving();
      numbers held(w);
      if (w.my_pe() == 0) {
        held.may_handle = false;
        arriving.hold_handlers(true);
        for (int i = 0; i < 2000; ++i) w.progress();
        held.may_handle = true;
        arriving.hold_handlers(false);
      } else {
        for (std::int64_t i = 0; i < n_sent; ++i) held.send(i, 0);
      }
      held.end();
      for (pe_id pe = 1; pe < w.n_pes() && w.my_pe() == 0; ++pe) EXPECT_EQ(held.n_from(pe), n_sent);
      EXPECT_LE(w.message_exchange().parts().slots.bytes_most(), w.chosen_settings().memory_bytes.value);
    });
  });
}

}  // namespace
}  // namespace shoal::test
