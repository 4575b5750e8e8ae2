// Made from actors.cpp by shoal-translate 0.1.0: its closures are messages of selectors.
// Actors of closures that selectors replace where they are declared: members of classes, and variables that get one kind
// of closure. Prints what each leaves.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

struct table {
  std::vector<std::int64_t> values;
  std::int64_t n_calls = 0;
};

void tell(shoal::world& world, const char* what, const table& t) {
  std::int64_t all = t.n_calls;
  for (const std::int64_t each : t.values) all = all * 3 + each;
  all = world.sum(all);
  if (world.my_pe() == 0) std::printf("%s: %lld\n", what, static_cast<long long>(all));
}

// A closure of one member sends one of the other. Both take what they use of the class.
class gatherer {
public:
  gatherer(shoal::world& world, table& from, table& into)
      : from_(from), queries_(world, *this), replies_(world, into, "replies") {}

  void ask(shoal::pe_id owner, std::size_t slot, std::size_t index) { queries_.send(owner, to_owner{slot, index}); }

private:
  static std::int64_t scaled(std::int64_t n) { return n * 100; }

  table& from_;

  struct to_owner {
    std::size_t slot;
    std::size_t index;
  };

  struct queries_selector : shoal::selector<queries_selector, to_owner> {
    queries_selector(shoal::world& home, gatherer& object) : selector(home), there(object) {}
    ~queries_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_owner& m, shoal::pe_id asker) {
      const std::int64_t value = there.from_.values[m.index] + scaled(1);
      there.replies_.send(asker, to_asker{m.slot, value});
    }

    gatherer& there;
  };

  queries_selector queries_;  // of all PEs

  struct to_asker {
    std::size_t slot;
    std::int64_t value;
  };

  struct replies_selector : shoal::selector<replies_selector, to_asker> {
    replies_selector(shoal::world& home, table& object, const std::string& name = "lambda_actor")
        : selector(home, name), into(object) {}
    ~replies_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_asker& m) { into.values[m.slot] += m.value; }

    table& into;
  };

  replies_selector replies_;
};

void members(shoal::world& world) {
  table from{{1, 2, 3, 4, 5, 6, 7, 8}}, into{{0, 0, 0, 0, 0, 0, 0, 0}};
  for (std::int64_t& each : from.values) each += world.my_pe();
  gatherer all{world, from, into};
  world.finish([&] {
    for (std::size_t i = 0; i < 8; ++i) all.ask(static_cast<shoal::pe_id>(i) % world.n_pes(), i, 7 - i);
  });
  tell(world, "members", into);
}

// An object as a closure stays what it is, and tells what to fetch.
struct board;

struct dart {
  std::int64_t slot;

  void operator()(board& there, shoal::pe_id from) const;
  const void* prefetch(const board& there) const;
};

struct board {
  table& mine;

  struct darts_selector : shoal::selector<darts_selector, dart> {
    darts_selector(shoal::world& home, board& object, const std::string& name = "lambda_actor")
        : selector(home, name), there(object) {}
    ~darts_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const dart& m, shoal::pe_id from) { m(there, from); }
    const void* prefetch(const dart& m) { return m.prefetch(there); }

    board& there;
  };

  darts_selector darts;

  void throw_at(shoal::pe_id pe, std::int64_t slot) { darts.send(pe, dart{slot}); }
};

void dart::operator()(board& there, shoal::pe_id from) const {
  if (slot > 7) return there.throw_at(from, slot / 2);
  ++there.mine.values[static_cast<std::size_t>(slot)];
}
const void* dart::prefetch(const board& there) const { return there.mine.values.data(); }

void objects(shoal::world& world) {
  table mine{{0, 0, 0, 0, 0, 0, 0, 0}};
  board here{mine, {world, here, "darts"}};
  world.finish([&] {
    for (std::int64_t i = 0; i < 30; ++i) here.throw_at(i % world.n_pes(), i);
  });
  tell(world, "objects", mine);
}

// Kinds that touch different members may have a mailbox each. What is sent from elsewhere names the class.
struct adder {
  table mine;
  shoal::lambda_actor<table> adds;

  explicit adder(shoal::world& world) : mine{{0, 0, 0}}, adds(world, mine) {}
};

void elsewhere(shoal::world& world) {
  adder all{world};
  world.finish([&] {
    const auto both = [&](std::int64_t i) {
      all.adds.send(i % world.n_pes(), [i](table& there) { there.values[static_cast<std::size_t>(i % 3)] += i; });
      all.adds.send(0, [](table& there) { ++there.n_calls; });
    };
    for (std::int64_t i = 0; i < 20; ++i) both(i);
  });
  tell(world, "elsewhere", all.mine);
}

// Two worlds may number PEs in two ways, so what is a sender in one is sent in the other.
struct passer {
  passer(shoal::world& first, shoal::world& second, table& of)
      : mine(of), firsts(first, *this), seconds(second, *this) {}

  void pass(shoal::pe_id to, shoal::pe_id next) { firsts.send(to, to_to{next}); }

  table& mine;

  struct to_to {
    shoal::pe_id next;
  };

  struct firsts_selector : shoal::selector<firsts_selector, to_to> {
    firsts_selector(shoal::world& home, passer& object) : selector(home), there(object), own_world(home) {}
    ~firsts_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_to& m, shoal::pe_id from) { there.seconds.send(m.next, to_next{own_world.my_pe(), from}); }

    passer& there;
    shoal::world& own_world;
  };

  firsts_selector firsts;

  struct to_next {
    shoal::pe_id to;
    shoal::pe_id from;
  };

  struct seconds_selector : shoal::selector<seconds_selector, to_next> {
    seconds_selector(shoal::world& home, passer& object) : selector(home), last(object) {}
    ~seconds_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_next& m) { last.mine.n_calls += m.to * 10 + m.from; }

    passer& last;
  };

  seconds_selector seconds;
};

void two_worlds(shoal::world& world) {
  table mine;
  passer all{world, world, mine};
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) all.pass(pe, (pe + 1) % world.n_pes());
  });
  tell(world, "two worlds", mine);
}

// An actor that dies in its superstep waits for its messages, and so does what takes its place.
void count_once(shoal::world& world, table& mine) {
  struct to_pe {};

  struct adds_selector : shoal::selector<adds_selector, to_pe> {
    adds_selector(shoal::world& home, table& object) : selector(home), there(object) {}
    ~adds_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_pe&) { ++there.n_calls; }

    table& there;
  };

  adds_selector adds{world, mine};
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) adds.send(pe, to_pe{});
}

void within_a_superstep(shoal::world& world) {
  table mine{{0}};
  world.finish([&] {
    count_once(world, mine);
    mine.values[0] = mine.n_calls;
    adder all{world};
    all.adds.send(0, [](table& there) { ++there.values[1]; });
  });
  tell(world, "within a superstep", mine);
}

// A constant that only a closure names goes with it.
void constants(shoal::world& world) {
  table mine;

  struct message {};

  struct adds_selector : shoal::selector<adds_selector, message> {
    adds_selector(shoal::world& home, table& object) : selector(home), there(object) {}
    ~adds_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const message&) {
      const std::int64_t step = 5;
      there.n_calls += step;
    }

    table& there;
  };

  adds_selector adds{world, mine};
  world.finish([&] {
    adds.send(0, message{});
    adds.done();
  });
  tell(world, "constants", mine);
}

// What only a mailbox can do, its only mailbox does.
struct visit {
  std::int64_t by;
  void operator()(table& there) const { there.n_calls += by; }
};

void limited(shoal::world& world) {
  table mine;

  struct visits_selector : shoal::selector<visits_selector, visit> {
    visits_selector(shoal::world& home, table& object) : selector(home), there(object) {}
    ~visits_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const visit& m) { m(there); }

    table& there;
  };

  visits_selector visits{world, mine};
  visits.mailbox_at<0>().limit_unsent(2);
  world.finish([&] {
    for (std::int64_t i = 0; i < 50; ++i) {
      while (!visits.mailbox_at<0>().try_send(i % world.n_pes(), visit{i})) world.yield();
    }
  });

  struct to_i {
    std::int64_t i;
  };

  struct calls_selector : shoal::selector<calls_selector, to_i> {
    calls_selector(shoal::world& home, table& object) : selector(home), t(object) {}
    ~calls_selector() {
      if (std::uncaught_exceptions() == 0) close();
    }

    void process(const to_i& m) { t.n_calls += m.i; }

    table& t;
  };

  calls_selector calls(world, mine);
  world.finish([&] {
    for (std::int64_t i = 0; i < 5; ++i) {
      while (!calls.mailbox_of<to_i>().try_send(i % world.n_pes(), to_i{i})) world.yield();
    }
  });
  tell(world, "limited", mine);
}

// Wherever its variable is sent to, also by a function that is called later, and in several supersteps.
template <class Value>
void in_template(shoal::world& world, Value step) {
  table mine{{0, 0, 0}};
  shoal::per_pe<table> others{world, table{{0, 0, 0}}};
  const auto here = others.handle();

  struct to_pe {
    Value v;
  };

  struct adds_selector : shoal::selector<adds_selector, to_pe> {
    adds_selector(shoal::world& home, table& object, const std::string& name, shoal::pe_handle<table> here_of_all)
        : shoal::selector<adds_selector, to_pe>(home, name), there(object), here(here_of_all) {}
    ~adds_selector() {
      if (std::uncaught_exceptions() == 0) this->close();
    }

    void process(const to_pe& m, shoal::pe_id me) {
      there.n_calls += static_cast<std::int64_t>(m.v) + me;
      here->values[1] += static_cast<std::int64_t>(m.v);
    }

    table& there;
    shoal::pe_handle<table> here;
  };

  adds_selector adds{world, mine, "adds", here};
  const auto add = [&](shoal::pe_id pe, Value v) { adds.send(pe, to_pe{v}); };
  for (int i = 0; i < 2; ++i) {
    world.finish([&] {
      for (Value v = 0; v < 9; v += step) add(static_cast<shoal::pe_id>(v) % world.n_pes(), v);
    });
  }
  tell(world, "in a template", mine);
  tell(world, "beside it", *others);
}

// What a closure sends by a member that names another actor is a message of the same selector. The member goes.
struct asked {
  const table& mine;
};

template <class Index>
void replies(shoal::world& world) {
  table from{{10, 20, 30, 40}}, into{{0, 0, 0, 0}};
  asked mine{from};

  struct to_owner {
    Index i;
    Index at;
  };
  struct to_asker {
    Index i;
    std::int64_t value;
  };

  struct queries_selector : shoal::selector<queries_selector, to_owner, to_asker> {
    queries_selector(shoal::world& home, asked& object, table& object_2)
        : shoal::selector<queries_selector, to_owner, to_asker>(home), there(object), t(object_2) {}

    void process(const to_owner& m, shoal::pe_id asker) {
      const std::int64_t value = there.mine.values[m.at];
      this->send(asker, to_asker{m.i, value});
    }
    void process(const to_asker& m) { t.values[m.i] += m.value; }

    asked& there;
    table& t;
  };

  std::optional<queries_selector> queries;  // made in the superstep that ends it
  world.finish([&] {
    queries.emplace(world, mine, into);
    for (Index i = 0; i < 4; ++i) {
      const shoal::pe_id owner = static_cast<shoal::pe_id>(i) % world.n_pes();
      queries->send(owner, to_owner{i, Index{3 - i}});
    }
  });

  struct to_pe {};

  struct replies_selector : shoal::selector<replies_selector, to_pe> {
    replies_selector(shoal::world& home, table& object) : shoal::selector<replies_selector, to_pe>(home), t(object) {}

    void process(const to_pe&) { ++t.n_calls; }

    table& t;
  };

  std::optional<replies_selector> replies;  // made in the superstep that ends it
  world.finish([&] {
    replies.emplace(world, into);
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) replies->send(pe, to_pe{});
  });
  tell(world, "replies", into);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    members(world);
    objects(world);
    elsewhere(world);
    two_worlds(world);
    within_a_superstep(world);
    constants(world);
    limited(world);
    in_template<std::int64_t>(world, 1);
    in_template<int>(world, 2);
    replies<std::uint32_t>(world);
    replies<std::uint64_t>(world);
    return 0;
  });
}
