// Made from loops_native.cpp by shoal-translate 0.1.0: its loops with one-sided access send messages of selectors.
// Loops over one-sided access of Shoal: elements of distributed arrays, and gets and puts of a world.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "shoal/actor/run.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/pgas/distributed_array.hpp"

namespace {

constexpr std::int64_t n_of_pe = 50;

std::vector<std::int64_t> draw(const shoal::world& world, std::size_t n) {
  shoal::random_engine random(static_cast<std::uint64_t>(world.my_pe()) + 5);
  std::vector<std::int64_t> drawn(n);
  for (std::int64_t& each : drawn)
    each = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_of_pe * world.n_pes())));
  return drawn;
}

void print(shoal::world& world, const char* what, std::uint64_t mine) {
  const std::uint64_t all = world.sum(mine);
  if (world.my_pe() == 0) std::printf("%s %llu\n", what, static_cast<unsigned long long>(all));
}

void elements(shoal::world& world, const std::vector<std::int64_t>& drawn) {
  shoal::distributed_array<std::int64_t> counts(world, n_of_pe * world.n_pes());
  shoal::distributed_array<std::int64_t> marks(world, n_of_pe * world.n_pes());
  std::vector<std::int64_t> seen(drawn.size());
  world.barrier();

  struct counts_add {
    std::int64_t index;
  };
  struct marks_put {
    std::int64_t index;
    std::int64_t g;
  };

  struct elements_selector : shoal::selector<elements_selector, counts_add, marks_put> {
    elements_selector(shoal::world& home, shoal::distributed_array<std::int64_t>& counts_here,
                      shoal::distributed_array<std::int64_t>& marks_here)
        : selector(home), counts(counts_here), marks(marks_here) {}

    void process(const counts_add& m) { counts.local()[static_cast<std::size_t>(m.index)] += 2; }
    void process(const marks_put& m) { marks.local()[static_cast<std::size_t>(m.index)] = m.g; }

    shoal::distributed_array<std::int64_t>& counts;
    shoal::distributed_array<std::int64_t>& marks;
  };

  elements_selector messages{world, counts, marks};
  world.finish([&] {
    for (const std::int64_t g : drawn) {
      {
        const shoal::place at = counts.indices().place_of(g);
        messages.send(at.pe, counts_add{at.local});
      }
      const shoal::place at = marks.indices().place_of(g);
      messages.send(at.pe, marks_put{at.local, g});
    }
  });

  struct counts_get {
    std::int64_t index;
    std::size_t i;
  };
  struct counts_get_reply {
    std::int64_t first;
    std::size_t i;
  };
  struct counts_get2 {
    std::int64_t index;
    std::size_t i;
    std::int64_t first;
  };
  struct counts_get_reply2 {
    std::int64_t value;
    std::size_t i;
    std::int64_t first;
  };

  struct elements_selector2
      : shoal::selector<elements_selector2, counts_get, counts_get_reply, counts_get2, counts_get_reply2> {
    elements_selector2(shoal::world& home, const std::vector<std::int64_t>& drawn_here,
                       shoal::distributed_array<std::int64_t>& counts_here, std::vector<std::int64_t>& seen_here)
        : selector(home), drawn(drawn_here), counts(counts_here), seen(seen_here) {}

    void process(const counts_get& m, shoal::pe_id from) {
      send(from, counts_get_reply{counts.local()[static_cast<std::size_t>(m.index)], m.i});
    }
    void process(const counts_get_reply& m) {
      const shoal::place at = counts.indices().place_of((drawn[m.i] + m.first) % counts.size());
      send(at.pe, counts_get2{at.local, m.i, m.first});
    }
    void process(const counts_get2& m, shoal::pe_id from) {
      send(from, counts_get_reply2{counts.local()[static_cast<std::size_t>(m.index)], m.i, m.first});
    }
    void process(const counts_get_reply2& m) { seen[m.i] = m.first + m.value; }

    const std::vector<std::int64_t>& drawn;
    shoal::distributed_array<std::int64_t>& counts;
    std::vector<std::int64_t>& seen;
  };

  elements_selector2 messages2{world, drawn, counts, seen};
  world.finish([&] {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const shoal::place at = counts.indices().place_of(drawn[i]);
      messages2.send(at.pe, counts_get{at.local, i});
    }
  });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) sum += static_cast<std::uint64_t>(seen[i]) * (i + 1);
  for (const std::int64_t mark : marks.local()) sum += static_cast<std::uint64_t>(mark);
  print(world, "elements", sum);
}

void memory_of_world(shoal::world& world, const std::vector<std::int64_t>& drawn) {
  const shoal::symmetric<std::int64_t> table = world.allocate<std::int64_t>(n_of_pe);
  const shoal::symmetric<std::int64_t> counts = world.allocate<std::int64_t>(n_of_pe);
  for (std::size_t i = 0; i < n_of_pe; ++i) world.local(table)[i] = static_cast<std::int64_t>(i) + 100 * world.my_pe();
  std::vector<std::int64_t> seen(drawn.size());
  const shoal::pe_id n_pes = world.n_pes();
  world.barrier();

  struct table_get {
    std::uint64_t slot;
    std::size_t i;
    std::int64_t owner;
  };
  struct table_get_reply {
    std::int64_t value;
    std::size_t i;
    std::uint64_t slot;
    std::int64_t owner;
  };
  struct counts_add2 {
    std::uint64_t slot;
  };

  struct memory_of_world_selector : shoal::selector<memory_of_world_selector, table_get, table_get_reply, counts_add2> {
    memory_of_world_selector(shoal::world& home, const shoal::symmetric<std::int64_t>& table_here,
                             std::vector<std::int64_t>& seen_here, const shoal::symmetric<std::int64_t>& counts_here)
        : selector(home), table(table_here), seen(seen_here), counts(counts_here), world(home) {}

    void process(const table_get& m, shoal::pe_id from) {
      send(from, table_get_reply{world.local(table)[static_cast<std::size_t>(m.slot)], m.i, m.slot, m.owner});
    }
    void process(const table_get_reply& m) {
      seen[m.i] = m.value;
      send(static_cast<shoal::pe_id>(m.owner), counts_add2{m.slot});
    }
    void process(const counts_add2& m) { world.local(counts)[static_cast<std::size_t>(m.slot)] += std::int64_t{3}; }

    const shoal::symmetric<std::int64_t>& table;
    std::vector<std::int64_t>& seen;
    const shoal::symmetric<std::int64_t>& counts;
    shoal::world& world;
  };

  memory_of_world_selector messages3{world, table, seen, counts};
  world.finish([&] {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const auto owner = static_cast<shoal::pe_id>(drawn[i] % n_pes);
      const auto slot = static_cast<std::size_t>(drawn[i] / n_pes);
      messages3.send(static_cast<shoal::pe_id>(owner), table_get{slot, i, owner});
    }
  });
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) sum += static_cast<std::uint64_t>(seen[i]) * (i + 1);
  for (const std::int64_t count : world.local(counts)) sum += static_cast<std::uint64_t>(count * count);
  print(world, "memory", sum);
  world.deallocate(counts);
  world.deallocate(table);
}

void several(shoal::world& world) {
  const shoal::symmetric<std::int64_t> table = world.allocate<std::int64_t>(n_of_pe);
  const shoal::symmetric<std::int64_t> marks = world.allocate<std::int64_t>(n_of_pe * 2);
  for (std::size_t i = 0; i < n_of_pe; ++i) world.local(table)[i] = static_cast<std::int64_t>(i) + 100 * world.my_pe();
  const std::size_t n_of_block = 6;
  std::vector<std::int64_t> copy(n_of_pe);
  const shoal::pe_id n_pes = world.n_pes();
  std::uint64_t sum = 0;
  world.barrier();

  struct table_get2 {
    std::size_t index;
  };
  struct table_get_reply2 {
    std::array<std::int64_t, 3> elements;
  };

  struct several_selector : shoal::selector<several_selector, table_get2, table_get_reply2> {
    several_selector(shoal::world& home, const shoal::symmetric<std::int64_t>& table_here, std::uint64_t& sum_here)
        : selector(home), table(table_here), sum(sum_here), world(home) {}

    void process(const table_get2& m, shoal::pe_id from) {
      table_get_reply2 filled{{}};
      std::copy_n(world.local(table).data() + m.index, 3, filled.elements.begin());
      send(from, filled);
    }
    void process(const table_get_reply2& m) {
      std::array<std::int64_t, 3> row;
      std::ranges::copy(m.elements, row.data());
      sum += static_cast<std::uint64_t>(row[0] * row[2] + row[1]);
    }

    const shoal::symmetric<std::int64_t>& table;
    std::uint64_t& sum;
    shoal::world& world;
  };

  several_selector messages4{world, table, sum};
  world.finish([&] {
    for (std::size_t i = 0; i < 8; ++i) {
      const auto owner = static_cast<shoal::pe_id>(i) % n_pes;
      messages4.send(static_cast<shoal::pe_id>(owner), table_get2{i * n_of_block});
    }
  });

  struct table_get3 {
    std::size_t index;
    std::size_t i;
  };
  struct table_get_reply3 {
    std::array<std::int64_t, 6> elements;
    std::size_t i;
  };

  struct several_selector2 : shoal::selector<several_selector2, table_get3, table_get_reply3> {
    several_selector2(shoal::world& home, const shoal::symmetric<std::int64_t>& table_here, std::size_t n_of_block_here,
                      std::vector<std::int64_t>& copy_here)
        : selector(home), table(table_here), n_of_block(n_of_block_here), copy(copy_here), world(home) {}

    void process(const table_get3& m, shoal::pe_id from) {
      table_get_reply3 filled{{}, m.i};
      std::copy_n(world.local(table).data() + m.index, 6, filled.elements.begin());
      send(from, filled);
    }
    void process(const table_get_reply3& m) { std::ranges::copy(m.elements, &copy[m.i * n_of_block]); }

    const shoal::symmetric<std::int64_t>& table;
    std::size_t n_of_block;
    std::vector<std::int64_t>& copy;
    shoal::world& world;
  };

  several_selector2 messages5{world, table, n_of_block, copy};
  world.finish([&] {
    for (std::size_t i = 0; i < 8; ++i) {
      messages5.send(static_cast<shoal::pe_id>(static_cast<shoal::pe_id>(i) % n_pes), table_get3{i * n_of_block, i});
    }
  });
  if (world.my_pe() == 0) {
    for (const std::int64_t each : copy) sum = sum * 3 + static_cast<std::uint64_t>(each);
  }
  const std::vector<std::int64_t> mine(2, 1 + world.my_pe());
  world.barrier();

  struct marks_put2 {
    std::size_t index;
  };

  struct several_selector3 : shoal::selector<several_selector3, shoal::list<marks_put2, std::int64_t>> {
    several_selector3(shoal::world& home, const shoal::symmetric<std::int64_t>& marks_here)
        : selector(home), marks(marks_here), world(home) {}

    void process(const shoal::list<marks_put2, std::int64_t>& m) {
      std::ranges::copy(m.elements, world.local(marks).data() + m.header.index);
    }

    const shoal::symmetric<std::int64_t>& marks;
    shoal::world& world;
  };

  several_selector3 messages6{world, marks};
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) {
      messages6.send(static_cast<shoal::pe_id>(pe),
                     shoal::list<marks_put2, std::int64_t>{marks_put2{static_cast<std::size_t>(2 * world.my_pe())},
                                                           std::span<const std::int64_t>(mine.data(), mine.size())});
    }
  });
  for (const std::int64_t mark : world.local(marks)) sum += static_cast<std::uint64_t>(mark * mark);
  print(world, "several", sum);
  world.deallocate(marks);
  world.deallocate(table);
}

// Nothing proves that the places differ, of which one turn may use several.
void vouched(shoal::world& world) {
  const shoal::pe_id n_pes = world.n_pes();
  shoal::distributed_array<std::int64_t> order(world, n_of_pe * n_pes);
  shoal::distributed_array<std::int64_t> renamed(world, n_of_pe * n_pes);
  const shoal::symmetric<std::int64_t> rows = world.allocate<std::int64_t>(static_cast<std::size_t>(4 * n_of_pe));
  for (std::size_t i = 0; i < n_of_pe; ++i)
    order.local()[i] = (11 * (world.my_pe() * n_of_pe + static_cast<std::int64_t>(i)) + 3) % order.size();
  for (std::int64_t& each : world.local(rows)) each = 0;
  world.barrier();

  struct order_get {
    std::int64_t index;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct renamed_put {
    std::int64_t index;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct rows_put {
    std::size_t index;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct vouched_selector
      : shoal::selector<vouched_selector, order_get, renamed_put, shoal::list<rows_put, std::int64_t>> {
    vouched_selector(shoal::world& home, shoal::distributed_array<std::int64_t>& order_here,
                     shoal::distributed_array<std::int64_t>& renamed_here,
                     const shoal::symmetric<std::int64_t>& rows_here, shoal::pe_id n_pes_here)
        : selector(home),
          order(order_here),
          renamed(renamed_here),
          rows(rows_here),
          n_pes(n_pes_here),
          world(home),
          own_pe(home.my_pe()) {}

    void process(const order_get& m) {
      check.reads(order.local()[static_cast<std::size_t>(m.index)], m.turn);
      const std::int64_t to = order.local()[static_cast<std::size_t>(m.index)];
      {
        const shoal::place at = renamed.indices().place_of(to);
        pass_on(at.pe, renamed_put{at.local, m.i, m.turn});
      }
      const std::vector<std::int64_t> row(static_cast<std::size_t>(m.i % 4), to);
      pass_on(static_cast<shoal::pe_id>(to % n_pes),
              shoal::list<rows_put, std::int64_t>{rows_put{static_cast<std::size_t>(to / n_pes * 4), m.turn},
                                                  std::span<const std::int64_t>(row.data(), row.size())});
    }
    void process(const renamed_put& m) {
      check.writes(renamed.local()[static_cast<std::size_t>(m.index)], m.i, m.turn);
      renamed.local()[static_cast<std::size_t>(m.index)] = m.i;
    }
    void process(const shoal::list<rows_put, std::int64_t>& m) {
      check.writes_all(world.local(rows).data() + m.header.index, m.elements, m.header.turn);
      std::ranges::copy(m.elements, world.local(rows).data() + m.header.index);
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const renamed_put& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }
    void pass_on(shoal::pe_id to2, const shoal::list<rows_put, std::int64_t>& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::distributed_array<std::int64_t>& order;
    shoal::distributed_array<std::int64_t>& renamed;
    const shoal::symmetric<std::int64_t>& rows;
    shoal::pe_id n_pes;
    shoal::world& world;
    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_native.cpp:118"};
  };

  vouched_selector messages7{world, order, renamed, rows, n_pes};
  world.finish([&] {
    for (std::int64_t i = world.my_pe(); i < order.size(); i += n_pes) {
      const shoal::loop_turn turn = messages7.check.next();
      const shoal::place at = order.indices().place_of(i);
      messages7.send(at.pe, order_get{at.local, i, turn});
    }
  });
  std::uint64_t sum = 0;
  for (const std::int64_t each : renamed.local()) sum = sum * 3 + static_cast<std::uint64_t>(each);
  for (const std::int64_t each : world.local(rows)) sum = sum * 3 + static_cast<std::uint64_t>(each);
  print(world, "vouched", sum);
  world.deallocate(rows);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::vector<std::int64_t> drawn = draw(world, 300);
    elements(world, drawn);
    memory_of_world(world, drawn);
    several(world);
    vouched(world);
  });
}
