// The verbs of bale's exstack2: a histogram by one, and an index gather by two, one for queries and one for replies. A
// program in bale's style moves to Shoal with these; examples/biconveyor.cpp has exstack, its bulk-synchronous sibling.
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>
#include <vector>

#include <shoal/conveyor/kinds/exstack2.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_entries = 1000;  // on each PE
constexpr std::int64_t n_items = 20'000;  // that each PE pushes

std::vector<std::int64_t> random_entries(const shoal::world& world) {
  shoal::random_engine random(17, world.my_pe());
  std::vector<std::int64_t> entries(n_items);
  for (std::int64_t& g : entries) g = random.below(n_entries * world.n_pes());
  return entries;
}

bool histogram(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> entries = random_entries(world);
  std::vector<std::int64_t> counts(n_entries);

  // [histogram]
  shoal::exstack2<std::int64_t> slots{world, 1024};
  std::int64_t i = 0;
  while (slots.proceed(i == n_items)) {
    while (i < n_items && slots.push(entries[i] / n_pes, entries[i] % n_pes) != 0) ++i;
    for (std::int64_t slot = 0; slots.pop(slot);) ++counts[slot];
  }
  slots.reset();
  // [/histogram]

  std::int64_t n_pushed = 0;
  for (const std::int64_t g : entries) n_pushed += g + 1;
  std::int64_t n_popped = 0;
  for (std::int64_t slot = 0; slot < n_entries; ++slot) {
    n_popped += counts[slot] * (slot * n_pes + world.my_pe() + 1);
  }
  return world.sum(n_pushed) == world.sum(n_popped);
}

struct packet {
  std::int64_t place;
  std::int64_t value;
};

// Entry g of the table is -g.
bool index_gather(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<std::int64_t> entries = random_entries(world);
  std::vector<std::int64_t> answers(n_items);

  // [gather]
  shoal::exstack2<packet> queries{world, 1024};
  shoal::exstack2<packet> replies{world, 1024};
  std::int64_t i = 0;
  bool may_query = true;  // queries may still come in
  bool may_reply = true;
  while (may_query || may_reply) {
    if (may_query) may_query = queries.proceed(i == n_items);
    may_reply = replies.proceed(!may_query);
    while (i < n_items && queries.push({i, entries[i] / n_pes}, entries[i] % n_pes) != 0) ++i;
    shoal::pe_id from = 0;
    for (packet query; queries.pop(query, from);) {
      const packet reply{query.place, -(query.value * n_pes + world.my_pe())};
      if (replies.push(reply, from) != 0) continue;
      queries.unpop();  // no room for the reply now: take the query again later
      break;
    }
    for (packet reply; replies.pop(reply);) answers[reply.place] = reply.value;
  }
  queries.reset();
  replies.reset();
  // [/gather]

  std::int64_t n_wrong = 0;
  for (std::int64_t k = 0; k < n_items; ++k) n_wrong += answers[k] != -entries[k];
  return world.sum(n_wrong) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const bool is_counted = histogram(world);
    const bool is_gathered = index_gather(world);
    if (world.my_pe() == 0) {
      std::printf("histogram: %s, index gather: %s\n", is_counted ? "right" : "wrong", is_gathered ? "right" : "wrong");
    }
    return is_counted && is_gathered ? 0 : 1;
  });
}
