// Closures that stay as they are, each for a reason. The file comes out unchanged.
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include <shoal/shoal.hpp>

struct part {
  std::vector<std::int64_t> values;
  std::int64_t n = 0;
};

using handle = shoal::pe_handle<part>;

// Names that would mean something else in a selector, or in the place of its messages.
void hides_handle(shoal::world& world) {
  shoal::per_pe<part> mine{world};
  world.finish([&] {
    world.send(0, [first = mine.handle()] { ++first->n; });
    world.send(0, [other = mine.handle()] {
      const auto first = other;
      ++first->n;
    });
  });
}

void hides_send(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here](shoal::world& there) {
      const std::int64_t send = there.my_pe();
      here->n += send;
    });
  });
}

void local_argument(shoal::world& world, handle here) {
  world.finish([&] {
    struct pair {
      std::int64_t one, two;
    };
    const std::array<pair, 2> values{};
    world.send(0, [here, values] { here->n += values[1].two; });
  });
}

void own_type(shoal::world& world, handle here) {
  struct color {
    std::int64_t n;
  };
  world.finish([&] {
    const struct color color{1};
    world.send(0, [here, color] { here->n += color.n; });
  });
}

void box(std::int64_t value);

void hidden_by_base(shoal::world& world) {
  world.finish([&] { world.send(0, [] { box(1); }); });
}

#define SHOW(value) std::printf("%s: %d", #value, value)

void shows(shoal::world& world) {
  world.finish([&] {
    for (int i = 0; i < 2; ++i) world.send(0, [i] { SHOW(i); });
  });
}

void own_line(shoal::world& world, handle here) {
  world.finish([&] { world.send(0, [here] { here->n = __LINE__; }); });
}

void own_name(shoal::world& world) {
  world.finish([&] { world.send(0, [] { std::puts(__func__); }); });
}

void no_finish(shoal::world& world, handle here) {
  world.send(0, [here] { ++here->n; });
}

// Which of these comes first decides what is left.
void order(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here] { here->n += 1; });
    world.send(0, [here] { here->n *= 2; });
  });
}

void add(part& to);

void unknown(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here](shoal::world& there, shoal::pe_id from) {
      add(*here);
      there.send(from, [here] { ++here->n; });
    });
  });
}

void some_pes(shoal::world& world, handle here) {
  if (world.my_pe() == 0) {
    world.finish([&] { world.send(1, [here] { ++here->n; }); });
  } else {
    world.finish([] {});
  }
}

void leaves(shoal::world& world, handle here) {
  if (world.my_pe() == 0) {
    world.finish([] {});
    return;
  }
  world.finish([&] { world.send(1, [here] { ++here->n; }); });
}

void send_more(shoal::world& world, handle here);

void others(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(1, [here] { ++here->n; });
    send_more(world, here);
  });
}

void kept(shoal::world& world, handle here) {
  std::function<void()> later;
  world.finish([&] {
    later = [&] { world.send(1, [here] { ++here->n; }); };
    later();
  });
}

void by_copy(shoal::world& world, handle here) {
  world.finish([=, &world] { world.send(1, [here] { ++here->n; }); });
}

#define SEND(pe, closure) (++n_sent, world.send(pe, closure))

void macro(shoal::world& world, handle here) {
  int n_sent = 0;
  world.finish([&] { SEND(0, [here] { ++here->n; }); });
}

void local_type(shoal::world& world, handle here) {
  world.finish([&] {
    struct amount {
      std::int64_t of;
    };
    const amount added{3};
    world.send(0, [here, added] { here->n += added.of; });
  });
}

void done() {}

void hidden(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here] {
      ++here->n;
      done();
    });
  });
}

void value(shoal::world& world, handle here) {
  world.finish([&] { world.send(0, [here] { return ++here->n; }); });
}

struct holder {
  shoal::lambda_actor<part> actor;
};

void member(shoal::world& world, holder& of) {
  world.finish([&] { of.actor.send(0, [](part& there) { ++there.n; }); });
}

void given_away(shoal::world& world, part& mine) {
  shoal::lambda_actor counts{world, mine};
  world.finish([&] { counts.send(0, [](part& there) { ++there.n; }); });
  shoal::lambda_actor<part>& same = counts;
  world.finish([&] { same.send(0, [](part& there) { there.n *= 2; }); });
}

struct second_name {
  shoal::world& same;
};

void alias(shoal::world& world, second_name other, handle here) {
  world.finish([&] {
    world.send(0, [here] { here->n += 1; });
    other.same.send(0, [here] { here->n *= 2; });
  });
}

handle there(shoal::world& world);
std::int64_t amount = 2;

void another_meaning(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here](shoal::world& amount, shoal::pe_id from) {
      if (amount.my_pe() == from) return;
      amount.send(from, [here] { here->n += ::amount; });
    });
    world.send(0, [here] { here->values[0] += amount; });
  });
}

struct keeper {
  std::function<void()> later;
};

void kept_in_a_closure(shoal::world& world, shoal::pe_handle<keeper> keeps, handle here) {
  world.finish([&] {
    world.send(0, [keeps, here](shoal::world& w, shoal::pe_id from) {
      keeps->later = [&] { w.send(from, [here] { ++here->n; }); };
    });
  });
}

void by_reference(shoal::world& world, std::int64_t added) {
  world.finish([&] {
    const std::int64_t* at = &added;
    world.send(0, [&added] { ++added; });
    world.send(0, [at] { amount += *at; });
  });
}

void team(shoal::world& world, shoal::world& row, handle here) {
  world.finish([&] { row.send(0, [here] { ++here->n; }); });
}

// Each of these would change its meaning.
void second_name(shoal::world& world, handle here) {
  shoal::world* other = &world;
  world.finish([&] {
    world.send(0, [here] { here->n += 1; });
    other->send(0, [here] { here->n *= 2; });
  });
}

const auto add_amount = [](std::int64_t n) { amount = amount * 2 + n; };
constexpr void add_twice(std::int64_t n) {
  if (n != 0) amount = amount * 2 + n;
}
struct at_end {
  std::int64_t n = amount;
  ~at_end() { amount += n; }
};

void hidden_effects(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here] { [&n = here->n] { n *= 2; }(); });
    world.send(0, [here] { ++here->n; });
  });
  world.finish([&] {
    world.send(0, [] { add_amount(1); });
    world.send(0, [] { ++amount; });
  });
  world.finish([&] {
    world.send(0, [] { add_twice(1); });
    world.send(0, [] { ++amount; });
  });
  world.finish([&] {
    world.send(0, [] { at_end{}; });
    world.send(0, [] { ++amount; });
  });
}

std::function<void()> later;
template <class F>
void keep(F&& f) {
  later = std::forward<F>(f);
}

void kept_by_forward(shoal::world& world) {
  world.finish([&] { keep([&] { world.send(0, [] { ++amount; }); }); });
}

void hidden_object(shoal::world& world, part& mine) {
  shoal::lambda_actor adds{world, mine};
  {
    [[maybe_unused]] part mine;
    world.finish([&] {
      adds.send(0, [](part& p) { ++p.n; });
      adds.send(0, [](part& p) { p.values.clear(); });
    });
  }
}

void two_at_once(shoal::world& world, part& mine) {
  shoal::lambda_actor one{world, mine}, two{world, mine};
  world.finish([&] { two.send(0, [](part& p) { ++p.n; }); });
}

void nested(shoal::world& world, handle here) {
  world.finish([&] { world.send([&] { return world.send(0, [here] { ++here->n; }), 0; }(), [here] { ++here->n; }); });
}

#define TWICE(x) \
  x;             \
  x
void in_macro(shoal::world& world) {
  TWICE(world.finish([&] { world.send(0, [] { ++amount; }); }));
}

void generic(shoal::world& world, handle here) {
  const auto add = [&](auto value) {
    world.finish([&] { world.send(0, [here, value] { here->n += value; }); });
  };
  add(3);
}

// The closure within stays with the one around; one line says why.
void within_another(shoal::world& world, handle here, std::int64_t& added) {
  world.finish([&] {
    world.send(0, [here, &added](shoal::world& there) {
      ++added;
      there.send(0, [here] { ++here->n; });
    });
  });
}

struct selector_box {};

// Its name is not qualified, though it stands within one that is.
void hidden_within(shoal::world& world, handle here) {
  world.finish([&] {
    world.send(0, [here] {
      const std::vector<const selector_box*> all(2);
      here->n += static_cast<std::int64_t>(all.size());
    });
  });
}
