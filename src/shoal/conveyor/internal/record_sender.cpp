#include "shoal/conveyor/internal/record_sender.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/monster.hpp"
#include "shoal/conveyor/internal/outbox.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"
#include "shoal/conveyor/internal/worker_links.hpp"

namespace shoal::internal {
namespace {

// Two pieces that are read one after the other.
class pieces {
public:
  pieces(std::span<const std::byte> first, std::span<const std::byte> second) noexcept
      : first_(first), second_(second) {}

  std::size_t size() const noexcept { return first_.size() + second_.size(); }

  void read(std::byte* to, std::size_t n) noexcept {
    const std::size_t n_first = std::min(n, first_.size());
    take(first_, to, n_first);
    take(second_, to + n_first, n - n_first);
  }

private:
  static void take(std::span<const std::byte>& from, std::byte* to, std::size_t n) noexcept {
    if (n != 0) std::memcpy(to, from.data(), n);
    from = from.subspan(n);
  }

  std::span<const std::byte> first_;
  std::span<const std::byte> second_;
};

}  // namespace

record_sender::record_sender(stream& through, std::size_t payload_bytes, std::uint32_t align) noexcept
    : stream_(through),
      align_(align),
      whole_bytes_max_(whole_record_bytes_max(payload_bytes, align) & ~(sizeof(run_header) - 1)) {}

std::byte* record_sender::begin(const stream::way& to, record_kind kind, std::size_t bytes, when_full policy) {
  const run_header header{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(bytes)};
  std::byte* const place = stream_.make_record(to, header, align_, policy);
  n_records_ += place != nullptr;
  return place;
}

void record_sender::send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body) {
  const bool is_whole = head.size() + body.size() <= whole_bytes_max_;
  if (!is_whole && to.links.of_workers != nullptr) [[unlikely]]
    return post_whole(to, head, body);
  const when_full policy = to.policy(stream_.now());
  const when_full of_fragment = policy == when_full::spill ? when_full::spill_apart : policy;
  send(to, head, body, is_whole ? policy : of_fragment, of_fragment);
}

// Fragments of a PE follow one another, so its own thread sends all of them.
void record_sender::post_whole(const stream::way& to, std::span<const std::byte> head,
                               std::span<const std::byte> body) {
  auto whole = std::make_unique<monster_block>(head.size() + body.size());
  pieces(head, body).read(whole->data(), head.size() + body.size());
  const stream::way own{stream_.hop(0).out().links(), to.link_index, to.tag};
  auto send_it = [this, own, whole = std::move(whole)] { send(own, {}, whole->bytes()); };
  to.links.of_workers->hand_over_call(to.links, to.link_index,
                                      *new posted_call_of<decltype(send_it)>(std::move(send_it)));
}

bool record_sender::try_send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body) {
  if (to.links.of_workers != nullptr) [[unlikely]] {
    if (head.size() + body.size() <= whole_bytes_max_) return send(to, head, body, when_full::give_up, when_full::wait);
    post_whole(to, head, body);
    return true;
  }
  const bool is_handler = stream_.now().policy_now() == when_full::spill;
  return send(to, head, body, when_full::give_up, is_handler ? when_full::spill_apart : when_full::overrun_apart);
}

// False: the first record found no room.
bool record_sender::send(const stream::way& to, std::span<const std::byte> head, std::span<const std::byte> body,
                         when_full policy_of_first, when_full policy_of_rest) {
  pieces left(head, body);
  const std::uint64_t total = left.size();
  if (total <= whole_bytes_max_) {
    std::byte* const place = begin(to, total, policy_of_first);
    if (place == nullptr) return false;
    left.read(place, total);
    to.write_tag();
    return true;
  }
  const bool is_by_handler = stream_.now().policy_now() == when_full::spill;
  record_kind kind = is_by_handler ? record_kind::first_fragment_by_handler : record_kind::first_fragment;
  std::size_t n = whole_bytes_max_ - sizeof total;
  std::byte* place = begin(to, kind, sizeof total + n, policy_of_first);
  if (place == nullptr) return false;
  std::memcpy(place, &total, sizeof total);
  place += sizeof total;
  kind = is_by_handler ? record_kind::fragment_by_handler : record_kind::fragment;
  for (;;) {
    left.read(place, n);
    to.write_tag();
    if (left.size() == 0) return true;
    n = std::min(whole_bytes_max_, left.size());
    place = begin(to, kind, n, policy_of_rest);
  }
}

}  // namespace shoal::internal
