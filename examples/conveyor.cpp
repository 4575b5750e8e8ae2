// The layer below actors: a conveyor, whose items the program itself pushes and pulls. First a plain session, then two
// steady conveyors that carry queries and replies.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/base/random.hpp>
#include <shoal/conveyor/conveyor.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 1000;  // on each PE
constexpr std::int64_t n_items = 20'000;  // that each PE pushes

std::vector<std::int64_t> random_entries(const shoal::world& world) {
  shoal::random_engine random(3, world.my_pe());
  std::vector<std::int64_t> entries(n_items);
  for (std::int64_t& g : entries) g = random.below(n_entries * world.n_pes());
  return entries;
}

bool histogram(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> entries = random_entries(world);
  std::vector<std::int64_t> counts(n_entries);

  // [session]
  shoal::conveyor<std::int64_t> slots{world};
  slots.begin();
  std::int64_t i = 0;
  while (slots.advance(i == n_items) != shoal::progress::complete) {
    for (; i < n_items && slots.push(entries[i] / n_pes, entries[i] % n_pes); ++i) {
    }
    while (const std::int64_t* slot = slots.pull()) ++counts[*slot];
  }
  slots.reset();
  // [/session]

  std::int64_t n_pushed = 0;
  for (const std::int64_t g : entries) n_pushed += g + 1;
  std::int64_t n_pulled = 0;
  for (std::int64_t slot = 0; slot < n_entries; ++slot) {
    n_pulled += counts[slot] * (slot * n_pes + world.my_pe() + 1);
  }
  return world.sum(n_pushed) == world.sum(n_pulled);
}

struct packet {
  std::int64_t place;
  std::int64_t value;
};

bool index_gather(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> entries = random_entries(world);
  std::vector<std::int64_t> answers(n_items);

  // [steady]
  shoal::conveyor<packet> queries{world, {.steady = true}};
  shoal::conveyor<packet> replies{world, {.steady = true}};
  queries.begin();
  replies.begin();
  std::int64_t i = 0;
  bool may_reply = true;  // queries may still come in
  while (may_reply || replies.state() != shoal::conveyor_state::complete) {
    if (may_reply) may_reply = queries.advance(i == n_items) != shoal::progress::complete;
    replies.advance(!may_reply);
    for (; i < n_items && queries.push({i, entries[i] / n_pes}, entries[i] % n_pes); ++i) {
    }
    shoal::pe_id from = 0;
    while (const packet* query = queries.pull(from)) {
      const packet answer{query->place, -(query->value * n_pes + world.my_pe())};
      if (replies.push(answer, from)) continue;
      queries.unpull();  // no room for the reply now: take the query again later
      break;
    }
    while (const packet* reply = replies.pull()) answers[reply->place] = reply->value;
  }
  queries.reset();
  replies.reset();
  // [/steady]

  std::int64_t n_wrong = 0;
  for (std::int64_t k = 0; k < n_items; ++k) n_wrong += answers[k] != -entries[k];
  return world.sum(n_wrong) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const bool is_first_right = histogram(world);
    return index_gather(world) && is_first_right ? 0 : 1;
  });
}
