// Made from hclib.cpp by shoal-translate 0.1.0: its closures are messages of selectors.
// Lambdas of HClib-Actor: a flat one, a reply through a global pointer, and two of one mailbox.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <libgetput.h>
#include <selector.h>

namespace {

enum { REQUEST, RESPONSE };
/* of this PE */
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

  struct histogram_packet {
    std::int64_t at;
  };

  class histogram_selector : public hclib::Selector<1, histogram_packet> {
  public:
    explicit histogram_selector(std::int64_t* counts_of_all) : counts(counts_of_all) {
      mb[0].process = [this](const histogram_packet& pkt, int) { on_message(pkt); };
    }

  private:
    void on_message(const histogram_packet& pkt) { counts[pkt.at] += pkt.at; }

    std::int64_t* counts;
  };

  histogram_selector actor{counts};
  hclib::finish([&] {
    actor.start();
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at = i * 7 % 8;
      actor.send(histogram_packet{at}, static_cast<int>(i % THREADS));
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

  struct index_gather_packet {
    std::int64_t at_or_value;
    std::int64_t* here;
  };

  class index_gather_selector : public hclib::Selector<2, index_gather_packet> {
  public:
    explicit index_gather_selector(std::int64_t* table_of_all) : table(table_of_all) {
      mb[REQUEST].process = [this](const index_gather_packet& pkt, int sender_rank) { on_request(pkt, sender_rank); };
      mb[RESPONSE].process = [this](const index_gather_packet& pkt, int) { on_response(pkt); };
    }

  private:
    void on_request(const index_gather_packet& pkt, int sender_rank) {
      const std::int64_t value = table[pkt.at_or_value];  // of the owner's part
      send(RESPONSE, index_gather_packet{value, pkt.here}, sender_rank);
    }
    void on_response(const index_gather_packet& pkt) { *pkt.here = pkt.at_or_value; }

    std::int64_t* table;
  };

  index_gather_selector selector{table};
  hclib::finish([&] {
    selector.start();
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t* const here = &target[static_cast<std::size_t>(i)];
      const std::int64_t wanted = i * 31 % (50 * THREADS);
      const std::int64_t at = wanted / THREADS;
      selector.send(REQUEST, index_gather_packet{at, here}, static_cast<int>(wanted % THREADS));
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

  struct two_of_one_mailbox_packet {
    std::int64_t amount;
    unsigned int weight;
    bool is_negative;
    unsigned char kind;  // which handler of the mailbox
  };

  class two_of_one_mailbox_selector : public hclib::Selector<1, two_of_one_mailbox_packet> {
  public:
    two_of_one_mailbox_selector() {
      mb[0].process = [this](const two_of_one_mailbox_packet& pkt, int) {
        if (pkt.kind == 0) on_message(pkt);
        if (pkt.kind == 1) on_message_2(pkt);
      };
    }

  private:
    /* the sign */
    void on_message(const two_of_one_mailbox_packet& pkt) {
      n_called += pkt.is_negative ? -pkt.amount : pkt.amount * pkt.weight;
    }
    void on_message_2(const two_of_one_mailbox_packet& pkt) {
      const int factor = 2;
      const int times = 3;
      if (times == 0) return;
      n_called += factor * times + pkt.amount;
    }
  };

  two_of_one_mailbox_selector* actor = new two_of_one_mailbox_selector;
  hclib::finish([&] {
    actor->start();
    for (int pe = 0; pe < THREADS; ++pe) {
      const std::int64_t amount = pe + 1;
      const bool is_negative = pe % 2 == 1;
      const unsigned weight = amount > 1 ? 2 : 1;
      actor->send(two_of_one_mailbox_packet{amount, weight, is_negative, 0}, pe);
      actor->send(two_of_one_mailbox_packet{amount, {}, bool(), 1}, pe);
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
