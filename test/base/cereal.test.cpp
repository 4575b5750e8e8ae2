// Types that travel by cereal, in archives of ours.
#include <gtest/gtest.h>

#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shoal/cereal.hpp"

namespace {

// What one plain function cannot do: pointers, save and load apart, private members.
class tree {
public:
  tree() = default;
  tree(std::string name, int depth) : name_(std::move(name)), weights_{{"depth", {depth}}} {
    if (depth == 0) return;
    left_ = std::make_unique<tree>(name_ + "l", depth - 1);
    right_ = std::make_shared<tree>(name_ + "r", depth - 1);
  }

  bool operator==(const tree& other) const {
    const auto are_equal = [](const auto& a, const auto& b) { return (a && b) ? *a == *b : !a == !b; };
    return name_ == other.name_ && weights_ == other.weights_ && are_equal(left_, other.left_) &&
           are_equal(right_, other.right_);
  }

private:
  friend class cereal::access;
  template <class Archive>
  void save(Archive& archive) const {
    archive(CEREAL_NVP(name_), left_, right_, weights_);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(name_, left_, right_, weights_);
  }

  std::string name_;
  std::unique_ptr<tree> left_;
  std::shared_ptr<tree> right_;
  std::map<std::string, std::vector<int>> weights_;
};

}  // namespace

template <>
inline constexpr bool shoal::travels_by_cereal<tree> = true;

namespace {

std::vector<std::byte> written(const auto& value) {
  shoal::size_archive size;
  size(value);
  std::vector<std::byte> bytes(size.size());
  shoal::output_archive out(bytes);
  out(value);
  return bytes;
}

TEST(cereal, writes_and_reads_what_it_knows) {
  const tree whole("root", 6);
  const std::vector<std::byte> bytes = written(whole);
  shoal::input_archive in(bytes);
  tree read;
  in(read);
  EXPECT_TRUE(in.is_used_up());
  EXPECT_EQ(read, whole);
}

TEST(cereal, takes_part_in_other_types) {
  std::map<std::string, tree> forest;
  forest.emplace("a", tree("oak", 2));
  forest.emplace("b", tree("elm", 0));
  const std::vector<std::byte> bytes = written(forest);
  shoal::input_archive in(bytes);
  std::map<std::string, tree> read;
  in(read);
  EXPECT_TRUE(in.is_used_up());
  EXPECT_EQ(read, forest);
}

TEST(cereal, stops_where_the_bytes_end) {
  const std::vector<std::byte> bytes = written(tree("root", 1));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::vector<std::byte> fewer(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    shoal::input_archive in(fewer);
    tree read;
    EXPECT_THROW(in(read), cereal::Exception) << n << " of " << bytes.size();
  }
}

}  // namespace
