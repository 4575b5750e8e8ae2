#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/selector.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

void texts_arrive_in_order(world& w, std::uint64_t seed) {
  const pe_id me = w.my_pe();
  const std::size_t buffer = buffer_bytes(w);
  const auto text_between = [&](pe_id from, pe_id to, std::uint64_t number) {
    random_engine random(mixed_bits(static_cast<std::uint64_t>(from * 1000 + to)), number);
    return text_of(random(), some_bytes(random, buffer));
  };
  numbering sent(w.n_pes());
  numbering viewed(w.n_pes());
  numbering owned(w.n_pes());
  actor views{w, [&](std::string_view m, pe_id from) { EXPECT_EQ(m, text_between(from, me, viewed.take(from))); }};
  actor strings{w, [&](const std::string& m, pe_id from) { EXPECT_EQ(m, text_between(from, me, owned.take(from))); }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, me, w.n_pes(), 20)) {
      const std::string m = text_between(me, to, sent.take(to));
      views.send(to, m);
      strings.send(to, std::string_view(m));
    }
  });
  EXPECT_EQ(viewed.all(), expected_at(seed, me, w.n_pes(), 20));
  EXPECT_EQ(owned.all(), viewed.all());
}

// What has a function of its own names what of it travels.
struct route {
  std::string name;
  std::vector<std::int64_t> legs;
  int n_uses = 0;  // does not travel
  friend bool operator==(const route&, const route&) = default;
};
void serialize(auto& archive, route& r) { archive(r.name, r.legs); }

class tree {
public:
  tree() = default;
  tree(std::string name, std::vector<tree> below) : name_(std::move(name)), below_(std::move(below)) {}
  void serialize(auto& archive) { archive & name_ & below_; }
  friend bool operator==(const tree&, const tree&) = default;

private:
  std::string name_;
  std::vector<tree> below_;
};

// Can only be moved, and shows text where it arrived.
struct ticket {
  std::unique_ptr<std::int64_t> number = std::make_unique<std::int64_t>(0);
  std::string_view text;
  std::span<const double> prices;
};
void serialize(auto& archive, ticket& t) { archive(*t.number, t.text, t.prices); }

// Sends `values` from each PE to random ones, from the main program and back from handlers, and checks that the same
// values arrive.
template <class Value>
void exchange_values(world& w, std::uint64_t seed, const std::vector<Value>& values) {
  using message = std::pair<std::uint64_t, Value>;
  std::uint64_t n_handled = 0;
  std::uint64_t n_returned = 0;
  const auto check = [&](const message& m) {
    ASSERT_LT(m.first, values.size());
    EXPECT_TRUE(m.second == values[m.first]) << "value " << m.first;
  };
  actor returned{w, [&](const message& m) {
                   check(m);
                   ++n_returned;
                 }};
  actor given{w, [&](message m, pe_id from) {
                check(m);
                ++n_handled;
                returned.send(from, m);
              }};
  w.finish([&] {
    std::size_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 2 * values.size())) {
      given.send(to, {i, values[i]});
      i = (i + 1) % values.size();
    }
  });
  EXPECT_EQ(n_returned, 2 * values.size());
  EXPECT_EQ(w.sum(n_handled), w.sum(n_returned));
}

void containers_arrive_equal(world& w, std::uint64_t seed) {
  random_engine random(seed);
  const auto text = [&] { return text_of(random(), some_bytes(random, buffer_bytes(w)) / 4); };
  exchange_values<std::string>(w, seed, {"", "a", text(), text()});
  exchange_values<std::map<std::string, std::vector<int>>>(
      w, seed, {{}, {{"", {}}, {"one", {1}}}, {{text(), {1, 2, 3}}, {"x" + text(), std::vector<int>(100, 7)}}});
  exchange_values<std::vector<std::vector<std::string>>>(w, seed, {{}, {{}, {"a", text()}}, {{text(), text()}, {}}});
  exchange_values<std::optional<std::string>>(w, seed, {std::nullopt, "", text()});
  exchange_values<std::variant<int, std::string, std::vector<double>>>(w, seed, {3, text(), std::vector{0.5, 2.5}});
  exchange_values<std::tuple<std::set<std::string>, std::deque<std::string>, std::array<std::string, 2>>>(
      w, seed, {{}, {{"b", "a", text()}, {text(), "z"}, {"", text()}}});
  exchange_values<std::unordered_map<int, std::string>>(w, seed, {{}, {{1, text()}, {-5, ""}, {1 << 30, text()}}});
  exchange_values<std::list<std::pair<std::string, int>>>(w, seed, {{}, {{text(), 1}, {"", 2}}});
}

void values_of_own_types_arrive_equal(world& w, std::uint64_t seed) {
  random_engine random(seed);
  const auto text = [&] { return text_of(random(), some_bytes(random, buffer_bytes(w)) / 2); };
  exchange_values<route>(w, seed, {{"", {}}, {"north", {1, 2, 3}}, {text(), std::vector<std::int64_t>(50, 3)}});
  exchange_values<tree>(w, seed, {{}, {"root", {{"left", {}}, {text(), {{"deep", {}}}}}}});
  exchange_values<std::vector<route>>(w, seed, {{}, {{text(), {}}, {"south", {4}}}});
}

void vectors_of_plain_elements_are_lists(world& w, std::uint64_t seed) {
  using bits = std::vector<bool>;
  std::uint64_t n = 0;
  actor owned{w, [&](const std::vector<word>& m, pe_id from) {
                EXPECT_TRUE(has_elements_of(static_cast<std::uint64_t>(from), std::span(m)));
                ++n;
              }};
  actor moved{w, [&](std::vector<std::int16_t>&& m) {
                const std::vector<std::int16_t> mine = std::move(m);
                EXPECT_EQ(mine, std::vector<std::int16_t>(mine.size(), 4));
                ++n;
              }};
  actor flags{w, [&](const bits& m) {
                EXPECT_EQ(m, bits({true, false, true}));
                ++n;
              }};
  const pe_id me = w.my_pe();
  random_engine random = random_of(w, seed);
  const std::vector<pe_id> targets = targets_of(seed, me, w.n_pes(), 10);
  w.finish([&] {
    for (const pe_id to : targets) {
      const std::size_t bytes = some_bytes(random, buffer_bytes(w));
      owned.send(to, elements_of<word>(static_cast<std::uint64_t>(me), bytes / sizeof(word)));
      moved.send(to, std::vector<std::int16_t>(bytes / 2, 4));
      flags.send(to, {true, false, true});
    }
  });
  EXPECT_EQ(w.sum(n), 30U * static_cast<std::uint64_t>(w.n_pes()));
}

void values_may_be_moved_only_and_show_what_arrived(world& w, std::uint64_t seed) {
  std::vector<std::unique_ptr<std::int64_t>> kept;
  actor a{w, [&](ticket&& t, pe_id from) {
            EXPECT_EQ(t.text, text_of(static_cast<std::uint64_t>(*t.number), t.text.size()));
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.prices.data()) % alignof(double), 0U);
            for (const double price : t.prices) EXPECT_EQ(price, static_cast<double>(from) + 0.5);
            kept.push_back(std::move(t.number));
          }};
  const pe_id me = w.my_pe();
  random_engine random = random_of(w, seed);
  w.finish([&] {
    std::int64_t number = 0;
    for (const pe_id to : targets_of(seed, me, w.n_pes(), 10)) {
      const std::string text = text_of(static_cast<std::uint64_t>(number), some_bytes(random, buffer_bytes(w)));
      const std::vector<double> prices(random.below(2 * buffer_bytes(w) / 8), static_cast<double>(me) + 0.5);
      a.send(to, {std::make_unique<std::int64_t>(number++), text, prices});
    }
  });
  EXPECT_EQ(w.sum(kept.size()), 10U * static_cast<std::size_t>(w.n_pes()));
}

// --- Selectors

struct note {};

// Mailboxes of one size and of any size: by type, tag and position.
struct desk : selector<desk, std::int64_t, std::string_view, list<std::int64_t, double>, tagged<note, std::string>,
                       std::map<std::string, int>> {
  explicit desk(world& w) : selector(w, "desk") {}

  void process(std::int64_t m, pe_id from) {
    ++n_handled[0];
    send(from, "number");
    send(from, std::string(static_cast<std::size_t>(m), 'n'));
  }
  void process(std::string_view m) {
    ++n_handled[1];
    EXPECT_TRUE(m == "number" || m == std::string(m.size(), 'n')) << m.size();
  }
  void process(const list<std::int64_t, double>& m, pe_id from) {
    ++n_handled[2];
    EXPECT_EQ(static_cast<std::size_t>(m.header), m.size());
    for (const double d : m) EXPECT_EQ(d, 0.25);
    send<note>(from, std::string(m.size(), 't'));
  }
  void process(note, std::string m) {
    ++n_handled[3];
    EXPECT_EQ(m, std::string(m.size(), 't'));
  }
  void process(const std::map<std::string, int>& m) {
    ++n_handled[4];
    EXPECT_EQ(m.size(), 2U);
    EXPECT_EQ(m.at("two"), 2);
  }

  std::array<std::uint64_t, 5> n_handled{};
};

void selectors_mix_mailboxes_of_one_size_and_of_any(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  desk d(w);
  for (int k = 0; k < 2; ++k) {
    w.finish([&] {
      for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
        const std::size_t n = some_bytes(random, buffer_bytes(w)) / sizeof(double);
        const std::vector<double> quarters(n, 0.25);
        d.send(to, static_cast<std::int64_t>(n));
        d.send(to, list<std::int64_t, double>{static_cast<std::int64_t>(n), quarters});
        d.send<2>(to, {2, {0.25, 0.25}});
        d.send<note>(to, "ttt");
        d.send(to, std::map<std::string, int>{{"one", 1}, {"two", 2}});
      }
    });
  }
  const std::array<std::uint64_t, 5> expected{20, 40, 40, 60, 20};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(w.sum(d.n_handled[i]), expected[i] * static_cast<std::uint64_t>(w.n_pes())) << "mailbox " << i;
  }
}

// Two mailboxes of one type, by position; a text in any form goes to the only mailbox.
struct two_rows : selector<two_rows, list<std::int32_t>, list<std::int32_t>> {
  explicit two_rows(world& w) : selector(w) {}
  void process(nth<0>, list<std::int32_t> m, pe_id from) {
    ++n_handled[0];
    send<1>(from, m);
  }
  void process(nth<1>, list<std::int32_t> m) {
    ++n_handled[1];
    for (const std::int32_t each : m) EXPECT_EQ(each, 6);
  }
  std::array<std::uint64_t, 2> n_handled{};
};

struct ear : selector<ear, std::string_view> {
  explicit ear(world& w) : selector(w) {}
  void process(std::string_view m) { heard += m; }
  std::string heard;
};

void positions_name_mailboxes_of_lists(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  two_rows rows(w);
  ear only(w);
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
      rows.send<0>(to, std::vector<std::int32_t>(some_bytes(random, buffer_bytes(w)) / 4, 6));
    }
    only.send(w.my_pe(), "one ");
    only.send(w.my_pe(), std::string("two "));
    only.send(w.my_pe(), std::string_view("three"));
  });
  EXPECT_EQ(rows.n_handled[1], 10U);
  EXPECT_EQ(w.sum(rows.n_handled[0]), w.sum(rows.n_handled[1]));
  EXPECT_EQ(only.heard, "one two three");
}

}  // namespace

std::vector<claim> value_claims() {
  return {
      {"texts_arrive_in_order", texts_arrive_in_order, 3},
      {"containers_arrive_equal", containers_arrive_equal, 3},
      {"values_of_own_types_arrive_equal", values_of_own_types_arrive_equal, 3},
      {"vectors_of_plain_elements_are_lists", vectors_of_plain_elements_are_lists, 4},
      {"values_may_be_moved_only_and_show_what_arrived", values_may_be_moved_only_and_show_what_arrived, 2},
      {"selectors_mix_mailboxes_of_one_size_and_of_any", selectors_mix_mailboxes_of_one_size_and_of_any, 6},
      {"positions_name_mailboxes_of_lists", positions_name_mailboxes_of_lists, 4},
  };
}

}  // namespace shoal::test
