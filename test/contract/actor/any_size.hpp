/// Contents for messages of any size: how long they are, and what they hold, from a seed or a number alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::test {

inline std::size_t buffer_bytes(world& w) { return w.message_exchange().payload_bytes(); }

// How large a message is: empty, a few bytes, about as large as a buffer, several buffers, or many.
inline std::size_t some_bytes(random_engine& random, std::size_t buffer) {
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
inline std::size_t large_bytes(random_engine& random, std::size_t buffer) { return buffer + random.below(5 * buffer); }

inline random_engine random_of(const world& w, std::uint64_t seed) {
  return random_engine(seed, 300 + static_cast<std::uint64_t>(w.my_pe()));
}

inline pe_id any_pe(const world& w, random_engine& random) {
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

// A text that follows from its number. Zeros are characters as any others.
inline std::string text_of(std::uint64_t number, std::size_t n_bytes) {
  std::string text(n_bytes, '\0');
  random_engine random(number, 9);
  for (char& c : text) c = static_cast<char>(random.below(4) == 0 ? 0 : 'a' + random.below(26));
  return text;
}

}  // namespace shoal::test
