// A selector: a class with a mailbox for each message type. Every PE reads random entries of a table that is spread
// over all PEs. A query goes to the owner, whose handler replies.
// pes: 1 2 3 4 7
#include <cstdint>
#include <utility>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

// [class]
struct query {
  std::int64_t slot;  // where the sender stores the reply
  std::int64_t index;  // the entry of the owner's part
};
struct reply {
  std::int64_t slot;
  std::int64_t value;
};

struct gather : shoal::selector<gather, query, reply> {
  gather(shoal::world& world, std::vector<std::int64_t> part, std::size_t n_answers)
      : selector(world), table(std::move(part)), answers(n_answers) {}

  void process(const query& q, shoal::pe_id from) { send(from, reply{q.slot, table[q.index]}); }
  void process(const reply& r) { answers[r.slot] = r.value; }

  std::vector<std::int64_t> table;
  std::vector<std::int64_t> answers;
};
// [/class]

constexpr std::int64_t n_entries = 1000;  // of the table, on each PE
constexpr std::int64_t n_reads = 20'000;

std::int64_t value_of(std::int64_t g) { return -(g + 1); }

int gather_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  std::vector<std::int64_t> part;
  for (std::int64_t i = 0; i < n_entries; ++i) part.push_back(value_of(i * n_pes + world.my_pe()));

  shoal::random_engine random(1, world.my_pe());
  std::vector<std::int64_t> wanted(n_reads);
  for (std::int64_t& g : wanted) g = random.below(n_entries * n_pes);

  // [use]
  gather reads{world, std::move(part), n_reads};
  world.finish([&] {
    for (std::int64_t i = 0; i < n_reads; ++i) {
      reads.send(wanted[i] % n_pes, query{i, wanted[i] / n_pes});
    }
    reads.done<query>();  // this main program sends no more queries; handlers still reply
  });
  // [/use]

  std::int64_t n_wrong = 0;
  for (std::int64_t i = 0; i < n_reads; ++i) n_wrong += reads.answers[i] != value_of(wanted[i]);
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, gather_and_check); }
