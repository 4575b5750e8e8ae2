// Lambdas of HClib-Actor: a flat one, a reply through a global pointer, and two of one mailbox.
#define USE_LAMBDA
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <libgetput.h>
#include <selector.h>

namespace {

enum { REQUEST, RESPONSE };
hclib::Selector<2>* asking; /* of this PE */
std::int64_t n_called;

void tell(const char* what, std::int64_t value) {
  value = lgp_reduce_add_l(value);
  if (MYTHREAD == 0) std::printf("%s: %lld\n", what, static_cast<long long>(value));
}

std::int64_t* symmetric(std::int64_t n) { return static_cast<std::int64_t*>(lgp_all_alloc(n, sizeof(std::int64_t))); }

void histogram(std::int64_t n) {
  std::int64_t* counts = static_cast<std::int64_t*>(lgp_all_alloc(8 * THREADS, sizeof(std::int64_t)));
  for (std::int64_t i = 0; i < 8; ++i) counts[i] = 0;
  lgp_barrier();
  hclib::Actor<> actor;
  hclib::finish([&] {
    actor.start();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = i * 7 % 8;
      actor.send(static_cast<int>(i % THREADS), [counts, at] { counts[at] += at; });
    }
    actor.done();
  });
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < 8; ++i) total += counts[i];
  tell("histogram", total);
  lgp_barrier();
  lgp_all_free(counts);
}

// The value takes the place of the index: two words and the address, instead of three.
void index_gather(std::int64_t n) {
  std::int64_t* table = symmetric(50 * THREADS);
  for (std::int64_t i = 0; i < 50; ++i) table[i] = i * THREADS + MYTHREAD;
  lgp_barrier();
  std::vector<std::int64_t> target(static_cast<std::size_t>(n));
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    const int from = MYTHREAD;
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t* const here = &target[static_cast<std::size_t>(i)];
      const std::int64_t wanted = i * 31 % (50 * THREADS);
      const std::int64_t at = wanted / THREADS;
      selector.send(REQUEST, static_cast<int>(wanted % THREADS), [=] {
        const std::int64_t value = table[at];  // of the owner's part
        asking->send(RESPONSE, from, [=] { *here = value; });
      });
    }
    selector.done(REQUEST);
  });
  std::int64_t n_wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) n_wrong += target[static_cast<std::size_t>(i)] != i * 31 % (50 * THREADS);
  tell("wrong", n_wrong);
  lgp_barrier();
  lgp_all_free(table);
}

// What of a mailbox a packet is for is a field of it.
void two_of_one_mailbox() {
  n_called = 0;
  lgp_barrier();
  hclib::Actor<>* actor = new hclib::Actor<>;
  hclib::finish([&] {
    actor->start();
    for (int pe = 0; pe < THREADS; ++pe) {
      const std::int64_t amount = pe + 1;
      const int factor = 2;
      const int times = 3;
      const bool is_negative = pe % 2 == 1;
      const unsigned weight = amount > 1 ? 2 : 1;
      actor->send(
          pe, /* the sign */ [amount, is_negative, weight] { n_called += is_negative ? -amount : amount * weight; });
      actor->send(pe, [amount, factor, times] {
        if (times == 0) return;
        n_called += factor * times + amount;
      });
    }
    actor->done();
  });
  tell("two of one mailbox", n_called);
  delete actor;
}

}  // namespace

int main() {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [] {
    histogram(100);
    index_gather(300);
    two_of_one_mailbox();
  });
  return 0;
}
