// Made from rules.cpp by shoal-translate 0.1.0: its closures are messages of selectors.
// One superstep for each rule of translation; prints what each leaves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
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

  struct message {
    std::int64_t one;
    int n;
  };

  struct own_values_selector : shoal::selector<own_values_selector, message> {
    own_values_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const message& m) { here->n_calls += m.one + 7 * m.n; }

    shoal::pe_handle<sums> here;
  };

  std::optional<own_values_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    messages->send(0, message{one, static_cast<int>(are_many)});
  });

  struct to_to {
    shoal::pe_handle<sums> a;
    shoal::pe_handle<sums> b;
  };

  struct own_values_selector_2 : shoal::selector<own_values_selector_2, to_to> {
    explicit own_values_selector_2(shoal::world& home) : selector(home) {}

    void process(to_to m) {
      std::swap(m.a, m.b);
      m.a->n_calls += 3;
    }
  };

  std::optional<own_values_selector_2> messages_2;  // made in the superstep that ends it
  world.finish([&] {
    messages_2.emplace(world);
    messages_2->send(to, to_to{mine.handle(), others.handle()});
  });

  struct to_to_2 {
    shoal::pe_id to;
  };
  struct message_2 {
    shoal::pe_id to;
  };

  struct own_values_selector_3 : shoal::selector<own_values_selector_3, to_to_2, message_2> {
    own_values_selector_3(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const to_to_2& m) {
      auto more = [&, to = m.to]() mutable {
        to += 9;
        send(0, message_2{to});
      };
      more();
    }
    void process(const message_2& m) { here->n_calls += m.to; }

    shoal::pe_handle<sums> here;
  };

  std::optional<own_values_selector_3> messages_3;  // made in the superstep that ends it
  world.finish([&] {
    messages_3.emplace(world, here);
    messages_3->send(to, to_to_2{to});
  });

  struct to_to_3 {
    unsigned short count;
    int x;
  };

  struct own_values_selector_4 : shoal::selector<own_values_selector_4, to_to_3> {
    own_values_selector_4(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(to_to_3 m) {
      ++m.count;
      here->n_calls += m.count + m.x;
    }

    shoal::pe_handle<sums> here;
  };

  std::optional<own_values_selector_4> messages_4;  // made in the superstep that ends it
  world.finish([&] {
    messages_4.emplace(world, here);
    using small = std::uint16_t;
    small count = 300;
    messages_4->send((++to, 0), to_to_3{count, (to += 3, 4)});
  });
  to = 0;

  struct to_to_4 {
    shoal::pe_id to;
  };

  struct own_values_selector_5 : shoal::selector<own_values_selector_5, to_to_4> {
    own_values_selector_5(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const to_to_4& m) {
      const shoal::pe_id* const p = &m.to;
      here->n_calls += *p + 2;
    }

    shoal::pe_handle<sums> here;
  };

  std::optional<own_values_selector_5> messages_5;  // made in the superstep that ends it
  world.finish([&] {
    messages_5.emplace(world, here);
    messages_5->send(to, to_to_4{to});
  });
  tell(world, "own_values", mine->n_calls + 1000 * others->n_calls);
}

// The fields are put in an order that leaves no holes, and a constant is not sent.
void flat(shoal::world& world, std::int64_t n) {
  shoal::per_pe<sums> mine{world};
  mine->first.assign(10, 0);
  const auto here = mine.handle();

  /* of i */
  struct to_i {
    std::int64_t i;
    bool is_odd;
    bool is_large;
  };

  struct flat_selector : shoal::selector<flat_selector, to_i> {
    flat_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const to_i& m) {
      const std::int64_t factor = 3;
      here->first[m.i % 10] += m.is_odd ? factor * m.i : m.i;
      if (m.is_large) ++here->first[0];
    }

    shoal::pe_handle<sums> here;
  };

  std::optional<flat_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    for (std::int64_t i = 0; i < n; ++i) {
      const bool is_odd = i % 2 == 1;
      const bool is_large = i > 5;
      messages->send(i % world.n_pes(), to_i{i, is_odd, is_large});
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

  struct to_i {
    std::int64_t slot;
    std::int64_t value;
  };
  struct to_next {
    std::int64_t i;
  };

  struct independent_selector : shoal::selector<independent_selector, to_i, to_next> {
    independent_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(to_i m) {
      m.value *= 2;
      here->first[m.slot] += m.value;
    }
    void process(const to_next& m) { here->second[m.i % 4] -= m.i; }

    shoal::pe_handle<sums> here;
  };

  std::optional<independent_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    for (std::int64_t i = 0; i < 20; ++i) {
      messages->send((i + 1) % world.n_pes(), to_i{i % 4, i});
      const shoal::pe_id next = (world.my_pe() + 1) % world.n_pes();
      messages->send(next, to_next{i});
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

  struct to_pe {};

  struct numbers_selector : shoal::selector<numbers_selector, to_pe> {
    numbers_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all)
        : selector(home), here(here_of_all), own_world(home) {}

    void process(const to_pe&, shoal::pe_id me) {
      here->first[0] += own_world.my_pe() * 100;
      here->first[1] += me * 10;
      here->first[2] += own_world.n_pes() + static_cast<int>(own_world.n_pes());
    }

    shoal::pe_handle<sums> here;
    shoal::world& own_world;
  };

  std::optional<numbers_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) {
      messages->send(pe, to_pe{});
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
  for (std::int64_t round = 0; round < 2; ++round) {
    struct to_i {
      std::int64_t i;
    };
    struct to_asker {
      std::int64_t i;
      std::int64_t seen;
      shoal::pe_id asker;
    };
    struct to_asker_2 {
      std::int64_t i;
      std::int64_t both;
    };

    struct nested_selector : shoal::selector<nested_selector, to_i, to_asker, to_asker_2> {
      nested_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all)
          : selector(home), w(home), here(here_of_all) {}

      void process(const to_i& m, shoal::pe_id asker) {
        const std::int64_t seen = here->first[m.i];
        send((asker + 1) % w.n_pes(), to_asker{m.i, seen, asker});
      }
      void process(const to_asker& m) {
        const std::int64_t both = m.seen * 10 + here->first[m.i];
        send(m.asker, to_asker_2{m.i, both});
      }
      void process(const to_asker_2& m) { here->second[m.i] += m.both * (w.my_pe() + 1); }

      shoal::world& w;
      shoal::pe_handle<sums> here;
    };

    std::optional<nested_selector> messages;  // made in the superstep that ends it
    world.finish([&] {
      messages.emplace(world, here);
      for (std::int64_t i = 0; i < 5; ++i) {
        messages->send(i % world.n_pes(), to_i{i});
      }
    });
  }
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

  struct to_i {
    Value i;
    Value twice;
  };

  struct in_template_selector : shoal::selector<in_template_selector, to_i> {
    in_template_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all)
        : shoal::selector<in_template_selector, to_i>(home), there(home), here(here_of_all) {}

    void process(const to_i& m, shoal::pe_id from) {
      const auto add = [&here = here, i = m.i, twice = m.twice](std::int64_t at) { here->first[at] += i + twice; };
      for (std::int64_t at = 0; at < 6; ++at) add(at + (from + there.my_pe()) * 0);
    }

    shoal::world& there;
    shoal::pe_handle<sums> here;
  };

  std::optional<in_template_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    for (Value i = 0; i < 12; i += step) {
      messages->send(static_cast<shoal::pe_id>(i) % world.n_pes(), to_i{i, Value{i + i}});
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

  struct message {
    std::int64_t k;
  };

  struct scopes_selector : shoal::selector<scopes_selector, message> {
    scopes_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const message& m) { here->n_calls += m.k; }

    shoal::pe_handle<sums> here;
  };

  std::optional<scopes_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    messages->send(0, message{k});
    k = 4;

    struct to_i {
      std::int64_t i;
      std::int64_t k;
    };
    struct to_from {
      std::int64_t i;
    };

    struct superstep_selector : shoal::selector<superstep_selector, to_i, to_from> {
      superstep_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

      void process(const to_i& m, shoal::pe_id from) {
        here->first[m.i] += SUM_OF(m.i) + m.k;
        for (int again = 0; again < 2; ++again) send(from, to_from{m.i});
      }
      void process(const to_from& m) { here->second[m.i] += m.i; }

      shoal::pe_handle<sums> here;
    };

    std::optional<superstep_selector> messages_2;  // made in the superstep that ends it
    world.finish([&] {
      messages_2.emplace(world, here);
      for (std::int64_t i = 0; i < 4; ++i) {
        messages_2->send(i % world.n_pes(), to_i{i, k});
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

    struct to_v {
      std::int64_t v;
    };

    struct count_selector : shoal::selector<count_selector, to_v> {
      count_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

      void process(const to_v& m) { here->n_calls += scaled(m.v); }

      shoal::pe_handle<sums> here;
    };

    std::optional<count_selector> messages;  // made in the superstep that ends it
    world.finish([&] {
      messages.emplace(world, here);
      std::for_each(values.begin(), values.end(), [&](std::int64_t v) { messages->send(v % world.n_pes(), to_v{v}); });
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
  // on every PE

  struct to_i {
    std::int64_t i;
  };

  struct counts_selector : shoal::selector<counts_selector, to_i> {
    counts_selector(shoal::world& home, sums& object) : selector(home), there(object) {}

    void process(const to_i& m) { add(there, m.i % 4, m.i); }

    sums& there;
  };

  std::optional<counts_selector> counts;  // made in the superstep that ends it
  world.finish([&] {
    counts.emplace(world, mine);
    for (std::int64_t i = 0; i < 8; ++i) counts->send(i % world.n_pes(), to_i{i});
  });

  struct to_owner {
    std::int64_t i;
  };

  struct counts_selector_2 : shoal::selector<counts_selector_2, to_owner> {
    counts_selector_2(shoal::world& home, sums& object) : selector(home), there(object), own_world(home) {}

    void process(const to_owner& m) { there.first[m.i % 4] *= 2 + own_world.my_pe(); }

    sums& there;
    shoal::world& own_world;
  };

  std::optional<counts_selector_2> counts_2;  // made in the superstep that ends it
  world.finish([&] {
    counts_2.emplace(world, mine);
    for (std::int64_t i = 0; i < 8; ++i) {
      const shoal::pe_id owner = (i + 1) % world.n_pes();
      counts_2->send(owner, to_owner{i});
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

  struct message {};
  /* the last one */
  /* by reference */
  struct to_world {
    shoal::pe_id me;
  };

  struct remains_selector : shoal::selector<remains_selector, message, to_world> {
    remains_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const message&, shoal::pe_id me) { here->n_calls += me; }
    void process(const to_world& m) { here->first[0] = std::max(here->first[0], m.me); }

    shoal::pe_handle<sums> here;
  };

  std::optional<remains_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    messages->send(0, message{});
    messages->send(world.n_pes() - 1, to_world{me});
  });

  struct to_of {
    std::int64_t of;
  };
  struct message_2 {
    std::int64_t of;
  };

  struct remains_selector_2 : shoal::selector<remains_selector_2, to_of, message_2> {
    remains_selector_2(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const to_of& m) {
      [[maybe_unused]] const int times = 2;
      send(0, message_2{m.of});
    }
    void process(const message_2& m) {
      const int factor = 5;
      const int times = 2;
      here->n_calls += factor * times * m.of;
    }

    shoal::pe_handle<sums> here;
  };

  std::optional<remains_selector_2> messages_2;  // made in the superstep that ends it
  world.finish([&] {
    messages_2.emplace(world, here);
    const auto send_one = [&](std::int64_t of) { messages_2->send(of % world.n_pes(), to_of{of}); };
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

  struct to_i {
    std::int64_t i;
  };
  struct to_i_2 {
    pair_of p;
  };

  struct known_calls_selector : shoal::selector<known_calls_selector, to_i, to_i_2> {
    known_calls_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const to_i& m) { here->first.push_back(m.i); }
    void process(const to_i_2& m) { here->second.push_back(sum_of(m.p)); }

    shoal::pe_handle<sums> here;
  };

  std::optional<known_calls_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    for (std::int64_t i = 0; i < 5; ++i) {
      messages->send(i % world.n_pes(), to_i{i});
      messages->send(i % world.n_pes(), to_i_2{pair_of{i, 3}});
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

  struct message {};

  struct qualified_selector : shoal::selector<qualified_selector, message> {
    qualified_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all) : selector(home), here(here_of_all) {}

    void process(const message&) {
      const shapes::box one{4};
      here->n_calls += one.n;
    }

    shoal::pe_handle<sums> here;
  };

  std::optional<qualified_selector> messages;  // made in the superstep that ends it
  world.finish([&] {
    messages.emplace(world, here);
    messages->send(0, message{});
  });
  tell(world, "qualified", mine->n_calls);
}

// What only the value of a capture named goes with it. A selector needs no block of its own beside a label that nothing from
// before it can jump to.
void named_by_values(shoal::world& world) {
  shoal::per_pe<sums> mine{world};
  const auto here = mine.handle();
  {
    struct message {};
    struct message_2 {};

    struct named_by_values_selector : shoal::selector<named_by_values_selector, message, message_2> {
      named_by_values_selector(shoal::world& home, shoal::pe_handle<sums> here_of_all)
          : selector(home), here(here_of_all) {}

      void process(const message&) {
        [[maybe_unused]] const std::int64_t three = 3;
        send(0, message_2{});
      }
      void process(const message_2&) {
        const std::int64_t n = 14;
        const std::int64_t k = 4;
        here->n_calls += n * k;
      }

      shoal::pe_handle<sums> here;
    };

    std::optional<named_by_values_selector> messages;  // made in the superstep that ends it
    world.finish([&] {
      messages.emplace(world, here);
      switch (world.n_pes()) {
        default: {
          messages->send(0, message{});
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
