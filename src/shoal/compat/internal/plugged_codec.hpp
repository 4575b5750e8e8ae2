/// A codec that a program plugs into a conveyor, for buffers to other nodes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/compat/include/convey_codec.h"
#include "shoal/conveyor/internal/link_codec.hpp"

namespace shoal::internal::compat {

/// Its functions see packets without tags, in memory of their own that is laid out as they asked. Each link of a hop has its
/// own state, one to encode and one to decode.
class plugged_codec final : public link_codec {
public:
  /// What a codec answered for packets of one size.
  struct form {
    convey_codec_t functions;
    convey_cargo_t cargo;
    convey_layout_t layout;
  };
  /// Empty if it refuses such packets. Buffers have `payload_bytes`.
  static std::optional<form> plan(const convey_codec_t& functions, void* argument, std::size_t item_bytes,
                                  std::size_t payload_bytes);

  /// Throws std::bad_alloc.
  explicit plugged_codec(const form& its);
  ~plugged_codec() override;
  plugged_codec(const plugged_codec&) = delete;
  plugged_codec& operator=(const plugged_codec&) = delete;

  std::size_t encode(std::size_t link, std::span<const std::byte> items, std::span<std::byte> out) noexcept override;
  bool decode(pe_id from, std::span<const std::byte> body, std::span<std::byte> items) noexcept override;

private:
  struct link_state {
    void* state = nullptr;
    bool is_linked = false;
  };
  void* state_of(std::vector<link_state>& links, std::size_t link, bool decompress);
  std::byte* packet(std::size_t i) const noexcept {
    return packets_.get() + form_.layout.offset + i * form_.layout.stride;
  }

  struct free_memory {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  using memory = std::unique_ptr<std::byte, free_memory>;

  const form form_;
  memory packets_;
  memory encoded_;
  std::vector<link_state> sending_;  // by link
  std::vector<link_state> receiving_;  // by PE
};

}  // namespace shoal::internal::compat
