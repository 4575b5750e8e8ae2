// Tasks that wait for one another across PEs: the longest common subsequence of two texts, by blocks of its table. A block
// needs the border of the block above and of the one to its left, which belongs to another PE.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <shoal/shoal.hpp>
#include <shoal/task/task.hpp>

namespace {

constexpr std::int64_t n_blocks = 12;  // in each direction
constexpr std::int64_t n_rows = 40;  // of a block, and its columns
using border = std::vector<std::int32_t>;  // of a block: the numbers in its last column or row

// The same on every PE.
std::string random_text(std::uint64_t seed) {
  shoal::random_engine random(seed, 0);
  std::string text(n_blocks * n_rows, ' ');
  for (char& c : text) c = static_cast<char>('a' + random.below(4));
  return text;
}

// Fills a block of rows `a` and columns `b`, from what lies to its left and above it. `left` begins with the number in the
// corner. Returns its last column, which begins with the number above it, and its last row.
std::pair<border, border> fill(const char* a, const char* b, const border& left, border above) {
  border right{above.back()};
  for (std::int64_t i = 0; i < n_rows; ++i) {
    std::int32_t corner = left[i];
    std::int32_t before = left[i + 1];
    for (std::int64_t j = 0; j < n_rows; ++j) {
      const std::int32_t value = a[i] == b[j] ? corner + 1 : std::max(before, above[j]);
      corner = std::exchange(above[j], value);
      before = value;
    }
    right.push_back(before);
  }
  return {right, above};
}

std::int32_t length_by_one_pe(const std::string& a, const std::string& b) {
  border row(b.size(), 0);
  for (const char c : a) {
    std::int32_t corner = 0;
    std::int32_t before = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::int32_t value = c == b[j] ? corner + 1 : std::max(before, row[j]);
      corner = std::exchange(row[j], value);
      before = value;
    }
  }
  return row.back();
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::string a = random_text(1);
    const std::string b = random_text(2);
    std::int32_t length = 0;
    // [tasks]
    // Columns of blocks go to the PEs in turn. Of each block, what its neighbours will give.
    struct block {
      shoal::promise<border> left, above;
    };
    shoal::per_pe<std::vector<block>> blocks(world, static_cast<std::size_t>(n_blocks * n_blocks));
    const auto number = [](std::int64_t i, std::int64_t j) { return i * n_blocks + j; };

    world.finish([&] {
      for (std::int64_t j = world.my_pe(); j < n_blocks; j += world.n_pes()) {
        for (std::int64_t i = 0; i < n_blocks; ++i) {
          block& here = (*blocks)[number(i, j)];
          // The task begins when both borders are there.
          shoal::async_await(
              [&, i, j](const border& left, border above) {
                auto [right, below] = fill(&a[i * n_rows], &b[j * n_rows], left, std::move(above));
                if (i == n_blocks - 1 && j == n_blocks - 1) length = right.back();
                if (i < n_blocks - 1) (*blocks)[number(i + 1, j)].above.set(std::move(below));
                if (j == n_blocks - 1) return;
                world.send((j + 1) % world.n_pes(),
                           [there = blocks.handle(), next = number(i, j + 1)](border its) {
                             (*there)[next].left.set(std::move(its));
                           },
                           right);
              },
              here.left.get_future(), here.above.get_future());
          if (j == 0) here.left.set(border(n_rows + 1, 0));
          if (i == 0) here.above.set(border(n_rows, 0));
        }
      }
    });
    // [/tasks]
    length = world.max(length);
    return length == length_by_one_pe(a, b) ? 0 : 1;
  });
}
