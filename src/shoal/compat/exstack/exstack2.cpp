// exstack2 of bale: a conveyor under other names.
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/compat/include/exstack.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace compat = shoal::internal::compat;

namespace {

class sending_conveyor final : public shoal::byte_conveyor {
public:
  using byte_conveyor::byte_conveyor;

  /// Posts all partly filled buffers. Local; any call that makes progress brings them on their way.
  void send() noexcept { stream_.flush(); }
};

}  // namespace

/// Steady, since programs wait for answers to what they pushed. A session begins with the first call that needs one, so that an
/// object which nobody uses any more has none.
struct shoal_exstack2 {
  shoal_exstack2(shoal::world& in, std::int64_t n, std::size_t bytes) : room(n), item_bytes(bytes) {
    items.emplace(in, shoal::conveyor_options{.steady = true});
  }

  sending_conveyor& in_session() {
    if (items->state() == shoal::conveyor_state::dormant) {
      items->begin(item_bytes, shoal::byte_conveyor::largest_alignment(item_bytes));
    }
    return *items;
  }

  // Nobody pops what is left.
  void end_session() {
    if (items->state() == shoal::conveyor_state::dormant) return;
    while (items->state() != shoal::conveyor_state::complete) {
      while (items->pull() != nullptr) continue;
      items->advance(true);
    }
    items->reset();
  }

  std::optional<sending_conveyor> items;  // none once the job has closed
  std::int64_t room;
  std::size_t item_bytes;
  bool is_done = false;
  const compat::end_with_job end{[](void* its) noexcept { static_cast<shoal_exstack2*>(its)->items.reset(); }, this};
};

extern "C" {

exstack2_t* exstack2_init(int64_t buf_cnt, size_t pkg_size) {
  srand(static_cast<unsigned>(compat::my_pe()) + 1);  // programs that do not seed count on it
  if (buf_cnt <= 0 || pkg_size == 0) return nullptr;
  auto* const e = static_cast<exstack2_t*>(std::malloc(sizeof(exstack2_t)));
  if (e == nullptr) return nullptr;
  try {
    *e = {0, new shoal_exstack2(compat::world_for("exstack2_init"), buf_cnt, pkg_size)};
  } catch (const shoal::setup_error& problem) {
    if (compat::my_pe() == 0) fprintf(stderr, "exstack2_init: %s\n", problem.what());
    std::free(e);
    return nullptr;
  }
  return e;
}

int64_t exstack2_proceed(exstack2_t* e, int done) {
  shoal_exstack2& its = *e->inside;
  if (its.items->state() == shoal::conveyor_state::complete) return 0;
  its.is_done = its.is_done || done != 0;
  compat::let_others_go_on();
  switch (its.in_session().advance(its.is_done)) {
    case shoal::progress::working: return its.is_done ? 4 : 1;
    case shoal::progress::cleanup: return 8;
    case shoal::progress::complete: break;
  }
  e->all_done = 1;
  return 0;
}

int64_t exstack2_push(exstack2_t* e, void* item, int64_t pe) {
  return e->inside->in_session().push(item, pe) ? e->inside->room : 0;
}

void* exstack2_pull(exstack2_t* e, int64_t* from) {
  shoal::pe_id source = -1;
  const void* const item = e->inside->in_session().pull(source);
  if (item != nullptr && from != nullptr) *from = source;
  return const_cast<void*>(item);
}

int64_t exstack2_pop(exstack2_t* e, void* item, int64_t* from) {
  const void* const place = exstack2_pull(e, from);
  if (place == nullptr) return 0;
  std::memcpy(item, place, e->inside->item_bytes);
  return 1;
}

void exstack2_unpop(exstack2_t* e) { e->inside->in_session().unpull(); }
void exstack2_unpull(exstack2_t* e) { exstack2_unpop(e); }

// Buffers leave in proceed, too. But programs wait for answers in the loop of another object, whose proceed comes first.
int64_t exstack2_send(exstack2_t* e, int64_t, int) {
  e->inside->in_session().send();
  return 1;
}

void exstack2_reset(exstack2_t* e) {
  e->inside->end_session();
  e->inside->is_done = false;
  e->all_done = 0;
}

void exstack2_clear(exstack2_t* e) {
  if (e->inside == nullptr) return;
  if (e->inside->items) e->inside->end_session();
  delete std::exchange(e->inside, nullptr);
}

}  // extern "C"
