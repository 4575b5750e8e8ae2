// One superstep for each rule of translation; prints what each leaves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <shoal/shoal.hpp>

struct sums {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  std::int64_t n_calls = 0;
};

void tell(shoal::world& world, const char* what, std::int64_t value) {
  value = world.sum(value);
  if (world.my_pe() == 0) std::printf("%s: %lld\n", what, static_cast<long long>(value));
}

// What a handler may compute again is the captured value, and what a closure changes is its own copy.
void own_values(shoal::world& world) {
  shoal::per_pe<sums> mine{world}, others{world};
  const auto here = mine.handle();
  const bool is_not_first = world.my_pe(), are_many = world.n_pes();
  const std::int64_t one = is_not_first;
  shoal::pe_id to = 0;
  world.finish([&] { world.send(0, [here, one, n = static_cast<int>(are_many)] { here->n_calls += one + 7 * n; }); });
  world.finish([&] {
    world.send(to, [a = mine.handle(), b = others.handle()]() mutable {
      std::swap(a, b);
      a->n_calls += 3;
    });
  });
  world.finish([&] {
    world.send(to, [here, to](shoal::world& there) {
      auto more = [&, to]() mutable {
        to += 9;
        there.send(0, [here, to] { here->n_calls += to; });
      };
      more();
    });
  });
  world.finish([&] {
    using small = std::uint16_t;
    small count = 300;
    world.send((++to, 0), [here, count, x = (to += 3, 4)]() mutable {
      ++count;
      here->n_calls += count + x;
    });
  });
  to = 0;
  world.finish([&] {
    world.send(to, [here, to] {
      const shoal::pe_id* const p = &to;
      here->n_calls += *p + 2;
    });
  });
  tell(world, "own_values", mine->n_calls + 1000 * others->n_calls);
}

// The fields are put in an order that leaves no holes, and a constant is not sent.
void flat(shoal::world& world, std::int64_t n) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(10, 0);
  const auto here = mine.handle();
  const std::int64_t factor = 3;
  world.finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      const bool is_odd = i % 2 == 1;
      const bool is_large = i > 5;
      world.send(i % world.n_pes(), [here, is_odd /* of i */, i, is_large, factor] {
        here->first[i % 10] += is_odd ? factor * i : i;
        if (is_large) ++here->first[0];
      });
    }
  });
  std::int64_t total = 0;
  for (std::size_t i = 0; i < 10; ++i) total += mine->first[i] * static_cast<std::int64_t>(i + 1);
  tell(world, "flat", total);
}

// Closures that touch different things have mailboxes of their own. A closure may change what it captured.
void independent(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(4, 0);
  mine->second.assign(4, 0);
  const auto here = mine.handle();
  world.finish([&] {
    for (std::int64_t i = 0; i < 20; ++i) {
      world.send((i + 1) % world.n_pes(), [here, slot = i % 4, value = i]() mutable {
        value *= 2;
        here->first[slot] += value;
      });
      const shoal::pe_id next = (world.my_pe() + 1) % world.n_pes();
      world.send(next, [here, i] { here->second[i % 4] -= i; });
    }
  });
  std::int64_t total = 0;
  for (std::size_t i = 0; i < 4; ++i) total += mine->first[i] * 7 + mine->second[i];
  tell(world, "independent", total);
}

// Numbers of PEs are known to whom they belong: the target, the sender, all.
void numbers(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(3, 0);
  const auto here = mine.handle();
  const shoal::pe_id me = world.my_pe();
  const int n_pes = static_cast<int>(world.n_pes());
  const shoal::pe_id n = world.n_pes();
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) {
      world.send(pe, [here, pe, me, n, n_pes] {
        here->first[0] += pe * 100;
        here->first[1] += me * 10;
        here->first[2] += n + n_pes;
      });
    }
  });
  tell(world, "numbers", mine->first[0] + mine->first[1] + mine->first[2] * (world.my_pe() + 1));
}

// Each depth has a mailbox. The third closure runs where the first was sent, on the PE that the second calls asker.
void nested(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(5, world.my_pe() + 1);
  mine->second.assign(5, 0);
  const auto here = mine.handle();
  for (std::int64_t round = 0; round < 2; ++round)
    world.finish([&] {
      for (std::int64_t i = 0; i < 5; ++i) {
        world.send(i % world.n_pes(), [here, i](auto& w, shoal::pe_id asker) {
          const std::int64_t seen = here->first[i];
          w.send((asker + 1) % w.n_pes(), [here, i, seen, asker](auto& there) {
            const std::int64_t both = seen * 10 + here->first[i];
            there.send(asker, [here, i, both, asker] { here->second[i] += both * (asker + 1); });
          });
        });
      }
    });
  std::int64_t total = 0;
  for (std::size_t i = 0; i < 5; ++i) total += mine->second[i] * static_cast<std::int64_t>(i + 1);
  tell(world, "nested", total);
}

// In a template, and where a lambda in the body captures what the closure captured.
template <class Value>
void in_template(shoal::world& world, Value step) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(6, 0);
  const auto here = mine.handle();
  world.finish([&] {
    for (Value i = 0; i < 12; i += step) {
      world.send(static_cast<shoal::pe_id>(i) % world.n_pes(),
                 [here, i, twice = Value{i + i}](shoal::world& there, shoal::pe_id from) {
                   const auto add = [&here, i, twice](std::int64_t at) { here->first[at] += i + twice; };
                   for (std::int64_t at = 0; at < 6; ++at) add(at + (from + there.my_pe()) * 0);
                 });
    }
  });
  std::int64_t total = 0;
  for (const std::int64_t each : mine->first) total += each;
  tell(world, "in a template", total);
}

#define SUM_OF(x) ((x) + (x))

// A superstep within another has a selector of its own; names in arguments of macros change, too.
void scopes(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(4, 0);
  mine->second.assign(4, 0);
  const auto here = mine.handle();
  std::int64_t k = 3;
  world.finish([&] {
    world.send(0, [here, k] { here->n_calls += k; });
    k = 4;
    world.finish([&] {
      for (std::int64_t i = 0; i < 4; ++i) {
        world.send(i % world.n_pes(), [here, i, k](shoal::world& there, shoal::pe_id from) {
          here->first[i] += SUM_OF(i) + k;
          for (int again = 0; again < 2; ++again) there.send(from, [here, i] { here->second[i] += i; });
        });
      }
    });
    if (mine->second[3] == 6) ++mine->first[3];
  });
  tell(world, "scopes", mine->n_calls * 100 + mine->first[3] * 10 + mine->second[3]);
}

class counter {
public:
  explicit counter(shoal::world& world) : world_(world) {}

  // In a member function, by lambdas that others call.
  void count(const std::vector<std::int64_t>& values) {
    shoal::world& world = world_;
    shoal::per_pe<sums> mine{world};
    const auto here = mine.handle();
    world.finish([&] {
      std::for_each(values.begin(), values.end(),
                    [&](std::int64_t v) { world.send(v % world.n_pes(), [here, v] { here->n_calls += scaled(v); }); });
    });
    tell(world, "member function", mine->n_calls);
  }

private:
  static constexpr std::int64_t scaled(std::int64_t v) { return v * 3; }

  shoal::world& world_;
};

void add(sums& to, std::int64_t slot, std::int64_t value) { to.first[slot] += value; }

// An actor of closures over an object, in two supersteps.
void actor(shoal::world& world) {
  sums mine;
  mine.first.assign(4, 0);
  shoal::lambda_actor counts{world, mine};  // on every PE
  world.finish([&] {
    for (std::int64_t i = 0; i < 8; ++i) counts.send(i % world.n_pes(), [i](sums& there) { add(there, i % 4, i); });
  });
  world.finish([&] {
    for (std::int64_t i = 0; i < 8; ++i) {
      const shoal::pe_id owner = (i + 1) % world.n_pes();
      counts.send(owner, [i, owner](auto& there) { there.first[i % 4] *= 2 + owner; });
    }
  });
  std::int64_t total = 0;
  for (const std::int64_t each : mine.first) total = total * 3 + each;
  tell(world, "actor", total);
}

// What closures leave behind: a variable that one of them sends stays, and one that may have other uses is marked.
void remains(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(2, 0);
  const auto here = mine.handle();
  const shoal::pe_id me = world.my_pe();
  world.finish([&] {
    world.send(0, [here, me] { here->n_calls += me; });
    world.send(/* the last one */ world.n_pes() - 1, /* by reference */ [here, me] {
      here->first[0] = std::max(here->first[0], me);
    });
  });
  world.finish([&] {
    const int factor = 5;
    const auto send_one = [&](std::int64_t of) {
      world.send(of % world.n_pes(), [here, factor, of](shoal::world& there) {
        const int times = 2;
        there.send(0, [here, factor, times, of] { here->n_calls += factor * times * of; });
      });
    };
    send_one(3);
  });
  tell(world, "remains", mine->n_calls * 100 + mine->first[0]);
}

// The library's members touch what they are called for, and a constexpr function what it is given.
struct pair_of {
  std::int64_t one, two;
};
constexpr std::int64_t sum_of(pair_of p) { return p.one + p.two; }
void known_calls(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  const auto here = mine.handle();
  world.finish([&] {
    for (std::int64_t i = 0; i < 5; ++i) {
      world.send(i % world.n_pes(), [here, i] { here->first.push_back(i); });
      world.send(i % world.n_pes(), [here, p = pair_of{i, 3}] { here->second.push_back(sum_of(p)); });
    }
  });
  std::int64_t total = 0;
  for (const std::int64_t each : mine->first) total += each;
  for (const std::int64_t each : mine->second) total += 100 * each;
  tell(world, "known calls", total);
}

// A name that a selector has, too, means the same if it is qualified.
namespace shapes {
struct box {
  std::int64_t n;
};
}  // namespace shapes
void qualified(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  const auto here = mine.handle();
  world.finish([&] {
    world.send(0, [here] {
      const shapes::box one{4};
      here->n_calls += one.n;
    });
  });
  tell(world, "qualified", mine->n_calls);
}

// What only the value of a capture named goes with it. A selector needs no block of its own beside a label that nothing from
// before it can jump to.
void named_by_values(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  const auto here = mine.handle();
  {
    world.finish([&] {
      switch (world.n_pes()) {
        default: {
          const std::int64_t seven = 7;
          world.send(0, [here, n = seven * 2](shoal::world& there) {
            const std::int64_t three = 3;
            there.send(0, [here, n, k = three + 1] { here->n_calls += n * k; });
          });
        }
      }
    });
  }
  tell(world, "named by values", mine->n_calls);
}

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    own_values(world);
    flat(world, 30);
    independent(world);
    numbers(world);
    nested(world);
    scopes(world);
    in_template<std::int64_t>(world, 1);
    in_template<int>(world, 3);
    counter(world).count({1, 2, 3, 4, 5});
    actor(world);
    remains(world);
    known_calls(world);
    qualified(world);
    named_by_values(world);
    return 0;
  });
}
