/// An actor of lists that checks what every actor promises, and that lists arrive whole and aligned.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/actor/checked_actor.hpp"

namespace shoal::test {

struct list_header {
  message_label label;
  std::uint64_t n_elements;
  std::uint64_t key;  // of the elements
  std::uint64_t hops;
};
template <std::size_t Align>
struct alignas(Align) aligned_header {
  list_header its;
};

// An actor of lists, labelled and checked. Their elements must be whole before and after what the handler does.
template <class Element, std::size_t HeaderAlign = 8>
class checked_lists {
public:
  using handler_body = std::function<void(std::uint64_t hops, pe_id from)>;

  checked_lists(
      world& w, pe_watch& watch, handler_body body = [](std::uint64_t, pe_id) {})
      : watch_(watch), body_(std::move(body)), books_(w, watch), actor_(w, handle{this}, "lists") {}

  // `bytes`: about, of the elements.
  void send(pe_id to, std::size_t bytes, std::uint64_t hops = 0) {
    const aligned_header<HeaderAlign> header = header_of(to, bytes, hops);
    const std::vector<Element> elements = elements_of<Element>(header.its.key, header.its.n_elements);
    actor_.send(to, {header, elements});
    books_.count_sent(header.its.label);
  }

  bool try_send(pe_id to, std::size_t bytes, std::uint64_t hops = 0) {
    const aligned_header<HeaderAlign> header = header_of(to, bytes, hops);
    const std::vector<Element> elements = elements_of<Element>(header.its.key, header.its.n_elements);
    if (!actor_.try_send(to, {header, elements})) return false;
    books_.count_sent(header.its.label);
    return true;
  }

  void limit_latency(std::uint32_t us) { actor_.limit_latency(us); }
  void done() { actor_.done(); }
  stream_counts counts() const { return actor_.counts(); }
  std::uint64_t n_handled() const { return books_.n_handled(); }
  void expect_all_handled() { books_.expect_all_handled(); }

private:
  using message = list<aligned_header<HeaderAlign>, Element>;

  struct handle {
    checked_lists* self;
    void operator()(const message& m, pe_id from) const { self->check(m, from); }
  };

  aligned_header<HeaderAlign> header_of(pe_id to, std::size_t bytes, std::uint64_t hops) const {
    const message_label label = books_.next(to);
    const std::uint64_t key = mixed_bits(static_cast<std::uint64_t>(label.from * 1000 + label.to)) +
                              2 * std::uint64_t{label.number} + label.is_from_handler;
    return {{label, bytes / sizeof(Element), key, hops}};
  }

  void check(const message& m, pe_id from) {
    const list_header header = m.header.its;
    books_.take(header.label, from);
    EXPECT_EQ(m.size(), header.n_elements);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.begin()) % alignof(Element), 0U);
    EXPECT_TRUE(has_elements_of(header.key, m.elements)) << m.size() << " elements from PE " << from;
    const handler_mark mark(watch_);
    body_(header.hops, from);
    EXPECT_TRUE(has_elements_of(header.key, m.elements)) << "changed before its handler returned";
  }

  pe_watch& watch_;
  handler_body body_;
  message_books books_;
  actor<handle, message> actor_;
};

}  // namespace shoal::test
