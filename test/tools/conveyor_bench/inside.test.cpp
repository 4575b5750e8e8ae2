// Tests `shoal conveyor-bench` from the inside: faulty conveyors are found out, items have the right contents.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <set>

#include "tools/conveyor_bench/all_to_all.hpp"
#include "tools/conveyor_bench/elastic_streams.hpp"
#include "tools/conveyor_bench/queries.hpp"
#include "tools/conveyor_bench/query_streams.hpp"
#include "tools/conveyor_bench/run.hpp"

namespace {

using namespace shoal::cli;
using shoal::pe_id;
using shoal::world;

enum class lie { none, loses, doubles, swaps, changes, misdirects };

// Treats one item wrongly: the fourth that PE 1 pushes; `swaps` delivers it after the next one to the same PE.
template <lie Lie>
class lying_stream {
public:
  static constexpr bool is_elastic = false;

  lying_stream(world& w, const bench_options& options) : world_(w), stream_(w, options) {}

  std::size_t item_bytes() const { return stream_.item_bytes(); }
  std::size_t bytes_of_push(std::uint64_t i) const { return stream_.bytes_of_push(i); }
  std::size_t pulled_bytes() const { return stream_.pulled_bytes(); }
  std::size_t alignment() const { return stream_.alignment(); }
  void begin(std::size_t bytes) { stream_.begin(bytes); }
  shoal::progress advance(bool is_done) { return stream_.advance(is_done); }
  bool unpull() { return stream_.unpull(); }
  void reset() { stream_.reset(); }
  const std::byte* pull() { return stream_.pull(); }
  const std::byte* pull(pe_id& from) { return stream_.pull(from); }
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) { byte_stream::copy(to, from, bytes); }

  bool push(const std::byte* item, pe_id target) {
    if (!held_.empty() && target == held_target_) {
      if (!stream_.push(item, target)) return false;
      EXPECT_TRUE(stream_.push(held_.data(), target));
      held_.clear();
      return true;
    }
    if (world_.my_pe() != 1 || ++n_pushed_ != 4) return stream_.push(item, target);
    std::vector<std::byte> bytes(item, item + item_bytes());
    switch (Lie) {
      case lie::loses: return true;
      case lie::doubles: EXPECT_TRUE(stream_.push(item, target)); break;
      case lie::swaps: held_ = bytes, held_target_ = target; return true;
      case lie::changes: bytes.back() ^= std::byte{1}; break;
      case lie::misdirects: target = (target + 1) % world_.n_pes(); break;
      case lie::none: break;
    }
    return stream_.push(bytes.data(), target);
  }

private:
  world& world_;
  byte_stream stream_;
  int n_pushed_ = 0;
  std::vector<std::byte> held_;
  pe_id held_target_ = -1;
};

template <lie Lie>
std::unique_ptr<workload> make_liar(world& w, const bench_options& options) {
  return std::make_unique<all_to_all<lying_stream<Lie>>>(w, options);
}

template <lie Lie>
const flavour lying_kind{"liar", "lies", 1, make_liar<Lie>};

struct outcome {
  int status;
  std::string text;
};

outcome run_flavour(const flavour& kind, std::size_t item_bytes) {
  bench_options options;
  options.kind = &kind;
  options.load = 20;
  options.item_bytes = item_bytes;
  options.is_untyped = true;
  options.where.substrate = shoal::substrate_kind::threads;
  options.where.pes = "3";
  testing::internal::CaptureStdout();
  const int status = run_conveyor_bench(options, {});
  return {status, testing::internal::GetCapturedStdout()};
}

template <lie Lie>
outcome run_liar(std::size_t item_bytes) {
  return run_flavour(lying_kind<Lie>, item_bytes);
}

template <lie Lie>
void expect_found_out(const std::string& what) {
  for (const std::size_t item_bytes : {3U, 8U, 40U}) {
    const outcome it = run_liar<Lie>(item_bytes);
    EXPECT_EQ(it.status, 1) << it.text;
    EXPECT_NE(it.text.find("WRONG: PE "), it.text.npos) << it.text;
    EXPECT_NE(it.text.find("  NO\n"), it.text.npos) << it.text;
    EXPECT_EQ(it.text.find("verified: "), it.text.npos) << it.text;
    if (item_bytes != 8) continue;  // the other sizes detect it, too, with other words
    EXPECT_NE(it.text.find(what), it.text.npos) << it.text;
  }
}

TEST(conveyor_bench, an_honest_conveyor_is_verified) {
  const outcome it = run_liar<lie::none>(8);
  EXPECT_EQ(it.status, 0) << it.text;
  EXPECT_NE(it.text.find("verified: "), it.text.npos);
}

TEST(conveyor_bench, a_lost_item_is_found) { expect_found_out<lie::loses>(" from PE 1 to PE "); }
TEST(conveyor_bench, a_doubled_item_is_found) { expect_found_out<lie::doubles>(" from PE 1 to PE "); }
TEST(conveyor_bench, a_changed_item_is_found) { expect_found_out<lie::changes>(" from PE 1 to PE "); }
TEST(conveyor_bench, an_item_out_of_order_is_found) { expect_found_out<lie::swaps>(" was due, but item "); }
TEST(conveyor_bench, an_item_at_the_wrong_pe_is_found) { expect_found_out<lie::misdirects>(" was due, but item "); }

// Shortens the fourth item of PE 1 that has so many bytes.
class shortening_stream : public elastic_stream {
public:
  shortening_stream(world& w, const bench_options& options) : elastic_stream(w, options), is_liar_(w.my_pe() == 1) {}

  using elastic_stream::push;
  bool push(std::span<const std::byte> item, pe_id target) {
    const bool is_lie = is_liar_ && item.size() >= 20 && ++n_pushed_ == 4;
    return elastic_stream::push(is_lie ? item.first(item.size() - 1) : item, target);
  }

private:
  bool is_liar_;
  int n_pushed_ = 0;
};

TEST(conveyor_bench, an_elastic_item_that_lost_a_byte_is_found) {
  const flavour shortens{"shortens", "lies", 1, [](world& w, const bench_options& options) {
                           return std::unique_ptr<workload>(new all_to_all<shortening_stream>(w, options));
                         }};
  const outcome it = run_flavour(shortens, 40);
  EXPECT_EQ(it.status, 1) << it.text;
  EXPECT_NE(it.text.find("WRONG: PE "), it.text.npos) << it.text;
  EXPECT_NE(it.text.find(" bytes"), it.text.npos) << it.text;
}

// Gives each pair of replies on PE 1 in the wrong order.
class swapping_stream : public query_stream<std::uint64_t> {
  using base = query_stream<std::uint64_t>;

public:
  swapping_stream(world& w, const bench_options& options) : base(w, options), is_liar_(w.my_pe() == 1) {}

  using base::pull;
  const std::byte* pull(pe_id&) {
    if (!is_liar_) return base::pull();
    if (n_held_ == 2) {
      n_held_ = 0;
      return reinterpret_cast<const std::byte*>(&held_);
    }
    while (const std::byte* reply = base::pull()) {
      if (n_held_ == 1) {
        n_held_ = 2;
        return reply;
      }
      std::memcpy(&held_, reply, sizeof held_);
      n_held_ = 1;
    }
    return nullptr;
  }

private:
  bool is_liar_;
  int n_held_ = 0;  // 2: and the other one is missing
  std::uint64_t held_ = 0;
};

TEST(conveyor_bench, a_reply_out_of_order_is_found) {
  const auto run_stream = [](auto make) {
    const flavour kind{.name = "liar", .summary = "lies", .n_hops = 1, .make = make, .answers_queries = true};
    return run_flavour(kind, 8);
  };
  const outcome honest = run_stream([](world& w, const bench_options& options) {
    return std::unique_ptr<workload>(new queries<query_stream<std::uint64_t>>(w, options));
  });
  EXPECT_EQ(honest.status, 0) << honest.text;
  const outcome it = run_stream([](world& w, const bench_options& options) {
    return std::unique_ptr<workload>(new queries<swapping_stream>(w, options));
  });
  EXPECT_EQ(it.status, 1) << it.text;
  EXPECT_NE(it.text.find("WRONG: PE 1: of replies, item "), it.text.npos) << it.text;
}

TEST(conveyor_bench, an_item_of_another_size_does_not_match) {
  // Any number of bytes up to 50.
  const item_contents contents(3, 50, std::nullopt, true);
  std::set<std::size_t> sizes;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const identity mine{.sender = 1, .target = 0, .number = i};
    std::vector<std::byte> item(51);
    const std::size_t bytes = contents.write(mine, item.data());
    sizes.insert(bytes);
    EXPECT_TRUE(contents.matches(mine, std::span(item).first(bytes)));
    EXPECT_FALSE(contents.matches(mine, std::span(item).first(bytes + 1)));
    if (bytes != 0) {
      EXPECT_FALSE(contents.matches(mine, std::span(item).first(bytes - 1)));
    }
  }
  EXPECT_EQ(sizes.size(), 51U);
  EXPECT_EQ(*sizes.rbegin(), 50U);
}

TEST(conveyor_bench, items_match_their_own_identity_only) {
  for (const std::size_t bytes : {1U, 7U, 8U, 13U, 128U}) {
    const item_contents contents(1, bytes, std::nullopt);
    std::vector<std::byte> item(bytes);
    const identity mine{.sender = 2, .target = 3, .number = 70};
    contents.write(mine, item.data());
    EXPECT_TRUE(contents.matches(mine, item));
    if (bytes < 7) continue;  // 256 values are too few to distinguish all identities
    for (const identity& other : {identity{3, 3, 70}, identity{2, 2, 70}, identity{2, 3, 71}, identity{3, 2, 70}}) {
      EXPECT_FALSE(contents.matches(other, item)) << bytes;
    }
    for (std::byte& byte : item) {
      byte ^= std::byte{4};
      EXPECT_FALSE(contents.matches(mine, item)) << bytes;
      byte ^= std::byte{4};
    }
  }
}

// With entropy e, exactly e bits of an item differ between any items.
TEST(conveyor_bench, so_many_bits_vary_as_the_entropy_says) {
  for (const std::size_t bytes : {1U, 13U, 16U, 33U}) {
    for (std::uint64_t entropy = 0; entropy <= 8 * bytes; entropy += 3) {
      const item_contents contents(5, bytes, entropy);
      std::vector<std::byte> first(bytes);
      std::vector<std::byte> item(bytes);
      std::vector<std::byte> varied(bytes);
      contents.write({0, 0, 0}, first.data());
      for (std::uint64_t i = 1; i < 100; ++i) {
        contents.write({1, 2, i}, item.data());
        for (std::size_t b = 0; b < bytes; ++b) varied[b] |= first[b] ^ item[b];
      }
      int n_varied = 0;
      for (const std::byte byte : varied) n_varied += std::popcount(static_cast<unsigned char>(byte));
      EXPECT_EQ(n_varied, static_cast<int>(entropy)) << bytes << " bytes";
    }
  }
}

TEST(conveyor_bench, a_fault_is_told_by_identities) {
  const item_contents contents(1, 16, std::nullopt);
  std::vector<std::byte> item(16);
  contents.write({1, 0, 6}, item.data());
  EXPECT_EQ(contents.describe_fault({2, 0, 5}, item),
            "item 5 from PE 2 to PE 0 was due, but item 6 from PE 1 to PE 0 came");
  item[12] ^= std::byte{1};
  EXPECT_EQ(contents.describe_fault({1, 0, 6}, item),
            "item 6 from PE 1 to PE 0 was due and came, with wrong bytes behind its identity");
}

TEST(conveyor_bench, sums_take_the_last_bytes_for_a_word) {
  const std::byte bytes[] = {std::byte{1}, {}, {}, {}, {}, {}, {}, {}, std::byte{2}, std::byte{1}};
  EXPECT_EQ(sum_of_words(bytes, 1), 1U);
  EXPECT_EQ(sum_of_words(bytes, 10), 1U + 0x102U);
}

TEST(conveyor_bench, flavours_have_names_of_their_own) {
  std::set<std::string> names;
  for (const flavour& f : all_flavours()) EXPECT_TRUE(names.insert(f.name).second) << f.name;
}

}  // namespace
