#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "test/contract/actor/account.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

struct journey {
  std::string name;
  std::vector<std::uint32_t> legs;

  static journey numbered(std::uint64_t number, std::size_t n_legs) {
    return {"journey " + std::to_string(number),
            std::vector<std::uint32_t>(n_legs, static_cast<std::uint32_t>(number))};
  }
  bool operator==(const journey&) const = default;
};
void serialize(auto& archive, journey& j) { archive(j.name, j.legs); }

std::string text_of(std::uint64_t number, std::size_t n_bytes) {
  std::string text;
  for (std::size_t i = 0; i < n_bytes; ++i) text += static_cast<char>('a' + (number + i) % 26);
  return text;
}

// From nothing to several buffers of any claim's run.
std::size_t any_length(random_engine& random) {
  constexpr std::array<std::size_t, 8> bounds{1, 2, 10, 50, 100, 400, 2000, 9000};
  return static_cast<std::size_t>(random.below(bounds[random.below(bounds.size())]));
}

void note_text(world&, pe_id from, account_handle mine, std::uint64_t number, const std::string& text) {
  EXPECT_EQ(text, text_of(number, text.size()));
  mine->expect_next(from, number);
}

void calls_and_closures_of_any_size_keep_their_order(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  numbering sent(w.n_pes());
  random_engine random(seed, 900 + static_cast<std::uint64_t>(w.my_pe()));
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      const std::uint64_t i = sent.take(to);
      switch (random.below(6)) {
        case 0: w.send(to, [mine, i](world&, pe_id from) { mine->expect_next(from, i); }); break;
        case 1: w.send<&note_text>(to, mine, i, text_of(i, any_length(random))); break;
        case 2:
          w.send(
              to,
              [mine](world&, pe_id from, std::uint64_t number, std::string_view text) {
                EXPECT_EQ(text, text_of(number, text.size()));
                mine->expect_next(from, number);
              },
              i, text_of(i, any_length(random)));
          break;
        case 3:
          w.send(
              to,
              [](world&, pe_id from, account_handle its, std::uint64_t number, const journey& j) {
                EXPECT_EQ(j, journey::numbered(number, j.legs.size()));
                its->expect_next(from, number);
              },
              mine, i, journey::numbered(i, any_length(random)));
          break;
        case 4:
          w.send(
              to,
              [mine](world&, pe_id from, std::span<const std::uint64_t> all, std::uint16_t) {
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.data()) % alignof(std::uint64_t), 0U);
                for (const std::uint64_t each : all) EXPECT_EQ(each, all[0]);
                mine->expect_next(from, all[0]);
              },
              std::vector<std::uint64_t>(1 + any_length(random) / 8, i), 7);
          break;
        default:  // all parameters have one size
          w.send(
              to,
              [mine](world&, pe_id from, std::uint64_t number, char x) {
                EXPECT_EQ(x, 'x');
                mine->expect_next(from, number);
              },
              i, 'x');
      }
    }
  });
  EXPECT_EQ(here->handled.all(), expected_at(seed, w.my_pe(), w.n_pes(), 100));
}

void arguments_become_what_the_parameters_say(world& w, std::uint64_t) {
  per_pe<std::uint64_t> n(w, 0);
  const auto count = n.handle();
  w.finish([&] {
    const pe_id to = (w.my_pe() + 1) % w.n_pes();
    w.send(to, [count](double x, std::int64_t y) { *count += x == 3.0 && y == -1; }, 3, std::int8_t{-1});
    w.send(to, [count](std::string s) { *count += s == "literal"; }, "literal");
    w.send(to, [count](std::string_view s) { *count += s == "text"; }, std::string("text"));
    w.send(to, [count](const std::vector<int>& v) { *count += v == std::vector{1, 2, 3}; }, std::vector{1, 2, 3});
    w.send(to, [count](std::vector<int>&& v) { *count += v.size() == 2; }, std::array{4, 5});
    w.send(to, [count](std::span<const int> v) { *count += v.size() == 2 && v[1] == 5; }, std::array{4, 5});
    w.send(to, [count](std::optional<std::string> o) { *count += o == "yes"; }, "yes");
    w.send(to, [count](std::variant<int, std::string> v) { *count += v.index() == 1; }, std::string("v"));
    w.send(
        to,
        [count](std::pair<int, double> p, std::tuple<char, short> t) {
          *count += p.second == 2.5 && std::get<0>(t) == 'c';
        },
        std::pair{1, 2.5}, std::tuple{'c', short{3}});
    w.send(
        to,
        [count](const std::map<std::string, std::vector<int>>& m) {
          *count += m.at("a").size() == 2 && m.at("").empty();
        },
        std::map<std::string, std::vector<int>>{{"a", {1, 2}}, {"", {}}});
    w.send(
        to, [count](auto text, auto number) { *count += std::string_view(text).size() == 4 && number == 5U; }, "four",
        5U);
    w.send(
        to, [count](const std::vector<bool>& bits) { *count += bits.size() == 3 && bits[2]; },
        std::vector<bool>{false, false, true});
    w.send(
        to,
        [count, left = 2](std::string s) mutable {
          while (left-- > 0) *count += s == "m";
        },
        "m");
    w.send(
        to,
        [count, left = 2](int one) mutable {
          while (left-- > 0) *count += static_cast<std::uint64_t>(one);
        },
        1);
  });
  EXPECT_EQ(*n, 16U);
}

void a_call_may_take_the_context_and_its_sender(world& w, std::uint64_t) {
  std::string log;
  lambda_actor to_log{w, log};
  w.finish([&] {
    const pe_id next = (w.my_pe() + 1) % w.n_pes();
    to_log.send(next, [](std::string& its, std::string_view text) { its += text; }, "with context, ");
    to_log.send(
        next, [](std::string& its, pe_id from, std::string_view text) { (its += text) += std::to_string(from); },
        "from ");
    to_log.send(next, [](std::string& its, pe_id from, int n) { its += "/" + std::to_string(n + from); }, 1);
    to_log.send(next, [me = w.my_pe()](std::string& its, int n) { its += "/" + std::to_string(n + me); }, 2);
  });
  const pe_id before = (w.my_pe() + w.n_pes() - 1) % w.n_pes();
  EXPECT_EQ(log, "with context, from " + std::to_string(before) + "/" + std::to_string(before + 1) + "/" +
                     std::to_string(before + 2));
}

struct padded {
  bool flag;
  double x;
};

// Padding holds what was there before: here the address of an object, which nobody captured.
[[gnu::noinline]] padded with_address_in_padding() {
  alignas(padded) std::byte memory[sizeof(padded)];
  const void* const address = memory;
  std::memcpy(memory, &address, sizeof address);
  auto* const made = new (memory) padded;
  made->flag = true;
  made->x = 0.5;
  padded copy;
  std::memcpy(&copy, memory, sizeof copy);
  return copy;
}

void padding_of_arguments_is_no_capture(world& w, std::uint64_t) {
  per_pe<std::uint64_t> n(w, 0);
  const auto count = n.handle();
  w.finish([&] {
    for (int i = 0; i < 20; ++i) {
      w.send((w.my_pe() + i) % w.n_pes(),
             [count](padded p, std::tuple<char, long> t) { *count += p.flag && std::get<1>(t) == 3; },
             with_address_in_padding(), std::tuple{'c', 3L});
    }
  });
  EXPECT_EQ(w.sum(*n), 20U * static_cast<std::uint64_t>(w.n_pes()));
}

// Plain arguments may be larger than a buffer, too, and what they are made of needs no default constructor.
struct large {
  explicit large(std::uint32_t number) { numbers.fill(number); }
  std::array<std::uint32_t, 10000> numbers;
};

void plain_arguments_may_be_larger_than_a_buffer(world& w, std::uint64_t) {
  per_pe<std::uint64_t> n(w, 0);
  const auto count = n.handle();
  const auto message = std::make_unique<large>(7);
  w.finish([&] {
    for (pe_id to = 0; to < w.n_pes(); ++to) {
      w.send(to, [count](const large& l) { *count += l.numbers.front() + l.numbers.back(); }, *message);
    }
  });
  EXPECT_EQ(*n, 14U * static_cast<std::uint64_t>(w.n_pes()));
}

// Handlers send large arguments beyond their credits, while the main program is in the middle of its own.
void large_calls_may_storm(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  random_engine random(seed, 950 + static_cast<std::uint64_t>(w.my_pe()));
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) {
      w.send(
          to,
          [mine](world& there, pe_id from, const std::vector<std::uint32_t>& numbers) {
            const handler_mark mark(mine->watch);
            for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(numbers[k], k);
            const auto reply = [mine](std::string_view text, std::size_t n) {
              const handler_mark inner_mark(mine->watch);
              EXPECT_EQ(text, text_of(n, n));
              ++mine->n;
            };
            there.send(from, reply, text_of(numbers.size(), numbers.size()), numbers.size());
            there.send(from, reply, "", 0);
          },
          [&] {
            std::vector<std::uint32_t> numbers(any_length(random));
            for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<std::uint32_t>(k);
            return numbers;
          }());
    }
  });
  EXPECT_EQ(here->n, 40U);
}

void a_call_belongs_to_the_superstep_of_what_it_answers(world& w, std::uint64_t) {
  per_pe<std::string> got(w);
  const auto mine = got.handle();
  w.finish([&] {
    w.send(
        0,
        [mine](world& there, pe_id from, const std::string& text) {
          there.send(from, [mine](std::string_view answer) { *mine += answer; }, text + "!");
        },
        text_of(3, 500));
    w.finish([&] { w.send(w.my_pe(), [mine](std::string_view text) { *mine += text; }, "inner"); });
    EXPECT_NE(got->find("inner"), std::string::npos);
  });
  EXPECT_EQ(got->size(), 506U);
}

}  // namespace

std::vector<claim> call_claims() {
  return {
      {"calls_and_closures_of_any_size_keep_their_order", calls_and_closures_of_any_size_keep_their_order},
      {"arguments_become_what_the_parameters_say", arguments_become_what_the_parameters_say},
      {"a_call_may_take_the_context_and_its_sender", a_call_may_take_the_context_and_its_sender, 2},
      {"padding_of_arguments_is_no_capture", padding_of_arguments_is_no_capture},
      {"plain_arguments_may_be_larger_than_a_buffer", plain_arguments_may_be_larger_than_a_buffer},
      {"large_calls_may_storm", large_calls_may_storm},
      {"a_call_belongs_to_the_superstep_of_what_it_answers", a_call_belongs_to_the_superstep_of_what_it_answers, 2},
  };
}

}  // namespace shoal::test
