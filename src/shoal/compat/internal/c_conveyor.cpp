#include "shoal/compat/internal/c_conveyor.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/plugged_codec.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

using shoal::conveyor_state;

namespace {

// What an allocator is asked for: room for the item that was handed out last. Larger ones lie elsewhere.
constexpr std::size_t first_copy_bytes = 512;

// Where nothing can be pulled without a call. Never changes, so that all conveyors share it.
shoal_convey_front no_front{};

}  // namespace

namespace shoal::internal::compat {

// The header repeats the form of these.
static_assert(sizeof(shoal_convey_link) == sizeof(link_end) &&
              offsetof(shoal_convey_link, limit) == offsetof(link_end, limit));

void open_conveyor::show(shoal_convey_open& to) noexcept {
  const bool has_one_hop = stream_.current_route() == nullptr;
  const bool is_in_session = state() != conveyor_state::dormant && state() != conveyor_state::complete;
  SHOAL_ASSERT(reinterpret_cast<const std::byte* const*>(&next_) + 1 == &end_);
  to.links = reinterpret_cast<shoal_convey_link*>(stream_.links().ends.get());
  to.n_direct = stream_.n_direct();
  to.front = is_in_session && has_one_hop ? reinterpret_cast<shoal_convey_front*>(&next_) : &no_front;
  to.source = &source_;
  to.may_unpull = &may_unpull_;
}

void open_conveyor::encode_by(const convey_codec_t* its, void* argument, std::size_t item_bytes) {
  std::optional<plugged_codec::form> form;
  if (its != nullptr) {
    const std::size_t payload = world_for("convey_begin").message_exchange().payload_bytes();
    form = plugged_codec::plan(*its, argument, item_bytes, payload);
  }
  if (!form && !has_codec_) return;
  for (int h = 0; h < stream_.n_hops(); ++h) {
    stream_.hop(static_cast<std::size_t>(h)).encode_by(form ? std::make_unique<plugged_codec>(*form) : nullptr);
  }
  has_codec_ = form.has_value();
}

}  // namespace shoal::internal::compat

conveyor::conveyor(shoal::world& in, bool of_any_size, int hops, const convey_alc8r_t* memory, std::uint64_t chosen)
    : shoal_convey_open{},
      is_fixed(!of_any_size),
      is_elastic(of_any_size),
      n_hops(hops),
      options(chosen),
      errors((chosen & convey_opt_QUIET) != 0),
      n_pes(in.n_pes()) {
  // Half of a buffer holds any packet: tags and the alignment of the first take less than the other.
  largest_item = in.message_exchange().payload_bytes() / 2;
  if (is_elastic) {
    make_elastic(in);
  } else {
    fixed.emplace(in, shoal::conveyor_options{.steady = is_steady(), .n_hops = n_hops});
  }
  // Last, since nobody would give it back if what comes before failed.
  if (memory != nullptr) {
    grabbed_ = memory->grab(memory->alc8r, first_copy_bytes + CONVEY_MAX_ALIGN, __FILE__, __LINE__);
    if (grabbed_ == nullptr) throw std::bad_alloc();
    memory_ = *memory;
  }
  front = &no_front;
  show();
}

void conveyor::make_elastic(shoal::world& in) {
  elastic.emplace(in, shoal::elastic_options{.steady = is_steady(), .n_hops = n_hops});
}

void conveyor::end() noexcept {
  front = &no_front;
  n_direct = 0;
  fixed.reset();
  elastic.reset();
}

conveyor::~conveyor() {
  if (memory_) memory_->free(memory_->alc8r, grabbed_);
  std::free(copy_);
}

void* conveyor::aligned_copy(const void* item, std::size_t bytes) {
  void* into = nullptr;
  if (grabbed_ != nullptr && bytes <= first_copy_bytes) {
    const auto at = (reinterpret_cast<std::uintptr_t>(grabbed_) + CONVEY_MAX_ALIGN - 1) & ~(CONVEY_MAX_ALIGN - 1);
    into = reinterpret_cast<void*>(at);
  } else {
    if (bytes > copy_bytes_ || copy_ == nullptr) {
      std::free(copy_);
      copy_bytes_ = (bytes / CONVEY_MAX_ALIGN + 1) * CONVEY_MAX_ALIGN;
      copy_ = static_cast<std::byte*>(std::aligned_alloc(CONVEY_MAX_ALIGN, copy_bytes_));
      if (copy_ == nullptr) throw std::bad_alloc();
    }
    into = copy_;
  }
  if (bytes != 0) std::memcpy(into, item, bytes);
  return into;
}
