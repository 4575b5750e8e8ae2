// exstack of bale: a push stores the item at its target at once, if stores reach that PE's memory; else in a buffer of this PE, which
// the exchange sends. Each PE has two areas for what arrives: one is read while the other is filled.
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/exstack.h"
#include "shoal/compat/internal/gathering.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace compat = shoal::internal::compat;
using compat::here;

namespace {

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

/// The program frees it; what it points to is gone by then.
struct exstack_t {
  struct inside;
  inside* its;
};

/// From each PE an area has a count and then the items.
struct exstack_t::inside {
  std::size_t n_pes = 0;
  std::size_t my_pe = 0;
  std::int64_t room = 0;
  std::size_t item_bytes = 0;
  std::size_t stride = 0;  // from source to source
  std::byte* areas[2] = {};  // symmetric
  std::size_t filled = 0;  // which of them pushes fill
  std::vector<std::byte> leaving;  // by target, for those that stores do not reach
  struct target {
    std::byte* items = nullptr;  // where its next round's items go
    std::int64_t n = 0;  // pushed since the last exchange
    bool is_direct = false;
  };
  std::vector<target> targets;
  std::vector<std::int64_t> n_popped;  // by source
  std::size_t source = 0;  // the first that may have items left
  std::int64_t last_source = -1;  // of the last pop; -1: none to undo
  bool is_done = false;
  bool are_all_done = false;

  std::byte* from(std::size_t pe) const { return areas[filled ^ 1] + pe * stride; }
  std::int64_t n_from(std::size_t pe) const {
    std::int64_t n = 0;
    std::memcpy(&n, from(pe), sizeof n);
    return n;
  }
  std::byte* item_from(std::size_t pe, std::int64_t i) const {
    return from(pe) + sizeof(std::int64_t) + static_cast<std::size_t>(i) * item_bytes;
  }

  void aim();
  void send_counts_and_items();
  void forget_arrived();
};

// Where pushes of the next round go.
void exstack_t::inside::aim() {
  for (std::size_t pe = 0; pe < n_pes; ++pe) {
    std::byte* const part = compat::direct_part(static_cast<int>(pe));
    std::byte* const area = areas[filled] + my_pe * stride;
    targets[pe].is_direct = part != nullptr;
    targets[pe].items = part != nullptr ? part + (area - here.heap) : leaving.data() + pe * stride;
    targets[pe].items += sizeof(std::int64_t);
    targets[pe].n = 0;
  }
}

void exstack_t::inside::send_counts_and_items() {
  for (std::size_t i = 1; i <= n_pes; ++i) {
    const std::size_t pe = (my_pe + i) % n_pes;  // not all to one at once
    target& to = targets[pe];
    std::byte* const begin = to.items - sizeof to.n;
    std::memcpy(begin, &to.n, sizeof to.n);
    if (to.is_direct) continue;
    const std::size_t bytes = sizeof to.n + static_cast<std::size_t>(to.n) * item_bytes;
    compat::put_block(areas[filled] + my_pe * stride, begin, bytes, static_cast<int>(pe), true, "exstack_exchange");
  }
  here.memory->quiet();
}

void exstack_t::inside::forget_arrived() {
  n_popped.assign(n_pes, 0);
  source = 0;
  last_source = -1;
}

extern "C" {

exstack_t* exstack_init(int64_t buf_cnt, size_t pkg_size) {
  srand(static_cast<unsigned>(compat::my_pe()) + 1);  // programs that do not seed count on it
  if (buf_cnt <= 0 || pkg_size == 0) return nullptr;
  auto* const e = static_cast<exstack_t*>(std::malloc(sizeof(exstack_t)));
  if (e == nullptr) return nullptr;
  e->its = new exstack_t::inside;
  exstack_t::inside& its = *e->its;
  its.n_pes = static_cast<std::size_t>(compat::n_pes());
  its.my_pe = static_cast<std::size_t>(compat::my_pe());
  its.room = buf_cnt;
  its.item_bytes = pkg_size;
  its.stride = round_up(sizeof(std::int64_t) + static_cast<std::size_t>(buf_cnt) * pkg_size, 64);
  for (std::byte*& area : its.areas) {
    area = static_cast<std::byte*>(shmem_malloc(its.n_pes * its.stride));
    if (area == nullptr) {
      exstack_clear(e);
      std::free(e);
      return nullptr;
    }
    for (std::size_t pe = 0; pe < its.n_pes; ++pe) std::memset(area + pe * its.stride, 0, sizeof(std::int64_t));
  }
  its.targets.resize(its.n_pes);
  bool is_any_far = false;
  for (std::size_t pe = 0; pe < its.n_pes; ++pe) {
    is_any_far = is_any_far || compat::direct_part(static_cast<int>(pe)) == nullptr;
  }
  if (is_any_far) its.leaving.resize(its.n_pes * its.stride);
  its.aim();
  its.forget_arrived();
  shmem_barrier_all();  // all counts are 0
  return e;
}

int64_t exstack_proceed(exstack_t* e, int im_done) {
  exstack_t::inside& its = *e->its;
  its.is_done = its.is_done || im_done != 0;
  if (!its.are_all_done) {
    its.are_all_done = compat::world_for("exstack_proceed").min(static_cast<std::int64_t>(its.is_done)) != 0;
  }
  return its.are_all_done ? 0 : 1;
}

int64_t exstack_push(exstack_t* e, void* item, int64_t pe) {
  exstack_t::inside& its = *e->its;
  exstack_t::inside::target& to = its.targets[static_cast<std::size_t>(pe)];
  const std::int64_t room = its.room - to.n;
  if (room == 0) return 0;
  std::memcpy(to.items + static_cast<std::size_t>(to.n) * its.item_bytes, item, its.item_bytes);
  ++to.n;
  return room;
}

void exstack_exchange(exstack_t* e) {
  exstack_t::inside& its = *e->its;
  its.send_counts_and_items();
  shmem_barrier_all();
  its.filled ^= 1;
  its.aim();
  its.forget_arrived();
}

int64_t exstack_pop(exstack_t* e, void* item, int64_t* from) {
  void* const place = exstack_pull(e, from);
  if (place == nullptr) return 0;
  std::memcpy(item, place, e->its->item_bytes);
  return 1;
}

void* exstack_pull(exstack_t* e, int64_t* from) {
  exstack_t::inside& its = *e->its;
  while (its.source < its.n_pes && its.n_popped[its.source] == its.n_from(its.source)) ++its.source;
  if (its.source == its.n_pes) return nullptr;
  its.last_source = static_cast<std::int64_t>(its.source);
  if (from != nullptr) *from = its.last_source;
  return its.item_from(its.source, its.n_popped[its.source]++);
}

void exstack_unpop(exstack_t* e) {
  exstack_t::inside& its = *e->its;
  if (its.last_source < 0) return;
  its.source = static_cast<std::size_t>(std::exchange(its.last_source, -1));
  --its.n_popped[its.source];
}

void exstack_unpull(exstack_t* e) { exstack_unpop(e); }

int64_t exstack_pop_thread(exstack_t* e, void* item, int64_t pe) {
  exstack_t::inside& its = *e->its;
  const auto source = static_cast<std::size_t>(pe);
  if (its.n_popped[source] == its.n_from(source)) return 0;
  std::memcpy(item, its.item_from(source, its.n_popped[source]++), its.item_bytes);
  return 1;
}

void exstack_unpop_thread(exstack_t* e, int64_t pe) {
  exstack_t::inside& its = *e->its;
  const auto source = static_cast<std::size_t>(pe);
  if (its.n_popped[source] == 0) return;
  --its.n_popped[source];
  if (source < its.source) its.source = source;
}

int64_t exstack_headroom(exstack_t* e, int64_t pe) {
  return e->its->room - e->its->targets[static_cast<std::size_t>(pe)].n;
}

int64_t exstack_min_headroom(exstack_t* e) {
  std::int64_t all = 0;
  for (const exstack_t::inside::target& to : e->its->targets) all += e->its->room - to.n;
  return all;
}

// Nobody pushes into an area that another PE still reads as that of the last round.
void exstack_reset(exstack_t* e) {
  exstack_t::inside& its = *e->its;
  shmem_barrier_all();
  for (std::byte* const area : its.areas) {
    for (std::size_t pe = 0; pe < its.n_pes; ++pe) std::memset(area + pe * its.stride, 0, sizeof(std::int64_t));
  }
  its.is_done = its.are_all_done = false;
  its.aim();
  its.forget_arrived();
  shmem_barrier_all();
}

void exstack_clear(exstack_t* e) {
  if (e->its == nullptr) return;
  for (std::byte* const area : {e->its->areas[1], e->its->areas[0]}) shmem_free(area);
  delete std::exchange(e->its, nullptr);
}

}  // extern "C"
