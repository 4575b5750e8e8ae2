#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/actor/selector.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

std::size_t buffer_bytes(world& w) { return w.message_exchange().payload_bytes(); }

// How large a message is: empty, a few bytes, about as large as a buffer, several buffers, or many.
std::size_t some_bytes(random_engine& random, std::size_t buffer) {
  switch (random.below(8)) {
    case 0: return 0;
    case 1:
    case 2:
    case 3: return random.below(60);
    case 4:
    case 5: return buffer - std::min<std::size_t>(buffer, random.below(130));
    case 6: return random.below(4 * buffer);
    default: return random.below(20 * buffer);
  }
}

// Larger than a buffer.
std::size_t large_bytes(random_engine& random, std::size_t buffer) { return buffer + random.below(5 * buffer); }

random_engine random_of(const world& w, std::uint64_t seed) {
  return random_engine(seed, 300 + static_cast<std::uint64_t>(w.my_pe()));
}

pe_id any_pe(const world& w, random_engine& random) {
  return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes())));
}

template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) block {
  std::array<std::byte, Bytes> bytes;
};
using word = block<8, 8>;

// `n` elements that follow from `key`.
template <class Element>
std::vector<Element> elements_of(std::uint64_t key, std::size_t n) {
  std::vector<Element> made(n);
  random_engine random(key);
  std::span<std::byte> left = std::as_writable_bytes(std::span(made));
  while (!left.empty()) {
    const std::uint64_t drawn = random();
    const std::size_t n_bytes = std::min(sizeof drawn, left.size());
    std::memcpy(left.data(), &drawn, n_bytes);
    left = left.subspan(n_bytes);
  }
  return made;
}

template <class Element>
bool has_elements_of(std::uint64_t key, std::span<const Element> found) {
  const std::vector<Element> expected = elements_of<Element>(key, found.size());
  return found.empty() || std::memcmp(found.data(), expected.data(), found.size_bytes()) == 0;
}

struct list_header {
  message_label label;
  std::uint64_t n_elements;
  std::uint64_t key;  // of the elements
  std::uint64_t hops;
};
template <std::size_t Align>
struct alignas(Align) aligned_header {
  list_header its;
};

// An actor of lists, labelled and checked. Their elements must be whole before and after what the handler does.
template <class Element, std::size_t HeaderAlign = 8>
class checked_lists {
public:
  using handler_body = std::function<void(std::uint64_t hops, pe_id from)>;

  checked_lists(
      world& w, pe_watch& watch, handler_body body = [](std::uint64_t, pe_id) {})
      : watch_(watch), body_(std::move(body)), books_(w, watch), actor_(w, handle{this}, "lists") {}

  // `bytes`: about, of the elements.
  void send(pe_id to, std::size_t bytes, std::uint64_t hops = 0) {
    const aligned_header<HeaderAlign> header = header_of(to, bytes, hops);
    const std::vector<Element> elements = elements_of<Element>(header.its.key, header.its.n_elements);
    actor_.send(to, {header, elements});
    books_.count_sent(header.its.label);
  }

  bool try_send(pe_id to, std::size_t bytes, std::uint64_t hops = 0) {
    const aligned_header<HeaderAlign> header = header_of(to, bytes, hops);
    const std::vector<Element> elements = elements_of<Element>(header.its.key, header.its.n_elements);
    if (!actor_.try_send(to, {header, elements})) return false;
    books_.count_sent(header.its.label);
    return true;
  }

  void limit_latency(std::uint32_t us) { actor_.limit_latency(us); }
  void done() { actor_.done(); }
  stream_counts counts() const { return actor_.counts(); }
  std::uint64_t n_handled() const { return books_.n_handled(); }
  void expect_all_handled() { books_.expect_all_handled(); }

private:
  using message = list<aligned_header<HeaderAlign>, Element>;

  struct handle {
    checked_lists* self;
    void operator()(const message& m, pe_id from) const { self->check(m, from); }
  };

  aligned_header<HeaderAlign> header_of(pe_id to, std::size_t bytes, std::uint64_t hops) const {
    const message_label label = books_.next(to);
    const std::uint64_t key = mixed_bits(static_cast<std::uint64_t>(label.from * 1000 + label.to)) +
                              2 * std::uint64_t{label.number} + label.is_from_handler;
    return {{label, bytes / sizeof(Element), key, hops}};
  }

  void check(const message& m, pe_id from) {
    const list_header header = m.header.its;
    books_.take(header.label, from);
    EXPECT_EQ(m.size(), header.n_elements);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.begin()) % alignof(Element), 0U);
    EXPECT_TRUE(has_elements_of(header.key, m.elements)) << m.size() << " elements from PE " << from;
    const handler_mark mark(watch_);
    body_(header.hops, from);
    EXPECT_TRUE(has_elements_of(header.key, m.elements)) << "changed before its handler returned";
  }

  pe_watch& watch_;
  handler_body body_;
  message_books books_;
  actor<handle, message> actor_;
};

// --- Lists

void lists_of_any_length_arrive_once_in_order(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> a(w, watch);
  for (std::uint64_t k = 0; k < 2; ++k) {
    watch.step = static_cast<std::int64_t>(k);
    w.barrier();
    w.finish([&] {
      for (const pe_id to : targets_of(seed + k, w.my_pe(), w.n_pes(), 20)) {
        a.send(to, some_bytes(random, buffer_bytes(w)));
      }
    });
    a.expect_all_handled();
  }
  EXPECT_EQ(w.sum(a.n_handled()), 40U * static_cast<std::uint64_t>(w.n_pes()));
}

// Each message is passed on twice by handlers, in other lengths, while the main program sends.
void handlers_send_lists_of_any_length(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id) {
    if (hops > 0) self->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), hops - 1);
  });
  self = &a;
  w.finish([&] {
    for (int i = 0; i < 12; ++i) a.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), 2);
  });
  EXPECT_EQ(w.sum(a.n_handled()), 36U * static_cast<std::uint64_t>(w.n_pes()));
  a.expect_all_handled();
}

// Main programs and handlers of all PEs, the receiver included, send large lists to one PE at once. So fragments of two
// lists of one sender alternate on a link, and several lists are incomplete there.
void large_lists_to_one_PE_do_not_mix(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  const auto crowded = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  checked_lists<word> large(w, watch);
  checked_lists<word> small(w, watch, [&](std::uint64_t, pe_id) {
    for (int i = 0; i < 2; ++i) large.send(crowded, large_bytes(random, buffer_bytes(w)));
  });
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 6)) {
      small.send(to, 0);
      large.send(crowded, large_bytes(random, buffer_bytes(w)));
    }
  });
  const auto n = static_cast<std::uint64_t>(w.n_pes());
  EXPECT_EQ(large.n_handled(), w.my_pe() == crowded ? 18U * n : 0U);
  large.expect_all_handled();
  small.expect_all_handled();
}

void a_PE_sends_large_lists_to_itself(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t more, pe_id) {
    for (std::uint64_t i = 0; i < more; ++i) self->send(w.my_pe(), large_bytes(random, buffer_bytes(w)), more - 1);
  });
  self = &a;
  w.finish([&] {
    for (int i = 0; i < 2; ++i) a.send(w.my_pe(), large_bytes(random, buffer_bytes(w)), 3);
  });
  EXPECT_EQ(a.n_handled(), 2U * (1 + 3 + 6 + 6));
  a.expect_all_handled();
}

template <class Element, std::size_t HeaderAlign>
void exchange_lists(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<Element, HeaderAlign>* self = nullptr;
  checked_lists<Element, HeaderAlign> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    if (hops > 0) self->send(from, some_bytes(random, buffer_bytes(w)), 0);
  });
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 8)) a.send(to, some_bytes(random, buffer_bytes(w)), 1);
  });
  a.expect_all_handled();
}

void elements_are_aligned(world& w, std::uint64_t seed) {
  exchange_lists<block<1, 1>, 8>(w, seed);
  exchange_lists<block<2, 2>, 8>(w, seed);
  exchange_lists<block<3, 1>, 8>(w, seed);
  exchange_lists<block<4, 4>, 16>(w, seed);
  exchange_lists<block<12, 4>, 8>(w, seed);
  exchange_lists<block<24, 8>, 16>(w, seed);
  exchange_lists<block<16, 16>, 8>(w, seed);
  exchange_lists<block<96, 32>, 8>(w, seed);
}

// In buffers of 64 bytes no such element would fit beside its head.
void elements_are_aligned_to_cache_lines(world& w, std::uint64_t seed) {
  exchange_lists<block<64, 64>, 8>(w, seed);
  exchange_lists<block<192, 64>, 16>(w, seed);
  exchange_lists<block<4, 4>, 64>(w, seed);
}

// Lists without a header, from all that is contiguous; without a header, none is read.
void lists_need_no_header(world& w, std::uint64_t seed) {
  std::vector<std::int32_t> all;
  pe_id last_from = -1;
  actor a{w, [&](list<std::int32_t> m, pe_id from) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.begin()) % alignof(std::int32_t), 0U);
            all.insert(all.end(), m.begin(), m.end());
            last_from = from;
          }};
  const pe_id me = w.my_pe();
  std::vector<std::int32_t> expected{1, 2, 3, 4, 5, 7, 8};
  std::vector<std::int32_t> large(3 * buffer_bytes(w) + seed % 7);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::int32_t>(i * seed + 5);
  w.finish([&] {
    a.send(me, {1, 2});
    a.send(me, std::array<std::int32_t, 3>{3, 4, 5});
    a.send(me, std::span<const std::int32_t>{});
    a.send(me, {});
    a.send(me, std::vector<std::int32_t>{7, 8});
    a.send(me, large);
  });
  expected.insert(expected.end(), large.begin(), large.end());
  EXPECT_EQ(all, expected);
  EXPECT_EQ(last_from, me);
  EXPECT_EQ(w.sum(a.counts().n_handled), w.sum(a.counts().n_sent));
}

// --- Texts and values

// A text that follows from its number. Zeros are characters as any others.
std::string text_of(std::uint64_t number, std::size_t n_bytes) {
  std::string text(n_bytes, '\0');
  random_engine random(number, 9);
  for (char& c : text) c = static_cast<char>(random.below(4) == 0 ? 0 : 'a' + random.below(26));
  return text;
}

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

// --- try_send, latency, supersteps

void try_send_of_lists_keeps_order(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  std::uint64_t n_sent = 0;
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    for (; hops > 0; --hops) n_sent += self->try_send(from, some_bytes(random, buffer_bytes(w)));
  });
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 16)) {
      while (!a.try_send(to, some_bytes(random, buffer_bytes(w)), 2)) w.progress();
      ++n_sent;
    }
  });
  EXPECT_EQ(w.sum(a.n_handled()), w.sum(n_sent));
  a.expect_all_handled();
}

// Lists that fit into a buffer never take memory beyond the credits.
void try_send_of_small_lists_never_spills(world& w, std::uint64_t seed) {
  std::uint64_t n_handled = 0;
  std::uint64_t n_sent = 0;
  actor<std::function<void(list<std::int16_t>, pe_id)>>* self = nullptr;
  actor<std::function<void(list<std::int16_t>, pe_id)>> a{w, [&](list<std::int16_t> m, pe_id from) {
                                                            ++n_handled;
                                                            if (m.size() == 3) n_sent += self->try_send(from, {7});
                                                          }};
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      while (!a.try_send(to, {1, 2, 3})) w.progress();
      ++n_sent;
    }
  });
  EXPECT_EQ(a.counts().n_spills, 0U);
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

void a_limit_of_unsent_lists_makes_try_send_refuse(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  std::uint64_t n_handled = 0;
  actor a{w, [&](const std::vector<char>&) { ++n_handled; }};
  a.limit_unsent(3);
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  std::uint64_t n_sent = 0;
  w.finish([&] {
    while (n_sent < 15) {
      const std::uint64_t n_left_before = a.counts().n_sent;
      std::uint64_t n_small = 0;
      while (a.try_send(next, std::array{'a', 'b'})) ++n_small;
      EXPECT_LE(n_small, 3U + a.counts().n_sent - n_left_before) << "three at most lie here";
      n_sent += n_small;
      w.progress();
      n_sent += a.try_send(next, std::vector<char>(large_bytes(random, buffer_bytes(w)), 'c'));
      w.progress();
    }
  });
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

// Before the first message, and while messages of all sizes are under way.
void lists_obey_limits_of_latency(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    if (hops > 0) self->send(from, some_bytes(random, buffer_bytes(w)));
  });
  self = &a;
  a.limit_latency(5);
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 10);
  w.finish([&] {
    for (const std::uint32_t us : {0U, 1U, 0U}) {
      for (const pe_id to : targets) a.send(to, some_bytes(random, buffer_bytes(w)), 1);
      a.limit_latency(us);
    }
  });
  EXPECT_EQ(w.sum(a.n_handled()), 60U * static_cast<std::uint64_t>(w.n_pes()));
  a.expect_all_handled();
}

// A main program that waits for an answer calls progress, which must post its partly filled buffers.
void progress_sends_lists(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  std::size_t n_answered = 0;
  std::uint64_t n_answers = 0;
  actor answer{w, [&](std::string_view m) {
                 n_answered += m.size();
                 ++n_answers;
               }};
  actor ask{w, [&](std::string_view m, pe_id from) { answer.send(from, m); }};
  std::size_t n_asked = 0;
  w.finish([&] {
    for (const std::uint32_t us : {0U, 20U}) {
      answer.limit_latency(us);
      ask.limit_latency(us);
      for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 4)) {
        const std::string text = text_of(seed, some_bytes(random, buffer_bytes(w)));
        const std::uint64_t n_before = n_answers;
        ask.send(to, text);
        n_asked += text.size();
        while (n_answers == n_before) w.progress();
      }
    }
  });
  EXPECT_EQ(n_answered, n_asked);
}

void actors_of_lists_live_in_nested_supersteps(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> outer(w, watch);
  w.finish([&] {
    for (int k = 0; k < 3; ++k) {
      outer.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)));
      std::optional<checked_lists<word>> inner;
      w.finish([&] {
        inner.emplace(w, watch, [&](std::uint64_t hops, pe_id) {
          outer.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)));
          if (hops > 0) inner->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), hops - 1);
        });
        for (int i = 0; i < 4; ++i) inner->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), 1);
        inner->done();
      });
      inner->expect_all_handled();
      inner.reset();
    }
  });
  EXPECT_EQ(w.sum(outer.n_handled()), 27U * static_cast<std::uint64_t>(w.n_pes()));
  outer.expect_all_handled();
}

// Whatever fragments they travel in, what is sent is handled.
void counts_of_lists_add_up(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> small(w, watch);
  checked_lists<word> large(w, watch);
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 12)) {
      small.send(to, 0);
      large.send(to, large_bytes(random, buffer_bytes(w)));
    }
  });
  EXPECT_EQ(w.sum(small.counts().n_sent), w.sum(small.counts().n_handled));
  EXPECT_EQ(w.sum(large.counts().n_sent), w.sum(large.counts().n_handled));
  EXPECT_GE(large.counts().n_sent, 24U) << "each takes several buffers";
  EXPECT_EQ(w.sum(large.counts().monster_bytes_most > 0 ? 1 : 0) > 0, true);
}

}  // namespace

std::vector<claim> any_size_claims() {
  return {
      {"lists_of_any_length_arrive_once_in_order", lists_of_any_length_arrive_once_in_order, 2},
      {"handlers_send_lists_of_any_length", handlers_send_lists_of_any_length, 2},
      {"large_lists_to_one_PE_do_not_mix", large_lists_to_one_PE_do_not_mix, 3},
      {"a_PE_sends_large_lists_to_itself", a_PE_sends_large_lists_to_itself, 2},
      {"elements_are_aligned", elements_are_aligned, 2},
      {"elements_are_aligned_to_cache_lines", elements_are_aligned_to_cache_lines, 2, 128},
      {"lists_need_no_header", lists_need_no_header, 2},
      {"texts_arrive_in_order", texts_arrive_in_order, 3},
      {"containers_arrive_equal", containers_arrive_equal, 3},
      {"values_of_own_types_arrive_equal", values_of_own_types_arrive_equal, 3},
      {"vectors_of_plain_elements_are_lists", vectors_of_plain_elements_are_lists, 4},
      {"values_may_be_moved_only_and_show_what_arrived", values_may_be_moved_only_and_show_what_arrived, 2},
      {"selectors_mix_mailboxes_of_one_size_and_of_any", selectors_mix_mailboxes_of_one_size_and_of_any, 6},
      {"positions_name_mailboxes_of_lists", positions_name_mailboxes_of_lists, 4},
      {"try_send_of_lists_keeps_order", try_send_of_lists_keeps_order, 2},
      {"try_send_of_small_lists_never_spills", try_send_of_small_lists_never_spills, 2},
      {"a_limit_of_unsent_lists_makes_try_send_refuse", a_limit_of_unsent_lists_makes_try_send_refuse, 2},
      {"lists_obey_limits_of_latency", lists_obey_limits_of_latency, 2},
      {"progress_sends_lists", progress_sends_lists, 3},
      {"actors_of_lists_live_in_nested_supersteps", actors_of_lists_live_in_nested_supersteps, 4},
      {"counts_of_lists_add_up", counts_of_lists_add_up, 3},
  };
}

}  // namespace shoal::test
