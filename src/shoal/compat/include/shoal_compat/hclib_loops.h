/* Loops of C++ whose iterations are tasks, a part of hclib_cpp.h. The caller's finish waits for them. `chunks`:
   iterations of a task; less than 1: all in one. `force_seq`: one after the other, before the call returns if `future`
   is satisfied. */
#ifndef SHOAL_HCLIB_LOOPS_H
#define SHOAL_HCLIB_LOOPS_H

namespace hclib {

/* From low to high - 1. */
struct loop_domain_1d {
  hclib_loop_domain_t ranges[1];

  explicit loop_domain_1d(int n) : ranges{{0, n, 1, 0}} {}
  loop_domain_1d(int low, int high, int chunks = 0, int stride = 1) : ranges{{low, high, stride, chunks}} {}
};
struct loop_domain_2d {
  hclib_loop_domain_t ranges[2];

  loop_domain_2d(int n1, int n2) : ranges{{0, n1, 1, 0}, {0, n2, 1, 0}} {}
  loop_domain_2d(int low1, int high1, int low2, int high2) : ranges{{low1, high1, 1, 0}, {low2, high2, 1, 0}} {}
  loop_domain_2d(int low1, int high1, int tile1, int low2, int high2, int tile2)
      : ranges{{low1, high1, 1, tile1}, {low2, high2, 1, tile2}} {}
};
struct loop_domain_3d {
  hclib_loop_domain_t ranges[3];

  loop_domain_3d(int n1, int n2, int n3) : ranges{{0, n1, 1, 0}, {0, n2, 1, 0}, {0, n3, 1, 0}} {}
  loop_domain_3d(int low1, int high1, int low2, int high2, int low3, int high3)
      : ranges{{low1, high1, 1, 0}, {low2, high2, 1, 0}, {low3, high3, 1, 0}} {}
  loop_domain_3d(int low1, int high1, int tile1, int low2, int high2, int tile2, int low3, int high3, int tile3)
      : ranges{{low1, high1, 1, tile1}, {low2, high2, 1, tile2}, {low3, high3, 1, tile3}} {}
};

namespace shoal_parts {

template <class F>
void run_tile_1d(void* body, const hclib_loop_domain_t* tile) {
  F& its = *static_cast<F*>(body);
  for (long long i = tile[0].low; i < tile[0].high; i += tile[0].stride) its(static_cast<int>(i));
}
template <class F>
void run_tile_2d(void* body, const hclib_loop_domain_t* tile) {
  F& its = *static_cast<F*>(body);
  for (long long i = tile[0].low; i < tile[0].high; i += tile[0].stride)
    for (long long j = tile[1].low; j < tile[1].high; j += tile[1].stride)
      its(static_cast<int>(i), static_cast<int>(j));
}
template <class F>
void run_tile_3d(void* body, const hclib_loop_domain_t* tile) {
  F& its = *static_cast<F*>(body);
  for (long long i = tile[0].low; i < tile[0].high; i += tile[0].stride)
    for (long long j = tile[1].low; j < tile[1].high; j += tile[1].stride)
      for (long long k = tile[2].low; k < tile[2].high; k += tile[2].stride)
        its(static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
}
template <class F>
void release_body(void* body) {
  delete static_cast<F*>(body);
}

}  // namespace shoal_parts

/* --- In 1 dimension */

template <class L>
void forasync1D(loop_domain_1d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                hclib_future_t* future = nullptr, int dist = HCLIB_DEFAULT_LOOP_DIST) {
  typedef typename std::decay<L>::type body;
  shoal_hclib_forasync(loop->ranges, 1, mode, static_cast<unsigned>(dist), force_seq, future,
                       &shoal_parts::run_tile_1d<body>, new body(std::forward<L>(lambda)),
                       &shoal_parts::release_body<body>);
}
template <class L>
void forasync1D_nb(loop_domain_1d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                   hclib_future_t* future = nullptr, int dist = HCLIB_DEFAULT_LOOP_DIST) {
  forasync1D(loop, std::forward<L>(lambda), force_seq, mode, future, dist);
}
template <class L>
void forasync1D_seq(loop_domain_1d* loop, L&& lambda, hclib_future_t* future = nullptr) {
  forasync1D(loop, std::forward<L>(lambda), true, FORASYNC_MODE_FLAT, future);
}
template <class L>
future_t<void>* forasync1D_future(loop_domain_1d* loop, L&& lambda, bool force_seq = false,
                                  int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr,
                                  int dist = HCLIB_DEFAULT_LOOP_DIST) {
  return shoal_parts::finish_without_wait(
      [&] { forasync1D(loop, std::forward<L>(lambda), force_seq, mode, future, dist); });
}
template <class L>
future_t<void>* forasync1D_nb_future(loop_domain_1d* loop, L&& lambda, bool force_seq = false,
                                     int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr,
                                     int dist = HCLIB_DEFAULT_LOOP_DIST) {
  return shoal_parts::finish_without_wait(
      [&] { forasync1D(loop, std::forward<L>(lambda), force_seq, mode, future, dist); });
}

/* --- In 2 dimensions */

template <class L>
void forasync2D(loop_domain_2d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                hclib_future_t* future = nullptr) {
  typedef typename std::decay<L>::type body;
  shoal_hclib_forasync(loop->ranges, 2, mode, HCLIB_DEFAULT_LOOP_DIST, force_seq, future,
                       &shoal_parts::run_tile_2d<body>, new body(std::forward<L>(lambda)),
                       &shoal_parts::release_body<body>);
}
template <class L>
void forasync2D_nb(loop_domain_2d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                   hclib_future_t* future = nullptr) {
  forasync2D(loop, std::forward<L>(lambda), force_seq, mode, future);
}
template <class L>
void forasync2D_seq(loop_domain_2d* loop, L&& lambda, hclib_future_t* future = nullptr) {
  forasync2D(loop, std::forward<L>(lambda), true, FORASYNC_MODE_FLAT, future);
}
template <class L>
future_t<void>* forasync2D_future(loop_domain_2d* loop, L&& lambda, bool force_seq = false,
                                  int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr) {
  return shoal_parts::finish_without_wait([&] { forasync2D(loop, std::forward<L>(lambda), force_seq, mode, future); });
}
template <class L>
future_t<void>* forasync2D_nb_future(loop_domain_2d* loop, L&& lambda, bool force_seq = false,
                                     int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr) {
  return shoal_parts::finish_without_wait([&] { forasync2D(loop, std::forward<L>(lambda), force_seq, mode, future); });
}

/* --- In 3 dimensions */

template <class L>
void forasync3D(loop_domain_3d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                hclib_future_t* future = nullptr) {
  typedef typename std::decay<L>::type body;
  shoal_hclib_forasync(loop->ranges, 3, mode, HCLIB_DEFAULT_LOOP_DIST, force_seq, future,
                       &shoal_parts::run_tile_3d<body>, new body(std::forward<L>(lambda)),
                       &shoal_parts::release_body<body>);
}
template <class L>
void forasync3D_nb(loop_domain_3d* loop, L&& lambda, bool force_seq = false, int mode = FORASYNC_MODE_RECURSIVE,
                   hclib_future_t* future = nullptr) {
  forasync3D(loop, std::forward<L>(lambda), force_seq, mode, future);
}
template <class L>
void forasync3D_seq(loop_domain_3d* loop, L&& lambda, hclib_future_t* future = nullptr) {
  forasync3D(loop, std::forward<L>(lambda), true, FORASYNC_MODE_FLAT, future);
}
template <class L>
future_t<void>* forasync3D_future(loop_domain_3d* loop, L&& lambda, bool force_seq = false,
                                  int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr) {
  return shoal_parts::finish_without_wait([&] { forasync3D(loop, std::forward<L>(lambda), force_seq, mode, future); });
}
template <class L>
future_t<void>* forasync3D_nb_future(loop_domain_3d* loop, L&& lambda, bool force_seq = false,
                                     int mode = FORASYNC_MODE_RECURSIVE, hclib_future_t* future = nullptr) {
  return shoal_parts::finish_without_wait([&] { forasync3D(loop, std::forward<L>(lambda), force_seq, mode, future); });
}

}  // namespace hclib

#endif
