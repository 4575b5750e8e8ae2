#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/actor/selector.hpp"
#include "test/contract/actor/account.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/actor/expected_answer.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Takes one of them at random.
void check_one(std::vector<expected_answer>& open, random_engine& random) {
  std::swap(open.back(), open[random.below(open.size())]);
  open.back().check();
  EXPECT_FALSE(open.back().answer.is_valid());
  open.pop_back();
}

std::uint64_t note_and_answer(world& there, pe_id from, account_handle mine, std::uint64_t number) {
  mine->expect_next(from, number);
  return answer_of(number, there.my_pe());
}

// Among closures, in whose order they come. The main program takes the answers in any order, in finish or after it.
void each_question_gets_its_own_answer(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  numbering sent(w.n_pes());
  random_engine random(seed, 1000 + static_cast<std::uint64_t>(w.my_pe()));
  std::vector<expected_answer> open;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      const std::uint64_t i = sent.take(to);
      const std::uint64_t value = answer_of(i, to);
      const auto by_capture = [mine, i](world& there, pe_id from) { return note_and_answer(there, from, mine, i); };
      switch (random.below(5)) {
        case 0: w.send(to, [mine, i](world&, pe_id from) { mine->expect_next(from, i); }); break;
        case 1: open.push_back({w.ask(to, by_capture), value}); break;
        case 2: open.push_back({w.ask<&note_and_answer>(to, mine, i), value}); break;
        case 3:
          open.push_back({w.ask(
                              to,
                              [mine](world& there, pe_id from, std::uint64_t number, std::string_view text) {
                                EXPECT_EQ(text, text_of(number, text.size()));
                                return note_and_answer(there, from, mine, number);
                              },
                              i, text_of(i, some_bytes(random, buffer_bytes(w)))),
                          value});
          break;
        default: w.ask(to, [mine, i](world&, pe_id from) { mine->expect_next(from, i); });
      }
      if (!open.empty() && random.below(3) == 0) check_one(open, random);
    }
    while (!open.empty() && random.below(30) != 0) check_one(open, random);
  });
  while (!open.empty()) {
    EXPECT_TRUE(open.back().answer.is_ready());
    check_one(open, random);
  }
  EXPECT_EQ(here->handled.all(), expected_at(seed, w.my_pe(), w.n_pes(), 100));
}

// What the call has written is seen by a get that follows its answer.
void an_answer_without_a_value_says_that_the_call_is_over(world& w, std::uint64_t seed) {
  const symmetric<std::uint64_t> last = w.allocate<std::uint64_t>(static_cast<std::size_t>(w.n_pes()));
  const auto note = [last](world& there, pe_id from, std::uint64_t number) {
    there.local(last)[static_cast<std::size_t>(from)] = number;
  };
  w.finish([&] {
    std::uint64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) {
      w.ask(to, note, ++i).get();
      EXPECT_EQ(w.get(last, static_cast<std::size_t>(w.my_pe()), to), i);
    }
  });
  w.deallocate(last);
}

struct stop {
  std::string name;
  std::vector<std::uint32_t> platforms;
  int n_visits = 0;  // does not travel
  friend bool operator==(const stop&, const stop&) = default;
};
void serialize(auto& archive, stop& s) { archive(s.name, s.platforms); }

// Larger than a buffer, and made without a default constructor.
struct alignas(32) panorama {
  explicit panorama(std::uint32_t number) { pixels.fill(number); }
  std::array<std::uint32_t, 3000> pixels;
};

void answers_of_any_size_come_back(world& w, std::uint64_t seed) {
  random_engine random(seed, 1010 + static_cast<std::uint64_t>(w.my_pe()));
  std::vector<std::pair<future<std::string>, std::string>> texts;
  std::vector<std::pair<future<std::vector<std::uint32_t>>, std::vector<std::uint32_t>>> lists;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) {
      const std::size_t n = some_bytes(random, buffer_bytes(w));
      texts.emplace_back(w.ask<&text_of>(to, n, n / 2), text_of(n, n / 2));
      std::vector<std::uint32_t> numbers = elements_of<std::uint32_t>(n, n / 4);
      lists.emplace_back(
          w.ask(
              to,
              [](std::span<const std::uint32_t> all) { return std::vector<std::uint32_t>(all.rbegin(), all.rend()); },
              numbers),
          std::vector<std::uint32_t>(numbers.rbegin(), numbers.rend()));
    }
    const auto any = [&] { return any_pe(w, random); };
    const stop one{text_of(seed, 200), {1, 2, 3}};
    auto back = w.ask(any(), [](const stop& s) { return s; }, one);
    auto large = w.ask(any(), [](std::uint32_t number) { return panorama(number); }, 7);
    auto none = w.ask(any(), [] { return std::optional<std::string>(); });
    auto either = w.ask(any(), [] { return std::variant<int, std::string>("a text"); });
    auto pair = w.ask(any(), [](world& there, pe_id from) { return std::pair(from, there.my_pe()); });
    auto map = w.ask(any(), [](std::string key) { return std::map<std::string, int>{{key, 1}, {"", 2}}; }, "key");
    EXPECT_EQ(map.get(), (std::map<std::string, int>{{"key", 1}, {"", 2}}));
    EXPECT_EQ(pair.get().first, w.my_pe());
    EXPECT_EQ(std::get<std::string>(either.get()), "a text");
    EXPECT_EQ(none.get(), std::nullopt);
    EXPECT_EQ(large.get().pixels, panorama(7).pixels);
    EXPECT_EQ(back.get(), one);
  });
  for (auto& [answer, text] : texts) EXPECT_EQ(answer.get(), text);
  for (auto& [answer, list] : lists) EXPECT_EQ(answer.get(), list);
}

struct title_of {};
struct lend {};
struct give_back {};

// Answers at once, later, to texts, and without a value.
struct library
    : selector<library, question<std::uint64_t, std::uint64_t>, tagged<title_of, question<std::uint64_t, std::string>>,
               question<std::string, std::size_t>, tagged<lend, question<std::uint64_t, void>>,
               tagged<give_back, question<std::uint64_t, void>>, std::int32_t> {
  using selector::selector;
  std::uint64_t n_lent = 0;
  std::int32_t n_notes = 0;
  pe_id me = world::current().my_pe();

  std::uint64_t process(std::uint64_t number) { return answer_of(number, me); }
  future<std::string> process(title_of, std::uint64_t n, pe_id from) { return text_of(n, 10 + n % 90) += char(from); }
  std::size_t process(const std::string& text) { return text.size(); }
  void process(lend, std::uint64_t n) { n_lent += n; }
  std::uint64_t process(give_back, std::uint64_t n) { return n_lent -= n; }
  void process(std::int32_t n) { n_notes += n; }
};

void selectors_answer_questions(world& w, std::uint64_t seed) {
  library books{w};
  random_engine random(seed, 1020 + static_cast<std::uint64_t>(w.my_pe()));
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) {
      const std::uint64_t n = random.below(1000);
      future<std::uint64_t> by_message = books.ask(to, n);
      future<std::uint64_t> by_position = books.ask<0>(to, n + 1);
      future<std::string> title = books.ask<title_of>(to, n);
      future<void> lent = books.ask<lend>(to, 3);
      books.ask<give_back>(to, 1).get();
      books.send<lend>(to, 1);
      books.send<2>(to, "nobody asks for the answer");
      books.send(to, std::int32_t{1});
      const std::string text = text_of(n, some_bytes(random, buffer_bytes(w)));
      future<std::size_t> length = books.ask(to, text);
      EXPECT_EQ(length.get(), text.size());
      EXPECT_EQ(books.ask(to, "in another form").get(), 15U);
      EXPECT_EQ(books.ask(to, std::string_view(text)).get(), text.size());
      lent.get();
      EXPECT_EQ(title.get(), text_of(n, 10 + n % 90) + char(w.my_pe()));
      EXPECT_EQ(by_position.get(), answer_of(n + 1, to));
      EXPECT_EQ(by_message.get(), answer_of(n, to));
    }
  });
  EXPECT_EQ(w.sum(books.n_lent), 60U * static_cast<std::uint64_t>(w.n_pes()));
  EXPECT_EQ(w.sum(books.n_notes), 20 * static_cast<std::int32_t>(w.n_pes()));
}

void actors_and_lambda_actors_answer(world& w, std::uint64_t seed) {
  std::vector<std::uint64_t> table{1, 2, 3, 4};
  lambda_actor at{w, table, "table"};
  actor square{w, [&](double x, pe_id from) -> future<double> { return x * x + static_cast<double>(from); }};
  actor repeat{w, [](std::string_view text) -> future<std::string> { return std::string(text) + std::string(text); }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
      auto sum = at.ask(
          to, [](const std::vector<std::uint64_t>& all, std::size_t a, std::size_t b) { return all[a] * 10 + all[b]; },
          1, 3);
      auto size = at.ask(to, [](const std::vector<std::uint64_t>& all) { return all.size(); });
      future<double> squared = square.ask(to, 1.5);
      const std::string text = text_of(seed, buffer_bytes(w));
      future<std::string> repeated = repeat.ask(to, text);
      EXPECT_EQ(repeated.get(), text + text);
      EXPECT_EQ(squared.get(), 2.25 + static_cast<double>(w.my_pe()));
      EXPECT_EQ(size.get(), 4U);
      EXPECT_EQ(sum.get(), 24U);
    }
  });
}

// Each message that arrives is a question's, or asks one: a question of a handler belongs to its superstep.
void handlers_ask(world& w, std::uint64_t seed) {
  per_pe<pe_watch> watch(w);
  const auto mine = watch.handle();
  std::uint64_t n_right = 0;
  actor curious{w, [&](std::uint64_t n, pe_id from) {
                  const handler_mark mark(*watch);
                  w.ask(
                       from,
                       [mine](world& there, std::uint64_t m) {
                         const handler_mark its_mark(*mine);
                         return answer_of(m, there.my_pe());
                       },
                       n)
                      .then([&, n, from](std::uint64_t value) {
                        const handler_mark its_mark(*watch);
                        n_right += value == answer_of(n, from) ? 1 : 0;
                      });
                }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 80)) curious.send(to, seed);
  });
  EXPECT_EQ(w.sum(n_right), 80U * static_cast<std::uint64_t>(w.n_pes()));
}

struct place_of {
  std::uint64_t index;
  pe_id pe;
};

void ask_all_puts_answers_in_the_order_of_the_queries(world& w, std::uint64_t seed) {
  std::vector<std::uint64_t> table(64);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = answer_of(i, w.my_pe());
  lambda_actor at{w, table};
  struct directory : selector<directory, question<std::uint64_t, std::uint64_t>> {
    using selector::selector;
    std::uint64_t process(std::uint64_t index) { return answer_of(index, world::current().my_pe()); }
  } by_mailbox{w};
  random_engine random(seed, 1040 + static_cast<std::uint64_t>(w.my_pe()));
  std::vector<place_of> queries(random.below(300));
  for (place_of& q : queries) q = {random.below(64), any_pe(w, random)};
  const auto pe_of = [](const place_of& q) { return q.pe; };
  const auto owner = [&](std::uint64_t index) { return index % static_cast<std::uint64_t>(w.n_pes()); };
  std::vector<std::uint64_t> indices;
  for (const place_of& q : queries) indices.push_back(q.index);
  std::vector<std::uint64_t> from_table(queries.size() + 1, 5), from_mailbox(queries.size());
  std::vector<std::string> texts(queries.size());
  w.finish([&] {
    const auto look = [](const std::vector<std::uint64_t>& its, const place_of& q) { return its[q.index]; };
    future<void> all = at.ask_all(queries, from_table, pe_of, look);
    future<void> in_order = by_mailbox.mailbox_at<0>().ask_all(indices, from_mailbox, owner);
    w.ask_all(indices, texts, owner, [](std::uint64_t n) { return text_of(n, n * 7 % 300); });
    w.ask_all(std::array<std::uint64_t, 0>{}, {}, owner, [](std::uint64_t n) { return n; }).get();
    all.get();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      EXPECT_EQ(from_table[i], answer_of(queries[i].index, queries[i].pe));
    }
    in_order.then([&] {
      for (std::size_t i = 0; i < queries.size(); ++i) {
        EXPECT_EQ(from_mailbox[i], answer_of(indices[i], static_cast<pe_id>(owner(indices[i]))));
      }
    });
  });
  EXPECT_EQ(from_table.back(), 5U) << "a place without a query";
  for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(texts[i], text_of(indices[i], indices[i] * 7 % 300));
}

void handlers_ask_all(world& w, std::uint64_t seed) {
  const std::vector<std::uint64_t> queries = elements_of<std::uint64_t>(seed, 30);
  std::array<std::vector<std::uint64_t>, 4> into;
  std::uint64_t n_right = 0;
  actor start{w, [&](std::size_t i) {
                into[i].resize(queries.size());
                const auto to = [&](std::uint64_t q) { return q % static_cast<std::uint64_t>(w.n_pes()); };
                w.ask_all(queries, into[i], to, [](std::uint64_t q) { return ~q; }).then([&, i] {
                  for (std::size_t k = 0; k < queries.size(); ++k) n_right += into[i][k] == ~queries[k] ? 1 : 0;
                });
              }};
  w.finish([&] {
    for (std::size_t i = 0; i < into.size(); ++i) start.send((w.my_pe() + 1) % w.n_pes(), i);
  });
  EXPECT_EQ(n_right, 120U);
}

// An inner superstep waits for its own answers, and for what follows them. An answer of the outer one may come, and be
// followed, while the inner one waits, and belongs to the outer one then, too.
void answers_belong_to_the_superstep_of_their_question(world& w, std::uint64_t seed) {
  std::uint64_t n_outer = 0;
  std::uint64_t n_inner = 0;
  const auto echo = [](std::uint64_t n) { return n; };
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
      w.ask(to, echo, 1).then([&, to](std::uint64_t n) {
        w.ask(to, echo, n).then([&](std::uint64_t m) { n_outer += m; });
      });
    }
    for (std::uint64_t k = 1; k <= 3; ++k) {
      std::vector<expected_answer> open;
      w.finish([&] {
        for (const pe_id to : targets_of(seed + k, w.my_pe(), w.n_pes(), 10)) {
          w.ask(to, echo, 1).then([&, to](std::uint64_t n) {
            return w.ask(to, echo, n).then([&](std::uint64_t m) { n_inner += m; });
          });
          open.push_back({w.ask(to, echo, k), k});
        }
      });
      EXPECT_EQ(n_inner, 10 * k);
      for (expected_answer& each : open) {
        EXPECT_TRUE(each.answer.is_ready());
        each.check();
      }
    }
  });
  EXPECT_EQ(n_outer, 10U);
}

void deferred_work_asks(world& w, std::uint64_t seed) {
  std::uint64_t n = 0;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 30)) {
      w.defer([&, to] {
        w.ask(to, [](world& there) { return there.my_pe(); }).then([&, to](pe_id pe) {
          EXPECT_EQ(pe, to);
          w.defer([&, to] { w.ask(to, [] {}).then([&] { ++n; }); });
        });
      });
    }
  });
  EXPECT_EQ(n, 30U);
}

// And as many may wait for one another in a row.
void thousands_of_answers_may_be_under_way(world& w, std::uint64_t seed) {
  std::vector<expected_answer> open;
  std::uint64_t sum = 0;
  w.finish([&] {
    std::uint64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 1100)) {
      ++i;
      open.push_back(
          {w.ask(to, [](world& there, std::uint64_t n) { return answer_of(n, there.my_pe()); }, i), answer_of(i, to)});
    }
    future<std::uint64_t> last = w.ask((w.my_pe() + 1) % w.n_pes(), [] { return std::uint64_t{0}; });
    for (int k = 0; k < 1000; ++k) last = last.then([](std::uint64_t n) { return n + 1; });
    last.then([&](std::uint64_t n) { sum = n; });
  });
  EXPECT_EQ(sum, 1000U);
  for (expected_answer& each : open) each.check();
}

}  // namespace

std::vector<claim> answer_claims() {
  return {
      {"each_question_gets_its_own_answer", each_question_gets_its_own_answer},
      of_job({"an_answer_without_a_value_says_that_the_call_is_over",
              an_answer_without_a_value_says_that_the_call_is_over}),
      {"answers_of_any_size_come_back", answers_of_any_size_come_back},
      of_job({"selectors_answer_questions", selectors_answer_questions, 7}),
      {"actors_and_lambda_actors_answer", actors_and_lambda_actors_answer, 4},
      {"handlers_ask", handlers_ask, 2},
      {"ask_all_puts_answers_in_the_order_of_the_queries", ask_all_puts_answers_in_the_order_of_the_queries, 3},
      {"handlers_ask_all", handlers_ask_all, 2},
      {"answers_belong_to_the_superstep_of_their_question", answers_belong_to_the_superstep_of_their_question, 2},
      {"deferred_work_asks", deferred_work_asks},
      {"thousands_of_answers_may_be_under_way", thousands_of_answers_may_be_under_way},
  };
}

}  // namespace shoal::test
