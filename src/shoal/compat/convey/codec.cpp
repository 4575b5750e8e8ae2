// The codec that programs find under the name of bale's. It leaves out the bytes that all packets have in common: most of
// the high bytes of indices, and what is constant in a struct.
#include <cstring>

#include "shoal/compat/include/convey_codec.h"

namespace {

// What is encoded: the first packet; a bit for each of its bytes, set if that byte varies; then of every other packet the
// bytes that vary.

std::size_t mask_bytes(const convey_cargo_t* cargo) { return (cargo->packet_size + 7) / 8; }

bool varies(const unsigned char* mask, std::size_t i) { return (mask[i / 8] >> (i % 8) & 1) != 0; }

bool plan(const convey_cargo_t* cargo, convey_layout_t* layout) {
  if (cargo->packet_size == 0) return false;
  *layout = {.align = 8, .stride = cargo->packet_size, .slack = 0, .offset = 0, .overrun = 0};
  return true;
}

// A link needs nothing; the address only has to differ from null.
void* link(const convey_cargo_t*, bool) {
  static char nothing;
  return &nothing;
}

void unlink(const convey_cargo_t*, void*) {}

std::size_t compress(const convey_cargo_t* cargo, void*, std::size_t n_items, void* in, std::size_t limit, void* out) {
  const std::size_t packet = cargo->packet_size;
  const std::size_t head = packet + mask_bytes(cargo);
  if (n_items == 0 || head > limit) return 0;
  const auto* const first = static_cast<const unsigned char*>(in);
  auto* const to = static_cast<unsigned char*>(out);
  auto* const mask = to + packet;
  std::memcpy(to, first, packet);
  std::memset(mask, 0, mask_bytes(cargo));
  std::size_t n_varying = 0;
  for (std::size_t i = 0; i < packet; ++i) {
    bool differs = false;
    for (std::size_t item = 1; item < n_items && !differs; ++item) differs = first[item * packet + i] != first[i];
    if (!differs) continue;
    mask[i / 8] = static_cast<unsigned char>(mask[i / 8] | 1U << (i % 8));
    ++n_varying;
  }
  const std::size_t bytes = head + (n_items - 1) * n_varying;
  if (bytes > limit || bytes >= n_items * packet) return 0;
  unsigned char* at = to + head;
  for (std::size_t item = 1; item < n_items; ++item) {
    for (std::size_t i = 0; i < packet; ++i) {
      if (varies(mask, i)) *at++ = first[item * packet + i];
    }
  }
  return bytes;
}

void decompress(const convey_cargo_t* cargo, void*, std::size_t n_items, std::size_t, void* in, void* out) {
  const std::size_t packet = cargo->packet_size;
  const auto* const first = static_cast<const unsigned char*>(in);
  const auto* const mask = first + packet;
  const unsigned char* at = mask + mask_bytes(cargo);
  auto* const to = static_cast<unsigned char*>(out);
  std::memcpy(to, first, packet);
  for (std::size_t item = 1; item < n_items; ++item) {
    for (std::size_t i = 0; i < packet; ++i) to[item * packet + i] = varies(mask, i) ? *at++ : first[i];
  }
}

}  // namespace

extern "C" const convey_codec_t convey_standard_codec = {.name = "standard-bytes",
                                                         .plan = plan,
                                                         .link = link,
                                                         .compress = compress,
                                                         .decompress = decompress,
                                                         .unlink = unlink};
