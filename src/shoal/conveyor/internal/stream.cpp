#include "shoal/conveyor/internal/stream.hpp"

#include <algorithm>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/internal/relay.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/run.hpp"
#include "shoal/conveyor/internal/worker_links.hpp"

namespace shoal::internal {
namespace {

// A route of one hop needs no tables.
const route* route_of(exchange& through, int n_hops) {
  if (other_worker() != nullptr) refuse_in_work(name_of_tasks, "constructing an actor or a conveyor");
  const int n = n_hops == 0 ? through.n_hops() : n_hops;
  return n == 1 ? nullptr : &through.route_of(n);
}

// They are empty.
void forget_links_of_workers(exchange& through, const open_links& gone) {
  if (worker_links* const all = through.parts().of_workers; all != nullptr) all->forget(gone);
}

const hop_links* links_of_last_hop(const route* way) { return way == nullptr ? nullptr : &way->hop(way->n_hops() - 1); }

std::vector<owner<relay>> make_relays(exchange& through, const route* way, const relay_options& options) {
  std::vector<owner<relay>> relays;
  for (int h = 0; way != nullptr && h + 1 < way->n_hops(); ++h) {
    relays.push_back(std::make_unique<relay>(through, *way, h, options));
  }
  return relays;
}

std::uint8_t number_of_last_hop(const route* way) {
  return static_cast<std::uint8_t>(way == nullptr ? 0 : way->n_hops() - 1);
}

}  // namespace

bool leaves_room_for_tag(const item_kind& kind, bool has_runs, std::size_t payload_bytes) noexcept {
  constexpr std::size_t tag_bytes_most = 4;
  const std::size_t head = has_runs ? std::max<std::size_t>(sizeof(run_header), kind.align) : 0;
  const std::size_t bytes = head + kind.bytes;
  return bytes > payload_bytes || bytes + tag_bytes_most <= payload_bytes;
}

// --- Hops

// Numbers on the wire follow the order of construction: relays' hops come first.
stream::stream(exchange& through, const stream_options& options)
    : route_(route_of(through, options.n_hops)),
      n_pes_(static_cast<std::uint64_t>(through.n_pes())),
      now_(through.now()),
      exchange_(through),
      has_workers_(through.parts().has_workers && options.consumer != nullptr),
      pressure_(through.parts().pressure),
      kinds_(options.kinds),
      consumer_(options.consumer),
      relays_(std::make_unique<std::vector<owner<relay>>>(make_relays(
          through, route_, {.kind = options.kind, .kinds = options.kinds, .on_behalf_of = options.consumer}))),
      last_(std::make_unique<stream_hop>(through, links_,
                                         stream_hop_options{.kind = options.kind,
                                                            .consumer = options.consumer,
                                                            .links = links_of_last_hop(route_),
                                                            .number = number_of_last_hop(route_)})),
      arrivals_(&last_->in()),
      serial_(last_->serial()),
      whose_(current_pe) {
  chain();
}

stream::~stream() {
  if (has_workers_ && !is_orphan()) forget_links_of_workers(exchange_, *first_links_);
}

stream_hop& stream::hop(std::size_t position) noexcept {
  return position < relays_->size() ? (*relays_)[position]->hop() : *last_;
}

template <class Visit>
void stream::for_each_hop(Visit visit) const {
  for (const auto& r : *relays_) visit(r->hop());
  visit(*last_);
}

// Each relay sends to the next one, and the last relay to the last hop.
void stream::chain() {
  stream_hop* next = last_.get();
  for (auto at = relays_->rbegin(); at != relays_->rend(); ++at) {
    (*at)->send_to(*next);
    next = &(*at)->hop();
  }
  first_ = next;
  n_hops_ = static_cast<int>(relays_->size()) + 1;
  first_links_ = &next->out().links();
  first_hops_ = route_ == nullptr ? nullptr : route_->by_target();
  if (combiner_ == nullptr) return;
  // A tag of the first hop names the target. On the last hop the link does. The second hop of three has both in its tags.
  constexpr std::uint32_t whole_tag = 0;
  int h = 0;
  for_each_hop([&](stream_hop& hop) {
    const bool is_last = h + 1 == n_hops_;
    const std::uint32_t n_targets = is_last ? 1 : h == 0 ? whole_tag : route_->n_targets_of_second();
    hop.combine(*combiner_, n_targets, combines_everywhere_);
    ++h;
  });
  combiner_->send_by(*first_->window());
}

// The last session has ended everywhere, so nothing is in transit on the old route. Buffers that faster PEs already
// send on the new route are parked until our hops exist.
void stream::take_route(int n_hops) {
  SHOAL_ASSERT(is_empty());
  if (has_workers_) forget_links_of_workers(exchange_, *first_links_);
  counts_elsewhere_ = counts();
  const std::uint64_t latency_ns = last_->out().latency_ns();
  relays_->clear();
  first_ = last_.get();
  route_ = route_of(exchange_, n_hops);
  *relays_ = make_relays(exchange_, route_, {.kind = links_.only_kind, .kinds = kinds_, .on_behalf_of = consumer_});
  for (const auto& r : *relays_) r->hop().out().limit_latency(latency_ns);
  last_->take_links(links_of_last_hop(route_), number_of_last_hop(route_));
  chain();
  let_send(lets_own_thread_send_);
}

// --- Sending

bool stream::make_room(link_end& link, const item_kind& kind, when_full policy) {
  return pressure_.make_room(last_->out(), link, kind, policy);
}

bool stream::make_room(const way& to, const item_kind& kind, when_full policy) {
  if (to.links.of_workers != nullptr) [[unlikely]]
    return to.links.of_workers->make_room(to.links, to.link_index, kind, policy);
  return pressure_.make_room(first_->out(), to.link(), kind, policy);
}

std::byte* stream::make_record(const way& to, const run_header& header, std::uint32_t align, when_full policy) {
  if (to.links.of_workers != nullptr) [[unlikely]]
    return to.links.of_workers->make_record(to.links, to.link_index, header, align, policy);
  return pressure_.make_record(first_->out(), to.link(), header, align, policy);
}

// --- Combining

void stream::combine_by(item_combiner& combiner, bool everywhere) {
  SHOAL_ASSERT(links_.only_kind.bytes != 0);
  combiner_ = &combiner;
  combines_everywhere_ = everywhere;
  chain();
}

// --- Sessions

void stream::begin_session(const item_kind& kind) {
  n_last_sent_ = 0;
  for_each_hop([&](stream_hop& hop) { hop.begin_session(kind); });
}

void stream::end_session() noexcept {
  for_each_hop([](stream_hop& hop) { hop.end_session(); });
}

void stream::join_wave() noexcept {
  for_each_hop([](stream_hop& hop) { hop.join_wave(); });
}

bool stream::try_send_last() noexcept {
  for (; n_last_sent_ < n_hops(); ++n_last_sent_) {
    const auto h = static_cast<std::size_t>(n_last_sent_);
    if (h > 0) {
      const inbox& before = (*relays_)[h - 1]->hop().in();
      if (!before.has_last_arrived() || !before.has_consumed_all()) return false;
    }
    outbox& its = hop(h).out();
    if (!its.try_send_last()) {
      // Spilled items wait for credits; a link without a buffer may wait for a buffer of our own.
      if (!its.has_spilled()) exchange_.parts().leaving.free_a_slot(its);
      return false;
    }
  }
  return true;
}

bool stream::is_empty() const noexcept {
  bool is_empty = first_links_->n_at_workers.load(std::memory_order_seq_cst) == 0;
  for_each_hop([&](const stream_hop& hop) { is_empty &= hop.is_empty(); });
  return is_empty;
}

void stream::flush() noexcept {
  for_each_hop([](stream_hop& hop) { hop.out().flush(); });
}

void stream::limit_latency(std::uint64_t ns) noexcept {
  for_each_hop([&](stream_hop& hop) { hop.out().limit_latency(ns); });
}

// --- Received items

tag_origins stream::origins_by(pe_id source) const noexcept {
  return route_ == nullptr ? tag_origins(source, nullptr, false) : route_->origins_by(source);
}

// --- Counts

stream::hop_items stream::items_of_hops() const noexcept {
  hop_items all;
  for_each_hop([&](const stream_hop& hop) {
    all.n_sent += hop.out().counts().n_sent;
    all.n_handled += hop.in().n_handled();
    all.n_ahead += hop.in().n_ahead();
    all.has_open_buffers |= hop.out().has_open();
  });
  all.n_relayed = all.n_handled - last_->in().n_handled();
  return all;
}

stream_counts stream::counts() const noexcept {
  stream_counts counts;
  for_each_hop([&](const stream_hop& hop) { counts = counts + hop.counts(); });
  const stream_counts& sending = first_->out().counts();
  counts.n_sent = sending.n_sent;
  counts.n_waits = sending.n_waits;
  counts.n_spills = sending.n_spills;
  counts.n_handled = last_->in().n_handled();
  counts.handling_ns = last_->in().handling_ns();
  return followed_by(counts, counts_elsewhere_);
}

superstep_traffic stream::traffic() const noexcept {
  const stream_counts& sent = first_->out().counts();
  std::uint64_t n_buffers = 0;
  for_each_hop([&](const stream_hop& hop) { n_buffers += hop.out().counts().n_buffers; });
  return {sent.n_sent, sent.n_bytes + sent.n_spared, sent.n_buffers, n_buffers};
}

void stream::note_monsters(std::uint64_t bytes) noexcept { last_->note_monsters(bytes); }

bool stream::is_orphan() const noexcept { return last_->has_left(); }

void stream::record(const std::string& name) const {
  if (!exchange_.parts().keeps_records()) return;
  std::uint32_t position = relays_->empty() ? 0 : 1;
  for_each_hop([&](const stream_hop& hop) { exchange_.parts().record(hop.counts(), name, serial_, position++); });
}

}  // namespace shoal::internal
