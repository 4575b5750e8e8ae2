/// The ways by which a random program's handlers get messages: actors, selectors, closures. Each is a channel, which
/// sends identity-checked messages and tells the program of those that arrive.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/conveyor/internal/exchange.hpp"
#include "test/hostile/ledger.hpp"

namespace shoal::test {

/// What a channel tells of arrived messages.
class arrivals {
public:
  /// `depth`: of the finish that the message belongs to.
  virtual void take(std::uint64_t word, unsigned number, int depth, bool is_whole) = 0;
  /// Chooses among `n`; each PE for itself.
  virtual std::size_t choose(std::size_t n) = 0;
  virtual ledger& book() = 0;
  virtual bool is_in_handler() const = 0;

protected:
  ~arrivals() = default;
};

/// Construction and destruction are collective. `depth`: of the finish that it belongs to. It may take n_numbers numbers.
class channel {
public:
  static constexpr unsigned n_numbers = 4;

  channel(arrivals& program, unsigned number, int depth) : program_(program), number_(number), depth_(depth) {}
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  virtual ~channel() = default;

  /// `depth`: of the finish that the sender is in, its main program or the message that it handles.
  virtual void send(pe_id target, unsigned hops_left, int depth) = 0;
  virtual void done() {}
  virtual void close() {}
  int depth() const noexcept { return depth_; }

protected:
  template <std::size_t N, class Send>
  void send_parcel(pe_id target, unsigned number, unsigned hops_left, Send send) {
    const std::uint64_t word = program_.book().word_for(target, number, hops_left, program_.is_in_handler());
    program_.book().count_sent(target, word);  // first: a send may handle other messages, which send, too
    send(parcel_of<N>(word));
  }
  template <std::size_t N>
  void take(const parcel<N>& p, unsigned number, int depth) {
    program_.take(p.word, number, depth, is_whole(p));
  }
  template <std::size_t N>
  void take(const parcel<N>& p, unsigned number) {
    take(p, number, depth_);
  }

  arrivals& program_;
  unsigned number_;
  int depth_;
};

template <std::size_t N>
class actor_channel final : public channel {
public:
  actor_channel(world& w, arrivals& program, unsigned number, int depth)
      : channel(program, number, depth), box_(w, on_message{this}) {}
  void send(pe_id target, unsigned hops_left, int) override {
    send_parcel<N>(target, number_, hops_left, [&](const parcel<N>& p) { box_.send(target, p); });
  }
  void done() override { box_.done(); }
  void close() override { box_.close(); }

private:
  struct on_message {
    actor_channel* self;
    void operator()(const parcel<N>& p, pe_id from) const {
      self->program_.book().expect(static_cast<std::uint64_t>(from) == std::bit_cast<identity>(p.word).from,
                                   "a handler is told another sender");
      self->take(p, self->number_);
    }
  };
  actor<on_message> box_;
};

/// Takes batches.
class batch_channel final : public channel {
public:
  batch_channel(world& w, arrivals& program, unsigned number, int depth)
      : channel(program, number, depth), box_(w, on_batch{this}) {}
  void send(pe_id target, unsigned hops_left, int) override {
    send_parcel<16>(target, number_, hops_left, [&](const parcel<16>& p) { box_.send(target, p); });
  }
  void done() override { box_.done(); }
  void close() override { box_.close(); }

private:
  struct on_batch {
    batch_channel* self;
    void operator()(std::span<const parcel<16>> batch) const {
      for (const parcel<16>& p : batch) self->take(p, self->number_);
    }
  };
  actor<on_batch> box_;
};

/// A selector with two mailboxes, so it takes two numbers.
class selector_channel final : public channel {
public:
  selector_channel(world& w, arrivals& program, unsigned number, int depth)
      : channel(program, number, depth), boxes_(w, *this) {}
  void send(pe_id target, unsigned hops_left, int) override {
    if (program_.choose(2) == 0) {
      send_parcel<8>(target, number_, hops_left, [&](const parcel<8>& p) { boxes_.send(target, p); });
    } else {
      send_parcel<24>(target, number_ + 1, hops_left, [&](const parcel<24>& p) { boxes_.send<1>(target, p); });
    }
  }
  void done() override { boxes_.done(); }
  void close() override { boxes_.close(); }

private:
  struct large;
  class two final : public selector<two, parcel<8>, tagged<large, parcel<24>>> {
  public:
    two(world& w, selector_channel& channel) : selector(w), channel_(channel) {}
    void process(const parcel<8>& p) { channel_.take(p, channel_.number_); }
    void process(large, const parcel<24>& p);

  private:
    selector_channel& channel_;
  };
  struct large {};
  two boxes_;
};
inline void selector_channel::two::process(large, const parcel<24>& p) { channel_.take(p, channel_.number_ + 1); }

/// Messages of any size: how many bytes follow the word is drawn from the word, from none to several buffers.
class any_size_channel : public channel {
public:
  any_size_channel(world& w, arrivals& program, unsigned number, int depth)
      : channel(program, number, depth), buffer_bytes_(w.message_exchange().payload_bytes()) {}

protected:
  std::size_t rest_bytes(std::uint64_t word) const {
    const std::uint64_t drawn = mixed_bits(~word);
    switch (drawn % 32) {
      case 0: return drawn / 32 % (4 * buffer_bytes_);
      case 1: return buffer_bytes_ - std::min<std::size_t>(buffer_bytes_, drawn / 32 % 130);
      default: return drawn / 32 % 100;
    }
  }
  std::uint64_t next_word(pe_id target, unsigned hops_left) {
    const std::uint64_t word = program_.book().word_for(target, number_, hops_left, program_.is_in_handler());
    program_.book().count_sent(target, word);
    return word;
  }
  void take(std::uint64_t word, std::span<const std::byte> rest, std::size_t rest_bytes) {
    program_.take(word, number_, depth_, rest.size() == rest_bytes && is_rest_of(word, rest));
  }

private:
  std::size_t buffer_bytes_;
};

template <class Element>
class list_channel final : public any_size_channel {
public:
  list_channel(world& w, arrivals& program, unsigned number, int depth)
      : any_size_channel(w, program, number, depth), box_(w, on_message{this}) {}
  void send(pe_id target, unsigned hops_left, int) override {
    const std::uint64_t word = next_word(target, hops_left);
    std::vector<Element> rest(n_elements(word));
    fill_rest(word, std::as_writable_bytes(std::span(rest)));
    box_.send(target, {word, rest});
  }
  void done() override { box_.done(); }
  void close() override { box_.close(); }

private:
  std::size_t n_elements(std::uint64_t word) const { return rest_bytes(word) / sizeof(Element); }

  struct on_message {
    list_channel* self;
    void operator()(const list<std::uint64_t, Element>& m, pe_id from) const {
      self->program_.book().expect(static_cast<std::uint64_t>(from) == std::bit_cast<identity>(m.header).from,
                                   "a handler of lists is told another sender");
      self->program_.book().expect(reinterpret_cast<std::uintptr_t>(m.begin()) % alignof(Element) == 0,
                                   "elements are not aligned");
      self->take(m.header, std::as_bytes(m.elements), self->n_elements(m.header) * sizeof(Element));
    }
  };
  actor<on_message> box_;
};

/// The word begins the text.
class text_channel final : public any_size_channel {
public:
  text_channel(world& w, arrivals& program, unsigned number, int depth)
      : any_size_channel(w, program, number, depth), box_(w, on_message{this}) {}
  void send(pe_id target, unsigned hops_left, int) override {
    const std::uint64_t word = next_word(target, hops_left);
    std::string text(sizeof word + rest_bytes(word), '\0');
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(text));
    std::memcpy(bytes.data(), &word, sizeof word);
    fill_rest(word, bytes.subspan(sizeof word));
    box_.send(target, text);
  }
  void done() override { box_.done(); }
  void close() override { box_.close(); }

private:
  struct on_message {
    text_channel* self;
    void operator()(std::string_view m) const {
      std::uint64_t word = 0;
      self->program_.book().expect(m.size() >= sizeof word, "a text has lost its word");
      std::memcpy(&word, m.data(), sizeof word);
      self->take(word, std::as_bytes(std::span(m)).subspan(sizeof word), self->rest_bytes(word));
    }
  };
  actor<on_message> box_;
};

/// Archives write these.
class value_channel final : public any_size_channel {
public:
  value_channel(world& w, arrivals& program, unsigned number, int depth)
      : any_size_channel(w, program, number, depth), box_(w, on_message{this}) {}
  void send(pe_id target, unsigned hops_left, int) override {
    const std::uint64_t word = next_word(target, hops_left);
    std::vector<std::byte> rest(rest_bytes(word));
    fill_rest(word, rest);
    box_.send(target, {word, rest});
  }
  void done() override { box_.done(); }
  void close() override { box_.close(); }

private:
  struct on_message {
    value_channel* self;
    void operator()(const std::pair<std::uint64_t, std::vector<std::byte>>& m) const {
      self->take(m.first, m.second, self->rest_bytes(m.first));
    }
  };
  actor<on_message> box_;
};

/// Closures of two types. They belong to the sender's superstep, so each depth has a number. Constructed outside of
/// supersteps, since messages may arrive before a finish has begun here.
class closure_channel final : public channel {
public:
  closure_channel(world& w, arrivals& program, unsigned number)
      : channel(program, number, 0), world_(w), self_(w, this) {}
  void send(pe_id target, unsigned hops_left, int depth) override {
    const pe_handle<closure_channel*> self = self_.handle();
    const unsigned number = number_ + static_cast<unsigned>(depth);
    if (program_.choose(2) == 0) {
      send_parcel<8>(target, number, hops_left,
                     [&](const parcel<8>& p) { world_.send(target, [self, p, depth] { (*self)->handle(p, depth); }); });
    } else {
      send_parcel<24>(target, number, hops_left, [&](const parcel<24>& p) {
        world_.send(target, [self, p, depth](world&, pe_id) { (*self)->handle(p, depth); });
      });
    }
  }

private:
  template <std::size_t N>
  void handle(const parcel<N>& p, int depth) {
    take(p, number_ + static_cast<unsigned>(depth), depth);
  }

  world& world_;
  per_pe<closure_channel*> self_;
};

}  // namespace shoal::test
