// One PE that sends everything to itself: the path of a message without any other core. The plain loop makes the same
// increments without messages.
//
// `--count CASE N` handles N messages and prints nothing: for benchmarks/instructions.py, which counts the
// instructions of shoal_measured.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/reads.hpp"
#include "shoal/actor/combining_actor.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace {

using namespace shoal;

constexpr std::uint64_t table_size = 1000;

struct problem {
  std::vector<std::int64_t> slots;  // of the table, one per message
  std::vector<std::int64_t> counts;
};

void send_to_actor(world& w, problem& p) {
  actor update{w, [&counts = p.counts](std::int64_t slot) { ++counts[slot]; }};
  w.finish([&] {
    for (const std::int64_t slot : p.slots) update.send(0, slot);
  });
}

// Declared: it closes by itself.
void send_to_declared_actor(world& w, problem& p) {
  actor update{w, [&counts = p.counts](std::int64_t slot) { ++counts[slot]; }};
  update.fed_by();
  w.finish([&] {
    for (const std::int64_t slot : p.slots) update.send(0, slot);
  });
}

void send_in_team(world& w, problem& p) {
  world team = w.split(0);
  send_to_actor(team, p);
}

void send_closures(world& w, problem& p) {
  lambda_actor table{w, p.counts};
  w.finish([&] {
    for (const std::int64_t slot : p.slots) table.send(0, [slot](auto& counts) { ++counts[slot]; });
  });
}

// What closures without a handle or a context reach.
std::int64_t* counts_of_program = nullptr;

void send_by_world(world& w, problem& p) {
  counts_of_program = p.counts.data();
  w.finish([&] {
    for (const std::int64_t slot : p.slots) w.send(0, [slot] { ++counts_of_program[slot]; });
  });
}

// The same bytes: half of them name the object.
void send_with_handle(world& w, problem& p) {
  per_pe<std::vector<std::int64_t>> table{w, table_size};
  w.finish([&, h = table.handle()] {
    for (const std::int64_t slot : p.slots) {
      w.send(0, [at = static_cast<std::int32_t>(slot), h] { ++(*h)[at]; });
    }
  });
  p.counts = *table;
}

// --- Messages that are merged by their keys

struct addition {
  std::uint32_t slot;
  std::uint32_t n;
};

// With sorted slots nearly all messages are merged.
void send_merged(world& w, problem& p) {
  combining_actor update{w, [&counts = p.counts](const addition& a) { counts[a.slot] += a.n; },
                         [](const addition& a) { return a.slot; },
                         [](addition& into, const addition& a) { into.n += a.n; }, combining::everywhere};
  w.finish([&] {
    for (const std::int64_t slot : p.slots) update.send(0, {static_cast<std::uint32_t>(slot), 1});
  });
}

// Each message has a key of its own, so that none is merged.
void send_with_own_keys(world& w, problem& p, combining where) {
  struct numbered {
    std::uint32_t slot;
    std::uint32_t number;
  };
  combining_actor update{w, [&counts = p.counts](const numbered& m) { ++counts[m.slot]; },
                         [](const numbered& m) { return m.number; }, [](numbered&, const numbered&) {}, where};
  w.finish([&] {
    std::uint32_t number = 0;
    for (const std::int64_t slot : p.slots) update.send(0, {static_cast<std::uint32_t>(slot), number++});
  });
}
void send_looked_for(world& w, problem& p) { send_with_own_keys(w, p, combining::everywhere); }
void send_rarely_looked_for(world& w, problem& p) { send_with_own_keys(w, p, combining::where_it_pays); }

// A message of any size that has one element.
void send_lists(world& w, problem& p) {
  actor update{w, [&counts = p.counts](list<std::int64_t> slots) {
                 for (const std::int64_t slot : slots) ++counts[slot];
               }};
  w.finish([&] {
    for (const std::int64_t slot : p.slots) update.send(0, {slot});
  });
}

void send_calls(world& w, problem& p) {
  counts_of_program = p.counts.data();
  w.finish([&] {
    for (const std::int64_t slot : p.slots) w.send(0, [](std::int64_t at) { ++counts_of_program[at]; }, slot);
  });
}

// An argument of any size that has 8 bytes.
void send_calls_with_text(world& w, problem& p) {
  counts_of_program = p.counts.data();
  w.finish([&] {
    for (const std::int64_t slot : p.slots) {
      const std::string_view text(reinterpret_cast<const char*>(&slot), sizeof slot);
      const auto increment = [](std::string_view bytes) {
        std::int64_t at = 0;
        std::memcpy(&at, bytes.data(), sizeof at);
        ++counts_of_program[at];
      };
      w.send(0, increment, text);
    }
  });
}

// --- Reads: a question and an answer for each. `counts` gets what was read, so that the result can be verified.

// The table of the reads holds at i the value i.
std::vector<std::int64_t> table_of_numbers() {
  std::vector<std::int64_t> table(table_size);
  std::iota(table.begin(), table.end(), 0);
  return table;
}

void count(problem& p, const std::vector<std::int64_t>& read) {
  for (const std::int64_t slot : read) ++p.counts[static_cast<std::size_t>(slot)];
}

template <class Read>
void read(world& w, problem& p, const Read& by) {
  bench::numbers table = table_of_numbers();
  bench::numbers values(p.slots.size());
  by(w, table, p.slots, values, bench::on_one_pe{});
  count(p, values);
}
void read_by_selector(world& w, problem& p) { read(w, p, bench::read_by_selector<bench::on_one_pe>); }
void read_by_closures(world& w, problem& p) { read(w, p, bench::read_by_closures<bench::on_one_pe>); }
void read_by_futures(world& w, problem& p) { read(w, p, bench::read_by_futures<bench::on_one_pe>); }
void read_in_order(world& w, problem& p) { read(w, p, bench::read_in_order<bench::on_one_pe>); }

void push_and_pull(world& w, problem& p) {
  conveyor<std::int64_t> items{w};
  items.begin();
  std::size_t i = 0;
  while (items.advance(i == p.slots.size()) != progress::complete) {
    while (i < p.slots.size() && items.push(p.slots[i], 0)) ++i;
    while (const std::int64_t* slot = items.pull()) ++p.counts[*slot];
  }
  items.reset();
}

void loop(world&, problem& p) {
  for (const std::int64_t slot : p.slots) ++p.counts[slot];
}

struct variant {
  const char* name;
  void (*run)(world&, problem&);
  bool sorts = false;  // beforehand, the slots
};
constexpr variant variants[] = {{"actor", send_to_actor},
                                {"declared", send_to_declared_actor},
                                {"team", send_in_team},
                                {"lambda", send_closures},
                                {"world_send", send_by_world},
                                {"world_send_handle", send_with_handle},
                                {"combining_merges", send_merged, true},
                                {"combining_finds_none", send_looked_for},
                                {"combining_rests", send_rarely_looked_for},
                                {"list", send_lists},
                                {"call", send_calls},
                                {"call_text", send_calls_with_text},
                                {"read_selector", read_by_selector},
                                {"read_closures", read_by_closures},
                                {"read_futures", read_by_futures},
                                {"read_in_order", read_in_order},
                                {"conveyor", push_and_pull},
                                {"loop", loop}};

// valgrind counts what happens between the entry and the return of this function.
extern "C" [[gnu::noinline]] void shoal_measured(const variant& v, world& w, problem& p) {
  v.run(w, p);
  asm volatile("" ::: "memory");  // prevents a tail call: the return is this function's
}

problem make_problem(std::uint64_t n) {
  problem p;
  p.counts.resize(table_size);
  random_engine random(1);
  for (std::uint64_t i = 0; i < n; ++i) p.slots.push_back(random.below(table_size));
  return p;
}

bool is_right(const problem& p) {
  std::vector<std::int64_t> expected(table_size);
  for (const std::int64_t slot : p.slots) ++expected[slot];
  return expected == p.counts;
}

int count_instructions(world& w, const std::vector<std::string>& words) {
  if (words.size() != 3) throw setup_error("--count takes a case and a number of messages");
  problem p = make_problem(parse_integer(words[2], "--count", 1, 1'000'000'000));
  for (const variant& v : variants) {
    if (words[1] != v.name) continue;
    if (v.sorts) std::ranges::sort(p.slots);
    shoal_measured(v, w, p);
    return is_right(p) ? 0 : 1;
  }
  throw setup_error("--count " + words[1] +
                    " is none of actor, declared, lambda, world_send, world_send_handle, combining_merges, "
                    "combining_finds_none, combining_rests, list, call, call_text, read_selector, read_closures, "
                    "read_futures, read_in_order, conveyor, loop");
}

int run_benchmark(world& w, const bench::options& given) {
  if (w.n_pes() != 1) throw setup_error("self_send is for one PE; run it without shoalrun");
  bench::benchmark all(w, "self_send", given);
  problem drawn = make_problem(all.is_smoke() ? 100'000 : 10'000'000);
  problem sorted = drawn;
  std::ranges::sort(sorted.slots);
  for (const variant& v : variants) {
    problem& p = v.sorts ? sorted : drawn;
    std::ranges::fill(p.counts, 0);
    all.measure(
        {v.name, static_cast<double>(p.slots.size())}, [&] { shoal_measured(v, w, p); }, [&] { return is_right(p); });
  }
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    if (!given.others.empty() && given.others[0] == "--count") return count_instructions(w, given.others);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
