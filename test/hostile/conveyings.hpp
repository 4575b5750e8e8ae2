/// Conveyors of all kinds as a random program uses them: in sessions, in which a PE pushes and pulls in bursts of any
/// length, pauses, and puts items back.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "test/hostile/channels.hpp"

namespace shoal::test {

/// Construction, destruction, begin and end are collective.
class conveying {
public:
  conveying(world& w, arrivals& program, unsigned number) : world_(w), program_(program), number_(number) {}
  conveying(const conveying&) = delete;
  conveying& operator=(const conveying&) = delete;
  virtual ~conveying() = default;

  /// Of a session in which this PE pushes `n` items.
  virtual void begin(std::size_t n) { n_left_ = n; }
  /// One turn of its loop; false when it is over.
  virtual bool turn() = 0;
  virtual void end() = 0;
  /// Whether a turn waits for all PEs: then the session runs alone.
  virtual bool is_bulk() const { return false; }

protected:
  ledger& book() { return program_.book(); }
  std::size_t burst() { return program_.choose(4) == 0 ? program_.choose(200) : program_.choose(8); }
  pe_id any_pe() { return static_cast<pe_id>(program_.choose(static_cast<std::size_t>(world_.n_pes()))); }

  /// Pushes some items by `push(word, target)` while that is true.
  template <class Push>
  void push_some(Push push) {
    for (std::size_t n = burst(); n != 0 && n_left_ != 0; --n) {
      // The target of a refused item stays, as programs do it.
      if (!target_) target_ = any_pe();
      const std::uint64_t word = book().word_for(*target_, number_, 0);
      if (!push(word, *target_)) return;
      book().count_sent(*target_, word);
      target_.reset();
      --n_left_;
    }
  }
  bool is_done() const { return n_left_ == 0; }

  /// Checks and counts an item, which PE `from` is said to have sent.
  void receive(std::uint64_t word, pe_id from, bool is_whole = true) {
    const identity its = book().receive(word, number_, is_whole);
    book().expect(its.from == static_cast<std::uint64_t>(from), "the receiver is told another sender");
  }

  world& world_;
  arrivals& program_;
  unsigned number_;

private:
  std::size_t n_left_ = 0;
  std::optional<pe_id> target_;
};

class plain_conveying final : public conveying {
public:
  plain_conveying(world& w, arrivals& program, unsigned number, bool is_steady)
      : conveying(w, program, number), items_(w, {.steady = is_steady}) {}
  void begin(std::size_t n) override {
    conveying::begin(n);
    items_.begin();
  }
  bool turn() override {
    if (items_.advance(is_done()) == progress::complete) return false;
    push_some([&](std::uint64_t word, pe_id target) { return items_.push(parcel_of<24>(word), target); });
    for (std::size_t n = burst(); n != 0; --n) {
      pe_id from = 0;
      const parcel<24>* item = items_.pull(from);
      if (item == nullptr) break;
      const std::uint64_t word = item->word;
      if (program_.choose(20) == 0) {
        book().expect(items_.unpull(), "unpull refuses");
        item = items_.pull(from);
        book().expect(item != nullptr && item->word == word, "unpull loses the item");
      }
      receive(word, from, is_whole(*item));
    }
    return true;
  }
  void end() override { items_.reset(); }

private:
  conveyor<parcel<24>> items_;
};

/// Items of 8 bytes to some thousand, so some are larger than a buffer.
class elastic_conveying final : public conveying {
public:
  elastic_conveying(world& w, arrivals& program, unsigned number)
      : conveying(w, program, number), items_(w), bytes_(largest) {}
  void begin(std::size_t n) override {
    conveying::begin(n);
    items_.begin();
  }
  bool turn() override {
    if (items_.advance(is_done()) == progress::complete) return false;
    push_some([&](std::uint64_t word, pe_id target) {
      std::memcpy(bytes_.data(), &word, sizeof word);
      const std::span<std::byte> all(bytes_.data(), size_of(word));
      fill_rest(word, all.subspan(sizeof word));
      return items_.push(all, target);
    });
    for (std::size_t n = burst(); n != 0; --n) {
      const elastic_conveyor::item* item = items_.pull();
      if (item == nullptr) break;
      if (program_.choose(20) == 0) {
        book().expect(items_.unpull(), "unpull refuses");
        item = items_.pull();
        book().expect(item != nullptr, "unpull loses the item");
      }
      book().expect(item->bytes.size() >= sizeof(std::uint64_t), "an item is cut off");
      std::uint64_t word = 0;
      std::memcpy(&word, item->bytes.data(), sizeof word);
      book().expect(item->bytes.size() == size_of(word), "an item has another size");
      receive(word, item->from, is_rest_of(word, item->bytes.subspan(sizeof word)));
    }
    return true;
  }
  void end() override { items_.reset(); }

private:
  static constexpr std::size_t largest = 3000;
  static std::size_t size_of(std::uint64_t word) {
    const std::uint64_t drawn = mixed_bits(word ^ 0x5eed);
    return 8 + (drawn % 16 == 0 ? drawn / 16 % (largest - 8) : drawn / 16 % 40);
  }
  elastic_conveyor items_;
  std::vector<std::byte> bytes_;
};

class exstack2_conveying final : public conveying {
public:
  exstack2_conveying(world& w, arrivals& program, unsigned number, std::size_t capacity)
      : conveying(w, program, number), items_(w, capacity) {}
  bool turn() override {
    if (!items_.proceed(is_done())) return false;
    push_some([&](std::uint64_t word, pe_id target) { return items_.push(parcel_of<8>(word), target) != 0; });
    parcel<8> item{};
    pe_id from = 0;
    for (std::size_t n = burst(); n != 0 && items_.pop(item, from); --n) {
      receive(item.word, from);
    }
    return true;
  }
  void end() override { items_.reset(); }

private:
  exstack2<parcel<8>> items_;
};

/// A query is a message to the owner, and its reply the mixed query.
class biconveyor_conveying final : public conveying {
public:
  biconveyor_conveying(world& w, arrivals& program, unsigned number, std::uint32_t window)
      : conveying(w, program, number), items_(w, {.window = window}) {}
  void begin(std::size_t n) override {
    conveying::begin(n);
    asked_.clear();
    n_pulled_ = 0;
    items_.begin([this](std::uint64_t query, pe_id from) {
      receive(query, from);
      return mixed_bits(query);
    });
  }
  bool turn() override {
    if (items_.advance(is_done()) == progress::complete) return false;
    push_some([&](std::uint64_t word, pe_id target) {
      if (!items_.push(word, target)) return false;
      asked_.push_back(word);
      return true;
    });
    for (std::size_t n = burst(); n != 0; --n) {
      const std::uint64_t* const reply = items_.pull();
      if (reply == nullptr) break;
      book().expect(n_pulled_ < asked_.size(), "a reply without a query");
      book().expect(*reply == mixed_bits(asked_[n_pulled_++]), "a reply to another query");
    }
    return true;
  }
  void end() override {
    book().expect(n_pulled_ == asked_.size(), "queries without a reply");
    items_.reset();
  }

private:
  biconveyor<std::uint64_t, std::uint64_t> items_;
  std::vector<std::uint64_t> asked_;
  std::size_t n_pulled_ = 0;
};

class simple_conveying final : public conveying {
public:
  simple_conveying(world& w, arrivals& program, unsigned number, std::size_t capacity)
      : conveying(w, program, number), items_(w, {.capacity_items = capacity}) {}
  void begin(std::size_t n) override {
    conveying::begin(n);
    items_.begin();
  }
  bool turn() override {
    if (items_.advance(is_done()) == progress::complete) return false;
    push_some([&](std::uint64_t word, pe_id target) { return items_.push(parcel_of<24>(word), target); });
    pe_id from = 0;
    while (const parcel<24>* const item = items_.pull(from)) {
      receive(item->word, from, is_whole(*item));
    }
    return true;
  }
  void end() override { items_.reset(); }
  bool is_bulk() const override { return true; }

private:
  simple_conveyor<parcel<24>> items_;
};

class exstack_conveying final : public conveying {
public:
  exstack_conveying(world& w, arrivals& program, unsigned number, std::size_t capacity)
      : conveying(w, program, number), items_(w, capacity) {}
  bool turn() override {
    if (!items_.proceed(is_done())) return false;
    push_some([&](std::uint64_t word, pe_id target) { return items_.push(parcel_of<8>(word), target) != 0; });
    items_.exchange();
    parcel<8> item{};
    pe_id from = 0;
    while (items_.pop(item, from)) {
      receive(item.word, from);
    }
    return true;
  }
  void end() override { items_.reset(); }
  bool is_bulk() const override { return true; }

private:
  exstack<parcel<8>> items_;
};

}  // namespace shoal::test
