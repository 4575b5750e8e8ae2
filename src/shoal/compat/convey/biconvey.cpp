// Biconveyors of bale: checks of arguments and states, and then Shoal's.
#include "shoal/compat/include/biconvey.h"

#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/compat/internal/convey_errors.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/kinds/elastic_biconveyor.hpp"

namespace compat = shoal::internal::compat;
using compat::convey_error;
using shoal::conveyor_state;

/// What a biconvey_t points to. The name is C's.
struct biconveyor {
  biconveyor(shoal::world& in, std::uint64_t options)
      : both(std::in_place, in), errors((options & convey_opt_QUIET) != 0), n_pes(in.n_pes()) {}

  conveyor_state state() const noexcept { return both ? both->state() : conveyor_state::dormant; }

  std::optional<shoal::elastic_biconveyor> both;  // none once the job has closed
  compat::error_log errors;
  std::int64_t n_pes;
  std::size_t query_bytes = 0;
  std::size_t reply_bytes = 0;
  bool is_done = false;
  const compat::end_with_job end{[](void* its) noexcept { static_cast<biconveyor*>(its)->both.reset(); }, this};
};

namespace {

biconvey_t* make(std::uint64_t options, const char* call) {
  const char* problem = "no job is open; call shmem_init first";
  try {
    if (compat::is_open()) return new biconveyor(compat::world_for(call), options);
    if ((options & convey_opt_QUIET) == 0) compat::print_convey_error(call, problem);
  } catch (const shoal::setup_error& e) {
    if ((options & convey_opt_QUIET) == 0 && compat::my_pe() == 0) compat::print_convey_error(call, e.what());
  }
  return nullptr;
}

}  // namespace

extern "C" {

biconvey_t* biconvey_new(size_t, size_t, const convey_alc8r_t*, uint64_t options) {
  return make(options, "biconvey_new");
}

biconvey_t* biconvey_new_simple(size_t, const convey_alc8r_t*, const convey_mpp_a2a_t*, uint64_t options) {
  return make(options, "biconvey_new_simple");
}

biconvey_t* biconvey_new_tensor(size_t, int, size_t, size_t, const convey_alc8r_t*, uint64_t options) {
  return make(options, "biconvey_new_tensor");
}

int biconvey_begin(biconvey_t* b, size_t query_bytes, size_t reply_bytes,
                   void (*answer)(const void* query, void* reply, void* context), void* context) {
  if (b == nullptr) return compat::tell_null("biconvey_begin");
  if (answer == nullptr) return b->errors.tell(convey_error::no_function, "biconvey_begin");
  if (query_bytes == 0 || reply_bytes == 0) return b->errors.tell(convey_error::zero, "biconvey_begin");
  if (!b->both || b->state() != conveyor_state::dormant) {
    return b->errors.tell(convey_error::state, "biconvey_begin");
  }
  b->query_bytes = query_bytes;
  b->reply_bytes = reply_bytes;
  b->is_done = false;
  b->both->begin([=](std::span<const std::byte> query, shoal::pe_id, std::vector<std::byte>& reply) {
    reply.resize(reply_bytes);
    answer(query.data(), reply.data(), context);
  });
  return convey_OK;
}

int biconvey_push(biconvey_t* b, const void* query, int64_t pe) {
  if (b == nullptr) return compat::tell_null("biconvey_push");
  if (b->state() != conveyor_state::working) return b->errors.tell(convey_error::state, "biconvey_push");
  if (static_cast<std::uint64_t>(pe) >= static_cast<std::uint64_t>(b->n_pes)) {
    return b->errors.tell(convey_error::range, "biconvey_push");
  }
  return b->both->push({static_cast<const std::byte*>(query), b->query_bytes}, pe) ? convey_OK : convey_FAIL;
}

int biconvey_pull(biconvey_t* b, void* reply) {
  if (b == nullptr) return compat::tell_null("biconvey_pull");
  if (b->state() == conveyor_state::dormant) return b->errors.tell(convey_error::state, "biconvey_pull");
  const std::vector<std::byte>* const one = b->both->pull();
  if (one == nullptr) return convey_FAIL;
  std::memcpy(reply, one->data(), b->reply_bytes);
  return convey_OK;
}

int biconvey_advance(biconvey_t* b, bool done) {
  if (b == nullptr) return compat::tell_null("biconvey_advance");
  if (b->state() == conveyor_state::dormant) return b->errors.tell(convey_error::state, "biconvey_advance");
  b->is_done = b->is_done || done;
  compat::let_others_go_on();
  switch (b->both->advance(b->is_done)) {
    case shoal::progress::working: return convey_OK;
    case shoal::progress::cleanup: return convey_NEAR;
    case shoal::progress::complete: break;
  }
  return convey_DONE;
}

int biconvey_reset(biconvey_t* b) {
  if (b == nullptr) return compat::tell_null("biconvey_reset");
  if (b->state() == conveyor_state::dormant) return convey_OK;
  if (b->state() != conveyor_state::complete) return b->errors.tell(convey_error::state, "biconvey_reset");
  b->both->reset();
  return convey_OK;
}

int biconvey_free(biconvey_t* b) {
  if (b == nullptr) return convey_OK;
  const conveyor_state state = b->state();
  if (state != conveyor_state::dormant && state != conveyor_state::complete) {
    return b->errors.tell(convey_error::state, "biconvey_free");
  }
  delete b;
  return convey_OK;
}

}  // extern "C"
