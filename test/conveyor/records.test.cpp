// Goal: items of any size share buffers as records, alone or between runs, and an item larger than a buffer travels in
// fragments that only one item can have sent.
// Method: buffers in memory, read back; a sender whose stream ends at this PE; fragments that contradict each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/open_links.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/record_reader.hpp"
#include "shoal/conveyor/internal/record_sender.hpp"
#include "shoal/conveyor/internal/stream.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {

using namespace internal;
namespace {

using bytes = std::vector<std::byte>;

bytes some(std::size_t n, std::uint64_t key) {
  bytes made(n);
  random_engine random(key, n);
  for (std::byte& b : made) b = static_cast<std::byte>(random());
  return made;
}

std::string text_of(std::span<const std::byte> b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// --- Layout in a buffer

constexpr std::size_t payload_bytes = 256;
constexpr item_kind any_size{.align = 8};
constexpr item_kind several_kinds{};

struct slot {
  alignas(cache_line_bytes) std::byte memory[sizeof(buffer) + payload_bytes];
  buffer& b = *new (memory) buffer;
};

// A link with an open buffer, as the only one of its hop.
struct one_link {
  slot first;
  open_links links;
  explicit one_link(std::uint32_t tag_bytes) {
    links.ends = std::make_unique<link_end[]>(1);
    links.states = std::make_unique<link_state[]>(1);
    links.n_links = 1;
    links.tag_bytes = tag_bytes;
    items().open(end(), first.b, payload_bytes);
  }
  link_end& end() { return links.ends[0]; }
  link_buffer& items() { return links.states[0].items; }

  std::byte* make(std::string_view text, item_layout layout, bool lets_begin = false, std::uint32_t align = 8) {
    const run_header header{static_cast<std::uint32_t>(record_kind::item), static_cast<std::uint32_t>(text.size())};
    std::byte* const place = items().make_record(end(), header, align, links.tag_bytes, layout, lets_begin);
    if (place != nullptr) std::memcpy(place, text.data(), text.size());
    return place;
  }
  template <bool IsPadded = false>
  bool begin(std::string_view text) {
    std::byte* const place = links.begin_record<IsPadded>(end(), text.size());
    if (place != nullptr) std::memcpy(place, text.data(), text.size());
    return place != nullptr;
  }
};

std::vector<std::string> texts_in(const buffer& b) {
  std::vector<std::string> found;
  record_reader records(b.payload(), b.payload() + b.header.item_bytes());
  record next;
  while (!records.is_at_end()) {
    if (!records.read(next)) {
      found.emplace_back("damaged");
      break;
    }
    EXPECT_EQ(next.kind, record_kind::item);
    found.push_back(text_of(next.bytes));
  }
  return found;
}

TEST(records_in_a_buffer, count_whichever_way_they_began) {
  one_link l(0);
  EXPECT_FALSE(l.begin("too early")) << "no record has let others begin";
  EXPECT_NE(l.make("one", item_layout::records, true), nullptr);
  EXPECT_TRUE(l.begin("two"));
  EXPECT_TRUE(l.begin(""));
  EXPECT_NE(l.make("three", item_layout::records, true), nullptr);
  EXPECT_TRUE(l.begin("four"));
  const buffer& b = l.items().close(l.end(), {}, any_size, 0);
  EXPECT_EQ(b.header.n_items, 5U);
  EXPECT_EQ(texts_in(b), (std::vector<std::string>{"one", "two", "", "three", "four"}));
  EXPECT_EQ(l.end().n_records, 0U) << "counted once";
  EXPECT_FALSE(l.begin("late")) << "no buffer is open";
}

TEST(records_in_a_buffer, begin_up_to_the_last_byte_and_no_further) {
  one_link l(0);
  EXPECT_NE(l.make("", item_layout::records, true), nullptr);
  EXPECT_FALSE(l.begin(std::string(payload_bytes - 15, 'x')));
  EXPECT_TRUE(l.begin(std::string(payload_bytes - 16, 'x')));
  EXPECT_FALSE(l.begin(""));
  EXPECT_EQ(l.make("", item_layout::records, true), nullptr);
  const buffer& b = l.items().close(l.end(), {}, any_size, 0);
  EXPECT_EQ(b.header.bytes, payload_bytes);
  EXPECT_EQ(texts_in(b).size(), 2U);
}

TEST(records_in_a_buffer, of_padded_sizes_lie_where_others_would) {
  one_link padded(0);
  one_link aligned(0);
  for (one_link* l : {&padded, &aligned}) EXPECT_NE(l->make("12345678", item_layout::records, true), nullptr);
  for (const char* text : {"abcdefgh", "", "ABCDEFGHijklmnop"}) {
    EXPECT_TRUE(padded.begin<true>(text));
    EXPECT_TRUE(aligned.begin(text));
  }
  const buffer& a = padded.items().close(padded.end(), {}, any_size, 0);
  const buffer& b = aligned.items().close(aligned.end(), {}, any_size, 0);
  ASSERT_EQ(a.header.bytes, b.header.bytes);
  EXPECT_EQ(std::memcmp(a.payload(), b.payload(), a.header.bytes), 0);
}

TEST(records_in_a_buffer, do_not_begin_where_each_must_look_at_the_clock) {
  one_link l(0);
  EXPECT_NE(l.make("one", item_layout::records), nullptr);
  EXPECT_FALSE(l.begin("two"));
  EXPECT_NE(l.make("two", item_layout::records), nullptr);
  EXPECT_EQ(l.items().close(l.end(), {}, any_size, 0).header.n_items, 2U);
}

TEST(records_in_a_buffer, move_with_it_and_go_on) {
  one_link l(0);
  slot other;
  EXPECT_NE(l.make("one", item_layout::records, true), nullptr);
  EXPECT_TRUE(l.begin("two"));
  EXPECT_TRUE(l.begin("three"));
  l.items().move_to(l.end(), other.b, item_layout::records);
  EXPECT_EQ(l.end().n_records, 2U);
  std::memset(l.first.b.payload(), 0xee, payload_bytes);
  EXPECT_TRUE(l.begin("four"));
  const buffer& b = l.items().close(l.end(), {}, any_size, 0);
  EXPECT_EQ(&b, &other.b);
  EXPECT_EQ(b.header.n_items, 4U);
  EXPECT_EQ(texts_in(b), (std::vector<std::string>{"one", "two", "three", "four"}));
}

TEST(records_in_a_buffer, have_tags) {
  one_link l(2);
  for (const std::uint32_t tag : {7U, 8U, 900U}) {
    EXPECT_NE(l.make(std::string(tag % 5, 'x'), item_layout::records), nullptr);
    l.items().write_tag(tag, 2);
  }
  EXPECT_EQ(l.make(std::string(payload_bytes, 'x'), item_layout::records), nullptr);
  const buffer& b = l.items().close(l.end(), {}, any_size, 2);
  EXPECT_EQ(b.header.tag_bytes, 6U);
  EXPECT_EQ(texts_in(b), (std::vector<std::string>{"xx", "xxx", ""}));
  EXPECT_EQ(read_tag(b, 0, 2), 7U);
  EXPECT_EQ(read_tag(b, 2, 2), 900U);
}

TEST(records_in_a_buffer, are_aligned_as_asked) {
  one_link l(0);
  for (const std::uint32_t align : {8U, 64U, 16U, 32U, 64U, 64U}) {
    const std::byte* const place = l.make("x", item_layout::records, false, align);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % align, 0U);
  }
  EXPECT_EQ(l.make("x", item_layout::records, false, 64), nullptr) << "the gap would end where the buffer does";
  EXPECT_EQ(texts_in(l.items().close(l.end(), {}, any_size, 0)).size(), 6U);
}

// --- Between runs

constexpr item_kind longs{.number = 77, .bytes = 8, .align = 8};

// The runs and records of a buffer: "77x2" for two items of that kind, or a record's text.
std::vector<std::string> runs_in(const buffer& b) {
  std::vector<std::string> found;
  const std::byte* p = b.payload();
  const std::byte* const end = p + b.header.item_bytes();
  while (p < end) {
    const std::byte* const begin = after_run_header(p);
    const run_header header = read_run_header(begin);
    if (is_record(header.type)) {
      found.push_back(text_of({begin, header.n_items}));
      p = begin + header.n_items;
    } else {
      found.push_back(std::to_string(header.type) + "x" + std::to_string(header.n_items));
      p = begin + header.n_items * longs.bytes;
    }
  }
  EXPECT_EQ(p, end);
  return found;
}

void put_run(one_link& l, int n) {
  for (int i = 0; i < n; ++i) {
    ASSERT_TRUE(l.items().make_room(l.end(), longs, true, 0));
    std::memset(l.end().cursor, i, longs.bytes);
    l.end().cursor += longs.bytes;
  }
}

TEST(records_between_runs, end_the_run_before) {
  one_link l(0);
  put_run(l, 3);
  EXPECT_NE(l.make("between", item_layout::runs), nullptr);
  EXPECT_NE(l.make("", item_layout::runs), nullptr);
  put_run(l, 2);
  EXPECT_NE(l.make("last", item_layout::runs), nullptr);
  const buffer& b = l.items().close(l.end(), {}, several_kinds, 0);
  EXPECT_EQ(b.header.n_items, 8U);
  EXPECT_EQ(runs_in(b), (std::vector<std::string>{"77x3", "between", "", "77x2", "last"}));
}

TEST(records_between_runs, do_not_join_runs_of_single_items) {
  one_link l(0);
  const std::uint64_t value = 5;
  EXPECT_TRUE(l.links.write_run(l.end(), longs, value));
  EXPECT_NE(l.make("x", item_layout::runs), nullptr);
  EXPECT_TRUE(l.links.write_run(l.end(), longs, value));
  EXPECT_TRUE(l.links.write_run(l.end(), longs, value));
  const buffer& b = l.items().close(l.end(), {}, several_kinds, 0);
  EXPECT_EQ(b.header.n_items, 4U);
  EXPECT_EQ(runs_in(b), (std::vector<std::string>{"77x1", "x", "77x1", "77x1"}));
}

TEST(records_between_runs, move_with_the_open_run) {
  one_link l(0);
  slot other;
  EXPECT_NE(l.make("first", item_layout::runs), nullptr);
  put_run(l, 3);
  l.items().move_to(l.end(), other.b, item_layout::runs);
  std::memset(l.first.b.payload(), 0xee, payload_bytes);
  put_run(l, 1);
  const buffer& b = l.items().close(l.end(), {}, several_kinds, 0);
  EXPECT_EQ(b.header.n_items, 5U);
  EXPECT_EQ(runs_in(b), (std::vector<std::string>{"first", "77x4"}));
}

// --- Assembly

using outcome = monster_assembly::outcome;

struct fragment {
  bytes held;
  record its;

  fragment(record_kind kind, std::span<const std::byte> part) : held(part.begin(), part.end()), its{kind, held} {}
  fragment(record_kind kind, std::uint64_t total, std::span<const std::byte> part) : held(8 + part.size()) {
    std::memcpy(held.data(), &total, sizeof total);
    if (!part.empty()) std::memcpy(held.data() + 8, part.data(), part.size());
    its = {kind, held};
  }
};

fragment first(std::uint64_t total, std::string_view part) {
  return {record_kind::first_fragment, total, bytes_of(part)};
}
fragment next(std::string_view part) { return {record_kind::fragment, bytes_of(part)}; }
fragment first_by_handler(std::uint64_t total, std::string_view part) {
  return {record_kind::first_fragment_by_handler, total, bytes_of(part)};
}
fragment next_by_handler(std::string_view part) { return {record_kind::fragment_by_handler, bytes_of(part)}; }

TEST(monster_assembly, joins_fragments_of_several_senders) {
  monster_assembly a;
  monster_block whole;
  EXPECT_EQ(a.take(first(6, "ab").its, 0, whole), outcome::incomplete);
  EXPECT_EQ(a.take(first(5, "ABC").its, 1, whole), outcome::incomplete);
  EXPECT_EQ(a.bytes(), 11U);
  EXPECT_EQ(a.take(next("cd").its, 0, whole), outcome::incomplete);
  EXPECT_EQ(a.take(next("DE").its, 1, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "ABCDE");
  EXPECT_EQ(a.bytes(), 6U);
  EXPECT_EQ(a.take(next("ef").its, 0, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "abcdef");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(whole.data()) % cache_line_bytes, 0U);
  EXPECT_EQ(a.bytes(), 0U);
}

TEST(monster_assembly, keeps_main_program_and_handlers_of_a_sender_apart) {
  monster_assembly a;
  monster_block whole;
  EXPECT_EQ(a.take(first(4, "ma").its, 3, whole), outcome::incomplete);
  EXPECT_EQ(a.take(first_by_handler(5, "han").its, 3, whole), outcome::incomplete);
  EXPECT_EQ(a.take(next_by_handler("d1").its, 3, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "hand1");
  EXPECT_EQ(a.take(first_by_handler(2, "h").its, 3, whole), outcome::incomplete);
  EXPECT_EQ(a.take(next("in").its, 3, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "main");
  EXPECT_EQ(a.take(next_by_handler("2").its, 3, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "h2");
}

TEST(monster_assembly, completes_with_one_fragment_if_that_is_all) {
  monster_assembly a;
  monster_block whole;
  EXPECT_EQ(a.take(first(3, "abc").its, 0, whole), outcome::complete);
  EXPECT_EQ(text_of(whole.bytes()), "abc");
  EXPECT_EQ(a.take(first(0, "").its, 0, whole), outcome::complete);
  EXPECT_EQ(whole.size(), 0U);
}

TEST(monster_assembly, finds_contradictions) {
  monster_assembly a;
  monster_block whole;
  EXPECT_EQ(a.take(next("x").its, 0, whole), outcome::contradiction) << "nothing has begun";
  EXPECT_EQ(a.take(fragment(record_kind::first_fragment, bytes_of("short")).its, 0, whole), outcome::contradiction)
      << "no size";
  EXPECT_EQ(a.take(first(2, "abc").its, 1, whole), outcome::contradiction) << "more than the whole, at once";
  EXPECT_EQ(a.take(first(4, "ab").its, 2, whole), outcome::incomplete);
  EXPECT_EQ(a.take(first(4, "ab").its, 2, whole), outcome::contradiction) << "begun twice";
  EXPECT_EQ(a.take(next_by_handler("cd").its, 2, whole), outcome::contradiction) << "no handler has begun one";
  EXPECT_EQ(a.take(next("cde").its, 2, whole), outcome::contradiction) << "more than the whole";
}

TEST(monster_assembly, tells_the_size_of_what_no_memory_holds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer ends the process instead";
#endif
  monster_assembly a;
  monster_block whole;
  constexpr std::uint64_t too_large = std::uint64_t{1} << 60;
  EXPECT_EQ(a.take(first(too_large, "x").its, 0, whole), outcome::no_memory);
  EXPECT_EQ(a.bytes_wanted(), too_large);
  EXPECT_EQ(a.bytes(), 0U);
}

// --- Sender

// A stream from this only PE to itself, and what has arrived.
class loop {
public:
  loop(world& w, std::uint32_t align)
      : world_(w),
        stream_(w.message_exchange(), {.kind = {.align = align}}),
        sender_(stream_, w.message_exchange().payload_bytes(), align) {
    stream_.begin_session({.align = align});
    stream_.let_send(true);
  }

  record_sender& sender() { return sender_; }
  stream_counts counts() const { return stream_.counts(); }
  stream::way way() { return stream_.way_to(0); }
  void send(const bytes& head, const bytes& body) { sender_.send(way(), head, body); }
  bool try_send(const bytes& head, const bytes& body) { return sender_.try_send(way(), head, body); }

  /// Reads what has been sent, as whole items.
  void receive() {
    for (int n_idle = 0; n_idle < 100; ++n_idle) {
      stream_.flush();
      world_.progress();
      while (!stream_.arrivals().has_consumed_all()) {
        read(*stream_.arrivals().pending().front());
        n_idle = 0;
      }
    }
  }
  std::vector<bytes> items;
  std::vector<record_kind> kinds;
  std::size_t n_records = 0;

private:
  void read(const buffer& b) {
    record_reader records(b.payload(), b.payload() + b.header.item_bytes());
    std::uint64_t n = 0;
    for (record next; !records.is_at_end(); ++n) {
      ASSERT_TRUE(records.read(next));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(next.bytes.data()) % sender_.align(), 0U);
      kinds.push_back(next.kind);
      if (next.kind == record_kind::item) {
        items.emplace_back(next.bytes.begin(), next.bytes.end());
        continue;
      }
      monster_block whole;
      const outcome found = assembly_.take(next, b.header.source, whole);
      EXPECT_TRUE(found == outcome::incomplete || found == outcome::complete);
      if (found == outcome::complete) items.emplace_back(whole.bytes().begin(), whole.bytes().end());
    }
    EXPECT_EQ(n, b.header.n_items);
    n_records += n;
    stream_.arrivals().drop_front(n);
  }

  world& world_;
  stream stream_;
  record_sender sender_;
  monster_assembly assembly_;
};

bytes joined(bytes head, const bytes& body) {
  head.insert(head.end(), body.begin(), body.end());
  return head;
}

TEST(record_sender, sends_heads_and_bodies_of_every_size) {
  for (const std::uint32_t align : {8U, 16U, 64U}) {
    settings chosen = simulated(1);
    chosen.slot_bytes.value = 256;
    run_job(chosen, [&](world& w) {
      loop l(w, align);
      const std::size_t whole = l.sender().whole_bytes_max();
      EXPECT_EQ(whole % 8, 0U);
      std::vector<bytes> expected;
      for (const std::size_t n_head : {0UL, 1UL, 8UL, whole - 8, whole, 2 * whole + 3}) {
        for (const std::size_t n_body : {0UL, 1UL, 7UL, whole - 9, whole - 8, whole - 7, whole + 1, 5 * whole}) {
          const bytes head = some(n_head, 1);
          const bytes body = some(n_body, 2);
          expected.push_back(joined(head, body));
          l.send(head, body);
          l.receive();
        }
      }
      EXPECT_TRUE(l.items == expected);
      EXPECT_EQ(l.n_records, l.sender().n_records());
    });
  }
}

TEST(record_sender, sends_no_more_fragments_than_needed) {
  run_job(simulated(1), [](world& w) {
    loop l(w, 8);
    const std::size_t whole = l.sender().whole_bytes_max();
    l.send({}, some(whole, 1));
    l.send({}, some(whole + 1, 2));
    l.send({}, some(3 * whole - 8, 3));
    l.receive();
    using enum record_kind;
    const std::vector<record_kind> expected{item, first_fragment, fragment, first_fragment, fragment, fragment};
    EXPECT_TRUE(l.kinds == expected);
  });
}

TEST(record_sender, tries_all_or_nothing) {
  settings chosen = simulated(1);
  chosen.n_slots.value = 4;
  chosen.n_shared_slots.value = 0;
  run_job(chosen, [](world& w) {
    loop l(w, 8);
    const bytes large = some(10 * l.sender().whole_bytes_max(), 1);
    const bytes small = some(40, 2);
    std::vector<bytes> expected;
    for (int round = 0; round < 3; ++round) {
      while (l.try_send({}, small)) expected.push_back(small);
      const std::uint64_t n_before = l.sender().n_records();
      EXPECT_FALSE(l.try_send({}, large)) << "a large one finds no room where a small one finds none";
      EXPECT_EQ(l.sender().n_records(), n_before);
      l.receive();
      EXPECT_TRUE(l.try_send(small, large)) << "it has begun, so it is sent whole";
      expected.push_back(joined(small, large));
      EXPECT_FALSE(l.try_send({}, large)) << "the rest of the one before waits for room";
      l.receive();
    }
    EXPECT_TRUE(l.items == expected);
    EXPECT_GT(l.counts().n_spills, 0U);
    EXPECT_GE(l.counts().monster_bytes_most, large.size() / 2) << "what waited, apart";
    EXPECT_LE(l.counts().buffer_bytes_most, 4 * (sizeof(buffer) + w.message_exchange().payload_bytes()));
  });
}

}  // namespace
}  // namespace shoal::test
