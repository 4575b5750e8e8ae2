#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

struct letter {
  std::int64_t from;
  std::uint64_t number;
};

// What a PE pushes in a session along a list of targets, and what must arrive.
class session {
public:
  session(world& w, std::uint64_t seed, std::size_t n)
      : world_(w),
        seed_(seed),
        targets_(targets_of(seed, w.my_pe(), w.n_pes(), n)),
        sent_(w.n_pes()),
        got_(w.n_pes()) {}

  bool is_all_sent() const { return i_ == targets_.size(); }

  template <class Push>
  void push(const Push& push_one) {
    for (; !is_all_sent(); ++i_) {
      const pe_id to = targets_[i_];
      if (!push_one(letter{world_.my_pe(), sent_.next(to)}, to)) return;
      sent_.take(to);
    }
  }

  void take(const letter& p, pe_id from) {
    EXPECT_EQ(p.from, from);
    EXPECT_EQ(p.number, got_.take(from)) << "from PE " << from;
  }

  void expect_all_here() const {
    EXPECT_EQ(got_.all(), expected_at(seed_, world_.my_pe(), world_.n_pes(), targets_.size()));
  }

private:
  world& world_;
  std::uint64_t seed_;
  std::vector<pe_id> targets_;
  numbering sent_;
  numbering got_;
  std::size_t i_ = 0;
};

// A conveyor of some kind: constructed with it, destroyed with it, used by session.
class carrier {
public:
  virtual ~carrier() = default;
  virtual void carry(session& s) = 0;
};

template <class Conveyor>
class typed_carrier final : public carrier {
public:
  explicit typed_carrier(world& w) : conveyor_(w) {}

  void carry(session& s) override {
    conveyor_.begin();
    while (conveyor_.advance(s.is_all_sent()) != progress::complete) {
      s.push([&](const letter& p, pe_id to) { return conveyor_.push(p, to); });
      pe_id from = -1;
      while (const letter* p = conveyor_.pull(from)) s.take(*p, from);
    }
    conveyor_.reset();
  }

private:
  Conveyor conveyor_;
};

class elastic_carrier final : public carrier {
public:
  explicit elastic_carrier(world& w) : conveyor_(w) {}

  void carry(session& s) override {
    conveyor_.begin();
    while (conveyor_.advance(s.is_all_sent()) != progress::complete) {
      s.push([&](const letter& p, pe_id to) { return conveyor_.push(std::as_bytes(std::span(&p, 1)), to); });
      while (const elastic_conveyor::item* item = conveyor_.pull()) {
        letter p{};
        ASSERT_EQ(item->bytes.size(), sizeof p);
        std::memcpy(&p, item->bytes.data(), sizeof p);
        s.take(p, item->from);
      }
    }
    conveyor_.reset();
  }

private:
  elastic_conveyor conveyor_;
};

class exstack_carrier final : public carrier {
public:
  explicit exstack_carrier(world& w) : stack_(w, 3) {}

  void carry(session& s) override {
    while (stack_.proceed(s.is_all_sent())) {
      s.push([&](const letter& p, pe_id to) { return stack_.push(p, to) != 0; });
      stack_.exchange();
      letter p{};
      pe_id from = -1;
      while (stack_.pop(p, from)) s.take(p, from);
    }
    stack_.reset();
  }

private:
  exstack<letter> stack_;
};

std::unique_ptr<carrier> make_carrier(world& w, std::uint64_t kind) {
  switch (kind % 4) {
    case 0: return std::make_unique<typed_carrier<conveyor<letter>>>(w);
    case 1: return std::make_unique<elastic_carrier>(w);
    case 2: return std::make_unique<typed_carrier<simple_conveyor<letter>>>(w);
    default: return std::make_unique<exstack_carrier>(w);
  }
}

// Three conveyors of different kinds, some of which may be gone.
class carriers {
public:
  carriers(world& w, std::uint64_t seed) : world_(w), seed_(seed) {
    for (std::size_t i = 0; i < all_.size(); ++i) construct(i);
  }

  void construct(std::size_t i) { all_[i] = make_carrier(world_, seed_ + i); }
  void destroy(std::size_t i) { all_[i].reset(); }

  /// A session of each that is there.
  void use() {
    for (const auto& c : all_) {
      if (c == nullptr) continue;
      session s(world_, seed_ + 100 * ++n_sessions_, 12);
      c->carry(s);
      s.expect_all_here();
    }
  }

private:
  world& world_;
  std::uint64_t seed_;
  std::uint64_t n_sessions_ = 0;
  std::array<std::unique_ptr<carrier>, 3> all_;
};

using order = std::array<std::size_t, 3>;

// In the order of construction, in reverse, and mixed.
std::vector<order> orders_of(std::uint64_t seed) {
  constexpr order mixed[] = {{1, 0, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}};
  return {{0, 1, 2}, {2, 1, 0}, mixed[seed % 4]};
}

// The remaining ones keep working.
void conveyors_are_destroyed_in_any_order(world& w, std::uint64_t seed) {
  for (const order& way : orders_of(seed)) {
    carriers c(w, seed++);
    c.use();
    for (const std::size_t i : way) {
      c.destroy(i);
      c.use();
    }
  }
}

void a_conveyor_takes_the_place_of_any_that_is_gone(world& w, std::uint64_t seed) {
  for (const order& way : orders_of(seed)) {
    carriers c(w, seed++);
    for (const std::size_t i : way) {
      c.destroy(i);
      c.construct(i);
      c.use();
    }
  }
}

// Destruction is local: PEs need not agree on the order.
void each_PE_destroys_in_an_order_of_its_own(world& w, std::uint64_t seed) {
  random_engine random(seed, 300 + static_cast<std::uint64_t>(w.my_pe()));
  carriers c(w, seed);
  for (int round = 0; round < 3; ++round) {
    c.use();
    const std::vector<order> ways = orders_of(random());
    for (const std::size_t i : ways[random.below(ways.size())]) {
      if (random.chance(0.3)) w.charge_ns(random.below(20'000));
      c.destroy(i);
    }
    for (std::size_t i = 0; i < 3; ++i) c.construct(i);
  }
  c.use();
}

}  // namespace

std::vector<claim> lifetime_claims() {
  return {
      {"conveyors_are_destroyed_in_any_order", conveyors_are_destroyed_in_any_order, 3},
      {"a_conveyor_takes_the_place_of_any_that_is_gone", a_conveyor_takes_the_place_of_any_that_is_gone, 3},
      {"each_PE_destroys_in_an_order_of_its_own", each_PE_destroys_in_an_order_of_its_own, 3},
  };
}

}  // namespace shoal::test
