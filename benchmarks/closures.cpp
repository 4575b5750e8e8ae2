// Compares one type of closure with four types of different sizes in random order through one mailbox. Every message
// carries its number in the order of its sender, and every handler checks it: closures of different types keep their
// order.
//
// In any program, four kinds of work in random order cost two mispredicted branches: one where the kind is decided and
// one where it is run. `message_switched` shows them: one message type with a kind in it and a table of functions at
// the receiver, as one would write it without closures.
// pes: 2
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"

namespace {

using namespace shoal;

// What a PE's closures use where they run.
struct receiver {
  std::vector<std::uint32_t> next;  // by sender: the number that must come next
  std::int64_t n_out_of_order = 0;
  std::int64_t total = 0;

  void take(std::uint32_t number, pe_id from) { n_out_of_order += next[from]++ != number; }
};

struct order {
  std::uint8_t target;
  std::uint8_t kind;
};

template <int N>
struct payload {
  std::int64_t words[N];
};

// 8, 16, 24 and 40 bytes.
void send_kind(lambda_actor<receiver>& to, pe_id target, int kind, std::uint32_t number) {
  switch (kind) {
    case 0:
      to.send(target, [number, one = 1](receiver& r, pe_id from) {
        r.take(number, from);
        r.total += one;
      });
      break;
    case 1:
      to.send(target, [number, p = payload<1>{{1}}](receiver& r, pe_id from) {
        r.take(number, from);
        r.total += p.words[0];
      });
      break;
    case 2:
      to.send(target, [number, p = payload<2>{{1, 2}}](receiver& r, pe_id from) {
        r.take(number, from);
        r.total += p.words[0];
      });
      break;
    default:
      to.send(target, [number, p = payload<4>{{1, 2, 3, 4}}](receiver& r, pe_id from) {
        r.take(number, from);
        r.total += p.words[0];
      });
  }
}

template <int N>
struct numbered {
  std::uint32_t number;
  std::int32_t one;
  std::array<std::int64_t, N> rest{};
};
template <>
struct numbered<0> {
  std::uint32_t number;
  std::int32_t one;
};

// The same by hand: a message with its kind and room for the largest closure, and a function for each kind.
struct any_kind {
  std::uint32_t number;
  std::int32_t kind;
  std::int64_t words[4];
};

template <int Kind>
void run_kind(receiver& r, const any_kind& m, pe_id from) {
  r.take(m.number, from);
  r.total += Kind == 0 ? 1 : m.words[0];
}
constexpr std::array<void (*)(receiver&, const any_kind&, pe_id), 4> functions{run_kind<0>, run_kind<1>, run_kind<2>,
                                                                               run_kind<3>};

template <class Actor>
void send_switched(Actor& to, pe_id target, int kind, std::uint32_t number) {
  switch (kind) {
    case 0: to.send(target, any_kind{number, 0, {}}); break;
    case 1: to.send(target, any_kind{number, 1, {1}}); break;
    case 2: to.send(target, any_kind{number, 2, {1, 2}}); break;
    default: to.send(target, any_kind{number, 3, {1, 2, 3, 4}});
  }
}

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "closures", given);
  const std::int64_t n = all.is_smoke() ? 50'000 : 5'000'000;
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  random_engine random(5, w.my_pe());
  std::vector<order> orders(n);
  for (order& o : orders) {
    o = {static_cast<std::uint8_t>(random.below(n_pes)), static_cast<std::uint8_t>(random.below(4))};
  }

  receiver mine;
  std::vector<std::uint32_t> numbers(n_pes);
  const auto reset = [&] {
    mine = {};
    mine.next.assign(n_pes, 0);
    numbers.assign(n_pes, 0);
    w.barrier();
  };
  const auto is_right = [&] {
    const bool has_order = w.sum(mine.n_out_of_order) == 0;
    return w.sum(mine.total) == n * w.n_pes() && has_order;
  };
  const auto closures_of = [&](auto kind_of) {
    return [&, kind_of] {
      reset();
      lambda_actor to{w, mine};
      w.finish([&] {
        for (const order& o : orders) send_kind(to, o.target, kind_of(o), numbers[o.target]++);
      });
    };
  };

  const auto messages_of = [&]<class Message>(std::type_identity<Message>) {
    return [&] {
      reset();
      actor to{w, [&mine](const Message& m, pe_id from) {
                 mine.take(m.number, from);
                 mine.total += m.one;
               }};
      w.finish([&] {
        for (const order& o : orders) to.send(o.target, Message{.number = numbers[o.target]++, .one = 1});
      });
    };
  };
  const double message =
      all.measure({"message_8", double(n)}, messages_of(std::type_identity<numbered<0>>{}), is_right);
  const double message_24 =
      all.measure({"message_24", double(n)}, messages_of(std::type_identity<numbered<2>>{}), is_right);
  const auto switched = [&] {
    reset();
    actor to{w, [&mine](const any_kind& m, pe_id from) { functions[m.kind](mine, m, from); }};
    w.finish([&] {
      for (const order& o : orders) send_switched(to, o.target, o.kind, numbers[o.target]++);
    });
  };
  const double by_hand = all.measure({"message_switched", double(n)}, switched, is_right);
  const double one = all.measure({"one_type_8", double(n)}, closures_of([](order) { return 0; }), is_right);
  const double one_24 = all.measure({"one_type_24", double(n)}, closures_of([](order) { return 2; }), is_right);
  const double four =
      all.measure({"four_types_random", double(n)}, closures_of([](order o) { return o.kind; }), is_right);
  all.derive("one_type_to_message", one / message);
  all.derive("four_types_to_message", four / message);
  all.derive("four_types_to_message_24", four / message_24);  // their mean is 22 bytes
  all.derive("four_types_to_one_type", four / one);
  all.derive("four_types_to_one_type_24", four / one_24);
  all.derive("four_types_to_switched", four / by_hand);
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
