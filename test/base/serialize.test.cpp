// Goal: what archives write is what they read, of every type that travels; and whatever the bytes are, reading stays
// inside them and notices that they are something else.
// Method: round trips of each type at several offsets, cut off at every length, and damaged, in memory that ends where
// the bytes end (an address sanitizer sees one byte too far).
#include "shoal/base/serialize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::test {
namespace {

// Bytes of an exact size, aligned as a buffer is.
class block {
public:
  explicit block(std::size_t n)
      : n_(n), bytes_(static_cast<std::byte*>(::operator new(std::max<std::size_t>(n, 1), alignment))) {}
  explicit block(std::span<const std::byte> from) : block(from.size()) { std::ranges::copy(from, bytes_.get()); }

  std::byte* data() const { return bytes_.get(); }
  std::span<const std::byte> all() const { return {bytes_.get(), n_}; }

private:
  static constexpr std::align_val_t alignment{64};
  struct free_aligned {
    void operator()(std::byte* p) const { ::operator delete(p, alignment); }
  };
  std::size_t n_;
  std::unique_ptr<std::byte, free_aligned> bytes_;
};

template <class T>
block written(const T& value, std::size_t offset = 0) {
  size_archive size(offset);
  size(value);
  block bytes(size.size());
  std::fill_n(bytes.data(), bytes.all().size(), std::byte{0xaa});
  output_archive out({bytes.data(), size.size()}, offset);
  out(value);
  EXPECT_TRUE(out.is_full());
  return bytes;
}

template <class T>
void expect_round_trip(const T& value) {
  for (const std::size_t offset : {0U, 1U, 7U, 8U, 12U}) {
    const block bytes = written(value, offset);
    input_archive in(bytes.all(), offset);
    T found{};
    in(found);
    EXPECT_TRUE(in.is_good());
    EXPECT_TRUE(in.is_used_up());
    EXPECT_EQ(in.at(), bytes.all().size()) << "the sizes that archives count and read differ";
    EXPECT_TRUE(found == value);
  }
}

// Any shorter input is noticed.
template <class T>
void expect_truncation_noticed(const T& value) {
  const block bytes = written(value);
  for (std::size_t n = 0; n < bytes.all().size(); ++n) {
    const block cut(bytes.all().first(n));
    input_archive in(cut.all());
    T found{};
    in(found);
    EXPECT_FALSE(in.is_good()) << n << " of " << bytes.all().size() << " bytes";
    EXPECT_FALSE(in.is_used_up());
    EXPECT_LE(in.at(), n);
  }
}

template <class T>
void expect_damage_survived(const T& value) {
  const block bytes = written(value);
  random_engine random(bytes.all().size());
  for (int i = 0; i < 300 && !bytes.all().empty(); ++i) {
    const block damaged(bytes.all());
    for (std::uint64_t n = 1 + random.below(4); n != 0; --n) {
      damaged.data()[random.below(bytes.all().size())] = static_cast<std::byte>(random());
    }
    input_archive in(damaged.all());
    T found{};
    in(found);
    EXPECT_LE(in.at(), damaged.all().size());
  }
}

template <class T>
void expect_travels(const std::vector<T>& values) {
  static_assert(serializable<T>);
  for (const T& value : values) {
    expect_round_trip(value);
    expect_truncation_noticed(value);
    expect_damage_survived(value);
  }
}

// --- Plain bytes

struct point {
  std::int32_t x;
  double y;
  friend bool operator==(const point&, const point&) = default;
};
// Its bytes are its value, so nobody asks this.
struct plain_with_serialize {
  std::int64_t a;
  std::int64_t b;
  friend bool operator==(const plain_with_serialize&, const plain_with_serialize&) = default;
};
void serialize(auto& archive, plain_with_serialize& p) { archive(p.a); }

TEST(serialize, plain_types_travel_as_their_bytes) {
  expect_travels<int>({0, -5});
  expect_travels<double>({0.5});
  expect_travels<point>({{3, 0.25}});
  expect_travels<std::pair<int, long>>({{3, 4}});
  expect_travels<std::tuple<char, point>>({{'a', {1, 2}}});
  expect_travels<std::array<std::int16_t, 5>>({{1, 2, 3, 4, 5}});
  expect_travels<plain_with_serialize>({{1, 2}});
  EXPECT_EQ(written(plain_with_serialize{1, 2}).all().size(), 16U);
}

// --- The standard's types

TEST(serialize, texts_and_vectors) {
  expect_travels<std::string>({"", "a", std::string("with\0zero", 9), std::string(1000, 'x')});
  expect_travels<std::u16string>({u"", u"wide"});
  expect_travels<std::vector<std::int32_t>>({{}, {1}, std::vector<std::int32_t>(300, -7)});
  expect_travels<std::vector<double>>({{0.5, 1.5}});
  expect_travels<std::vector<point>>({{}, {{1, 2}, {3, 4}}});
  expect_travels<std::vector<std::string>>({{}, {""}, {"one", "", "three"}});
  expect_travels<std::vector<std::vector<std::vector<char>>>>({{}, {{}, {{}}}, {{{'a'}, {}}, {{'b', 'c'}}}});
}

TEST(serialize, vectors_of_bool) {
  for (const std::vector<bool>& value :
       {std::vector<bool>{}, {true}, {false, true, true}, std::vector<bool>(77, true)}) {
    expect_round_trip(value);
    expect_truncation_noticed(value);
  }
}

struct alignas(64) wide {
  std::array<std::int64_t, 8> words;
  friend bool operator==(const wide&, const wide&) = default;
};

TEST(serialize, vectors_of_wide_elements) {
  expect_travels<std::vector<wide>>({{}, {{{1, 2, 3}}, {{4, 5, 6, 7, 8, 9, 10, 11}}}});
  expect_travels<std::pair<std::string, std::vector<wide>>>({{"odd", {{{1}}}}});
}

TEST(serialize, sequences_and_associative_containers) {
  expect_travels<std::deque<int>>({{}, {1, 2, 3}});
  expect_travels<std::list<std::string>>({{}, {"a", "bc"}});
  expect_travels<std::set<std::string>>({{}, {"b", "a"}});
  expect_travels<std::multiset<int>>({{}, {4, 4, 2}});
  expect_travels<std::map<std::string, std::vector<int>>>({{}, {{"", {}}, {"a", {1, 2}}}});
  expect_travels<std::map<int, int>>({{}, {{1, 2}, {3, 4}}});
  expect_travels<std::multimap<int, std::string>>({{{1, "a"}, {1, "b"}}});
  expect_travels<std::unordered_map<std::string, double>>({{}, {{"x", 1}, {"y", 2}}});
  expect_travels<std::unordered_set<int>>({{}, {7, 8, 9}});
  expect_travels<std::map<std::pair<int, std::string>, std::map<int, std::set<char>>>>({{{{1, "k"}, {{2, {'a'}}}}}});
}

TEST(serialize, pairs_tuples_optionals_variants) {
  expect_travels<std::pair<std::string, int>>({{"", 0}, {"two", 2}});
  expect_travels<std::tuple<std::string, int, std::vector<char>>>({{"a", 1, {'b'}}});
  expect_travels<std::array<std::string, 3>>({{"a", "", "c"}});
  expect_travels<std::optional<std::string>>({std::nullopt, "", "some"});
  expect_travels<std::optional<std::vector<std::optional<std::string>>>>({std::nullopt, {{}}, {{"a", std::nullopt}}});
  expect_travels<std::variant<std::string, std::int32_t, std::vector<double>>>({"text", 5, std::vector{0.5}});
  expect_travels<std::variant<int, std::pair<int, std::string>>>({3, std::pair<int, std::string>{1, "x"}});
}

TEST(serialize, a_variant_with_more_alternatives_is_noticed) {
  const block bytes = written(std::variant<std::string, int, double>(0.5));
  input_archive in(bytes.all().first(1));
  std::variant<std::string, int> found;
  in(found);
  EXPECT_FALSE(in.is_good());
}

TEST(serialize, what_an_optional_or_container_held_is_replaced) {
  const auto expect_replaced = []<class T>(const T& value, T old) {
    const block bytes = written(value);
    input_archive in(bytes.all());
    in(old);
    EXPECT_TRUE(old == value);
  };
  expect_replaced(std::optional<std::string>(), std::optional<std::string>("old"));
  expect_replaced(std::map<int, std::string>{{1, "new"}}, std::map<int, std::string>{{2, "old"}});
  expect_replaced(std::vector<std::string>{}, std::vector<std::string>{"old"});
  expect_replaced(std::vector<int>{1}, std::vector<int>{4, 5, 6});
}

// --- Own types

struct by_function {
  std::string name;
  std::vector<int> numbers;
  int does_not_travel = 0;
  friend bool operator==(const by_function&, const by_function&) = default;
};
void serialize(auto& archive, by_function& b) { archive(b.name, b.numbers); }

class by_member {
public:
  by_member() = default;
  explicit by_member(std::string name, std::vector<by_member> parts = {})
      : name_(std::move(name)), parts_(std::move(parts)) {}
  template <class Archive>
  void serialize(Archive& archive) {
    archive & name_;
    archive & parts_;
  }
  friend bool operator==(const by_member&, const by_member&) = default;

private:
  std::string name_;
  std::vector<by_member> parts_;
};

TEST(serialize, own_types_by_function_or_member) {
  expect_travels<by_function>({{}, {"a", {1, 2}}});
  expect_travels<by_member>({by_member(), by_member("root", {by_member("leaf"), by_member("", {by_member("deep")})})});
  expect_travels<std::map<std::string, by_function>>({{{"k", {"v", {3}}}}});
  expect_travels<std::optional<by_member>>({std::nullopt, by_member("x")});
  by_function uses{"a", {}, 5};
  const block bytes = written(uses);
  by_function found;
  input_archive in(bytes.all());
  in(found);
  EXPECT_EQ(found.does_not_travel, 0);
}

// It reads one member less, or one more, than it writes.
struct forgets {
  std::string a;
  std::string b;
};
void serialize(auto& archive, forgets& f) {
  archive(f.a);
  if constexpr (!std::decay_t<decltype(archive)>::reads) archive(f.b);
}
struct invents {
  std::string a;
  std::string b;
};
void serialize(auto& archive, invents& i) {
  archive(i.a);
  if constexpr (std::decay_t<decltype(archive)>::reads) archive(i.b);
}

TEST(serialize, what_reads_other_members_than_it_writes_is_noticed) {
  const auto is_read = []<class T>(const T& value) {
    const block bytes = written(value);
    input_archive in(bytes.all());
    T found;
    in(found);
    return in.is_used_up();
  };
  EXPECT_FALSE(is_read(forgets{"a", "b"}));
  EXPECT_FALSE(is_read(forgets{"a", ""}));
  EXPECT_FALSE(is_read(invents{"a", "b"}));
}

TEST(serialize, several_values_follow_one_another) {
  const std::string text = "text";
  const std::vector<double> numbers{1, 2};
  size_archive size;
  size(text, 'c', numbers) & 7;
  const block bytes(size.size());
  output_archive out({bytes.data(), size.size()});
  out(text, 'c', numbers) & 7;
  input_archive in(bytes.all());
  std::string text_found;
  char c = 0;
  std::vector<double> numbers_found;
  int seven = 0;
  in(text_found, c, numbers_found);
  EXPECT_FALSE(in.is_used_up());
  in & seven;
  EXPECT_TRUE(in.is_used_up());
  EXPECT_EQ(std::tie(text_found, c, numbers_found, seven), std::make_tuple(text, 'c', numbers, 7));
}

// Sizes are counted first, so a value that grows in between would be written beyond its place.
TEST(serialize, never_writes_outside_its_memory) {
  const std::vector<std::string> value{"one", "two", std::string(40, 'x')};
  size_archive size;
  size(value);
  for (std::size_t n = 0; n <= size.size(); ++n) {
    std::vector<std::byte> bytes(n);
    output_archive out(bytes);
    out(value);
    EXPECT_EQ(out.is_full(), n == size.size()) << n;
    out('c');
    EXPECT_FALSE(out.is_full());
  }
}

TEST(serialize, nothing_is_read_after_a_failure) {
  const block bytes = written(std::pair<std::string, int>{"abc", 5});
  input_archive in(bytes.all().first(9));
  std::string text;
  int number = 9;
  std::string_view view = "old";
  in(text, number, view);
  EXPECT_FALSE(in.is_good());
  EXPECT_EQ(number, 0);
  EXPECT_TRUE(view.empty());
}

// --- Views

template <class View>
bool lies_in(const View& view, const block& bytes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(view.data());
  return begin >= bytes.data() && begin + view.size() * sizeof(*view.data()) <= bytes.data() + bytes.all().size();
}

TEST(serialize, views_show_the_bytes_where_they_are) {
  const std::vector<double> numbers{0.5, 1.5, 2.5};
  const std::vector<std::int16_t> small{1, 2, 3};
  const std::vector<point> points{{1, 2}};
  using message = std::tuple<std::string_view, std::span<const double>, char, std::span<const std::int16_t>,
                             std::span<const point>, std::string_view>;
  const message value{"odd", numbers, 'c', small, points, ""};
  for (const std::size_t offset : {0U, 3U, 8U}) {
    const block bytes = written(value, offset);
    input_archive in(bytes.all(), offset);
    message found;
    in(found);
    EXPECT_TRUE(in.is_used_up());
    const auto& [text, doubles, c, shorts, pairs, empty] = found;
    EXPECT_EQ(text, "odd");
    EXPECT_TRUE(std::ranges::equal(doubles, numbers));
    EXPECT_EQ(c, 'c');
    EXPECT_TRUE(std::ranges::equal(shorts, small));
    EXPECT_TRUE(std::ranges::equal(pairs, points));
    EXPECT_TRUE(empty.empty());
    EXPECT_TRUE(lies_in(text, bytes));
    EXPECT_TRUE(lies_in(doubles, bytes));
    EXPECT_TRUE(lies_in(shorts, bytes));
    EXPECT_TRUE(lies_in(pairs, bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(doubles.data()) % alignof(double), 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(shorts.data()) % alignof(std::int16_t), 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pairs.data()) % alignof(point), 0U);
  }
}

TEST(serialize, views_never_show_more_than_there_is) {
  const std::vector<std::int64_t> numbers(10, 4);
  const std::pair<std::string_view, std::span<const std::int64_t>> value{"abc", numbers};
  const block bytes = written(value);
  random_engine random(3);
  const auto expect_inside = [](const block& in_bytes) {
    input_archive in(in_bytes.all());
    std::pair<std::string_view, std::span<const std::int64_t>> found;
    in(found);
    EXPECT_TRUE(found.first.empty() || lies_in(found.first, in_bytes));
    EXPECT_TRUE(found.second.empty() || lies_in(found.second, in_bytes));
    return in.is_used_up();
  };
  EXPECT_TRUE(expect_inside(bytes));
  for (std::size_t n = 0; n < bytes.all().size(); ++n) EXPECT_FALSE(expect_inside(block(bytes.all().first(n))));
  for (int i = 0; i < 1000; ++i) {
    const block damaged(bytes.all());
    damaged.data()[random.below(bytes.all().size())] = static_cast<std::byte>(random());
    static_cast<void>(expect_inside(damaged));
  }
}

TEST(serialize, padding_is_zero) {
  const block bytes = written(std::pair<std::string, std::vector<double>>{"abc", {0.5}});
  // 8 bytes of a count, 3 of the text, 8 of a count, and then up to a multiple of 8.
  ASSERT_EQ(bytes.all().size(), 32U);
  for (std::size_t i = 19; i < 24; ++i) EXPECT_EQ(bytes.data()[i], std::byte{0});
}

// --- Which types travel

struct pointed {
  int* p;
};
struct no_function {
  std::string name;
};

TEST(serialize, types_that_do_not_travel) {
  static_assert(!serializable<int*> && !serializable<pointed> && !serializable<no_function>);
  static_assert(!serializable<std::unique_ptr<int>> && !serializable<std::vector<int*>>);
  static_assert(!serializable<std::vector<pointed>> && !serializable<std::map<int, no_function>>);
  static_assert(!serializable<std::pair<std::string, int*>> && !serializable<std::optional<no_function>>);
  static_assert(!serializable<std::variant<int, no_function>> && !serializable<std::span<int>>);
  static_assert(!serializable<std::span<const std::string>> && !serializable<std::span<const pointed>>);
  static_assert(serializable<std::string_view> && serializable<std::span<const int>>);
}

}  // namespace
}  // namespace shoal::test
