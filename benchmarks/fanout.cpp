// The cost of a message to its sender, a relay and its receiver at 1 to 4,096 links, each timed alone on one core; a
// stand-in plays the other PEs. 8-byte messages, destinations uniformly random.
//
//   fanout [--smoke] [--repeat R] [--part sender|relay|receiver] [--links N,N,…] [--pool BYTES | --pool default]
//          [--slot-bytes BYTES] [--pages shared|small|huge] [--order random|cyclic]
//
// All numbers of links take turns within one repeat, so that a change of the machine's speed affects all of them. A
// repeat's `times_two_links` is its time divided by that of two links in the same repeat. The budget sizes slots as in
// a job whose pool has that many bytes; `default` is what a node gives each of that many PEs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/lone_substrate.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/buffer_budget.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace {

using namespace shoal;
using namespace shoal::internal;

constexpr std::size_t table_size = 1000;  // as in the histogram whose table fits into the cache
constexpr std::size_t n_targets = std::size_t{1} << 18;  // drawn beforehand; used repeatedly

struct choice {
  std::size_t pool_bytes = std::size_t{16} << 20;  // 0: the default budget
  std::size_t slot_bytes = 0;  // 0: by the budget
  bench::page_kind pages = bench::page_kind::shared;
  bool is_cyclic = false;
  std::size_t n_messages = 2'000'000;
};

// Counts what it consumes, like a mailbox with the histogram's handler.
class counting_sink final : public sink {
public:
  explicit counting_sink(delivery& now) : now_(now), counts_(table_size) {}

  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final {
    const std::byte* const begin = b.payload() + from.offset;
    now_.proceed_to(b.payload() + b.header.item_bytes());
    const std::byte* p = begin;
    for (; p < now_.end(); p += sizeof(std::uint64_t)) {
      ++counts_[*reinterpret_cast<const std::uint64_t*>(p) % table_size];
    }
    n_items = static_cast<std::uint64_t>(p - begin) / sizeof(std::uint64_t);
    from.offset = static_cast<std::uint32_t>(p - b.payload());
    return true;
  }
  std::string describe() const final { return "benchmark"; }

  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }

private:
  delivery& now_;
  std::vector<std::uint64_t> counts_;
};

std::size_t default_pool_bytes(std::size_t n_links) {
  constexpr std::size_t most = std::size_t{16} << 20;
  return std::min(most, this_machine().memory_bytes / 16 / n_links / 2);
}

bench::lone_options machine_of(const choice& c, std::size_t n_links, pe_id n_pes) {
  const std::size_t pool = c.pool_bytes != 0 ? c.pool_bytes : default_pool_bytes(n_links);
  const buffer_budget budget(2 * pool);
  const std::size_t slot_bytes = c.slot_bytes != 0 ? c.slot_bytes : budget.slot_bytes(n_links);
  return {.n_pes = n_pes, .n_slots = budget.n_slots(slot_bytes), .payload_bytes = slot_bytes, .pages = c.pages};
}

// Links are numbered from 1: link 0 is this PE itself, which gets no messages.
std::vector<std::uint16_t> make_links(const choice& c, std::size_t n_links) {
  random_engine random(1);
  std::vector<std::uint16_t> links(n_targets);
  for (std::size_t i = 0; i < n_targets; ++i) {
    links[i] = static_cast<std::uint16_t>(1 + (c.is_cyclic ? i % n_links : random.below(n_links)));
  }
  return links;
}

// One end of the links; `run` handles about `n_messages` messages and returns how many.
class subject {
public:
  virtual ~subject() = default;
  virtual std::size_t run(std::size_t n_messages) = 0;
  virtual bool is_right() = 0;  // runs a little and checks every message
  std::size_t slot_bytes = 0;
  bool is_starved = false;  // fewer slots than links: most messages make room by posting another link's buffer
};

// Checks that posted messages go to the right targets, in order: each carries its own number.
class post_checker {
public:
  explicit post_checker(std::size_t n_pes) : last_(n_pes, -1) {}

  void look(const buffer& b, std::size_t pe, auto is_for) {
    for (std::size_t i = 0; i < b.header.n_items; ++i) {
      std::int64_t value = 0;
      std::memcpy(&value, b.payload() + i * sizeof value, sizeof value);
      is_right_ &= value > last_[pe] && is_for(value);
      last_[pe] = value;
      ++n_;
    }
  }
  bool has_seen(std::size_t n) const { return is_right_ && n_ == n; }

private:
  std::vector<std::int64_t> last_;
  std::size_t n_ = 0;
  bool is_right_ = true;
};

class sender final : public subject {
public:
  sender(const choice& c, std::size_t n_links)
      : machine_(machine_of(c, n_links, static_cast<pe_id>(n_links + 1))),
        exchange_(machine_, {}),
        sink_(exchange_.now()),
        stream_(exchange_, {.kind = {.bytes = 8, .align = 8}, .consumer = &sink_, .n_hops = 1}),
        links_(make_links(c, n_links)) {
    slot_bytes = machine_.payload_bytes();
    is_starved = machine_.n_slots() < n_links;
    stream_.begin_session(stream_.links().only_kind);
    stream_.let_send(true);
  }

  std::size_t run(std::size_t n_messages) override {
    for (std::size_t i = 0; i < n_messages; ++i) send(links_[i % n_targets], static_cast<std::int64_t>(i));
    return n_messages;
  }

  bool is_right() override {
    stream_.flush();
    post_checker posted(static_cast<std::size_t>(machine_.n_pes()));
    machine_.on_post = [&](const buffer& b, pe_id to) {
      posted.look(b, static_cast<std::size_t>(to), [&](auto i) { return links_[static_cast<std::size_t>(i)] == to; });
    };
    run(n_targets);
    stream_.flush();
    machine_.on_post = nullptr;
    return posted.has_seen(n_targets);
  }

private:
  // As in typed_mailbox::send.
  void send(pe_id target, const std::int64_t& value) {
    if (!stream_.is_direct(target)) [[unlikely]]
      std::abort();
    link_end& link = stream_.link_to(target);
    if (link.cursor == link.limit) [[unlikely]]
      make_room(link);
    stream_.links().write(link, value);
  }
  [[gnu::noinline]] void make_room(link_end& link) {
    stream_.make_room(link, stream_.links().only_kind, stream_.now().policy_now());
  }

  bench::lone_substrate machine_;
  exchange exchange_;
  counting_sink sink_;
  stream stream_;
  std::vector<std::uint16_t> links_;
};

// Buffers that other PEs have filled for this one, in a possible order of arrival.
class arrivals {
public:
  arrivals(const bench::lone_substrate& machine, const choice& c)
      : memory_(machine.n_slots(), machine.payload_bytes(), c.pages), order_(machine.n_slots()) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      memory_.at(i).slot = static_cast<std::uint32_t>(machine.n_slots() + i);
      order_[i] = &memory_.at(i);
    }
    random_engine random(2);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
  }

  const std::vector<buffer*>& buffers() const noexcept { return order_; }

  /// Feeds `n_messages` messages or a little more, continuing where it stopped, and handles them.
  std::size_t pass(bench::lone_substrate& machine, exchange& through, std::size_t n_messages) {
    std::size_t n = 0;
    while (n < n_messages) {
      for (std::size_t i = 0; i < std::max<std::size_t>(1, order_.size() / 8) && n < n_messages; ++i) {
        machine.feed(*order_[next_]);
        n += order_[next_]->header.n_items;
        next_ = next_ + 1 == order_.size() ? 0 : next_ + 1;
      }
      while (through.progress()) {
      }
    }
    return n;
  }

private:
  bench::buffer_memory memory_;
  std::vector<buffer*> order_;
  std::size_t next_ = 0;
};

class receiver final : public subject {
public:
  receiver(const choice& c, std::size_t n_links)
      : machine_(machine_of(c, n_links, static_cast<pe_id>(n_links + 1))),
        exchange_(machine_, {}),
        sink_(exchange_.now()),
        stream_(exchange_, {.kind = {.bytes = 8, .align = 8}, .consumer = &sink_, .n_hops = 1}),
        arrivals_(machine_, c) {
    slot_bytes = machine_.payload_bytes();
    is_starved = machine_.n_slots() < n_links;
    stream_.begin_session(stream_.links().only_kind);
    random_engine random(3);
    const auto n_items = static_cast<std::uint32_t>(slot_bytes / sizeof(std::uint64_t));
    for (buffer* b : arrivals_.buffers()) {
      b->header.mailbox = stream_.serial();
      b->header.session = buffer_header::session_before_first + 1;
      b->header.n_items = n_items;
      b->header.bytes = n_items * static_cast<std::uint32_t>(sizeof(std::uint64_t));
      b->header.source = static_cast<std::int32_t>(1 + random.below(n_links));
      for (std::uint32_t i = 0; i < n_items; ++i) {
        const std::uint64_t value = random.below(table_size);
        std::memcpy(b->payload() + i * sizeof value, &value, sizeof value);
      }
    }
  }

  std::size_t run(std::size_t n_messages) override { return arrivals_.pass(machine_, exchange_, n_messages); }

  bool is_right() override {
    std::vector<std::uint64_t> expected = sink_.counts();
    std::size_t n = 0;
    for (const buffer* b : arrivals_.buffers()) {
      n += b->header.n_items;
      for (std::size_t i = 0; i < b->header.n_items; ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, b->payload() + i * sizeof value, sizeof value);
        ++expected[value];
      }
    }
    return run(n) == n && sink_.counts() == expected;
  }

private:
  bench::lone_substrate machine_;
  exchange exchange_;
  counting_sink sink_;
  stream stream_;
  arrivals arrivals_;
};

// Two hops over nodes of two PEs: PE 1's messages to other nodes pass through this PE.
class relay_end final : public subject {
public:
  relay_end(const choice& c, std::size_t n_links)
      : machine_(machine_of(c, n_links, static_cast<pe_id>(2 * (n_links + 1)))),
        exchange_(machine_, {.node_size = 2}),
        sink_(exchange_.now()),
        stream_(exchange_, {.kind = {.bytes = 8, .align = 8}, .consumer = &sink_, .n_hops = 2}),
        arrivals_(machine_, c),
        links_(make_links(c, n_links)) {
    slot_bytes = machine_.payload_bytes();
    is_starved = machine_.n_slots() < n_links;
    stream_.begin_session(stream_.links().only_kind);
    const std::uint32_t tag_bytes = exchange_.route_of(2).hop(0).tag_bytes;
    const auto n_items = static_cast<std::uint32_t>(slot_bytes / (sizeof(std::int64_t) + tag_bytes));
    std::size_t next = 0;
    for (buffer* b : arrivals_.buffers()) {
      b->header.mailbox = stream_.serial() - 1;  // relays come before the last hop
      b->header.session = buffer_header::session_before_first + 1;
      b->header.n_items = n_items;
      b->header.bytes = n_items * static_cast<std::uint32_t>(sizeof(std::int64_t) + tag_bytes);
      b->header.tag_bytes = n_items * tag_bytes;
      b->header.source = 1;
      for (std::size_t i = 0; i < n_items; ++i, ++next) {
        const auto value = static_cast<std::int64_t>(next);
        const std::uint32_t tag = links_[next % n_targets];
        std::memcpy(b->payload() + i * sizeof value, &value, sizeof value);
        std::memcpy(b->payload() + b->header.bytes - (i + 1) * tag_bytes, &tag, tag_bytes);
      }
    }
  }

  std::size_t run(std::size_t n_messages) override { return arrivals_.pass(machine_, exchange_, n_messages); }

  bool is_right() override {
    stream_.flush();
    std::size_t n = 0;
    for (const buffer* b : arrivals_.buffers()) n += b->header.n_items;
    post_checker posted(static_cast<std::size_t>(machine_.n_pes()));
    machine_.on_post = [&](const buffer& b, pe_id to) {
      const auto is_for = [&](auto i) { return 2 * links_[static_cast<std::size_t>(i) % n_targets] == to; };
      posted.look(b, static_cast<std::size_t>(to), is_for);
    };
    const bool is_all = run(n) == n;
    stream_.flush();
    machine_.on_post = nullptr;
    return is_all && posted.has_seen(n);
  }

private:
  bench::lone_substrate machine_;
  exchange exchange_;
  counting_sink sink_;
  stream stream_;
  arrivals arrivals_;
  std::vector<std::uint16_t> links_;
};

std::unique_ptr<subject> make_subject(std::string_view part, const choice& c, std::size_t n_links) {
  if (part == "sender") return std::make_unique<sender>(c, n_links);
  if (part == "relay") return std::make_unique<relay_end>(c, n_links);
  if (part == "receiver") return std::make_unique<receiver>(c, n_links);
  throw setup_error("--part " + std::string(part) + " is none of sender, relay, receiver");
}

// The processor time of this thread: no end waits, and other programs may have the core for a while.
double processor_seconds() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool measure(std::string_view part, const choice& c, const std::vector<std::size_t>& links, int n_repeats) {
  std::vector<std::unique_ptr<subject>> subjects;
  for (const std::size_t n : links) subjects.push_back(make_subject(part, c, n));
  std::vector<std::vector<double>> ns(links.size());
  std::vector<bool> is_verified;
  for (const auto& one : subjects) is_verified.push_back(one->is_right());
  for (int repeat = 0; repeat < n_repeats; ++repeat) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::size_t n_messages = subjects[i]->is_starved ? c.n_messages / 500 : c.n_messages;
      subjects[i]->run(n_messages / 4);  // refills the caches after the previous subject
      const double begin = processor_seconds();
      const std::size_t n = subjects[i]->run(n_messages);
      ns[i].push_back((processor_seconds() - begin) * 1e9 / static_cast<double>(n));
    }
  }
  const auto two = static_cast<std::size_t>(std::ranges::find(links, 2) - links.begin());
  bool is_right = true;
  for (std::size_t i = 0; i < links.size(); ++i) {
    std::vector<double> ratios;
    for (std::size_t r = 0; two < links.size() && r < ns[i].size(); ++r) ratios.push_back(ns[i][r] / ns[two][r]);
    std::string parameters = "slot_bytes=" + std::to_string(subjects[i]->slot_bytes);
    if (!ratios.empty()) parameters += " times_two_links=" + std::to_string(bench::summarise(ratios).median);
    std::vector<double> seconds;
    for (const double one : ns[i]) seconds.push_back(one * 1e-9);
    bench::print_result("fanout", {.name = std::string(part), .parameters = parameters}, seconds, is_verified[i],
                        "links=" + std::to_string(links[i]));
    is_right = is_right && is_verified[i];
  }
  return is_right;
}

std::vector<std::size_t> parse_links(std::string_view text) {
  std::vector<std::size_t> links;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    links.push_back(static_cast<std::size_t>(parse_integer(text.substr(0, comma), "--links", 1, 16'384)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return links;
}

bench::page_kind parse_pages(std::string_view text) {
  if (text == "shared") return bench::page_kind::shared;
  if (text == "small") return bench::page_kind::small;
  if (text == "huge") return bench::page_kind::huge;
  throw setup_error("--pages " + std::string(text) + " is none of shared, small, huge");
}

int run_benchmark(const bench::options& given) {
  choice c;
  std::vector<std::string_view> parts{"sender", "relay", "receiver"};
  std::vector<std::size_t> links{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
  if (given.is_smoke) {
    links = {1, 2, 64, 300};
    c.n_messages = 100'000;
  }
  for (std::size_t i = 0; i < given.others.size(); i += 2) {
    const std::string& option = given.others[i];
    if (i + 1 == given.others.size()) throw setup_error(option + " wants a value");
    const std::string_view value = given.others[i + 1];
    if (option == "--part") {
      parts = {value};
    } else if (option == "--links") {
      links = parse_links(value);
    } else if (option == "--pool") {
      c.pool_bytes = value == "default" ? 0 : parse_bytes(value, "--pool");
    } else if (option == "--slot-bytes") {
      c.slot_bytes = parse_bytes(value, "--slot-bytes") / 64 * 64;
    } else if (option == "--pages") {
      c.pages = parse_pages(value);
    } else if (option == "--order") {
      if (value != "random" && value != "cyclic") throw setup_error("--order takes random or cyclic");
      c.is_cyclic = value == "cyclic";
    } else {
      throw setup_error("unknown option '" + option + "'");
    }
  }
  bool is_right = true;
  for (const std::string_view part : parts) is_right &= measure(part, c, links, given.n_repeats);
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_benchmark(bench::parse_options(argc, argv));
  } catch (const setup_error& error) {
    std::fprintf(stderr, "fanout: %s\n", error.what());
    return status_usage;
  }
}
