// Collective calls: every PE makes them, in the same order, and gets the same result.
// pes: 1 2 3 4 7
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

struct longest {
  std::int64_t length;
  shoal::pe_id pe;
};
struct longer_of {
  longest operator()(const longest& a, const longest& b) const { return a.length < b.length ? b : a; }
};

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const shoal::pe_id me = world.my_pe();
    const shoal::pe_id n_pes = world.n_pes();
    const std::int64_t n_mine = 10 + me * me % 7;  // how many elements this PE has
    std::int64_t n_wrong = 0;

    // [collectives]
    const std::int64_t n_all = world.sum(n_mine);
    const std::int64_t n_most = world.max(n_mine);
    const std::int64_t begin = world.exclusive_scan(n_mine);  // the index of this PE's first element among all
    const std::vector<std::int64_t> each = world.gather(n_mine);
    const longest most = world.all_reduce(longest{n_mine, me}, longer_of{});  // any operation, any type
    const double pi = world.broadcast(me == 0 ? 3.14159 : 0.0);  // from PE 0
    std::array<std::int64_t, 1000> table{};
    if (me == n_pes - 1) std::iota(table.begin(), table.end(), 0);
    world.broadcast(std::span<std::int64_t>(table), n_pes - 1);  // arrays of any length
    world.barrier();
    // [/collectives]

    // [arrays]
    std::vector<std::int64_t> counts(10000, me);
    world.sum(std::span(counts));  // element by element; on every PE, the sums replace the values
    std::vector<std::int64_t> before(10000);
    world.exclusive_scan(counts, std::span(before));  // the sums over all lower PEs

    std::vector<double> mine(n_mine, 0.5 * static_cast<double>(me));
    const shoal::arrays_by_pe<double> all = world.gather(std::span(mine));  // arrays of any lengths
    std::vector<std::vector<shoal::pe_id>> out(n_pes);  // one array for each PE
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) out[pe].assign(pe, me);
    const shoal::arrays_by_pe<shoal::pe_id> in = world.all_to_all(out);  // in[pe] came from there
    // [/arrays]
    for (const std::int64_t count : counts) n_wrong += count != n_pes * (n_pes - 1) / 2;
    for (const std::int64_t sum : before) n_wrong += sum != me * counts[0];
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) {
      n_wrong += static_cast<std::int64_t>(all[pe].size()) != each[pe] || all[pe][0] != 0.5 * static_cast<double>(pe);
      n_wrong += static_cast<shoal::pe_id>(in[pe].size()) != me || (me != 0 && in[pe][0] != pe);
    }

    std::int64_t n_before = 0;
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) {
      n_wrong += each[pe] != 10 + pe * pe % 7;
      if (pe < me) n_before += each[pe];
    }
    n_wrong += begin != n_before;
    n_wrong += n_all != std::accumulate(each.begin(), each.end(), std::int64_t{0});
    n_wrong += n_most != most.length || each[most.pe] != n_most;
    n_wrong += pi != 3.14159;
    n_wrong += table[999] != 999;
    return world.sum(n_wrong) == 0 ? 0 : 1;
  });
}
