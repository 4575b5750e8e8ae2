#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

#include "shoal/conveyor/conveyor.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

// An item of any size and alignment. As far as they can, its bytes identify it.
template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) sized_item {
  std::array<std::uint8_t, Bytes> bytes;

  static sized_item numbered(pe_id from, pe_id to, std::uint64_t number) {
    random_engine random(static_cast<std::uint64_t>(from * 1000 + to), number);
    sized_item it;
    for (std::uint8_t& byte : it.bytes) byte = static_cast<std::uint8_t>(random());
    return it;
  }
};

template <class Item>
void carry_items(world& w, std::uint64_t seed) {
  const pe_id me = w.my_pe();
  const std::vector<pe_id> targets = targets_of(seed, me, w.n_pes(), 40);
  numbering sent(w.n_pes());
  numbering pulled(w.n_pes());
  conveyor<Item> c{w};
  c.begin();
  std::size_t i = 0;
  while (c.advance(i == targets.size()) != progress::complete) {
    for (; i < targets.size(); ++i) {
      const pe_id to = targets[i];
      if (!c.push(Item::numbered(me, to, sent.next(to)), to)) break;
      sent.take(to);
    }
    pe_id from = -1;
    while (const Item* item = c.pull(from)) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item) % alignof(Item), 0U);
      EXPECT_EQ(item->bytes, Item::numbered(from, me, pulled.take(from)).bytes) << "from PE " << from;
    }
  }
  EXPECT_EQ(pulled.all(), expected_at(seed, me, w.n_pes(), targets.size()));
  c.reset();
}

template <std::size_t Align, std::size_t... Bytes>
void carry_sizes(world& w, std::uint64_t seed) {
  (carry_items<sized_item<Bytes, Align>>(w, seed), ...);
}

void items_of_every_size_arrive_once_in_push_order(world& w, std::uint64_t seed) {
  carry_sizes<1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 48, 63, 64>(w, seed);
}

void items_of_every_alignment_arrive_aligned(world& w, std::uint64_t seed) {
  carry_sizes<2, 2, 6>(w, seed);
  carry_sizes<4, 4, 12>(w, seed);
  carry_sizes<8, 8, 24, 56>(w, seed);
  carry_sizes<16, 16, 48>(w, seed);
  carry_sizes<32, 32, 64>(w, seed);
  carry_sizes<64, 64>(w, seed);
}

struct parcel {
  std::int64_t from;
  std::uint64_t number;
  std::int64_t session;
};

// One PE's part of a session of parcels, checked on arrival.
class parcel_session {
public:
  parcel_session(world& w, conveyor<parcel>& c, std::uint64_t seed, std::int64_t session, std::size_t n)
      : world_(w),
        conveyor_(c),
        seed_(seed),
        session_(session),
        targets_(targets_of(seed, w.my_pe(), w.n_pes(), n)),
        sent_(w.n_pes()),
        pulled_(w.n_pes()),
        random_(seed, 500 + static_cast<std::uint64_t>(w.my_pe())) {
    conveyor_.begin();
  }

  // One turn of the usual loop; false when the session is over.
  bool turn() {
    const bool is_done = i_ == targets_.size();
    if (conveyor_.advance(is_done) == progress::complete) return false;
    for (std::uint64_t n = random_.below(30); n > 0 && i_ < targets_.size(); --n) {
      const pe_id to = targets_[i_];
      if (!conveyor_.push({world_.my_pe(), sent_.next(to), session_}, to)) break;
      sent_.take(to);
      ++i_;
    }
    for (std::uint64_t n = random_.below(30); n > 0; --n) pull_one();
    if (random_.chance(0.02)) world_.charge_ns(random_.below(20'000));
    return true;
  }

  void end() {
    EXPECT_EQ(pulled_.all(), expected_at(seed_, world_.my_pe(), world_.n_pes(), targets_.size()));
    EXPECT_EQ(conveyor_.pull(), nullptr);
    EXPECT_FALSE(conveyor_.unpull());
    conveyor_.reset();
  }

private:
  void pull_one() {
    pe_id from = -1;
    const parcel* item = conveyor_.pull(from);
    if (item == nullptr) return;
    EXPECT_EQ(item->from, from);
    EXPECT_EQ(item->session, session_);
    EXPECT_EQ(item->number, pulled_.next(from)) << "from PE " << from;
    if (random_.chance(0.2)) {
      EXPECT_TRUE(conveyor_.unpull());
      EXPECT_FALSE(conveyor_.unpull()) << "one level only";
      return;
    }
    pulled_.take(from);
  }

  world& world_;
  conveyor<parcel>& conveyor_;
  std::uint64_t seed_;
  std::int64_t session_;
  std::vector<pe_id> targets_;
  numbering sent_;
  numbering pulled_;
  random_engine random_;
  std::size_t i_ = 0;
};

void rejected_items_are_pulled_again(world& w, std::uint64_t seed) {
  conveyor<parcel> c{w};
  parcel_session session(w, c, seed, 0, 100);
  while (session.turn()) {
  }
  session.end();
}

// A PE that has completed a session begins the next one while others are still in the last.
void sessions_follow_each_other_and_keep_their_items(world& w, std::uint64_t seed) {
  conveyor<parcel> c{w};
  random_engine random(seed, 7);
  for (std::int64_t k = 0; k < 30; ++k) {
    parcel_session session(w, c, seed + static_cast<std::uint64_t>(k), k, random.below(20));
    while (session.turn()) {
    }
    session.end();
  }
  EXPECT_EQ(c.counts().n_sessions, 30U);
  EXPECT_EQ(w.sum(c.counts().n_pushed), w.sum(c.counts().n_pulled));
}

void a_session_in_which_nobody_pushes_ends(world& w, std::uint64_t) {
  conveyor<std::int64_t> c{w};
  for (int k = 0; k < 5; ++k) {
    c.begin();
    while (c.advance(true) != progress::complete) EXPECT_EQ(c.pull(), nullptr);
    c.reset();
  }
}

// Buffers without items, which end a session, hold their senders' slots, too, and these need them for other PEs.
void a_PE_to_which_nobody_pushes_need_not_pull(world& w, std::uint64_t seed) {
  constexpr std::int64_t n_each = 20;
  conveyor<std::int64_t> c{w};
  for (std::uint64_t k = 0; k < 4; ++k) {
    const bool is_quiet = k == 0;  // nobody pushes
    const auto target = static_cast<pe_id>((seed + k) % static_cast<std::uint64_t>(w.n_pes()));
    std::int64_t n_left = is_quiet ? 0 : n_each;
    std::int64_t n_pulled = 0;
    c.begin();
    while (c.advance(n_left == 0) != progress::complete) {
      while (n_left != 0 && c.push(n_left, target)) --n_left;
      while (!is_quiet && w.my_pe() == target && c.pull() != nullptr) ++n_pulled;
    }
    EXPECT_EQ(n_pulled, is_quiet || w.my_pe() != target ? 0 : n_each * w.n_pes());
    c.reset();
  }
}

void one_PE_pushes_and_all_others_only_pull(world& w, std::uint64_t seed) {
  const auto pusher = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  const std::size_t n = w.my_pe() == pusher ? 60 : 0;
  const std::vector<pe_id> targets = targets_of(seed, pusher, w.n_pes(), 60);
  conveyor<std::uint16_t> c{w};
  c.begin();
  std::size_t i = 0;
  std::vector<std::uint16_t> got;
  while (c.advance(i == n) != progress::complete) {
    for (; i < n && c.push(static_cast<std::uint16_t>(i), targets[i]); ++i) {
    }
    while (const std::uint16_t* number = c.pull()) got.push_back(*number);
  }
  c.reset();
  std::vector<std::uint16_t> expected;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (targets[k] == w.my_pe()) expected.push_back(static_cast<std::uint16_t>(k));
  }
  EXPECT_EQ(got, expected);
}

// An early release would damage the last item of a buffer.
void a_pulled_item_stays_readable_until_the_next_pull(world& w, std::uint64_t seed) {
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 50);
  conveyor<parcel> c{w};
  c.begin();
  std::size_t i = 0;
  const parcel* held = nullptr;
  parcel copy{};
  while (c.advance(i == targets.size()) != progress::complete) {
    EXPECT_TRUE(held == nullptr || std::memcmp(held, &copy, sizeof copy) == 0);
    for (; i < targets.size() && c.push({w.my_pe(), i, 3}, targets[i]); ++i) {
    }
    held = c.pull();
    if (held != nullptr) copy = *held;
  }
  c.reset();
}

// Request and reply, both steady: a PE answers what it can, and puts back what it cannot answer now.
void two_steady_conveyors_answer_requests(world& w, std::uint64_t seed) {
  struct request {
    std::int64_t slot;
    std::int64_t value;
  };
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 60);
  conveyor<request> ask{w, {.steady = true}};
  conveyor<request> answer{w, {.steady = true}};
  ask.begin();
  answer.begin();
  std::vector<std::int64_t> answers(targets.size(), -1);
  std::size_t i = 0;
  bool is_asking = true;
  while (true) {
    is_asking = is_asking && ask.advance(i == targets.size()) != progress::complete;
    if (answer.advance(!is_asking) == progress::complete) break;
    for (; i < targets.size() && ask.push({static_cast<std::int64_t>(i), 0}, targets[i]); ++i) {
    }
    pe_id from = -1;
    while (is_asking) {
      const request* asked = ask.pull(from);
      if (asked == nullptr) break;
      if (answer.push({asked->slot, w.my_pe() * 1000 + asked->slot}, from)) continue;
      EXPECT_TRUE(ask.unpull());
      break;
    }
    while (const request* told = answer.pull()) {
      std::int64_t& place = answers[static_cast<std::size_t>(told->slot)];
      EXPECT_EQ(place, -1) << "answered twice";
      place = told->value;
    }
  }
  ask.reset();
  answer.reset();
  for (std::size_t k = 0; k < answers.size(); ++k) {
    EXPECT_EQ(answers[k], targets[k] * 1000 + static_cast<std::int64_t>(k));
  }
}

// A token goes round the PEs, and no PE is done before it has come round three times. It moves on only because the
// conveyor is steady.
void a_steady_conveyor_delivers_although_nobody_is_done(world& w, std::uint64_t) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  conveyor<std::int64_t> c{w, {.steady = true}};
  c.begin();
  const std::int64_t n_steps = 3 * w.n_pes();
  std::int64_t to_send = w.my_pe() == 0 ? 1 : 0;  // the token; 0: elsewhere
  std::int64_t n_to_come = 3;  // visits of the token here
  while (c.advance(n_to_come == 0 && to_send == 0) != progress::complete) {
    if (to_send != 0 && c.push(to_send, next)) to_send = 0;
    if (const std::int64_t* token = c.pull()) {
      --n_to_come;
      if (*token < n_steps) to_send = *token + 1;
    }
  }
  EXPECT_EQ(n_to_come, 0);
  c.reset();
}

void several_conveyors_are_alive_at_once(world& w, std::uint64_t seed) {
  std::vector<std::unique_ptr<conveyor<parcel>>> conveyors;
  std::vector<std::unique_ptr<parcel_session>> sessions;
  for (std::uint64_t k = 0; k < 3; ++k) {
    conveyors.push_back(std::make_unique<conveyor<parcel>>(w));
    sessions.push_back(std::make_unique<parcel_session>(w, *conveyors[k], seed + k, static_cast<std::int64_t>(k), 40));
  }
  std::array<bool, 3> goes_on{true, true, true};
  while (goes_on[0] || goes_on[1] || goes_on[2]) {
    for (std::size_t k = 0; k < 3; ++k) goes_on[k] = goes_on[k] && sessions[k]->turn();
  }
  for (const auto& session : sessions) session->end();
}

// Items may arrive before their conveyor exists, because PEs construct at different times.
void a_conveyor_constructed_late_misses_nothing(world& w, std::uint64_t seed) {
  for (std::uint64_t k = 0; k < 5; ++k) {
    random_engine random(seed + k, static_cast<std::uint64_t>(w.my_pe()));
    w.charge_ns(random.below(100'000));
    for (std::uint64_t n = random.below(20); n > 0; --n) w.progress();
    conveyor<parcel> c{w};
    parcel_session session(w, c, seed + k, 0, 20);
    while (session.turn()) {
    }
    session.end();
  }
}

std::vector<std::uint8_t> bytes_of(pe_id from, pe_id to, std::uint64_t number, std::size_t n_bytes) {
  random_engine random(static_cast<std::uint64_t>(from * 1000 + to), number);
  std::vector<std::uint8_t> drawn(n_bytes);
  for (std::uint8_t& byte : drawn) byte = static_cast<std::uint8_t>(random());
  return drawn;
}

// One conveyor carries items of another size in each session.
void the_size_of_items_may_be_chosen_late(world& w, std::uint64_t seed) {
  const pe_id me = w.my_pe();
  byte_conveyor c{w};
  for (const std::size_t n_bytes : {1U, 8U, 24U, 6U, 64U, 40U, 5U}) {
    const std::size_t align = byte_conveyor::largest_alignment(n_bytes);
    const std::vector<pe_id> targets = targets_of(seed + n_bytes, me, w.n_pes(), 30);
    numbering sent(w.n_pes());
    numbering pulled(w.n_pes());
    c.begin(n_bytes, align);
    std::size_t i = 0;
    while (c.advance(i == targets.size()) != progress::complete) {
      for (; i < targets.size(); ++i) {
        const pe_id to = targets[i];
        if (!c.push(bytes_of(me, to, sent.next(to), n_bytes).data(), to)) break;
        sent.take(to);
      }
      pe_id from = -1;
      while (const void* item = c.pull(from)) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(item) % align, 0U);
        const auto* first = static_cast<const std::uint8_t*>(item);
        EXPECT_EQ(std::vector(first, first + n_bytes), bytes_of(from, me, pulled.take(from), n_bytes));
        if (pulled.next(from) % 5 == 1) {
          EXPECT_TRUE(c.unpull());
          EXPECT_EQ(c.pull(from), item);
        }
      }
    }
    EXPECT_EQ(pulled.all(), expected_at(seed + n_bytes, me, w.n_pes(), targets.size()));
    c.reset();
  }
}

}  // namespace

std::vector<claim> fixed_claims() {
  return {
      {"items_of_every_size_arrive_once_in_push_order", items_of_every_size_arrive_once_in_push_order, 1},
      {"items_of_every_alignment_arrive_aligned", items_of_every_alignment_arrive_aligned, 1},
      {"rejected_items_are_pulled_again", rejected_items_are_pulled_again, 1},
      {"sessions_follow_each_other_and_keep_their_items", sessions_follow_each_other_and_keep_their_items, 1},
      {"a_session_in_which_nobody_pushes_ends", a_session_in_which_nobody_pushes_ends, 1},
      {"a_PE_to_which_nobody_pushes_need_not_pull", a_PE_to_which_nobody_pushes_need_not_pull, 1},
      {"one_PE_pushes_and_all_others_only_pull", one_PE_pushes_and_all_others_only_pull, 1},
      {"a_pulled_item_stays_readable_until_the_next_pull", a_pulled_item_stays_readable_until_the_next_pull, 1},
      {"two_steady_conveyors_answer_requests", two_steady_conveyors_answer_requests, 2},
      {"a_steady_conveyor_delivers_although_nobody_is_done", a_steady_conveyor_delivers_although_nobody_is_done, 1},
      {"several_conveyors_are_alive_at_once", several_conveyors_are_alive_at_once, 3},
      {"a_conveyor_constructed_late_misses_nothing", a_conveyor_constructed_late_misses_nothing, 1},
      {"the_size_of_items_may_be_chosen_late", the_size_of_items_may_be_chosen_late, 1},
  };
}

}  // namespace shoal::test
