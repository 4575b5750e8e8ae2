// Loops whose iterations are tasks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/compat/include/hclib.h"
#include "shoal/compat/internal/task_scheduler.hpp"

namespace compat = shoal::internal::compat;

namespace {

constexpr int n_dims_most = 3;
using domains = std::array<hclib_loop_domain_t, n_dims_most>;

// What the tasks of a loop share.
struct loop {
  int dim;
  int mode;
  unsigned dist;
  void (*run_tile)(void* body, const hclib_loop_domain_t* tile);
  void* body;
  void (*release)(void* body);
  domains whole;
};

struct part {
  std::shared_ptr<const loop> of;
  domains its;
};

std::vector<loop_dist_func>& dist_functions() {
  static std::vector<loop_dist_func>& all = *new std::vector<loop_dist_func>;
  return all;
}

std::int64_t n_tiles(const hclib_loop_domain_t& its) {
  const std::int64_t length = std::int64_t{its.high} - its.low;
  const std::int64_t step = std::int64_t{its.tile} * its.stride;
  return length <= 0 ? 0 : (length + step - 1) / step;
}

void spawn(void (*run)(void*), part its) {
  compat::tasks().spawn(run, new part(std::move(its)), nullptr, 0, "hclib::forasync");
}

void run_tile(void* what) {
  const std::unique_ptr<part> its(static_cast<part*>(what));
  its->of->run_tile(its->of->body, its->its.data());
}

// Makes the second half a task, until one tile is left.
void run_recursively(void* what) {
  const std::unique_ptr<part> its(static_cast<part*>(what));
  for (;;) {
    const auto longest = std::max_element(its->its.begin(), its->its.begin() + its->of->dim,
                                          [](const auto& a, const auto& b) { return n_tiles(a) < n_tiles(b); });
    const std::int64_t n = n_tiles(*longest);
    if (n == 1) break;
    const auto middle = static_cast<int>(longest->low + n / 2 * longest->tile * longest->stride);
    part second = *its;
    second.its[static_cast<std::size_t>(longest - its->its.begin())].low = middle;
    longest->high = middle;
    spawn(run_recursively, std::move(second));
  }
  its->of->run_tile(its->of->body, its->its.data());
}

// Makes each tile a task: those of dimension `d` and later.
void spawn_tiles(const std::shared_ptr<const loop>& of, domains& its, int d) {
  if (d == of->dim) {
    if (of->dist != HCLIB_DEFAULT_LOOP_DIST) {
      dist_functions()[of->dist - 1](of->dim, its.data(), of->whole.data(), of->mode);
    }
    return spawn(run_tile, {of, its});
  }
  const hclib_loop_domain_t& whole = of->whole[static_cast<std::size_t>(d)];
  for (std::int64_t i = 0; i < n_tiles(whole); ++i) {
    const std::int64_t step = std::int64_t{whole.tile} * whole.stride;
    const std::int64_t low = whole.low + i * step;
    its[static_cast<std::size_t>(d)].low = static_cast<int>(low);
    its[static_cast<std::size_t>(d)].high = static_cast<int>(std::min<std::int64_t>(low + step, whole.high));
    spawn_tiles(of, its, d + 1);
  }
}

void spawn_whole(void* what) {
  const std::unique_ptr<part> its(static_cast<part*>(what));
  if (its->of->mode == FORASYNC_MODE_FLAT) return spawn_tiles(its->of, its->its, 0);
  spawn(run_recursively, *its);
}

void drop(void* what) { delete static_cast<part*>(what); }

void require(bool is_right, const std::string& what) {
  if (!is_right) compat::refuse_call("hclib::forasync", what.c_str());
}

// A loop of C.
struct c_body {
  void* function;
  void* argument;
};
template <class F>
F function_of(const c_body& its) {
  return reinterpret_cast<F>(its.function);
}
void run_c_tile_1d(void* what, const hclib_loop_domain_t* tile) {
  const c_body& its = *static_cast<c_body*>(what);
  const auto body = [f = function_of<forasync1D_Fct_t>(its), &its](int i) { f(its.argument, i); };
  hclib::shoal_parts::run_tile_1d<decltype(body)>(const_cast<void*>(static_cast<const void*>(&body)), tile);
}
void run_c_tile_2d(void* what, const hclib_loop_domain_t* tile) {
  const c_body& its = *static_cast<c_body*>(what);
  const auto body = [f = function_of<forasync2D_Fct_t>(its), &its](int i, int j) { f(its.argument, i, j); };
  hclib::shoal_parts::run_tile_2d<decltype(body)>(const_cast<void*>(static_cast<const void*>(&body)), tile);
}
void run_c_tile_3d(void* what, const hclib_loop_domain_t* tile) {
  const c_body& its = *static_cast<c_body*>(what);
  const auto body = [f = function_of<forasync3D_Fct_t>(its), &its](int i, int j, int k) { f(its.argument, i, j, k); };
  hclib::shoal_parts::run_tile_3d<decltype(body)>(const_cast<void*>(static_cast<const void*>(&body)), tile);
}

}  // namespace

extern "C" {

void shoal_hclib_forasync(const hclib_loop_domain_t* domain, int dim, int mode, unsigned dist, int in_one,
                          hclib_future_t* after, void (*run_one)(void* body, const hclib_loop_domain_t* tile),
                          void* body, void (*release)(void* body)) {
  require(dim >= 1 && dim <= n_dims_most, "in " + std::to_string(dim) + " dimensions; there may be 1 to 3");
  require(mode == FORASYNC_MODE_FLAT || mode == FORASYNC_MODE_RECURSIVE,
          "with mode " + std::to_string(mode) + "; give FORASYNC_MODE_FLAT or FORASYNC_MODE_RECURSIVE");
  require(dist <= dist_functions().size(), "with dist " + std::to_string(dist) + ", which was not registered");
  domains whole{};
  std::copy_n(domain, dim, whole.begin());
  bool is_empty = false;
  for (int d = 0; d < dim; ++d) {
    hclib_loop_domain_t& its = whole[static_cast<std::size_t>(d)];
    require(its.stride >= 1, "with a stride of " + std::to_string(its.stride) + "; it has to be at least 1");
    const std::int64_t n = (std::int64_t{its.high} - its.low + its.stride - 1) / its.stride;
    if (its.tile < 1 || its.tile > n || in_one != 0) its.tile = static_cast<int>(std::min<std::int64_t>(n, INT32_MAX));
    is_empty = is_empty || n <= 0;
  }
  const std::shared_ptr<const loop> of(new loop{dim, mode, dist, run_one, body, release, whole}, [](const loop* its) {
    its->release(its->body);
    delete its;
  });
  const bool begins_now = after == nullptr || hclib_future_is_satisfied(after) != 0;
  if (begins_now && is_empty) return;
  if (begins_now && in_one != 0) return run_one(body, whole.data());
  auto* const all = new part{of, whole};
  if (begins_now) return spawn_whole(all);
  compat::tasks().spawn(is_empty ? drop : in_one != 0 ? run_tile : spawn_whole, all, &after, 1, "hclib::forasync");
}

void hclib_forasync(void* body, void* argument, int dim, hclib_loop_domain_t* domain, int mode) {
  constexpr void (*run[])(void*, const hclib_loop_domain_t*) = {run_c_tile_1d, run_c_tile_2d, run_c_tile_3d};
  shoal_hclib_forasync(domain, dim, mode, HCLIB_DEFAULT_LOOP_DIST, 0, nullptr, run[std::clamp(dim, 1, n_dims_most) - 1],
                       new c_body{body, argument}, [](void* its) { delete static_cast<c_body*>(its); });
}

hclib_future_t* hclib_forasync_future(void* body, void* argument, int dim, hclib_loop_domain_t* domain, int mode) {
  compat::tasks().start_finish("hclib_forasync_future");
  hclib_forasync(body, argument, dim, domain, mode);
  return hclib_end_finish_nonblocking();
}

unsigned hclib_register_dist_func(loop_dist_func function) {
  dist_functions().push_back(function);
  return static_cast<unsigned>(dist_functions().size());
}

}  // extern "C"
