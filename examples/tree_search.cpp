// An unbalanced tree, whose nodes only their parents know. Each PE counts the nodes that fall to it. A node has up to three
// children, so handlers would send more than they receive: they leave the work for later, in a list or as a call.
// pes: 1 2 3 4 7
#include <cstdint>

#include <shoal/actor/work_list.hpp>
#include <shoal/shoal.hpp>

namespace {

struct node {
  std::uint64_t id;
  std::int64_t depth;
};

constexpr std::int64_t n_roots = 64;
constexpr std::int64_t depth_max = 12;

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

// 0 to 3.
std::int64_t n_children(const node& of) { return of.depth == depth_max ? 0 : static_cast<std::int64_t>(of.id % 4); }
node child(const node& of, std::int64_t i) { return {mixed(of.id * 4 + static_cast<std::uint64_t>(i)), of.depth + 1}; }
node root(std::int64_t i) { return {mixed(static_cast<std::uint64_t>(i + 1)), 0}; }
shoal::pe_id owner_of(const node& it, std::int64_t n_pes) {
  return static_cast<shoal::pe_id>((it.id >> 8) % static_cast<std::uint64_t>(n_pes));
}

std::int64_t count_serially(const node& from) {
  std::int64_t n = 1;
  for (std::int64_t i = 0; i < n_children(from); ++i) n += count_serially(child(from, i));
  return n;
}

// [list]
struct searcher : shoal::selector<searcher, node> {
  // Sends the children of a node to the PEs that own them.
  struct expand {
    searcher& of;
    void operator()(const node& parent) const {
      for (std::int64_t i = 0; i < n_children(parent); ++i) {
        const node next = child(parent, i);
        of.send(owner_of(next, of.n_pes), next);
      }
    }
  };

  explicit searcher(shoal::world& world)
      : selector(world), n_pes(world.n_pes()), todo(world, expand{*this}, shoal::work_order::last_in_first_out) {}

  void process(const node& found) {
    ++n_found;
    todo.defer(found);  // depth first: the list stays short
  }

  std::int64_t n_pes;
  std::int64_t n_found = 0;
  shoal::work_list<expand> todo;
};
// [/list]

std::int64_t count_by_list(shoal::world& world) {
  searcher search(world);
  world.finish([&] {
    for (std::int64_t i = world.my_pe(); i < n_roots; i += world.n_pes()) {
      search.send(owner_of(root(i), world.n_pes()), root(i));
    }
  });
  return world.sum(search.n_found);
}

// [calls]
struct visit {
  shoal::pe_handle<std::int64_t> n_found;
  node it;

  void operator()(shoal::world& world) const {
    ++*n_found;
    world.defer([&world, *this] {
      for (std::int64_t i = 0; i < n_children(it); ++i) {
        const node next = child(it, i);
        world.send(owner_of(next, world.n_pes()), visit{n_found, next});
      }
    });
  }
};
// [/calls]

std::int64_t count_by_calls(shoal::world& world) {
  shoal::per_pe<std::int64_t> n_found(world, 0);
  world.finish([&] {
    for (std::int64_t i = world.my_pe(); i < n_roots; i += world.n_pes()) {
      world.send(owner_of(root(i), world.n_pes()), visit{n_found.handle(), root(i)});
    }
  });
  return world.sum(*n_found);
}

int search(shoal::world& world) {
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < n_roots; ++i) expected += count_serially(root(i));
  const bool is_right = count_by_list(world) == expected && count_by_calls(world) == expected && expected > 1'000;
  return world.min(is_right ? 1 : 0) == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, search); }
