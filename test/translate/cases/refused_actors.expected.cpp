// Actors of closures that stay as they are, each for another reason.
#include <cstdint>
#include <vector>

#include <shoal/shoal.hpp>

using shoal::lambda_actor;
using shoal::pe_id;

struct table {
  std::vector<std::int64_t> values;
  std::int64_t n = 0;
};

// Other files may have this class, too.
struct known_elsewhere {
  explicit known_elsewhere(shoal::world& world, table& of) : adds(world, of) {}
  void add() {
    adds.send(0, [](table& there) { ++there.n; });
  }
  lambda_actor<table> adds;
};

namespace {

void twice(table& t) { t.n *= 2; }

struct two_kinds {
  two_kinds(shoal::world& world, table& of) : changes(world, of) {}
  void change() {
    changes.send(0, [](table& there) { ++there.n; });
    changes.send(0, [](table& there) { twice(there); });
  }
  lambda_actor<table> changes;
};

struct base {
  static void twice(table&) {}
};
struct with_base : base {
  with_base(shoal::world& world, table& of) : adds(world, of) {}
  void add() {
    adds.send(0, [](table& there) { twice(there); });
  }
  lambda_actor<table> adds;
};

struct another_meaning {
  another_meaning(shoal::world& world, table& of) : adds(world, of) {}
  static void twice(table& t) { t.n *= 3; }
  lambda_actor<table> adds;
};
void send_outside(another_meaning& to) {
  to.adds.send(0, [](table& there) { twice(there); });
}

struct inner_name {
  struct teller {
    static void thrice(table& t) { t.n *= 3; }
    inner_name& of;
    void tell() const {
      of.adds.send(0, [](table& there) { thrice(there); });
    }
  };
  inner_name(shoal::world& world, table& of) : adds(world, of) {}
  lambda_actor<table> adds;
};

struct later_name {
  later_name(shoal::world& world, table& of) : adds(world, of) {}
  lambda_actor<table> adds;
};
void added_later(table& t) { ++t.n; }
void send_later(later_name& to) {
  to.adds.send(0, [](table& there) { added_later(there); });
}

struct by_template {
  by_template(shoal::world& world, table& of) : adds(world, of) {}
  template <class Value>
  void add(Value v) {
    adds.send(0, [v](table& there) { there.n += v; });
  }
  lambda_actor<table> adds;
};

struct given_away {
  given_away(shoal::world& world, table& of) : adds(world, of) {}
  void add() {
    adds.send(0, [](table& there) { ++there.n; });
  }
  lambda_actor<table>& all() { return adds; }
  lambda_actor<table> adds;
};

struct with_initialiser {
  shoal::world& world;
  table& mine;
  lambda_actor<table> adds{world, mine};
  void add() {
    adds.send(0, [](table& there) { ++there.n; });
  }
};

struct made_elsewhere {
  lambda_actor<table> adds;
};
void make_elsewhere(shoal::world& world, table& mine) {
  made_elsewhere all{lambda_actor<table>(world, mine)};
  all.adds.send(0, [](table& there) { ++there.n; });
}

struct bound {
  lambda_actor<table> adds;
};
void by_binding(shoal::world& world, table& mine) {
  bound all{{world, mine}};
  auto& [adds] = all;
  all.adds.send(0, [](table& there) { ++there.n; });
  adds.done();
}

// Where a closure stays that sends, the PE of the main program is not the sender.
struct in_a_closure {
  in_a_closure(shoal::world& world, table& of) : adds(world, of) {}
  lambda_actor<table> adds;
};
void within_a_closure(shoal::world& world, shoal::per_pe<in_a_closure>& all) {
  const auto here = all.handle();
  const pe_id me = world.my_pe();
  world.finish([&] {
    world.send(0, [here, me] { here->adds.send(0, [me](table& there) { there.n += me; }); });
    world.barrier();
  });
}

struct around_unnamed {
  struct {
    lambda_actor<table> adds;
  } inner;
};
void send_unnamed(around_unnamed& to) {
  to.inner.adds.send(0, [](table& there) { ++there.n; });
}

// A generic lambda makes a closure of another type for each argument.
void generic(shoal::world& world, table& mine) {
  lambda_actor adds{world, mine};
  world.finish([&] {
    const auto add = [&](const auto& by) { adds.send(0, [by](table& there) { there.n += by; }); };
    add(1);
    add(2L);
  });
}

struct returns_value {
  int by;
  int operator()(table& there) const { return by + static_cast<int>(there.n); }
};
struct changes_itself {
  int by;
  void operator()(table& there) { there.n += ++by; }
};
struct of_template {
  template <class Table>
  void operator()(Table& there) const {
    ++there.n;
  }
};

void objects(shoal::world& world, table& mine) {
  lambda_actor values{world, mine};
  values.send(0, returns_value{1});
  lambda_actor changing{world, mine};
  changing.send(0, changes_itself{1});
  lambda_actor templates{world, mine};
  templates.send(0, of_template{});
  lambda_actor limited{world, mine};
  limited.limit_unsent(3);
  while (!limited.try_send(0, [](table& there) { ++there.n; })) world.yield();
  while (!limited.try_send(0, [](table& there) { twice(there); })) world.yield();
}

// Sent by a member that names an actor.
struct tied {
  table& mine;
  lambda_actor<table>& replies;
};

void read_otherwise(shoal::world& world, table& mine) {
  lambda_actor replies{world, mine};
  tied here{mine, replies};
  lambda_actor queries{world, here};
  world.finish([&] {
    queries.send(0, [](tied& there, pe_id from) { there.replies.send(from, [](table& t) { ++t.n; }); });
    queries.send(0, [](tied& there) { there.replies.done(); });
  });
}

struct tied_by_function {
  table& mine;
  lambda_actor<table>& replies;
};
lambda_actor<table>& one_of(lambda_actor<table>& one, lambda_actor<table>& other) {
  return &one < &other ? one : other;
}

void bound_by_function(shoal::world& world, table& mine) {
  lambda_actor replies{world, mine};
  lambda_actor others{world, mine};
  tied_by_function here{mine, one_of(replies, others)};
  lambda_actor queries{world, here};
  world.finish([&] {
    queries.send(0, [](tied_by_function& there, pe_id from) { there.replies.send(from, [](table& t) { ++t.n; }); });
  });
}

struct tied_twice {
  table& mine;
  lambda_actor<table>& replies;
};

void two_ways(shoal::world& world, table& mine) {
  lambda_actor replies{world, mine};
  tied_twice here{mine, replies};
  lambda_actor queries{world, here};
  world.finish([&] {
    replies.send(0, [](table& t) { twice(t); });
    queries.send(0, [](tied_twice& there, pe_id from) { there.replies.send(from, [](table& t) { ++t.n; }); });
  });
}

}  // namespace

void use(shoal::world& world, table& mine, shoal::per_pe<in_a_closure>& all) {
  known_elsewhere(world, mine).add();
  two_kinds(world, mine).change();
  with_base(world, mine).add();
  another_meaning other(world, mine);
  another_meaning::twice(mine);
  send_outside(other);
  inner_name inner(world, mine);
  inner_name::teller{inner}.tell();
  later_name later(world, mine);
  send_later(later);
  by_template(world, mine).add(1);
  given_away given(world, mine);
  given.add();
  given.all().done();
  with_initialiser{world, mine}.add();
  make_elsewhere(world, mine);
  by_binding(world, mine);
  within_a_closure(world, all);
  around_unnamed unnamed{{{world, mine}}};
  send_unnamed(unnamed);
  generic(world, mine);
  objects(world, mine);
  read_otherwise(world, mine);
  bound_by_function(world, mine);
  two_ways(world, mine);
}
