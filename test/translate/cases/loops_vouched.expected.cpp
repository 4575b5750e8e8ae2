// Made from loops_vouched.cpp by shoal-translate 0.1.0: its loops with one-sided access send messages of selectors.
// Loops over one-sided access of OpenSHMEM for which the program vouches: right ones, and by their names wrong ones.
#include <algorithm>
#include <array>
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>
#include "shoal/actor/selector.hpp"
#include "shoal_world.h"

namespace {

constexpr std::int64_t n = 24;  // elements of each PE

std::int64_t places[n];  // of all elements of the job, each once
std::int64_t labels[n];
std::int64_t cells[n];
std::int64_t blocks[4 * n];
double weights[n];
std::uint64_t bits[5];

int n_pes() { return shmem_n_pes(); }
std::int64_t me() { return shmem_my_pe(); }
int to(std::int64_t g) { return static_cast<int>(g % n_pes()); }

void print(const char* what, std::int64_t number) {
  static std::int64_t mine;
  static std::int64_t all;
  static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[SHMEM_REDUCE_SYNC_SIZE];
  mine = number;
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, n_pes(), work, sync);
  if (me() == 0) std::printf("%s %lld\n", what, static_cast<long long>(all));
  shmem_barrier_all();
}

std::int64_t sum_of(const std::int64_t* of, std::int64_t many) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < many; ++i) sum = (3 * sum + of[i]) % 1000003;
  return sum;
}

void fill() {
  const std::int64_t all = n * n_pes();
  for (std::int64_t i = 0; i < n; ++i) {
    places[i] = (5 * (i * n_pes() + me()) + 1) % all;
    labels[i] = 0;
    cells[i] = -1;
    weights[i] = 1;
  }
  for (std::int64_t i = 0; i < 4 * n; ++i) blocks[i] = 4 * n * me() + i;
  shmem_barrier_all();
}

// Each place is put to once, and from there the number travels on.
void chain() {
  fill();

  struct places_get {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct places_get_reply {
    std::int64_t place;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct labels_put {
    std::int64_t index;
    std::int64_t value;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct places_get2 {
    std::int64_t index;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put {
    std::int64_t index;
    std::int64_t value;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct chain_selector
      : shoal::selector<chain_selector, places_get, places_get_reply, labels_put, places_get2, cells_put> {
    explicit chain_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const places_get& m, shoal::pe_id from) {
      check.reads(places[m.i], m.turn);
      send(from, places_get_reply{places[m.i], m.i, m.turn});
    }
    void process(const places_get_reply& m) {
      if (m.i % n_pes() != me()) return;
      send(to(m.place), labels_put{m.place / n_pes(), m.place + m.i, m.turn});
      send(to(m.i), places_get2{(m.i + 1) % n, m.turn});
    }
    void process(const labels_put& m) {
      check.writes(labels[m.index], m.value, m.turn);
      labels[m.index] = m.value;
    }
    void process(const places_get2& m, shoal::pe_id from) {
      check.reads(places[m.index], m.turn);
      const std::int64_t next = places[m.index];
      pass_on(to(next), cells_put{next / n_pes(), static_cast<std::int64_t>(static_cast<int>(from)) + next, m.turn});
    }
    void process(const cells_put& m) {
      check.writes(cells[m.index], m.value, m.turn);
      cells[m.index] = m.value;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const cells_put& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:58"};
  };

  chain_selector messages{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const shoal::loop_turn turn2 = messages.check.next();
      messages.send(to(i), places_get{i, turn2});
    }
  });
  shmem_barrier_all();
  print("chain", sum_of(labels, n) + sum_of(cells, n));
}

// Turns update by one operation, and some use what was there before: any order of them is right.
void claims() {
  fill();

  struct places_get3 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct labels_increment {
    std::int64_t index;
    std::int64_t place;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put2 {
    std::int64_t at;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct bits_or {
    std::int64_t index;
    std::uint64_t value;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct claims_selector : shoal::selector<claims_selector, places_get3, labels_increment, cells_put2, bits_or> {
    explicit claims_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const places_get3& m) {
      check.reads(places[m.i], m.turn);
      const std::int64_t place = places[m.i];
      pass_on(to(place), labels_increment{place % 3, place, m.turn});
    }
    void process(const labels_increment& m) {
      check.updates(labels[m.index], '+', m.turn);
      const std::int64_t at = labels[m.index];
      ++labels[m.index];
      if (at < n) {
        pass_on(to(m.place), cells_put2{at, m.turn});
      }
      pass_on(to(m.place), bits_or{m.place % 5, static_cast<std::uint64_t>(m.place), m.turn});
    }
    void process(const cells_put2& m) {
      check.writes(cells[m.at], 1, m.turn);
      cells[m.at] = 1;
    }
    void process(const bits_or& m) {
      check.updates(bits[m.index], '|', m.turn);
      bits[m.index] |= m.value;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const labels_increment& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }
    void pass_on(shoal::pe_id to2, const cells_put2& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }
    void pass_on(shoal::pe_id to2, const bits_or& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:73"};
  };

  claims_selector messages2{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const shoal::loop_turn turn2 = messages2.check.next();
      messages2.send(to(i + 1), places_get3{i, turn2});
    }
  });
  shmem_barrier_all();
  print("claims", sum_of(labels, n) + sum_of(cells, n) + static_cast<std::int64_t>(bits[0] + 5 * bits[4]));
}

// Turns put the same value.
void marks() {
  fill();
  std::int64_t i = 0;

  struct places_get4 {
    std::int64_t k;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put3 {
    std::int64_t index;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct marks_selector : shoal::selector<marks_selector, places_get4, cells_put3> {
    explicit marks_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const places_get4& m) {
      check.reads(places[m.k], m.turn);
      const std::int64_t place = places[m.k];
      pass_on(to(place), cells_put3{place % 4, m.turn});
    }
    void process(const cells_put3& m) {
      check.writes(cells[m.index], 7, m.turn);
      cells[m.index] = 7;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const cells_put3& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:88"};
  };

  marks_selector messages3{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    while (i < n) {
      const shoal::loop_turn turn2 = messages3.check.next();
      for (std::int64_t k = i++; k < n; k += 7) {
        messages3.send(to(k), places_get4{k, turn2});
      }
    }
  });
  shmem_barrier_all();
  print("marks", sum_of(cells, n));
}

// Several elements, few and many.
void ranges(std::int64_t width) {
  fill();
  std::int64_t sum = 0;

  struct blocks_get {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct blocks_get_reply {
    std::array<std::int64_t, 2> elements;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct blocks_put {
    std::int64_t index;
    std::array<std::int64_t, 2> elements;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct places_get5 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct places_get_reply2 {
    std::int64_t place;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put4 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct ranges_selector : shoal::selector<ranges_selector, blocks_get, blocks_get_reply, blocks_put, places_get5,
                                           places_get_reply2, shoal::list<cells_put4, std::int64_t>> {
    ranges_selector(shoal::world& home, std::int64_t& sum_here, std::int64_t width_here)
        : selector(home), sum(sum_here), width(width_here) {}

    void process(const blocks_get& m, shoal::pe_id from) {
      check.reads_all(blocks + m.i, 2, m.turn);
      blocks_get_reply filled{{}, m.i, m.turn};
      std::copy_n(blocks + m.i, 2, filled.elements.begin());
      send(from, filled);
    }
    void process(const blocks_get_reply& m) {
      std::int64_t pair[2];
      std::ranges::copy(m.elements, pair);
      sum += pair[0] - pair[1];
      pair[0] = m.i;
      {
        blocks_put filled{2 * n + m.i, {}, m.turn};
        std::copy_n(pair, 2, filled.elements.begin());
        send(to(me() + 2), filled);
      }
      send(to(me()), places_get5{m.i, m.turn});
    }
    void process(const blocks_put& m) {
      check.writes_all(blocks + m.index, m.elements, m.turn);
      std::ranges::copy(m.elements, blocks + m.index);
    }
    void process(const places_get5& m, shoal::pe_id from) {
      check.reads(places[m.i], m.turn);
      send(from, places_get_reply2{places[m.i], m.i, m.turn});
    }
    void process(const places_get_reply2& m) {
      std::vector<std::int64_t> some(static_cast<std::size_t>(width), m.place);
      send(to(me() + 1),
           shoal::list<cells_put4, std::int64_t>{
               cells_put4{m.i, m.turn}, std::span<const std::int64_t>(some.data(), static_cast<std::size_t>(width))});
    }
    void process(const shoal::list<cells_put4, std::int64_t>& m) {
      check.writes_all(cells + m.header.i, m.elements, m.header.turn);
      std::ranges::copy(m.elements, cells + m.header.i);
    }

    std::int64_t& sum;
    std::int64_t width;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:102"};
  };

  ranges_selector messages4{shoal::world_of_program(), sum, width};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; i += 4) {
      const shoal::loop_turn turn2 = messages4.check.next();
      messages4.send(to(i + me()), blocks_get{i, turn2});
    }
  });
  shmem_barrier_all();
  print("ranges", sum_of(cells, n) + sum_of(blocks, 4 * n) + sum);
}

// A turn may do to its own elements what it likes.
void own() {
  fill();

  struct cells_swap {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_swap_reply {
    std::int64_t turn;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn2;
  };
  struct cells_compare_swap {
    std::int64_t i;
    std::int64_t value;
    std::int64_t expected;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_compare_swap_reply {
    std::int64_t was;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_add {
    std::int64_t i;
    std::int64_t was;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct weights_put {
    std::int64_t i;
    double value;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct own_selector : shoal::selector<own_selector, cells_swap, cells_swap_reply, cells_compare_swap,
                                        cells_compare_swap_reply, cells_add, weights_put> {
    explicit own_selector(shoal::world& home) : selector(home) {}

    void process(const cells_swap& m, shoal::pe_id from) {
      check.reads(cells[m.i], m.turn);
      check.writes(cells[m.i], m.i, m.turn);
      const std::int64_t before2 = cells[m.i];
      cells[m.i] = m.i;
      send(from, cells_swap_reply{before2, m.i, m.turn});
    }
    void process(const cells_swap_reply& m) {
      send(to(me() + 1), cells_compare_swap{m.i, m.turn + 5, static_cast<std::int64_t>(m.i), m.turn2});
    }
    void process(const cells_compare_swap& m, shoal::pe_id from) {
      check.compare_swaps(cells[m.i], m.expected, m.value, m.turn);
      const std::int64_t before2 = cells[m.i];
      if (cells[m.i] == m.expected) cells[m.i] = m.value;
      send(from, cells_compare_swap_reply{before2, m.i, m.turn});
    }
    void process(const cells_compare_swap_reply& m) {
      send(to(me() + 1), cells_add{m.i, m.was, m.turn});
      send(to(me() + 1), weights_put{m.i, static_cast<double>(m.was) + 0.5, m.turn});
    }
    void process(const cells_add& m) {
      check.updates(cells[m.i], '+', m.turn);
      cells[m.i] += m.was;
    }
    void process(const weights_put& m) {
      check.writes(weights[m.i], m.value, m.turn);
      weights[m.i] = m.value;
    }

    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:120"};
  };

  own_selector messages5{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const shoal::loop_turn turn2 = messages5.check.next();
      messages5.send(to(me() + 1), cells_swap{i, turn2});
    }
  });
  shmem_barrier_all();
  print("own", sum_of(cells, n) + static_cast<std::int64_t>(weights[n - 1] * 2));
}

// A turn may read a level before or after another one puts it: both are right.
void levels() {
  fill();

  struct places_get6 {
    std::int64_t i;
  };
  struct cells_get {
    std::int64_t place;
  };
  struct cells_put5 {
    std::int64_t place;
  };

  struct levels_selector : shoal::selector<levels_selector, places_get6, cells_get, cells_put5> {
    explicit levels_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const places_get6& m) {
      const std::int64_t value = places[m.i];
      const std::int64_t place = value % n;
      pass_on(to(place), cells_get{place});
    }
    void process(const cells_get& m) {
      const std::int64_t value = cells[m.place];
      if (value < 0) {
        pass_on(to(m.place), cells_put5{m.place});
      }
    }
    void process(const cells_put5& m) { cells[m.place] = 1; }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const cells_get& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }
    void pass_on(shoal::pe_id to2, const cells_put5& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
  };

  levels_selector messages6{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      messages6.send(to(i), places_get6{i});
    }
  });
  shmem_barrier_all();
  print("levels", sum_of(cells, n));
}

// Wrong: two turns put different numbers to one element.
void wrong_puts() {
  fill();

  struct places_get7 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put6 {
    std::int64_t index;
    std::int64_t place;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct wrong_puts_selector : shoal::selector<wrong_puts_selector, places_get7, cells_put6> {
    explicit wrong_puts_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const places_get7& m) {
      check.reads(places[m.i], m.turn);
      const std::int64_t place = places[m.i];
      pass_on(0, cells_put6{place / 2 % n, place, m.turn});
    }
    void process(const cells_put6& m) {
      check.writes(cells[m.index], m.place, m.turn);
      cells[m.index] = m.place;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const cells_put6& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:146"};
  };

  wrong_puts_selector messages7{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const shoal::loop_turn turn2 = messages7.check.next();
      messages7.send(to(me()), places_get7{i, turn2});
    }
  });
  shmem_barrier_all();
}

// Wrong: a turn reads what another one puts.
void wrong_reads() {
  fill();

  struct cells_get2 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_get_reply {
    std::int64_t before;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_put7 {
    std::int64_t index;
    std::int64_t value;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct wrong_reads_selector : shoal::selector<wrong_reads_selector, cells_get2, cells_get_reply, cells_put7> {
    explicit wrong_reads_selector(shoal::world& home) : selector(home) {}

    void process(const cells_get2& m, shoal::pe_id from) {
      check.reads(cells[m.i], m.turn);
      send(from, cells_get_reply{cells[m.i], m.i, m.turn});
    }
    void process(const cells_get_reply& m) { send(to(me()), cells_put7{m.i + 1, m.before + 3, m.turn}); }
    void process(const cells_put7& m) {
      check.writes(cells[m.index], m.value, m.turn);
      cells[m.index] = m.value;
    }

    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:157"};
  };

  wrong_reads_selector messages8{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i + 1 < n; ++i) {
      const shoal::loop_turn turn2 = messages8.check.next();
      messages8.send(to(me()), cells_get2{i, turn2});
    }
  });
  shmem_barrier_all();
}

// Wrong: sums and bits do not commute.
void wrong_updates() {
  fill();

  struct cells_add2 {
    std::int64_t i;
    int index;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct cells_xor {
    std::int64_t before;
    int index;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct wrong_updates_selector : shoal::selector<wrong_updates_selector, cells_add2, cells_xor> {
    explicit wrong_updates_selector(shoal::world& home) : selector(home), own_pe(home.my_pe()) {}

    void process(const cells_add2& m) {
      check.updates(cells[m.index], '+', m.turn);
      const std::int64_t before = cells[m.index];
      cells[m.index] += m.i;
      pass_on(0, cells_xor{before, 0, m.turn});
    }
    void process(const cells_xor& m) {
      check.updates(cells[m.index], '^', m.turn);
      cells[m.index] ^= m.before;
    }

    // What goes to this PE needs no message.
    void pass_on(shoal::pe_id to2, const cells_xor& m) {
      if (to2 == own_pe) {
        process(m);
      } else {
        send(to2, m);
      }
    }

    shoal::pe_id own_pe;
    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:168"};
  };

  wrong_updates_selector messages9{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const shoal::loop_turn turn2 = messages9.check.next();
      messages9.send(0, cells_add2{i, 0, turn2});
    }
  });
  shmem_barrier_all();
}

// Wrong: ranges of two turns have an element in common.
void wrong_ranges() {
  fill();

  struct blocks_get2 {
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct blocks_get_reply2 {
    std::array<std::int64_t, 2> elements;
    std::int64_t i;
    [[no_unique_address]] shoal::loop_turn turn;
  };
  struct blocks_put2 {
    std::int64_t index;
    std::array<std::int64_t, 2> elements;
    [[no_unique_address]] shoal::loop_turn turn;
  };

  struct wrong_ranges_selector : shoal::selector<wrong_ranges_selector, blocks_get2, blocks_get_reply2, blocks_put2> {
    explicit wrong_ranges_selector(shoal::world& home) : selector(home) {}

    void process(const blocks_get2& m, shoal::pe_id from) {
      check.reads_all(blocks + m.i, 2, m.turn);
      blocks_get_reply2 filled{{}, m.i, m.turn};
      std::copy_n(blocks + m.i, 2, filled.elements.begin());
      send(from, filled);
    }
    void process(const blocks_get_reply2& m) {
      std::int64_t pair[2];
      std::ranges::copy(m.elements, pair);
      blocks_put2 filled{m.i + 2, {}, m.turn};
      std::copy_n(pair, 2, filled.elements.begin());
      send(to(me()), filled);
    }
    void process(const blocks_put2& m) {
      check.writes_all(blocks + m.index, m.elements, m.turn);
      std::ranges::copy(m.elements, blocks + m.index);
    }

    [[no_unique_address]] shoal::loop_check check{"loops_vouched.cpp:179"};
  };

  wrong_ranges_selector messages10{shoal::world_of_program()};
  shoal::world_of_program().finish([&] {
    for (std::int64_t i = 0; i + 2 < n; ++i) {
      const shoal::loop_turn turn2 = messages10.check.next();
      messages10.send(to(me()), blocks_get2{i, turn2});
    }
  });
  shmem_barrier_all();
}

}  // namespace

int main(int argc, char** argv) {
  shmem_init();
  const char* const name = argc < 2 ? "" : argv[1];
  if (std::strcmp(name, "puts") == 0) wrong_puts();
  if (std::strcmp(name, "reads") == 0) wrong_reads();
  if (std::strcmp(name, "updates") == 0) wrong_updates();
  if (std::strcmp(name, "ranges") == 0) wrong_ranges();
  if (argc < 2) {
    chain();
    claims();
    marks();
    ranges(3);
    own();
    levels();
  }
  shmem_finalize();
}
