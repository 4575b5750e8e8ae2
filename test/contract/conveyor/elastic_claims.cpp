#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/kinds/elastic_biconveyor.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

using bytes = std::vector<std::byte>;

// Item `number` from one PE to another: its size and its bytes follow from the number. Sizes are zero, a few bytes,
// those at which items just do or do not fit into a buffer, and several buffers.
bytes item_of(pe_id from, pe_id to, std::uint64_t number, std::size_t buffer_bytes) {
  random_engine random(static_cast<std::uint64_t>(from * 1000 + to), number);
  std::size_t n = 0;
  switch (random.below(4)) {
    case 0: n = random.below(3); break;
    case 1: n = random.below(60); break;
    case 2: n = buffer_bytes - std::min<std::size_t>(buffer_bytes, random.below(80)); break;
    default: n = random.below(3 * buffer_bytes);
  }
  bytes item(n);
  // Eight bytes per random number, so that checking costs less than what is checked.
  for (std::size_t i = 0; i < n; i += sizeof(std::uint64_t)) {
    const std::uint64_t draw = random();
    std::memcpy(item.data() + i, &draw, std::min(sizeof draw, n - i));
  }
  return item;
}

void carry(world& w, std::uint64_t seed, const elastic_options& options, double reject) {
  const pe_id me = w.my_pe();
  const std::size_t buffer_bytes = w.message_exchange().payload_bytes();
  elastic_conveyor c{w, options};
  random_engine random(seed, 900 + static_cast<std::uint64_t>(me));
  for (std::uint64_t session = 0; session < 2; ++session) {
    const std::vector<pe_id> targets = targets_of(seed + session, me, w.n_pes(), 16);
    numbering sent(w.n_pes());
    numbering pulled(w.n_pes());
    c.begin();
    std::size_t i = 0;
    while (c.advance(i == targets.size()) != progress::complete) {
      for (std::uint64_t n = random.below(8); n > 0 && i < targets.size(); --n, ++i) {
        const pe_id to = targets[i];
        if (!c.push(item_of(me, to, sent.next(to), buffer_bytes), to)) break;
        sent.take(to);
      }
      for (std::uint64_t n = random.below(8); n > 0; --n) {
        const elastic_conveyor::item* item = c.pull();
        if (item == nullptr) break;
        if (random.chance(reject)) {
          EXPECT_TRUE(c.unpull());
          EXPECT_FALSE(c.unpull()) << "only one item can be put back";
          if (random.chance(0.5)) break;
          item = c.pull();
          if (item == nullptr) {
            ADD_FAILURE() << "an item that was put back is gone";
            return;
          }
        }
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item->bytes.data()) % options.align, 0U);
        const bytes expected = item_of(item->from, me, pulled.take(item->from), buffer_bytes);
        EXPECT_TRUE(std::ranges::equal(item->bytes, expected))
            << item->bytes.size() << " bytes from PE " << item->from << " instead of " << expected.size();
      }
    }
    EXPECT_EQ(pulled.all(), expected_at(seed + session, me, w.n_pes(), targets.size()));
    EXPECT_EQ(c.pull(), nullptr);
    c.reset();
  }
}

void items_of_all_sizes_arrive_once_in_push_order(world& w, std::uint64_t seed) { carry(w, seed, {}, 0); }

void elastic_items_may_be_put_back(world& w, std::uint64_t seed) { carry(w, seed, {}, 0.3); }

void elastic_items_are_aligned(world& w, std::uint64_t seed) {
  for (const std::uint32_t align : {1U, 16U, 64U}) {
    if (align <= 16 || w.message_exchange().payload_bytes() >= 256) carry(w, seed, {.align = align}, 0.1);
  }
}

// Requests of any size and replies of the same size, through two conveyors; no PE is done before all have their
// replies.
void steady_elastic_conveyors_answer(world& w, std::uint64_t seed) {
  const pe_id me = w.my_pe();
  const std::size_t buffer_bytes = w.message_exchange().payload_bytes();
  const std::vector<pe_id> targets = targets_of(seed, me, w.n_pes(), 15);
  elastic_conveyor requests{w, {.steady = true}};
  elastic_conveyor replies{w, {.steady = true}};
  requests.begin();
  replies.begin();
  numbering asked(w.n_pes());
  numbering answered(w.n_pes());
  std::size_t i = 0;
  std::size_t n_replies = 0;
  for (bool goes_on = true; goes_on;) {
    const bool ask_more = requests.advance(n_replies == targets.size()) != progress::complete;
    goes_on = replies.advance(!ask_more) != progress::complete;
    for (; i < targets.size(); ++i) {
      if (!requests.push(item_of(me, targets[i], asked.next(targets[i]), buffer_bytes), targets[i])) break;
      asked.take(targets[i]);
    }
    while (ask_more) {
      const elastic_conveyor::item* request = requests.pull();
      if (request == nullptr) break;
      if (!replies.push(request->bytes, request->from)) {
        EXPECT_TRUE(requests.unpull());
        break;
      }
    }
    while (const elastic_conveyor::item* reply = replies.pull()) {
      const bytes expected = item_of(me, reply->from, answered.take(reply->from), buffer_bytes);
      EXPECT_TRUE(std::ranges::equal(reply->bytes, expected));
      ++n_replies;
    }
  }
  EXPECT_EQ(n_replies, targets.size());
  requests.reset();
  replies.reset();
}

// Queries of any size whose replies name the answering PE and repeat the query backwards, in the order of the pushes.
void ask(world& w, elastic_biconveyor& b, const std::vector<pe_id>& targets) {
  const pe_id me = w.my_pe();
  const std::size_t buffer_bytes = w.message_exchange().payload_bytes();
  numbering asked(w.n_pes());
  numbering answered(w.n_pes());
  b.begin([&](std::span<const std::byte> query, pe_id from, bytes& reply) {
    EXPECT_TRUE(std::ranges::equal(query, item_of(from, me, answered.take(from), buffer_bytes)));
    reply.push_back(static_cast<std::byte>(me));
    reply.insert(reply.end(), query.rbegin(), query.rend());
  });
  std::size_t n_asked = 0;
  std::size_t n_told = 0;
  numbering told(w.n_pes());
  while (b.advance(n_asked == targets.size()) != progress::complete) {
    for (; n_asked < targets.size(); ++n_asked) {
      const pe_id to = targets[n_asked];
      if (!b.push(item_of(me, to, asked.next(to), buffer_bytes), to)) break;
      asked.take(to);
    }
    while (const bytes* reply = b.pull()) {
      const pe_id by = targets[n_told++];
      bytes expected = item_of(me, by, told.take(by), buffer_bytes);
      expected.push_back(static_cast<std::byte>(by));
      std::ranges::reverse(expected);
      EXPECT_EQ(*reply, expected);
    }
  }
  EXPECT_EQ(n_told, targets.size());
  b.reset();
}

void elastic_replies_come_in_push_order(world& w, std::uint64_t seed) {
  for (const std::uint32_t window : {1U, 3U, 100U}) {
    elastic_biconveyor b{w, {.window = window}};
    ask(w, b, targets_of(seed + window, w.my_pe(), w.n_pes(), 12));
  }
}

// A program that knows how many items come stops pulling then; in the next session, a buffer arrives in the same slot.
void a_session_begins_with_nothing_of_the_last_one(world& w, std::uint64_t seed) {
  elastic_conveyor c{w};
  conveyor_base& as_others_see_it = c;
  for (std::size_t session = 0; session < 4; ++session) {
    const bytes sent(1 + (seed + session * 5) % 40, std::byte{7});
    as_others_see_it.begin();
    bool is_sent = false;
    bool is_here = false;
    int n_waited = 0;
    while (c.advance(is_sent) != progress::complete) {
      is_sent = is_sent || c.push(sent, w.my_pe());
      // If a PE has only one slot, the others may wait for the buffer that it holds.
      if (is_here && ++n_waited % 200 != 0) continue;
      const elastic_conveyor::item* item = c.pull();
      is_here = is_here || item != nullptr;
      EXPECT_TRUE(item == nullptr || std::ranges::equal(item->bytes, sent));
    }
    EXPECT_TRUE(is_here);
    c.reset();
  }
}

}  // namespace

std::vector<claim> elastic_claims() {
  return {
      {"items_of_all_sizes_arrive_once_in_push_order", items_of_all_sizes_arrive_once_in_push_order, 1},
      {"elastic_items_may_be_put_back", elastic_items_may_be_put_back, 1},
      {"elastic_items_are_aligned", elastic_items_are_aligned, 1},
      {"steady_elastic_conveyors_answer", steady_elastic_conveyors_answer, 2},
      {"elastic_replies_come_in_push_order", elastic_replies_come_in_push_order, 2},
      {"a_session_begins_with_nothing_of_the_last_one", a_session_begins_with_nothing_of_the_last_one, 1},
  };
}

}  // namespace shoal::test
