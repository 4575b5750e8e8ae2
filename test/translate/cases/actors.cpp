// Actors of closures that selectors replace where they are declared: members of classes, and variables that get one kind
// of closure. Prints what each leaves.
#include <cstdint>
#include <cstdio>
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

  void ask(shoal::pe_id owner, std::size_t slot, std::size_t index) {
    queries_.send(owner, [slot, index](gatherer& there, shoal::pe_id asker) {
      const std::int64_t value = there.from_.values[index] + scaled(1);
      there.replies_.send(asker, [slot, value](table& into) { into.values[slot] += value; });
    });
  }

private:
  static std::int64_t scaled(std::int64_t n) { return n * 100; }

  table& from_;
  shoal::lambda_actor<gatherer> queries_;  // of all PEs
  shoal::lambda_actor<table> replies_;
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
  shoal::lambda_actor<board> darts;

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

  void pass(shoal::pe_id to, shoal::pe_id next) {
    firsts.send(to, [to, next](passer& there, shoal::pe_id from) {
      there.seconds.send(next, [to, from](passer& last) { last.mine.n_calls += to * 10 + from; });
    });
  }

  table& mine;
  shoal::lambda_actor<passer> firsts;
  shoal::lambda_actor<passer> seconds;
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
  shoal::lambda_actor adds{world, mine};
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) adds.send(pe, [](table& there) { ++there.n_calls; });
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
  shoal::lambda_actor adds{world, mine};
  constexpr std::int64_t step = 5;
  world.finish([&] {
    adds.send(0, [](table& there) { there.n_calls += step; });
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
  shoal::lambda_actor visits{world, mine};
  visits.limit_unsent(2);
  world.finish([&] {
    for (std::int64_t i = 0; i < 50; ++i) {
      while (!visits.try_send(i % world.n_pes(), visit{i})) world.yield();
    }
  });
  shoal::lambda_actor calls(world, mine);
  world.finish([&] {
    for (std::int64_t i = 0; i < 5; ++i) {
      while (!calls.try_send(i % world.n_pes(), [i](table& t) { t.n_calls += i; })) world.yield();
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
  const shoal::pe_id me = world.my_pe();
  shoal::lambda_actor<table> adds{world, mine, "adds"};
  const auto add = [&](shoal::pe_id pe, Value v) {
    adds.send(pe, [here, me, v](table& there) {
      there.n_calls += static_cast<std::int64_t>(v) + me;
      here->values[1] += static_cast<std::int64_t>(v);
    });
  };
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
  shoal::lambda_actor<table>& replies;
};

template <class Index>
void replies(shoal::world& world) {
  table from{{10, 20, 30, 40}}, into{{0, 0, 0, 0}};
  shoal::lambda_actor replies{world, into, "replies"};
  asked mine{from, replies};
  shoal::lambda_actor queries{world, mine};
  world.finish([&] {
    for (Index i = 0; i < 4; ++i) {
      const shoal::pe_id owner = static_cast<shoal::pe_id>(i) % world.n_pes();
      queries.send(owner, [i, at = Index{3 - i}](asked& there, shoal::pe_id asker) {
        const std::int64_t value = there.mine.values[at];
        there.replies.send(asker, [i, value](auto& t) { t.values[i] += value; });
      });
    }
  });
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) replies.send(pe, [](table& t) { ++t.n_calls; });
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
