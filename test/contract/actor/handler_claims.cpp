#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

void each_message_is_handled_once_in_order(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<char> a(w, watch, [](char, pe_id) {});
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) a.send(to, 'x');
  });
  a.expect_all_handled();
}

// Small messages take other paths through the sender than large ones.
template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) sized_message {
  std::array<std::uint8_t, Bytes> bytes;
};

template <std::size_t Bytes, std::size_t Align>
void exchange_messages(world& w, std::uint64_t seed) {
  using message = sized_message<Bytes, Align>;
  const pe_id me = w.my_pe();
  const auto numbered = [](pe_id from, std::uint64_t number) {
    random_engine random(static_cast<std::uint64_t>(from) + 100, number);
    message m;
    for (std::uint8_t& byte : m.bytes) byte = static_cast<std::uint8_t>(random());
    return m;
  };
  numbering sent(w.n_pes());
  numbering handled(w.n_pes());
  actor a{w, [&](const message& m, pe_id from) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&m) % Align, 0U);
            EXPECT_EQ(m.bytes, numbered(from * 100 + me, handled.take(from)).bytes);
          }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, me, w.n_pes(), 40)) a.send(to, numbered(me * 100 + to, sent.take(to)));
  });
  EXPECT_EQ(handled.all(), expected_at(seed, me, w.n_pes(), 40));
}

void messages_of_every_size_and_alignment_arrive_whole(world& w, std::uint64_t seed) {
  exchange_messages<1, 1>(w, seed);
  exchange_messages<2, 2>(w, seed);
  exchange_messages<3, 1>(w, seed);
  exchange_messages<4, 1>(w, seed);
  exchange_messages<4, 4>(w, seed);
  exchange_messages<8, 1>(w, seed);
  exchange_messages<8, 8>(w, seed);
  exchange_messages<12, 4>(w, seed);
  exchange_messages<16, 8>(w, seed);
  exchange_messages<16, 16>(w, seed);
  exchange_messages<24, 8>(w, seed);
  exchange_messages<32, 32>(w, seed);
  exchange_messages<64, 64>(w, seed);
}

// Handlers and the main program send through one mailbox to the same PEs, whose buffers fill for both.
void handlers_run_one_at_a_time_beside_a_sending_main_program(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random(seed, 100 + static_cast<std::uint64_t>(w.my_pe()));
  const auto any_pe = [&] { return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))); };
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    if (hops > 0) self->send(any_pe(), hops - 1);
  });
  self = &a;
  w.finish([&] {
    for (int i = 0; i < 40; ++i) a.send(any_pe(), 3);
  });
  EXPECT_EQ(w.sum(a.n_handled()), static_cast<std::uint64_t>(w.n_pes()) * 40 * 4);
  a.expect_all_handled();
}

void a_chain_of_handlers_goes_round_all_PEs(world& w, std::uint64_t) {
  pe_watch watch;
  checked_actor<std::int64_t>* self = nullptr;
  checked_actor<std::int64_t> a(w, watch, [&](std::int64_t hops, pe_id) {
    if (hops > 1) self->send(next_pe(w), hops - 1);
  });
  self = &a;
  const std::int64_t n_rounds = 5;
  w.finish([&] {
    if (w.my_pe() == 0) a.send(next_pe(w), n_rounds * w.n_pes());
  });
  EXPECT_EQ(a.n_handled(), static_cast<std::uint64_t>(n_rounds));
  a.expect_all_handled();
}

void a_handler_may_send_to_its_own_PE(world& w, std::uint64_t) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int more, pe_id) {
    for (int i = 0; i < more; ++i) self->send(w.my_pe(), more - 1);
  });
  self = &a;
  w.finish([&] { a.send(w.my_pe(), 4); });
  EXPECT_EQ(a.n_handled(), 1U + 4 + 12 + 24 + 24);
  a.expect_all_handled();
}

void a_batch_handler_gets_all_messages_in_order(world& w, std::uint64_t seed) {
  const pe_id me = w.my_pe();
  numbering sent(w.n_pes());
  numbering handled(w.n_pes());
  std::uint64_t n_without_sender = 0;
  actor with_sender{w, [&](std::span<const std::uint64_t> batch, pe_id from) {
                      EXPECT_FALSE(batch.empty());
                      for (const std::uint64_t number : batch) EXPECT_EQ(number, handled.take(from));
                    }};
  actor without{w, [&](std::span<const std::int16_t> batch) {
                  n_without_sender += batch.size();
                  EXPECT_TRUE(std::all_of(batch.begin(), batch.end(), [](std::int16_t m) { return m == 7; }));
                }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, me, w.n_pes(), 150)) {
      with_sender.send(to, sent.take(to));
      without.send(to, 7);
    }
  });
  const std::vector<std::uint64_t> expected = expected_at(seed, me, w.n_pes(), 150);
  EXPECT_EQ(handled.all(), expected);
  EXPECT_EQ(n_without_sender, std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
}

void a_batch_handler_may_send(world& w, std::uint64_t seed) {
  std::uint64_t n_answers = 0;
  actor answers{w, [&](std::int32_t) { ++n_answers; }};
  actor questions{w, [&](std::span<const std::int32_t> batch, pe_id from) {
                    for (const std::int32_t q : batch) answers.send(from, q);
                  }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) questions.send(to, 1);
  });
  EXPECT_EQ(n_answers, 100U);
}

// The hook runs ahead of the handlers, on messages of the same buffer, and on nothing else.
void a_prefetch_hook_sees_messages_that_will_be_handled(world& w, std::uint64_t seed) {
  std::array<std::uint64_t, 64> counts{};
  std::uint64_t n_hooks = 0;
  std::uint64_t n_handled = 0;
  actor a{w,
          [&](std::int64_t slot) {
            ++counts[static_cast<std::size_t>(slot)];
            ++n_handled;
          },
          [&](std::int64_t slot) {
            EXPECT_TRUE(slot >= 0 && slot < 64);
            ++n_hooks;
            return &counts[static_cast<std::size_t>(slot) % 64];
          }};
  w.finish([&] {
    std::int64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 300)) a.send(to, ++i % 64);
  });
  EXPECT_EQ(w.sum(n_handled), 300U * static_cast<std::uint64_t>(w.n_pes()));
  EXPECT_LE(n_hooks, n_handled);
}

// try_send returns false instead of waiting, keeps the order, and never goes beyond the credits.
void try_send_keeps_order_and_never_spills(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  std::int64_t n_handler_sent = 0;
  checked_actor<int> a(w, watch, [&](int hops, pe_id from) {
    for (int i = 0; i < hops; ++i) n_handler_sent += self->try_send(from, 0);
  });
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      while (!a.try_send(to, 3)) w.progress();
    }
  });
  EXPECT_EQ(a.counts().n_spills, 0U);
  EXPECT_EQ(w.sum(a.n_handled()), static_cast<std::uint64_t>(w.n_pes() * 100 + w.sum(n_handler_sent)));
  a.expect_all_handled();
}

void a_limit_of_unsent_messages_makes_try_send_refuse(world& w, std::uint64_t) {
  std::uint64_t n_handled = 0;
  actor a{w, [&](char) { ++n_handled; }};
  a.limit_unsent(3);
  std::uint64_t n_sent = 0;
  w.finish([&] {
    while (n_sent < 15) {
      while (a.try_send(next_pe(w), 'x')) ++n_sent;
      EXPECT_LE(n_sent - a.counts().n_sent, 3U) << "three at most lie here";
      w.progress();
    }
  });
  EXPECT_GE(n_sent, 15U);
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

// A main program that waits for an answer calls progress, which must post its partly filled buffers.
void progress_sends_partly_filled_buffers(world& w, std::uint64_t) {
  int n_answers = 0;
  actor answer{w, [&](std::int64_t) { ++n_answers; }};
  actor ask{w, [&](std::int64_t m, pe_id from) { answer.send(from, m); }};
  w.finish([&] {
    for (int i = 0; i < 3; ++i) {
      ask.send(next_pe(w), i);
      while (n_answers != i + 1) w.progress();
    }
  });
  EXPECT_EQ(n_answers, 3);
}

void handlers_take_messages_by_value_or_reference_with_or_without_sender(world& w, std::uint64_t) {
  struct point {
    int x;
    int y;
  };
  int n = 0;
  actor by_value{w, [&](point p) { n += p.x; }};
  actor by_reference{w, [&](const point& p) { n += p.x; }};
  actor with_sender{w, [&](const point& p, pe_id from) { n += from == w.my_pe() ? p.x : 1000; }};
  actor constant{w, [&n = std::as_const(n), sum = &n](point p) noexcept { *sum = n + p.y; }};
  w.finish([&] {
    by_value.send(w.my_pe(), {1, 0});
    by_reference.send(w.my_pe(), {10, 0});
    with_sender.send(w.my_pe(), {100, 0});
    constant.send(w.my_pe(), {0, 1000});
  });
  EXPECT_EQ(n, 1111);
}

}  // namespace

std::vector<claim> handler_claims() {
  return {
      {"each_message_is_handled_once_in_order", each_message_is_handled_once_in_order, 2},
      {"messages_of_every_size_and_alignment_arrive_whole", messages_of_every_size_and_alignment_arrive_whole, 2},
      {"handlers_run_one_at_a_time_beside_a_sending_main_program",
       handlers_run_one_at_a_time_beside_a_sending_main_program, 2},
      {"a_chain_of_handlers_goes_round_all_PEs", a_chain_of_handlers_goes_round_all_PEs, 2},
      {"a_handler_may_send_to_its_own_PE", a_handler_may_send_to_its_own_PE, 2},
      {"a_batch_handler_gets_all_messages_in_order", a_batch_handler_gets_all_messages_in_order, 3},
      {"a_batch_handler_may_send", a_batch_handler_may_send, 3},
      {"a_prefetch_hook_sees_messages_that_will_be_handled", a_prefetch_hook_sees_messages_that_will_be_handled, 2},
      {"try_send_keeps_order_and_never_spills", try_send_keeps_order_and_never_spills, 2},
      {"a_limit_of_unsent_messages_makes_try_send_refuse", a_limit_of_unsent_messages_makes_try_send_refuse, 2},
      {"progress_sends_partly_filled_buffers", progress_sends_partly_filled_buffers, 3},
      {"handlers_take_messages_by_value_or_reference_with_or_without_sender",
       handlers_take_messages_by_value_or_reference_with_or_without_sender, 5},
  };
}

}  // namespace shoal::test
