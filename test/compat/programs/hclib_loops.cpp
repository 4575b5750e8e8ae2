// Loops of HClib: each iteration once, in all dimensions and modes, and however it is divided.
#include <string>
#include <vector>

#include "hclib_cpp.h"
#include "shmem.h"

#include "check.h"

namespace {

constexpr int span = 24;  // coordinates are -4 to 19
int at(int i) { return i + 4; }

// How often each iteration has run.
struct counts {
  std::vector<int> of;
  counts() : of(span * span * span) {}
  int& operator()(int i, int j = 0, int k = 0) {
    CHECK(at(i) >= 0 && at(i) < span && at(j) >= 0 && at(j) < span && at(k) >= 0 && at(k) < span);
    return of[static_cast<std::size_t>((at(i) * span + at(j)) * span + at(k))];
  }
};

struct range {
  int low, high, tile, stride;
};
const range ranges[] = {{0, 10, 1, 1}, {-3, 11, 4, 1}, {0, 20, 3, 3},  {2, 19, 7, 5},   {5, 5, 1, 1},
                        {7, 3, 2, 1},  {0, 1, 5, 1},   {-4, 20, 0, 1}, {-4, 20, 1, 24}, {1, 16, 100, 2}};
const int modes[] = {FORASYNC_MODE_FLAT, FORASYNC_MODE_RECURSIVE};

void test_1d() {
  for (const range& r : ranges) {
    counts expected;
    for (int i = r.low; i < r.high; i += r.stride) ++expected(i);
    hclib::loop_domain_1d domain(r.low, r.high, r.tile, r.stride);
    for (const int mode : modes) {
      for (const bool force_seq : {false, true}) {
        counts found;
        hclib::finish([&] { hclib::forasync1D(&domain, [&](int i) { ++found(i); }, force_seq, mode); });
        hclib::finish([&] { hclib::forasync1D_nb(&domain, [&](int i) { ++found(i); }, force_seq, mode); });
        hclib::promise_t<void> gate;
        hclib::finish([&] {
          bool may_run = false;
          const auto body = [&](int i) {
            CHECK(may_run);
            ++found(i);
          };
          hclib::forasync1D(&domain, body, force_seq, mode, gate.get_future());
          hclib::future_t<void>* const end =
              hclib::forasync1D_future(&domain, body, force_seq, mode, gate.get_future());
          hclib::yield();
          CHECK(!end->test());
          may_run = true;
          gate.put();
          end->wait();
          CHECK(end->test());
          hclib::forasync1D_nb_future(&domain, body, force_seq, mode)->wait();
        });
        for (std::size_t i = 0; i < expected.of.size(); ++i) CHECK(found.of[i] == 5 * expected.of[i]);
      }
    }
    counts found;
    int last = r.low - 1;
    hclib::forasync1D_seq(&domain, [&](int i) {
      CHECK(i > last);
      last = i;
      ++found(i);
    });
    CHECK(found.of == expected.of);
  }
}

void test_2d() {
  for (const range& r : ranges) {
    for (const range& s : {range{0, 7, 2, 1}, range{-2, 6, 0, 1}, range{3, 3, 1, 1}}) {
      counts expected;
      for (int i = r.low; i < r.high; ++i)
        for (int j = s.low; j < s.high; ++j) ++expected(i, j);
      hclib::loop_domain_2d domain(r.low, r.high, r.tile, s.low, s.high, s.tile);
      hclib::loop_domain_2d untiled(r.low, r.high, s.low, s.high);
      for (const int mode : modes) {
        counts found;
        const auto body = [&](int i, int j) { ++found(i, j); };
        hclib::finish([&] {
          hclib::forasync2D(&domain, body, false, mode);
          hclib::forasync2D_nb(&untiled, body, false, mode);
          hclib::forasync2D(&untiled, body, true, mode);
          hclib::forasync2D_future(&domain, body, false, mode)->wait();
          hclib::forasync2D_nb_future(&domain, body, false, mode)->wait();
        });
        hclib::forasync2D_seq(&domain, body);
        for (std::size_t i = 0; i < expected.of.size(); ++i) CHECK(found.of[i] == 6 * expected.of[i]);
      }
    }
  }
}

void test_3d() {
  for (const range& r : ranges) {
    counts expected;
    for (int i = 0; i < 5; ++i)
      for (int j = r.low; j < r.high; ++j)
        for (int k = -2; k < 6; ++k) ++expected(i, j, k);
    hclib::loop_domain_3d domain(0, 5, 2, r.low, r.high, r.tile, -2, 6, 3);
    hclib::loop_domain_3d untiled(0, 5, r.low, r.high, -2, 6);
    for (const int mode : modes) {
      counts found;
      const auto body = [&](int i, int j, int k) { ++found(i, j, k); };
      hclib::finish([&] {
        hclib::forasync3D(&domain, body, false, mode);
        hclib::forasync3D_nb(&untiled, body, false, mode);
        hclib::forasync3D(&domain, body, true, mode);
        hclib::forasync3D_future(&domain, body, false, mode)->wait();
        hclib::forasync3D_nb_future(&domain, body, false, mode)->wait();
      });
      hclib::forasync3D_seq(&domain, body);
      for (std::size_t i = 0; i < expected.of.size(); ++i) CHECK(found.of[i] == 6 * expected.of[i]);
    }
  }
}

void test_short_domains() {
  long sum = 0;
  hclib::loop_domain_1d one(10);
  hclib::loop_domain_1d from(3, 6);
  hclib::loop_domain_2d two(3, 4);
  hclib::loop_domain_3d three(2, 3, 4);
  hclib::finish([&] {
    hclib::forasync1D(&one, [&](int i) { sum += i; });
    hclib::forasync1D(&from, [&](int i) { sum += 100 * i; });
    hclib::forasync2D(&two, [&](int i, int j) { sum += 10000L * i * j; });
    hclib::forasync3D(&three, [&](int i, int j, int k) { sum += 1000000L * i * j * k; });
  });
  CHECK(sum == 45 + 1200 + 10000 * 18 + 1000000 * 18);
  // To the end of what an int can say.
  hclib::loop_domain_1d last(2147483600, 2147483647, 7, 10);
  std::string digits;
  hclib::finish([&] {
    hclib::forasync1D(
        &last, [&](int i) { digits += static_cast<char>('0' + i % 2147483600 / 10); }, false, FORASYNC_MODE_FLAT);
  });
  CHECK(digits == "01234");
}

// Bodies wait, and take turns.
void test_waits() {
  hclib::promise_t<int> promises[20];
  std::string order;
  hclib::loop_domain_1d domain(0, 20, 1);
  hclib::finish([&] {
    hclib::forasync1D(&domain, [&](int i) {
      if (i < 19) promises[i + 1].get_future()->wait();
      order += static_cast<char>('a' + i);
      promises[i].put(i);
    });
  });
  CHECK(order == "tsrqponmlkjihgfedcba");
}

int n_asked = 0;
hclib_locale_t* where(int dim, const hclib_loop_domain_t* tile, const hclib_loop_domain_t* whole, int mode) {
  CHECK(dim == 1 && mode == FORASYNC_MODE_FLAT && whole->low == 0 && whole->high == 10);
  CHECK(tile->low == 4 * n_asked && tile->high == (n_asked == 2 ? 10 : 4 * n_asked + 4));
  ++n_asked;
  return hclib_get_closest_locale();
}

void test_distributions() {
  const unsigned dist = hclib_register_dist_func(where);
  CHECK(dist != HCLIB_DEFAULT_LOOP_DIST && hclib_register_dist_func(where) != dist);
  hclib::loop_domain_1d domain(0, 10, 4);
  int n = 0;
  hclib::finish(
      [&] { hclib::forasync1D(&domain, [&](int) { ++n; }, false, FORASYNC_MODE_FLAT, NULL, static_cast<int>(dist)); });
  CHECK(n == 10 && n_asked == 3);
}

}  // namespace

int main() {
  hclib::launch(nullptr, 0, [] {
    test_1d();
    test_2d();
    test_3d();
    test_short_domains();
    test_waits();
    test_distributions();
  });
  PASSED();
  return 0;
}
