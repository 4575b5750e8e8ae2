// Checks an answer without the reference: counts again, with a home for each set; and follows cascades forwards, where
// the sets were made backwards.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "kernels/imm/problem.hpp"
#include "shoal/actor/work_list.hpp"

namespace shoal::kernels::imm {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

// For each set s, on PE s % P: which of the chosen vertices in it was chosen first, or none.
class first_choices {
public:
  first_choices(world& w, const problem& p)
      : w_(w), p_(p), firsts_(static_cast<std::size_t>(p.n_sets) / n_pes() + 1, none) {
    struct choice {
      std::uint32_t set;
      std::uint32_t rank;
    };
    actor hear{w, [&](choice c) { firsts_[c.set / n_pes()] = std::min(firsts_[c.set / n_pes()], c.rank); }};
    w.finish([&] {
      for (std::size_t i = 0; i < p.chosen.seeds.size(); ++i) {
        const auto [owner, local] = p.incoming.rows.place_of(p.chosen.seeds[i]);
        if (owner != w.my_pe()) continue;
        for (const std::uint32_t set : p.sets.of_vertex[static_cast<std::size_t>(local)]) {
          hear.send(home_of(set), choice{set, static_cast<std::uint32_t>(i)});
        }
      }
    });
  }

  // Collective.
  bool is_covered(std::uint32_t set) {
    return w_.max(static_cast<int>(home_of(set) == w_.my_pe() && firsts_[set / n_pes()] != none)) != 0;
  }

  // Collective.
  std::uint64_t n_wrong_gains() {
    std::vector<std::uint64_t> counts(p_.chosen.gains.size(), 0);
    for (const std::uint32_t rank : firsts_) {
      if (rank != none) ++counts[rank];
    }
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) n += w_.sum(counts[i]) != p_.chosen.gains[i];
    return n;
  }

  // Vertices that are in more uncovered sets than the last chosen one added. Collective.
  std::uint64_t n_better_vertices() {
    struct question {
      std::uint32_t set;
      std::uint32_t vertex;
      pe_id asks;
    };
    std::vector<std::uint32_t> counts(p_.sets.of_vertex.size(), 0);
    actor count{w_, [&](std::uint32_t vertex) { ++counts[vertex]; }};
    actor ask{w_, [&](const question& q) {
                if (firsts_[q.set / n_pes()] == none) count.send(q.asks, q.vertex);
              }};
    w_.finish([&] {
      for (std::size_t v = 0; v < counts.size(); ++v) {
        for (const std::uint32_t set : p_.sets.of_vertex[v]) {
          ask.send(home_of(set), question{set, static_cast<std::uint32_t>(v), w_.my_pe()});
        }
      }
    });
    const std::uint32_t last = p_.chosen.gains.back();
    return w_.sum(static_cast<std::uint64_t>(std::ranges::count_if(counts, [&](std::uint32_t n) { return n > last; })));
  }

private:
  std::uint32_t n_pes() const { return static_cast<std::uint32_t>(w_.n_pes()); }
  pe_id home_of(std::uint32_t set) const { return static_cast<pe_id>(set % n_pes()); }

  world& w_;
  const problem& p_;
  std::vector<std::uint32_t> firsts_;
};

// Whether the edge from `source` to a vertex lets through in a set.
bool lets_through(const problem& p, membership m, std::int64_t source) {
  const auto sources = p.incoming.row(m.vertex);
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sources, source) - sources.begin());
  bool does = false;
  for_each_open(p, m, [&](std::size_t at) { does = does || at == place; });
  return does;
}

// A neighbour in the graph has been reached, in the cascade whose edges let through as in a set.
struct step {
  membership to;
  std::uint32_t from;
};

constexpr std::uint32_t at_once = 4;

struct cascades : selector<cascades, step> {
  struct tell {
    cascades& of;
    void operator()(membership m) const {
      const auto from = static_cast<std::uint32_t>(of.outgoing.global_row(m.vertex));
      for (const std::int64_t target : of.outgoing.row(m.vertex)) {
        const auto [pe, local] = of.outgoing.rows.place_of(target);
        of.send(pe, step{{static_cast<std::uint32_t>(local), m.set}, from});
        ++of.n_steps;
      }
    }
  };

  cascades(world& w, const problem& of)
      : selector(w, "imm's cascades"),
        p(of),
        outgoing(transpose(w, of.incoming)),
        going(w, tell{*this}, work_order::last_in_first_out) {}

  void process(const step& s) {
    if (!reached.has(s.to.word()) && lets_through(p, s.to, s.from)) reach(s.to);
  }
  void reach(membership m) {
    if (!reached.insert(m.word())) return;
    ++sizes[m.set % at_once];
    going.defer(m);
  }

  const problem& p;
  sparse_matrix outgoing;
  work_list<tell, membership> going;
  word_set reached;
  std::array<std::uint64_t, at_once> sizes = {};  // of the cascades that are followed now, set s at s % at_once
  std::uint64_t n_steps = 0;
};

// Follows cascades, at least of some sets, of more if that does not take long.
void follow(world& w, const problem& p, first_choices& firsts, faults& found) {
  constexpr std::uint32_t n_most = 256;
  constexpr std::uint64_t n_steps_most = 50'000'000;
  cascades all{w, p};
  double sum = 0;
  double squares = 0;
  for (std::uint32_t first = 0; first < std::min<std::uint64_t>(n_most, p.n_sets); first += at_once) {
    const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(first + at_once, p.n_sets));
    all.reached.clear();
    all.sizes.fill(0);
    w.finish([&] {
      for (const std::int64_t seed : p.chosen.seeds) {
        const auto [owner, local] = p.incoming.rows.place_of(seed);
        if (owner != w.my_pe()) continue;
        for (std::uint32_t set = first; set < end; ++set) all.reach({static_cast<std::uint32_t>(local), set});
      }
    });
    for (std::uint32_t set = first; set < end; ++set) {
      const auto [owner, local] = p.incoming.rows.place_of(root_of(p.key, set, p.n()));
      const bool is_here =
          owner == w.my_pe() && all.reached.has(membership{static_cast<std::uint32_t>(local), set}.word());
      const bool reaches_root = w.max(static_cast<int>(is_here)) != 0;
      found.n_sets += reaches_root != firsts.is_covered(set);
      const auto size = static_cast<double>(w.sum(all.sizes[set % at_once]));
      sum += size;
      squares += size * size;
    }
    found.n_followed = end;
    if (w.sum(all.n_steps) > n_steps_most) break;
  }
  const auto m = static_cast<double>(found.n_followed);
  found.reached = sum / m;
  const double variance = std::max(0.0, squares / m - found.reached * found.reached);
  found.error = std::sqrt(variance / m + p.influence_error() * p.influence_error());
}

}  // namespace

faults find_faults(world& w, const problem& p) {
  first_choices firsts(w, p);
  faults found{.n_gains = firsts.n_wrong_gains(), .n_better = firsts.n_better_vertices()};
  follow(w, p, firsts, found);
  return found;
}

}  // namespace shoal::kernels::imm
