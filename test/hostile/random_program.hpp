/// A random program: phases drawn from a seed, the same on all PEs, in which each PE does what it draws for itself.
///
/// Phases are supersteps (also nested, with actors and selectors of all ages), sessions of conveyors, collectives, and
/// one-sided access. Everything that is sent is checked and counted (ledger.hpp).
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "test/hostile/conveyings.hpp"

namespace shoal::test {

/// What goes wrong on purpose, or is only slow: `kind` happens on PE `pe` when it has handled or pulled `after` messages, or at its end.
struct fault {
  std::string kind;  // empty: nothing
  pe_id pe = 0;
  std::uint64_t after = 0;
};

class random_program final : arrivals {
public:
  random_program(world& w, std::uint64_t seed, fault planned)
      : world_(w),
        plan_(seed, 1),
        mine_(seed, 100 + static_cast<std::uint64_t>(w.my_pe())),
        book_(w, seed),
        fault_(std::move(planned)) {
    if (fault_.pe != w.my_pe()) fault_.kind.clear();
  }

  void run() {
    counters_ = world_.allocate<std::uint64_t>(n_counters);
    for (std::uint64_t n = 3 + plan_.below(6); n != 0; --n) {
      destroy_some();
      switch (plan_.below(8)) {
        case 0: check_collectives(); break;
        case 1: check_memory(); break;
        case 2:
        case 3:
        case 4: converse(); break;
        default: step(); break;
      }
    }
    fail_on_purpose(true);
    while (!channels_.empty()) channels_.pop_back();
    while (!conveyings_.empty()) conveyings_.pop_back();
    world_.deallocate(counters_);
  }

  std::uint64_t n_received() const noexcept { return book_.n_received(); }
  /// Objects that the program did without, since no buffer was left for them.
  int n_refused() const noexcept { return n_refused_; }

private:
  static constexpr std::size_t n_counters = 5;

  // --- Objects

  /// The first of a channel's numbers.
  unsigned next_number() {
    const unsigned number = n_numbers_ % ledger::n_channels;
    n_numbers_ = number + channel::n_numbers;
    for (unsigned i = 0; i < channel::n_numbers; ++i) book_.open(number + i);
    return number;
  }

  /// Makes an object, or counts that it was refused, which all PEs learn alike.
  template <class T, class List, class... Arguments>
  void make(List& into, Arguments&&... arguments) {
    try {
      into.push_back(std::make_unique<T>(world_, static_cast<arrivals&>(*this), std::forward<Arguments>(arguments)...));
    } catch (const setup_error&) {
      ++n_refused_;
    }
  }

  void make_channel(int depth) {
    const unsigned number = next_number();
    switch (plan_.below(11)) {
      case 0: make<actor_channel<8>>(channels_, number, depth); break;
      case 1: make<actor_channel<16>>(channels_, number, depth); break;
      case 2: make<actor_channel<48>>(channels_, number, depth); break;
      case 3: make<actor_channel<29>>(channels_, number, depth); break;
      case 4: make<batch_channel>(channels_, number, depth); break;
      case 5: make<selector_channel>(channels_, number, depth); break;
      case 6: make<list_channel<std::byte>>(channels_, number, depth); break;
      case 7: make<list_channel<std::uint64_t>>(channels_, number, depth); break;
      case 8: make<text_channel>(channels_, number, depth); break;
      case 9: make<value_channel>(channels_, number, depth); break;
      default:
        if (depth == 0 && !is_in_superstep_) make<closure_channel>(channels_, number);
        break;
    }
  }

  void make_conveying() {
    const unsigned number = next_number();
    const std::size_t capacity = 1 + plan_.below(100);
    switch (plan_.below(7)) {
      case 0: make<plain_conveying>(conveyings_, number, false); break;
      case 1: make<plain_conveying>(conveyings_, number, true); break;
      case 2: make<elastic_conveying>(conveyings_, number); break;
      case 3: make<exstack2_conveying>(conveyings_, number, capacity); break;
      case 4: make<biconveyor_conveying>(conveyings_, number, static_cast<std::uint32_t>(capacity)); break;
      case 5: make<simple_conveying>(conveyings_, number, capacity); break;
      default: make<exstack_conveying>(conveyings_, number, capacity); break;
    }
  }

  // In any order.
  template <class List>
  void destroy_one(List& list) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(plan_.below(list.size())));
  }
  void destroy_some() {
    while (!channels_.empty() && plan_.below(3) == 0) destroy_one(channels_);
    while (!conveyings_.empty() && plan_.below(3) == 0) destroy_one(conveyings_);
  }

  // --- Supersteps

  std::size_t choose(std::size_t n) override { return mine_.below(n); }
  ledger& book() override { return book_; }
  bool is_in_handler() const override { return is_in_handler_; }
  pe_id any_pe() { return static_cast<pe_id>(choose(static_cast<std::size_t>(world_.n_pes()))); }

  void step() {
    for (std::uint64_t n = plan_.below(4); n != 0; --n) make_channel(0);
    is_quiet_ = plan_.below(3) == 0;
    run_superstep(0, channels_.size());
    book_.settle("a superstep");
    check_counters();
  }

  // The channels from `n_outer` on are made, and die, in this superstep.
  void run_superstep(int depth, std::size_t n_outer) {
    const std::uint64_t n_bursts = plan_.below(4);
    const bool is_nested = depth < 2 && plan_.below(3) == 0;
    const std::size_t n_messages = choose(3) == 0 ? choose(4000) : choose(50);
    is_in_superstep_ = true;
    world_.finish([&] {
      for (std::uint64_t n = plan_.below(3); n != 0; --n) make_channel(depth);
      n_open_ = channels_.size();
      for (std::uint64_t burst = 0; burst < n_bursts; ++burst) {
        send_some(n_messages, depth);
        if (is_nested && burst == 1) {
          const std::size_t n_before = channels_.size();
          run_superstep(depth + 1, n_before);
          n_open_ = channels_.size();
        }
      }
      // Closes some of what is made here, in any order, if no handler may send to it any more.
      while (is_quiet_ && channels_.size() > n_outer && plan_.below(2) == 0) {
        const std::size_t i = n_outer + plan_.below(channels_.size() - n_outer);
        channels_[i]->close();
        channels_.erase(channels_.begin() + static_cast<std::ptrdiff_t>(i));
        n_open_ = channels_.size();
      }
    });
    is_in_superstep_ = depth != 0;
    channels_.resize(n_outer);
    n_open_ = n_outer;
  }

  void send_some(std::size_t n, int depth) {
    for (; n != 0 && n_open_ != 0; --n) {
      channel& on = *channels_[choose(n_open_)];
      on.send(any_pe(), static_cast<unsigned>(is_quiet_ ? 0 : choose(4)), depth);
      if (choose(64) == 0) act();
      if (choose(64) == 0) world_.progress();
    }
  }

  // Main program or handler: computes, or adds to a counter somewhere.
  void act() {
    switch (choose(4)) {
      case 0: world_.charge_ns(choose(20'000)); break;
      case 1: ++n_added_, world_.fetch_add(counters_, choose(n_counters), std::uint64_t{1}, any_pe()); break;
      case 2: ++n_added_, world_.start_add(counters_, choose(n_counters), std::uint64_t{1}, any_pe()); break;
      default: break;
    }
  }

  void take(std::uint64_t word, unsigned number, int depth, bool is_whole) override {
    const identity its = book_.receive(word, number, is_whole);
    is_in_handler_ = true;
    if (choose(256) == 0) act();
    if (its.hops_left != 0) {
      for (std::size_t n = choose(3); n != 0; --n) {
        channel& next = *channels_[choose(n_open_)];
        if (next.depth() <= depth) next.send(any_pe(), static_cast<unsigned>(its.hops_left - 1), depth);
      }
    }
    fail_on_purpose(false);
    is_in_handler_ = false;
  }

  void check_counters() {
    world_.quiet();
    world_.barrier();
    std::uint64_t here = 0;
    for (std::uint64_t& counter : world_.local(counters_)) {
      here += counter;
      counter = 0;
    }
    book_.expect(world_.sum(here) == world_.sum(n_added_), "additions got lost");
    n_added_ = 0;
    world_.barrier();
  }

  // --- Other phases

  // Sessions of one conveyor, or of several at once.
  void converse() {
    for (std::uint64_t n = 1 + plan_.below(2); n != 0; --n) make_conveying();
    std::vector<conveying*> alone, together;
    for (const auto& c : conveyings_) {
      if (plan_.below(2) == 0) (c->is_bulk() ? alone : together).push_back(c.get());
    }
    for (conveying* const c : together) c->begin(how_many());
    while (!together.empty()) {
      const std::size_t i = choose(together.size());
      if (!together[i]->turn()) {
        together[i]->end();
        together.erase(together.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (choose(50) == 0) act();
      fail_on_purpose(false);
    }
    for (conveying* const c : alone) {
      c->begin(how_many());
      while (c->turn()) fail_on_purpose(false);
      c->end();
    }
    book_.settle("sessions of conveyors");
    check_counters();
  }
  std::size_t how_many() { return choose(3) == 0 ? choose(3000) : choose(40); }

  void check_collectives() {
    const auto n = static_cast<std::int64_t>(world_.n_pes());
    const auto me = static_cast<std::int64_t>(world_.my_pe());
    for (std::uint64_t i = 1 + plan_.below(10); i != 0; --i) {
      const auto base = static_cast<std::int64_t>(plan_.below(1000));
      const auto root = static_cast<pe_id>(plan_.below(static_cast<std::uint64_t>(n)));
      switch (plan_.below(6)) {
        case 0: book_.expect(world_.sum(base + me) == n * base + n * (n - 1) / 2, "a wrong sum"); break;
        case 1: book_.expect(world_.min(base + me) == base, "a wrong minimum"); break;
        case 2: book_.expect(world_.max(base + me) == base + n - 1, "a wrong maximum"); break;
        case 3: book_.expect(world_.exclusive_scan(base) == me * base, "a wrong scan"); break;
        case 4: {
          const std::vector<std::int64_t> all = world_.gather(base + me);
          for (std::size_t pe = 0; pe < all.size(); ++pe) {
            book_.expect(all[pe] == base + static_cast<std::int64_t>(pe), "a wrong gather");
          }
          break;
        }
        default: {
          std::vector<std::int64_t> many(1 + plan_.below(5000), base + me);
          world_.broadcast(std::span<std::int64_t>(many), root);
          for (const std::int64_t value : many) book_.expect(value == base + root, "a wrong broadcast");
        }
      }
      if (choose(4) == 0) world_.charge_ns(choose(50'000));
    }
  }

  // Each PE has a part of an array on every PE, which it alone writes.
  void check_memory() {
    const std::size_t n = 1 + plan_.below(300);
    const auto n_pes = static_cast<std::size_t>(world_.n_pes());
    const auto array = world_.allocate<std::uint64_t>(n * n_pes);
    const auto value_of = [&](pe_id writer, pe_id owner, std::size_t i) {
      return mixed_bits(n * 7919 + static_cast<std::uint64_t>(writer * 1000 + owner) + i);
    };
    for (pe_id owner = 0; owner < world_.n_pes(); ++owner) {
      const std::size_t at = static_cast<std::size_t>(world_.my_pe()) * n;
      std::vector<std::uint64_t> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = value_of(world_.my_pe(), owner, i);
      const std::size_t cut = choose(n + 1);
      world_.put(array, at, std::span<const std::uint64_t>(values).first(cut), owner);
      for (std::size_t i = cut; i < n; ++i) world_.start_put(array, at + i, values[i], owner);
      world_.quiet();
    }
    world_.barrier();
    const pe_id owner = any_pe();
    std::vector<std::uint64_t> got(n * n_pes);
    world_.start_get(array, 0, std::span<std::uint64_t>(got), owner);
    world_.quiet();
    for (std::size_t k = 0; k < got.size(); ++k) {
      book_.expect(got[k] == value_of(static_cast<pe_id>(k / n), owner, k % n), "a get finds another value");
    }
    book_.expect(world_.get(array, n - 1, owner) == value_of(0, owner, n - 1), "a get of one finds another value");
    world_.barrier();
    world_.deallocate(array);
  }

  // --- Faults

  void fail_on_purpose(bool is_end) {
    if (fault_.kind.empty() || (!is_end && book_.n_received() < fault_.after)) return;
    const std::string kind = std::exchange(fault_.kind, {});
    if (kind == "sleep") return void(::usleep(static_cast<useconds_t>(choose(300'000))));
    if (kind == "kill") ::raise(SIGKILL);
    if (kind == "segv") ::raise(SIGSEGV);
    if (kind == "abort") std::abort();
    if (kind == "exit") std::exit(7);
    if (kind == "throw") throw std::runtime_error("thrown on purpose");
    if (kind == "range") world_.send(choose(2) == 0 ? -1 : world_.n_pes(), [] {});
    if (kind == "heap") world_.put(counters_, n_counters, std::uint64_t{1}, 0);
    throw std::logic_error("this fault is unknown, or happened without a report: " + kind);
  }

  world& world_;
  random_engine plan_;  // the same on all PEs
  random_engine mine_;
  ledger book_;
  fault fault_;
  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<std::unique_ptr<conveying>> conveyings_;
  std::size_t n_open_ = 0;  // of the channels, how many may be sent to
  bool is_in_superstep_ = false;
  bool is_quiet_ = false;  // handlers pass nothing on
  bool is_in_handler_ = false;
  unsigned n_numbers_ = 0;
  int n_refused_ = 0;
  symmetric<std::uint64_t> counters_;
  std::uint64_t n_added_ = 0;
};

}  // namespace shoal::test
