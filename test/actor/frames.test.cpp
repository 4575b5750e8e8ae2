// Goal: memory of any size is aligned, nobody else's while it is used, and used again afterwards. Method: every size
// up to and beyond the largest class, and random lives whose contents are checked.
#include "shoal/actor/internal/frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t largest_class_bytes = 1024;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool are_pooled = false;
#else
constexpr bool are_pooled = true;
#endif

// Memory that is full of one byte.
class filled_memory {
public:
  filled_memory(frames& from, std::size_t bytes, std::byte content)
      : from_(&from), memory_(static_cast<std::byte*>(from.allocate(bytes)), bytes), content_(content) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory_.data()) % 16, 0u) << bytes << " bytes";
    std::ranges::fill(memory_, content_);
  }
  filled_memory(filled_memory&& from) noexcept
      : from_(std::exchange(from.from_, nullptr)), memory_(from.memory_), content_(from.content_) {}
  filled_memory& operator=(filled_memory&& from) noexcept {
    std::swap(from_, from.from_);
    std::swap(memory_, from.memory_);
    std::swap(content_, from.content_);
    return *this;
  }
  ~filled_memory() {
    if (from_ == nullptr) return;
    EXPECT_TRUE(std::ranges::all_of(memory_, [&](std::byte each) { return each == content_; }))
        << memory_.size() << " bytes";
    from_->deallocate(memory_.data(), memory_.size());
  }

private:
  frames* from_;
  std::span<std::byte> memory_;
  std::byte content_;
};

TEST(frames, of_all_sizes_are_apart) {
  frames all(false);
  std::vector<filled_memory> live;
  for (int turn = 0; turn < 3; ++turn) {
    for (std::size_t bytes = 1; bytes <= largest_class_bytes + 100; ++bytes) {
      live.emplace_back(all, bytes, static_cast<std::byte>(bytes + static_cast<std::size_t>(turn)));
    }
  }
}

TEST(frames, may_come_and_go_in_any_order) {
  frames all(false);
  random_engine random(1);
  std::vector<filled_memory> live;
  for (int i = 0; i < 100'000; ++i) {
    if (live.size() > 500 || (!live.empty() && random.chance(0.48))) {
      std::swap(live.back(), live[random.below(live.size())]);
      live.pop_back();
    } else {
      const std::size_t bytes = 1 + random.below(random.chance(0.1) ? 5000 : largest_class_bytes);
      live.emplace_back(all, bytes, static_cast<std::byte>(random()));
    }
  }
}

TEST(frames, are_used_again_at_once) {
  if (!are_pooled) GTEST_SKIP() << "the address sanitizer sees each block";
  frames all(false);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{32}, std::size_t{33}, largest_class_bytes}) {
    void* const first = all.allocate(bytes);
    all.deallocate(first, bytes);
    for (int i = 0; i < 1000; ++i) {
      void* const again = all.allocate(bytes);
      EXPECT_EQ(again, first) << bytes << " bytes";
      all.deallocate(again, bytes);
    }
  }
}

// So many that were in use once serve as many again, in whatever order they came back.
TEST(frames, need_no_more_memory_than_were_in_use_at_once) {
  if (!are_pooled) GTEST_SKIP() << "the address sanitizer sees each block";
  frames all(false);
  constexpr std::size_t n = 3000;
  constexpr std::size_t bytes = 200;
  std::vector<void*> live;
  for (std::size_t i = 0; i < n; ++i) live.push_back(all.allocate(bytes));
  const std::set<void*> first(live.begin(), live.end());
  EXPECT_EQ(first.size(), n);
  random_engine random(2);
  for (int turn = 0; turn < 5; ++turn) {
    std::shuffle(live.begin(), live.end(), random);
    for (void* const each : live) all.deallocate(each, bytes);
    for (void*& each : live) each = all.allocate(bytes);
  }
  const std::set<void*> last(live.begin(), live.end());
  EXPECT_EQ(last.size(), n);
  EXPECT_TRUE(std::ranges::includes(first, last));
  for (void* const each : live) all.deallocate(each, bytes);
}

}  // namespace
}  // namespace shoal::internal
