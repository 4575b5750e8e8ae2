// Goal: an address is what the system says it is, and nothing that processes may share counts as private.
#include "shoal/base/internal/memory_map.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>

namespace shoal {

using namespace internal;
namespace {

constexpr std::size_t few_bytes = 1 << 20;

int variable_of_the_program = 1;

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Memory of its own, with these properties.
class mapping {
public:
  mapping(int protection, int sharing, std::size_t bytes = few_bytes)
      : at_(::mmap(nullptr, bytes, protection, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)), bytes_(bytes) {}
  ~mapping() { ::munmap(at_, bytes_); }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  std::uintptr_t middle() const { return number(at_) + bytes_ / 2; }

private:
  void* at_;
  std::size_t bytes_;
};

TEST(memory_map, tells_what_is_private) {
  const int on_stack = 0;
  const auto on_heap = std::make_unique<int>(0);
  const mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
  memory_map map;
  map.read_again();
  EXPECT_EQ(map.at(number(&on_stack)), private_memory::stack);
  EXPECT_EQ(map.at(number(&variable_of_the_program)), private_memory::file);
  EXPECT_EQ(map.at(number(on_heap.get())), private_memory::other);
  EXPECT_EQ(map.at(own.middle()), private_memory::other);
}

TEST(memory_map, leaves_out_what_is_shared_or_not_there) {
  const mapping shared(PROT_READ | PROT_WRITE, MAP_SHARED);
  const mapping reserved(PROT_NONE, MAP_PRIVATE);
  const mapping shadow(PROT_READ | PROT_WRITE, MAP_PRIVATE, std::size_t{2} << 40);
  memory_map map;
  map.read_again();
  EXPECT_EQ(map.at(shared.middle()), private_memory::none);
  EXPECT_EQ(map.at(reserved.middle()), private_memory::none);
  EXPECT_EQ(map.at(shadow.middle()), private_memory::none);
  for (const std::uintptr_t nowhere :
       {std::uintptr_t{0}, std::uintptr_t{4096}, std::uintptr_t{1} << 32, ~std::uintptr_t{0}}) {
    EXPECT_EQ(map.at(nowhere), private_memory::none) << nowhere;
  }
}

TEST(memory_map, is_as_old_as_the_last_reading) {
  memory_map map;
  const int on_stack = 0;
  EXPECT_EQ(map.at(number(&on_stack)), private_memory::none);
  map.read_again();
  const mapping own(PROT_READ | PROT_WRITE, MAP_PRIVATE);
  map.read_again();
  EXPECT_EQ(map.at(own.middle()), private_memory::other);
}

}  // namespace
}  // namespace shoal
