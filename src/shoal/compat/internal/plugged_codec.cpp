#include "shoal/compat/internal/plugged_codec.hpp"

#include <cstring>
#include <new>

namespace shoal::internal::compat {
namespace {

// Fewer packets are not worth a call.
constexpr std::size_t least_packets = 3;

constexpr std::size_t largest_alignment = 64;

std::byte* allocate(std::size_t bytes) {
  void* const memory = std::aligned_alloc(largest_alignment, (bytes / largest_alignment + 1) * largest_alignment);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, bytes);  // what lies between packets is read, too
  return static_cast<std::byte*>(memory);
}

}  // namespace

std::optional<plugged_codec::form> plugged_codec::plan(const convey_codec_t& functions, void* argument,
                                                       std::size_t item_bytes, std::size_t payload_bytes) {
  form its{.functions = functions,
           .cargo = {.tag_size = 0,
                     .item_size = item_bytes,
                     .packet_size = item_bytes,
                     .max_items = payload_bytes / item_bytes,
                     .arg = argument},
           .layout = {.align = 8, .stride = item_bytes, .slack = 0, .offset = 0, .overrun = 0}};
  if (functions.compress == nullptr || functions.decompress == nullptr) return {};
  if (!functions.plan(&its.cargo, &its.layout) || its.layout.stride < item_bytes) return {};
  return its;
}

plugged_codec::plugged_codec(const form& its) : form_(its) {
  const std::size_t beyond = form_.layout.slack + form_.layout.overrun;
  packets_.reset(allocate(form_.layout.offset + form_.cargo.max_items * form_.layout.stride + beyond));
  encoded_.reset(allocate(form_.cargo.max_items * form_.cargo.packet_size + beyond));
}

plugged_codec::~plugged_codec() {
  if (form_.functions.unlink == nullptr) return;
  for (const std::vector<link_state>* const links : {&sending_, &receiving_}) {
    for (const link_state& each : *links) {
      if (each.is_linked) form_.functions.unlink(&form_.cargo, each.state);
    }
  }
}

void* plugged_codec::state_of(std::vector<link_state>& links, std::size_t link, bool decompress) {
  if (link >= links.size()) links.resize(link + 1);
  link_state& its = links[link];
  if (!its.is_linked && form_.functions.link != nullptr) {
    its.state = form_.functions.link(&form_.cargo, decompress);
    its.is_linked = true;
  }
  return its.state;
}

std::size_t plugged_codec::encode(std::size_t link, std::span<const std::byte> items,
                                  std::span<std::byte> out) noexcept {
  const std::size_t bytes = form_.cargo.item_size;
  const std::size_t n = items.size() / bytes;
  if (n < least_packets) return 0;
  for (std::size_t i = 0; i < n; ++i) std::memcpy(packet(i), &items[i * bytes], bytes);
  const std::size_t n_encoded = form_.functions.compress(&form_.cargo, state_of(sending_, link, false), n,
                                                         packets_.get(), out.size(), encoded_.get());
  if (n_encoded == 0 || n_encoded > out.size()) return 0;
  std::memcpy(out.data(), encoded_.get(), n_encoded);
  return n_encoded;
}

bool plugged_codec::decode(pe_id from, std::span<const std::byte> body, std::span<std::byte> items) noexcept {
  const std::size_t bytes = form_.cargo.item_size;
  const std::size_t n = items.size() / bytes;
  if (n * bytes != items.size() || n > form_.cargo.max_items || body.size() >= items.size()) return false;
  std::memcpy(encoded_.get(), body.data(), body.size());
  form_.functions.decompress(&form_.cargo, state_of(receiving_, static_cast<std::size_t>(from), true), n, body.size(),
                             encoded_.get(), packets_.get());
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&items[i * bytes], packet(i), bytes);
  return true;
}

}  // namespace shoal::internal::compat
