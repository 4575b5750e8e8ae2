// Sends closures that capture addresses, or numbers that look like some, for captures.test.py.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "shoal/shoal.hpp"

namespace {

long of_the_program = 0;

struct counter {
  shoal::world& w;
  long n = 0;

  void count_everywhere() {
    w.finish([&] {
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) {
        for (int i = 0; i < 10'000; ++i) w.send(pe, [this] { ++n; });
      }
    });
  }
};

// Calls `send` for each PE, often enough that each gets several buffers.
template <class Send>
void to_all(shoal::world& w, const Send& send) {
  w.finish([&] {
    for (int i = 0; i < 10'000; ++i) {
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) send(pe);
    }
  });
}

bool capture_an_address(shoal::world& w, std::string_view what) {
  if (what == "stack") {
    long n = 0;
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [&] { ++n; }); });
  } else if (what == "this") {
    counter{w}.count_everywhere();
  } else if (what == "this_on_heap") {
    const auto one = std::make_unique<counter>(w);
    one->count_everywhere();
  } else if (what == "image") {
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [at = &of_the_program] { ++*at; }); });
  } else if (what == "text") {
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [text = "a name"] { static_cast<void>(text[0]); }); });
  } else if (what == "heap") {
    std::vector<long> n(1000);
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [at = n.data()] { ++*at; }); });
  } else if (what == "large_heap") {
    std::vector<long> n(10'000'000);
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [at = n.data() + 5'000'000] { ++*at; }); });
  } else if (what == "large_closure") {
    std::array<long, 5> some{1, 2, 3, 4, 5};
    long n = 0;
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [some, at = &n] { *at += some[2]; }); });
  } else if (what == "beside_another") {  // never two in a row, few of them
    long n = 0;
    shoal::per_pe<long> good{w, 0};
    w.finish([&] {
      for (int i = 0; i < 3; ++i) {
        for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) {
          w.send(pe, [h = good.handle()] { ++*h; });
          w.send(pe, [&n] { ++n; });
        }
      }
    });
  } else if (what == "lambda_actor") {
    long n = 0;
    long mine = 0;
    shoal::lambda_actor there{w, mine};
    to_all(w, [&](shoal::pe_id pe) { there.send(pe, [&n](long& its) { its += n; }); });
  } else if (what == "from_a_handler") {
    to_all(w, [&](shoal::pe_id pe) {
      w.send(pe, [](shoal::world& there, shoal::pe_id from) {
        long n = 0;
        there.send(from, [at = &n] { ++*at; });
      });
    });
  } else {
    return false;
  }
  return true;
}

void capture_no_address(shoal::world& w, std::string_view what) {
  long n = 0;
  shoal::per_pe<long> handled{w, 0};
  const auto shared = w.allocate<long>(8);
  const auto h = handled.handle();
  if (what == "origin") {
    w.finish([&] {
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) {
        for (int i = 0; i < 10'000; ++i) {
          w.send(pe, [to = shoal::origin(n)](shoal::world& there, shoal::pe_id from) {
            there.send(from, [to, answer = there.my_pe()] { *to += answer + 1; });
          });
        }
      }
    });
    if (n != 10'000 * w.n_pes() * (w.n_pes() + 1) / 2) std::abort();
  } else if (what == "origin_elsewhere") {
    w.finish([&] {
      if (w.my_pe() == 0) w.send(w.n_pes() - 1, [to = shoal::origin(n)] { ++*to; });
    });
  } else if (what == "numbers") {
    // The first is a number, so what looks like an address later is one, too.
    std::uint64_t word = 1;
    to_all(w, [&](shoal::pe_id pe) {
      w.send(pe, [word, h] { *h += word != 0; });
      word = reinterpret_cast<std::uint64_t>(&n);
    });
  } else if (what == "symmetric_heap") {
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [at = w.local(shared).data(), h] { *h += at != nullptr; }); });
  } else if (what == "padding") {
    // Full words of padding, over what the stack held before.
    struct alignas(64) wide {
      char c = 1;
    };
    to_all(w, [&](shoal::pe_id pe) {
      void* volatile on_stack[32];
      for (void* volatile& each : on_stack) each = &n;
      w.send(pe, [one = wide{}, h] { *h += one.c; });
    });
  } else if (what == "partly_padding") {
    // Six bytes of an address, with two of padding that complete it.
    struct alignas(2) six_bytes {
      std::array<std::byte, 6> of_an_address;
    };
    to_all(w, [&](shoal::pe_id pe) {
      six_bytes six;
      const void* const at = &n;
      std::memcpy(&six, &at, sizeof six);
      w.send(pe, [h, six, last = 0L] { *h += last == 0 && six.of_an_address.size() == 6; });
    });
  } else if (what == "null") {
    to_all(w, [&](shoal::pe_id pe) { w.send(pe, [at = static_cast<long*>(nullptr), h] { *h += at == nullptr; }); });
  }
  const bool counts = what != "origin" && what != "origin_elsewhere";
  if (counts && *handled != 10'000 * w.n_pes()) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (!capture_an_address(w, what)) capture_no_address(w, what);
    return 0;
  });
}
