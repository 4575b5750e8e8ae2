/// Random graphs of actors whose tokens can be computed by a loop, too.
///
/// Every actor fires `n_firings` times; each firing takes a token from each in-port and writes one to each out-port. What it
/// writes depends on what it has read and written before. So the tokens of every channel follow from the graph alone,
/// whoever acts when (Kahn 1974), and `expected_digests` finds them serially, with queues that have no bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/dataflow.hpp"

namespace shoal::test {

struct random_channel {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint32_t capacity = 1;
  int type = 0;  // of its tokens
  bool is_back = false;  // its reader lies before its writer in the order of actors, or is it; it begins with a token
};

struct random_actor {
  int rule = 0;  // on_change, or on_all_inputs
  std::vector<std::size_t> in;  // channels, by number
  std::vector<std::size_t> out;
};

struct random_graph {
  std::uint64_t n_firings = 0;
  std::vector<random_actor> actors;
  std::vector<random_channel> channels;

  random_graph(std::uint64_t seed, std::size_t n_actors_max, std::uint64_t n_firings_max) {
    random_engine random(seed, 71);
    n_firings = 1 + random.below(n_firings_max);
    actors.resize(1 + random.below(n_actors_max));
    for (random_actor& each : actors) each.rule = static_cast<int>(random.below(2));
    for (std::size_t to = 0; to < actors.size(); ++to) {
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        const bool is_back = random.below(5) == 0;
        const std::size_t n_choices = is_back ? actors.size() - to : to;
        if (n_choices == 0) continue;
        const std::size_t from = (is_back ? to : 0) + random.below(n_choices);
        actors[from].out.push_back(channels.size());
        actors[to].in.push_back(channels.size());
        // A firing needs room before it reads, so a cycle needs more than its first token takes.
        channels.push_back({from, to, (is_back ? 2 : 1) + static_cast<std::uint32_t>(random.below(8)),
                            static_cast<int>(random.below(5)), is_back});
      }
    }
  }
};

inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  return (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccd;
}

// What an actor is between firings, and what a firing does to it.
struct mixing_state {
  std::uint64_t digest = 0;

  void take(std::uint64_t token) noexcept { digest = mixed(digest, token); }
  std::uint64_t give(std::size_t port) const noexcept { return mixed(digest, port + 1); }
};

/// The digest of each actor after its last firing.
inline std::vector<std::uint64_t> expected_digests(const random_graph& graph) {
  std::vector<mixing_state> states(graph.actors.size());
  std::vector<std::deque<std::uint64_t>> queues(graph.channels.size());
  for (std::size_t c = 0; c < queues.size(); ++c) {
    if (graph.channels[c].is_back) queues[c].push_back(c);
  }
  for (std::uint64_t n = 0; n < graph.n_firings; ++n) {
    for (std::size_t a = 0; a < states.size(); ++a) {
      for (const std::size_t c : graph.actors[a].in) {
        states[a].take(queues[c].front());
        queues[c].pop_front();
      }
      const std::vector<std::size_t>& out = graph.actors[a].out;
      for (std::size_t i = 0; i < out.size(); ++i) queues[out[i]].push_back(states[a].give(i));
    }
  }
  std::vector<std::uint64_t> digests;
  for (const mixing_state& each : states) digests.push_back(each.digest);
  return digests;
}

// --- Numbers as tokens of several types

template <class T>
struct token_form;
template <>
struct token_form<std::uint64_t> {
  static std::uint64_t of(std::uint64_t n) { return n; }
  static std::uint64_t number(std::uint64_t t) { return t; }
};
struct odd_sized {
  std::uint8_t bytes[11];
};
template <>
struct token_form<odd_sized> {
  static odd_sized of(std::uint64_t n) {
    odd_sized t{};
    for (std::size_t i = 0; i < 8; ++i) t.bytes[3 + i] = static_cast<std::uint8_t>(n >> (8 * i));
    return t;
  }
  static std::uint64_t number(const odd_sized& t) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < 8; ++i) n |= std::uint64_t{t.bytes[3 + i]} << (8 * i);
    return n;
  }
};
template <>
struct token_form<std::vector<std::uint32_t>> {
  static std::vector<std::uint32_t> of(std::uint64_t n) {
    std::vector<std::uint32_t> t(2 + n % 90, 7);  // some are larger than a small slot
    t.front() = static_cast<std::uint32_t>(n);
    t.back() = static_cast<std::uint32_t>(n >> 32);
    return t;
  }
  static std::uint64_t number(const std::vector<std::uint32_t>& t) {
    const std::uint64_t n = t.front() | std::uint64_t{t.back()} << 32;
    return t.size() == 2 + n % 90 ? n : 0;
  }
};
template <>
struct token_form<std::string> {
  static std::string of(std::uint64_t n) { return std::to_string(n); }
  static std::uint64_t number(const std::string& t) { return std::stoull(t); }
};
template <>
struct token_form<std::map<std::string, std::uint64_t>> {
  static std::map<std::string, std::uint64_t> of(std::uint64_t n) { return {{"low", n & 0xffff}, {"high", n >> 16}}; }
  static std::uint64_t number(const std::map<std::string, std::uint64_t>& t) {
    return t.at("low") | t.at("high") << 16;
  }
};

struct any_in {
  virtual ~any_in() = default;
  virtual bool has() const = 0;
  virtual std::uint64_t read() = 0;
};
struct any_out {
  virtual ~any_out() = default;
  virtual bool has_room() const = 0;
  virtual void write(std::uint64_t n) = 0;
};
template <class T>
struct typed_in final : any_in {
  dataflow::in_port<T> port;
  T kept{};
  bool swaps;
  typed_in(dataflow::actor& of, const std::string& name, bool its_swaps) : port(of, name), swaps(its_swaps) {}
  bool has() const override { return port.available() > 0; }
  std::uint64_t read() override {
    if (!swaps) return token_form<T>::number(port.read());
    port.read_into(kept);
    return token_form<T>::number(kept);
  }
};
template <class T>
struct typed_out final : any_out {
  dataflow::out_port<T> port;
  T kept{};
  bool swaps;
  typed_out(dataflow::actor& of, const std::string& name, bool its_swaps) : port(of, name), swaps(its_swaps) {}
  bool has_room() const override { return port.free_capacity() > 0; }
  void write(std::uint64_t n) override {
    if (!swaps) return port.write(token_form<T>::of(n));
    kept = token_form<T>::of(n);
    port.write_from(kept);
  }
};

template <template <class> class Port, class Any, class... More>
std::unique_ptr<Any> make_port(int type, More&&... more) {
  switch (type) {
    case 0: return std::make_unique<Port<std::uint64_t>>(more...);
    case 1: return std::make_unique<Port<odd_sized>>(more...);
    case 2: return std::make_unique<Port<std::vector<std::uint32_t>>>(more...);
    case 3: return std::make_unique<Port<std::string>>(more...);
    default: return std::make_unique<Port<std::map<std::string, std::uint64_t>>>(more...);
  }
}

inline std::string name_of_actor(std::size_t a) { return "actor " + std::to_string(a); }
inline std::string name_of_port(std::size_t c) { return std::to_string(c); }

/// Actor `a` of a random graph.
class mixing_actor : public dataflow::actor {
public:
  mixing_actor(std::uint64_t seed, std::size_t n_actors_max, std::uint64_t n_firings_max, std::size_t a)
      : mixing_actor(random_graph(seed, n_actors_max, n_firings_max), a) {}
  mixing_actor(const random_graph& graph, std::size_t a)
      : actor(graph.actors[a].rule == 0 ? dataflow::firing::on_change : dataflow::firing::on_all_inputs),
        n_left_(graph.n_firings),
        eager_(graph.actors[a].rule == 0 || a % 3 != 0 || is_alone(graph.actors[a])) {
    for (const std::size_t c : graph.actors[a].in) {
      in_.push_back(make_port<typed_in, any_in>(graph.channels[c].type, *this, name_of_port(c), c % 2 == 0));
    }
    for (const std::size_t c : graph.actors[a].out) {
      if (graph.channels[c].is_back) first_.emplace_back(out_.size(), c);
      out_.push_back(make_port<typed_out, any_out>(graph.channels[c].type, *this, name_of_port(c), c % 2 == 0));
    }
  }

  std::uint64_t digest() const noexcept { return state_.digest; }
  std::uint64_t n_left() const noexcept { return n_left_; }
  bool has_overlapped() const noexcept { return has_overlapped_; }

  void serialize(auto& archive) { archive(n_left_, state_.digest, has_overlapped_); }

protected:
  /// Called after each firing, and instead of the end.
  virtual void after_firing() {}
  virtual void end() { finish(); }

private:
  void start() final {
    has_overlapped_ |= std::exchange(is_acting_, true);
    for (const auto& [port, c] : first_) out_[port]->write(c);
    is_acting_ = false;
  }
  void act() final {
    has_overlapped_ |= std::exchange(is_acting_, true);
    while (n_left_ > 0 && may_fire()) {
      fire();
      after_firing();
      if (!eager_) break;
    }
    if (n_left_ == 0) end();
    is_acting_ = false;
  }

  // Nothing that it does would let it act again.
  static bool is_alone(const random_actor& its) { return its.in.empty() && its.out.empty(); }

  bool may_fire() const {
    for (const auto& each : in_) {
      if (!each->has()) return false;
    }
    for (const auto& each : out_) {
      if (!each->has_room()) return false;
    }
    return true;
  }
  void fire() {
    for (const auto& each : in_) state_.take(each->read());
    for (std::size_t i = 0; i < out_.size(); ++i) out_[i]->write(state_.give(i));
    --n_left_;
  }

  std::uint64_t n_left_;
  const bool eager_;  // an act fires as often as it can, else once
  mixing_state state_;
  std::vector<std::unique_ptr<any_in>> in_;
  std::vector<std::unique_ptr<any_out>> out_;
  std::vector<std::pair<std::size_t, std::size_t>> first_;  // out-port, and the token that it writes first
  bool is_acting_ = false;
  bool has_overlapped_ = false;
};

}  // namespace shoal::test
