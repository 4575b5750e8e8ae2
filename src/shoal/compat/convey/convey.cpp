// Conveyors of bale: checks of arguments and states, which never end the job, and then Shoal's.

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/compat/internal/c_conveyor.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace compat = shoal::internal::compat;
using compat::convey_error;
using shoal::conveyor_state;

namespace {

// More must be a mistake.
constexpr std::size_t largest_of_all = std::size_t{1} << 31;

constexpr std::uint64_t known_options = 0x7f | convey_opt_STANDARD | convey_opt_BLOCKING;

// --- Construction

convey_t* refuse(std::uint64_t options, const char* call, const char* why) {
  if ((options & convey_opt_QUIET) == 0 && compat::my_pe() == 0) compat::print_convey_error(call, why);
  return nullptr;
}

convey_t* make(bool is_elastic, int order, const convey_alc8r_t* memory, std::uint64_t options, const char* call) {
  if (!compat::is_open()) return refuse(options, call, "no job is open; call shmem_init first");
  if (order < 0 || order > 3) return refuse(options, call, "the order is 1, 2 or 3");
  if (memory != nullptr && (memory->grab == nullptr || memory->free == nullptr)) {
    return refuse(options, call, "the allocator lacks a function");
  }
  try {
    shoal::world& w = compat::world_for(call);
    // Within a node every way but the direct one is a detour.
    const int n_hops = w.message_exchange().nodes().n_nodes() == 1 ? 0 : order;
    return new conveyor(w, is_elastic, n_hops, memory, options & known_options);
  } catch (const shoal::setup_error& e) {
    return refuse(options, call, e.what());
  } catch (const std::bad_alloc&) {
    return refuse(options, call, compat::text_of_result(static_cast<int>(convey_error::alloc)));
  }
}

// Of the constructors of one kind. The general ones leave out options that they do not know.
const char* fault_of(std::size_t n_buffers, std::uint64_t options) {
  if (!std::has_single_bit(n_buffers)) return "the number of buffers is no power of two";
  return (options & ~known_options) != 0 ? "there are unknown options" : nullptr;
}

}  // namespace

namespace {

// --- Pulls

struct pulled {
  const void* item = nullptr;  // null: there is none
  std::size_t bytes = 0;
  shoal::pe_id from = -1;
};

pulled next_item(convey_t* c) {
  if (c->is_fixed) {
    pulled one;
    one.bytes = c->item_bytes;
    one.item = c->fixed->pull(one.from);
    return one;
  }
  const shoal::elastic_conveyor::item* const one = c->elastic->pull();
  static const std::byte nothing{};  // an empty item lies somewhere
  if (one == nullptr) return {};
  return {one->bytes.empty() ? &nothing : one->bytes.data(), one->bytes.size(), one->from};
}

bool put_back(convey_t* c) { return c->is_fixed ? c->fixed->unpull() : c->elastic->unpull(); }

void give_source(const pulled& one, int64_t* from) {
  if (from != nullptr) *from = one.from;
}

// A copy: a pull that finds nothing gives the buffer back, but what was pulled stays readable.
void* kept(convey_t* c, const pulled& one) { return c->aligned_copy(one.item, one.bytes); }

int begin(convey_t* c, std::size_t item_bytes, std::size_t align) {
  if (c->is_shell() || c->state() != conveyor_state::dormant) {
    return c->errors.tell(convey_error::state, "convey_begin");
  }
  if (item_bytes == 0) return c->errors.tell(convey_error::zero, "convey_begin");
  if (item_bytes > largest_of_all) return c->errors.tell(convey_error::overflow, "convey_begin");
  c->is_fixed = !c->is_elastic && item_bytes <= c->largest_item;
  if (!c->is_fixed && !c->elastic) {
    try {  // all PEs come here
      c->make_elastic(compat::world_for("convey_begin"));
    } catch (const shoal::setup_error&) {
      c->is_fixed = true;
      return c->errors.tell(convey_error::alloc, "convey_begin");
    }
  }
  const std::size_t largest = shoal::byte_conveyor::largest_alignment(item_bytes);
  c->align = std::has_single_bit(align) && item_bytes % align == 0 && align <= CONVEY_MAX_ALIGN ? align : largest;
  if (compat::here.far != nullptr) compat::complete_calls("convey_begin");
  c->item_bytes = item_bytes;
  c->is_done = false;
  c->at_begin = c->base().counts();
  c->now = {};
  c->now.by_kind[convey_BEGINS] = 1;
  if (c->is_fixed) {
    c->fixed->encode_by(c->codec, c->codec_argument, item_bytes);
    c->fixed->begin(item_bytes, c->align);
  } else {
    c->elastic->begin();
  }
  c->n_pushes = c->n_pulls = 0;
  c->show();
  return convey_OK;
}

int push(convey_t* c, std::size_t bytes, const void* item, int64_t pe, const char* call) {
  if (c->state() != conveyor_state::working) return c->errors.tell(convey_error::state, call);
  if (static_cast<std::uint64_t>(pe) >= static_cast<std::uint64_t>(c->n_pes)) {
    return c->errors.tell(convey_error::range, call);
  }
  const bool is_sent =
      c->is_fixed ? c->fixed->push(item, pe) : c->elastic->push({static_cast<const std::byte*>(item), bytes}, pe);
  c->now.by_kind[convey_PUSHES] += is_sent ? 1 : 0;
  return is_sent ? convey_OK : convey_FAIL;
}

// Counts that Shoal keeps, and those of the inlined calls.
void take_counts(convey_t* c) {
  c->now.by_kind[convey_PUSHES] += std::exchange(c->n_pushes, 0);
  c->now.by_kind[convey_PULLS] += std::exchange(c->n_pulls, 0);
  const shoal::conveyor_counts all = c->base().counts();
  c->now.by_kind[convey_COMMS] = static_cast<std::int64_t>(all.n_buffers - c->at_begin.n_buffers);
  c->now.by_kind[convey_BYTES] = static_cast<std::int64_t>(all.n_bytes - c->at_begin.n_bytes);
}

}  // namespace

extern "C" {

const char convey_version[] = "0.6.0 (Shoal)";

convey_t* convey_new(size_t, size_t, const convey_alc8r_t* alloc, uint64_t options) {
  return make(false, 0, alloc, options, "convey_new");
}

convey_t* convey_new_elastic(size_t, size_t, size_t, const convey_alc8r_t* alloc, uint64_t options) {
  return make(true, 0, alloc, options, "convey_new_elastic");
}

convey_t* convey_new_simple(size_t, const convey_alc8r_t* alloc, const convey_mpp_a2a_t*, uint64_t options) {
  return make(false, 1, alloc, options, "convey_new_simple");
}

convey_t* convey_new_twohop(size_t, size_t, const convey_alc8r_t* alloc, uint64_t options) {
  return make(false, 2, alloc, options, "convey_new_twohop");
}

convey_t* convey_new_tensor(size_t, int order, size_t, size_t n_buffers, const convey_alc8r_t* alloc,
                            uint64_t options) {
  if (const char* why = fault_of(n_buffers, options)) return refuse(options, "convey_new_tensor", why);
  return make(false, order == 0 ? -1 : order, alloc, options, "convey_new_tensor");
}

convey_t* convey_new_etensor(size_t, size_t, int order, size_t, size_t n_buffers, const convey_alc8r_t* alloc,
                             uint64_t options) {
  if (const char* why = fault_of(n_buffers, options)) return refuse(options, "convey_new_etensor", why);
  return make(true, order == 0 ? -1 : order, alloc, options, "convey_new_etensor");
}

int convey_begin(convey_t* c, size_t item_bytes, size_t align) {
  return c == nullptr ? compat::tell_null("convey_begin") : begin(c, item_bytes, align);
}

int shoal_convey_push(convey_t* c, const void* item, int64_t pe) {
  return c == nullptr ? compat::tell_null("convey_push") : push(c, c->item_bytes, item, pe, "convey_push");
}

int convey_epush(convey_t* c, size_t bytes, const void* item, int64_t pe) {
  if (c == nullptr) return compat::tell_null("convey_epush");
  if (!c->is_elastic && bytes != c->item_bytes) return c->errors.tell(convey_error::rigid, "convey_epush");
  return push(c, bytes, item, pe, "convey_epush");
}

int shoal_convey_pull(convey_t* c, void* item, int64_t* from) {
  if (c == nullptr) return compat::tell_null("convey_pull");
  if (c->state() == conveyor_state::dormant) return c->errors.tell(convey_error::state, "convey_pull");
  const pulled one = next_item(c);
  if (one.item == nullptr) return convey_FAIL;
  if (one.bytes != c->item_bytes) {
    put_back(c);
    return c->errors.tell(convey_error::misfit, "convey_pull");
  }
  std::memcpy(item, one.item, one.bytes);
  give_source(one, from);
  ++c->now.by_kind[convey_PULLS];
  return convey_OK;
}

int convey_push(convey_t* c, const void* item, int64_t pe) { return shoal_convey_push(c, item, pe); }
int convey_pull(convey_t* c, void* item, int64_t* from) { return shoal_convey_pull(c, item, from); }

void* convey_apull(convey_t* c, int64_t* from) {
  if (c == nullptr || c->state() == conveyor_state::dormant) return nullptr;
  const pulled one = next_item(c);
  if (one.item == nullptr) return nullptr;
  if (one.bytes != c->item_bytes) {
    put_back(c);
    c->errors.tell(convey_error::misfit, "convey_apull");
    return nullptr;
  }
  give_source(one, from);
  ++c->now.by_kind[convey_PULLS];
  return kept(c, one);
}

int convey_epull(convey_t* c, convey_item_t* result) {
  if (c == nullptr) return compat::tell_null("convey_epull");
  const pulled one = c->state() == conveyor_state::dormant ? pulled{} : next_item(c);
  if (one.item == nullptr) {
    result->data = nullptr;
    return convey_FAIL;
  }
  *result = {one.bytes, kept(c, one), one.from};
  ++c->now.by_kind[convey_PULLS];
  return convey_OK;
}

int convey_unpull(convey_t* c) {
  if (c == nullptr) return compat::tell_null("convey_unpull");
  if (c->state() == conveyor_state::dormant) return c->errors.tell(convey_error::state, "convey_unpull");
  if (!put_back(c)) return convey_FAIL;
  ++c->now.by_kind[convey_UNPULLS];
  return convey_OK;
}

int convey_advance(convey_t* c, bool done) {
  if (c == nullptr) return compat::tell_null("convey_advance");
  if (c->state() == conveyor_state::dormant) return c->errors.tell(convey_error::state, "convey_advance");
  c->is_done = c->is_done || done;
  ++c->now.by_kind[convey_ADVANCES];
  const shoal::progress now = c->base().advance(c->is_done);
  compat::let_others_go_on();
  c->show();
  switch (now) {
    case shoal::progress::working: return convey_OK;
    case shoal::progress::cleanup: return convey_NEAR;
    case shoal::progress::complete: break;
  }
  return convey_DONE;
}

int convey_reset(convey_t* c) {
  if (c == nullptr) return compat::tell_null("convey_reset");
  if (c->state() == conveyor_state::dormant) return convey_OK;
  if (c->state() != conveyor_state::complete) return c->errors.tell(convey_error::state, "convey_reset");
  take_counts(c);
  for (int kind = 0; kind < convey_CUMULATIVE; ++kind) c->before.by_kind[kind] += c->now.by_kind[kind];
  c->now = {};
  c->base().reset();
  c->item_bytes = 0;
  c->show();
  return convey_OK;
}

int convey_free(convey_t* c) {
  if (c == nullptr) return convey_OK;
  const conveyor_state state = c->state();
  if (state != conveyor_state::dormant && state != conveyor_state::complete) {
    return c->errors.tell(convey_error::state, "convey_free");
  }
  delete c;
  return convey_OK;
}

int convey_set_codec(convey_t* c, const convey_codec_t* codec, void* argument) {
  if (c == nullptr) return compat::tell_null("convey_set_codec");
  if (c->state() != conveyor_state::dormant) return c->errors.tell(convey_error::state, "convey_set_codec");
  if (c->is_elastic || (codec != nullptr && codec->plan == nullptr)) return convey_FAIL;
  c->codec = codec;
  c->codec_argument = argument;
  return convey_OK;
}

size_t convey_item_size(convey_t* c) { return c == nullptr ? 0 : c->item_bytes; }

uint64_t convey_features(convey_t* c) {
  if (c == nullptr) return 0;
  const std::uint64_t steady = (c->options & convey_opt_PROGRESS) != 0 ? convey_STEADY : 0;
  return steady | (c->is_elastic ? convey_ELASTIC : convey_THRIFTY);
}

int64_t convey_statistic(convey_t* c, int which) {
  if (c == nullptr) return 0;
  if (which < 0 || which >= 2 * convey_CUMULATIVE) return -1;
  if (c->state() != conveyor_state::dormant) take_counts(c);
  const int kind = which % convey_CUMULATIVE;
  return c->now.by_kind[kind] + (which >= convey_CUMULATIVE ? c->before.by_kind[kind] : 0);
}

const char* convey_error_string(convey_t*, int error) { return compat::text_of_result(error); }

convey_t* shoal_convey_with_item(convey_t* c, size_t item_bytes) {
  if (c != nullptr) c->default_item_bytes = item_bytes;
  return c;
}

int shoal_convey_begin_default(convey_t* c) {
  return c == nullptr ? compat::tell_null("convey_begin") : begin(c, c->default_item_bytes, 0);
}

}  // extern "C"
