// Goal: each invariant of the conveyor layer's parts is an assertion. Every test here breaks one on purpose, on its own
// simulated PE, and sees the line that names it.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/buffer_queue.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/inbox.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/outbox.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/spill_graph.hpp"
#include "shoal/substrate/internal/sim/sim.hpp"
#include "test/substrate/sim_programs.hpp"

namespace shoal {

using namespace internal;
namespace {

#if SHOAL_CHECKED

using sim::test::world_of;

constexpr item_kind words{.bytes = 8, .align = 8};
constexpr item_kind any_size{.align = 8};

// The parts of a stream's hop, without the stream: everything goes to this PE itself.
struct parts {
  explicit parts(substrate& on) : machine(on) {}

  substrate& machine;
  slot_pool slots{machine, {}};
  buffer_codec codec{machine, 0};
  node_layout nodes{1, 0};
  due_time next_due;
  ready_list ready;
  slot_pool::account account;
  spill_vertex vertex{account, true};
  std::unique_ptr<link_codec> own_codec;
  inbox in{slots, codec, own_codec, ready, vertex, nullptr};
  open_links links;
  team_members everybody;
  outbox out{{machine, slots, codec, nodes, next_due, {}, everybody, 0}, links, account, in, own_codec, words, 0};
};

// Runs `body` on the one PE of a job that must end with the broken assertion `expression`.
void expect_broken(const std::string& expression, const std::function<void(parts&)>& body) {
  const auto program = [&](substrate& machine) {
    parts p(machine);
    p.slots.open(p.account, 1);
    p.out.join(1, nullptr, 0);
    p.in.join(1, 1, 0);
    body(p);
    return 0;
  };
  settings chosen = world_of(1, 1);
  chosen.n_slots.value = 16;  // so that one link may hold several
  EXPECT_EXIT(sim::run(chosen, program), testing::ExitedWithCode(status_failure),
              "shoal: PE 0: broken assertion: " + expression);
}

// --- Slot accounting

TEST(slot_pool_invariants_death_test, no_more_accounts_than_slots) {
  expect_broken("can_open\\(\\)", [](parts& p) {
    std::vector<slot_pool::account> accounts(p.slots.n_slots());
    for (slot_pool::account& a : accounts) p.slots.open(a, 1);
  });
}

TEST(slot_pool_invariants_death_test, a_slot_comes_back_once) {
  expect_broken("is_balanced", [](parts& p) {
    buffer* const slot = p.slots.acquire(p.account, 0);
    p.slots.give_back(*slot);
    p.slots.give_back(*slot);
    p.slots.acquire(p.account, 0);
  });
}

TEST(slot_pool_invariants_death_test, an_account_closes_without_blocks) {
  expect_broken("a.n_blocks == 0", [](parts& p) {
    p.slots.new_block(p.account, false);
    p.slots.close(p.account);
  });
}

TEST(slot_pool_invariants_death_test, blocks_come_back_to_the_account_that_took_them) {
  expect_broken("n_blocks_ != 0 && a.n_blocks != 0", [](parts& p) {
    slot_pool::account other;
    p.slots.open(other, 1);
    p.slots.recycle_block(other, *p.slots.new_block(p.account, false));
  });
}

TEST(slot_pool_invariants_death_test, blocks_within_the_budget_come_back_to_the_account_that_took_them) {
  expect_broken("n_budgeted_ >= !is_apart && a.n_budgeted >= !is_apart", [](parts& p) {
    slot_pool::account other;
    p.slots.open(other, 1);
    p.slots.new_block(other, true);
    p.slots.recycle_block(other, *p.slots.new_block(p.account, false));
  });
}

TEST(slot_pool_invariants_death_test, sums_over_accounts_agree_with_the_pool) {
  expect_broken("a.n_slots != 0 && a.slots_of_link", [](parts& p) {
    buffer* const slot = p.slots.acquire(p.account, 0);
    p.account.slots_of_link[0] = 0;
    p.slots.give_back(*slot);
  });
}

// --- Links and buffers

TEST(link_buffer_invariants_death_test, a_link_has_one_open_buffer) {
  expect_broken("open_ == nullptr && link.cursor == nullptr", [](parts& p) {
    link_buffer items;
    link_end link;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.open(link, *p.slots.acquire(p.account, 0), 64);
  });
}

TEST(link_buffer_invariants_death_test, the_cursor_stays_before_the_limit) {
  expect_broken("is_consistent", [](parts& p) {
    link_buffer items;
    link_end link;
    link.kind = &words;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.make_room(link, words, false, 0);
    link.cursor = link.limit + 8;
    items.make_room(link, words, false, 0);
  });
}

TEST(link_buffer_invariants_death_test, what_lies_before_the_limit_is_whole_items) {
  expect_broken("is_consistent", [](parts& p) {
    link_buffer items;
    link_end link;
    link.kind = &words;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.make_room(link, words, false, 0);
    link.cursor += 3;
    items.close(link, {}, words, 0);
  });
}

TEST(link_buffer_invariants_death_test, each_item_has_a_tag) {
  expect_broken("all_tag_bytes ==", [](parts& p) {
    link_buffer items;
    link_end link;
    link.kind = &words;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.make_room(link, words, false, 2);
    link.cursor += 8;
    link.cursor += 8;
    items.write_tag(7, 2);
    items.close(link, {}, words, 2);
  });
}

TEST(link_buffer_invariants_death_test, a_record_ends_before_the_limit) {
  expect_broken("is_consistent", [](parts& p) {
    link_buffer items;
    link_end link;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.make_record(link, {1, 8}, 8, 0, item_layout::records, false);
    link.cursor += 8;
    items.close(link, {}, any_size, 0);
  });
}

TEST(link_buffer_invariants_death_test, a_record_after_runs_leaves_no_room_for_items) {
  expect_broken("is_consistent", [](parts& p) {
    link_buffer items;
    link_end link;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    items.make_record(link, {1, 8}, 8, 0, item_layout::runs, false);
    link.limit = link.cursor - 1;
    items.make_record(link, {1, 8}, 8, 0, item_layout::runs, false);
  });
}

TEST(link_buffer_invariants_death_test, each_record_has_a_tag) {
  expect_broken("all_tag_bytes ==", [](parts& p) {
    link_buffer items;
    link_end link;
    items.open(link, *p.slots.acquire(p.account, 0), 64);
    for (int i = 0; i < 2; ++i) items.make_record(link, {1, 8}, 8, 2, item_layout::records, false);
    items.write_tag(7, 2);
    items.close(link, {}, any_size, 2);
  });
}

// --- Sending ends

TEST(outbox_invariants_death_test, takes_other_links_only_with_nothing_in_hand) {
  expect_broken("n_open_ == 0 && !has_spilled", [](parts& p) {
    p.out.begin_session(words);
    p.out.open_slot(0);
    p.out.join(2, nullptr, 0);
  });
}

TEST(outbox_invariants_death_test, begins_a_session_with_nothing_spilled) {
  expect_broken("!has_spilled", [](parts& p) {
    p.out.begin_session(words);
    p.out.open_block(0, false);
    p.out.begin_session(words);
  });
}

TEST(outbox_invariants_death_test, a_link_is_one_of_its_own) {
  expect_broken("&link >= ends", [](parts& p) {
    link_end stranger;
    p.out.links().index_of(stranger);
  });
}

TEST(outbox_invariants_death_test, joins_a_wave_with_every_item_sent) {
  expect_broken("!has_spilled\\(\\) && !has_items", [](parts& p) {
    p.out.begin_session(words);
    p.out.open_slot(0);
    p.out.links().ends[0].cursor += words.bytes;
    p.out.join_wave();
  });
}

// --- Receiving ends

buffer& arrived(parts& p, std::uint32_t session, std::uint8_t flags) {
  buffer& b = *p.slots.acquire(p.account, 0);
  b.header = {};
  b.header.version = buffer_header::current_version;
  b.header.session = buffer_header::session_before_first + session;
  b.header.flags = flags;
  return b;
}

TEST(inbox_invariants_death_test, takes_other_links_only_between_sessions) {
  expect_broken("is_empty\\(\\) && !is_in_session_", [](parts& p) {
    p.in.begin_session(8);
    p.in.join(1, 1, 0);
  });
}

TEST(inbox_invariants_death_test, takes_other_links_only_with_nothing_early) {
  expect_broken("is_empty\\(\\) && !is_in_session_", [](parts& p) {
    p.in.deliver(arrived(p, 1, 0));
    p.in.join(1, 1, 0);
  });
}

TEST(inbox_invariants_death_test, no_sender_ends_a_session_twice) {
  expect_broken("n_last_arrived_ <= n_senders_", [](parts& p) {
    p.in.begin_session(8);
    p.in.deliver(arrived(p, 1, buffer_header::last));
    p.in.deliver(arrived(p, 1, buffer_header::last));
  });
}

TEST(inbox_invariants_death_test, begins_a_session_with_the_last_one_consumed) {
  expect_broken("pending_.empty\\(\\)", [](parts& p) {
    p.in.begin_session(8);
    buffer& unread = arrived(p, 1, 0);
    unread.header.n_items = 1;
    p.in.deliver(unread);
    p.in.begin_session(8);
  });
}

TEST(inbox_invariants_death_test, joins_a_wave_with_everything_consumed) {
  expect_broken("has_consumed_all", [](parts& p) {
    p.in.begin_session(8);
    buffer& unread = arrived(p, 1, 0);
    unread.header.n_items = 1;
    p.in.deliver(unread);
    p.in.join_wave();
  });
}

TEST(buffer_queue_invariants_death_test, nothing_comes_out_of_an_empty_queue) {
  expect_broken("head_ != nullptr", [](parts&) {
    buffer_queue none;
    none.pop();
  });
}

// --- Whose code runs, and where it stops

TEST(delivery_invariants_death_test, one_sink_runs_at_a_time) {
  expect_broken("current\\(\\) == state::main_program", [](parts& p) {
    delivery now;
    now.begin(p.in);
    now.begin(p.in);
  });
}

TEST(delivery_invariants_death_test, only_a_sink_that_runs_finishes) {
  expect_broken("current\\(\\) != state::main_program", [](parts&) {
    delivery now;
    now.finish();
  });
}

TEST(delivery_invariants_death_test, a_sink_that_has_to_stop_gets_no_other_buffer) {
  expect_broken("current\\(\\) == state::sink_starts", [](parts& p) {
    delivery now;
    now.begin(p.in);
    now.proceed_to(reinterpret_cast<const std::byte*>(&now));
    now.stop();
    now.next_buffer();
  });
}

TEST(delivery_invariants_death_test, a_sink_that_has_to_stop_does_not_go_on) {
  expect_broken("current\\(\\) == state::sink_starts", [](parts& p) {
    delivery now;
    now.begin(p.in);
    now.proceed_to(reinterpret_cast<const std::byte*>(&now));
    now.stop();
    now.proceed_to(reinterpret_cast<const std::byte*>(&now));
  });
}

TEST(delivery_invariants_death_test, only_handlers_go_beyond_the_credits) {
  expect_broken("current\\(\\) == state::sink_runs", [](parts&) {
    delivery now;
    now.stop();
  });
}

#else

TEST(invariants, are_checked_in_checked_builds) { GTEST_SKIP() << "this build does not check assertions"; }

#endif

}  // namespace
}  // namespace shoal
