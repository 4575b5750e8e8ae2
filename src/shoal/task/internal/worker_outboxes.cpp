#include "shoal/task/internal/worker_outboxes.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream.hpp"
#include "shoal/substrate/internal/pe_threads.hpp"

namespace shoal::internal {
namespace {

// Buffers of a PE that its workers may fill or have handed over. As many as it has slots; and enough for each worker to fill
// one while another is sent.
std::size_t n_blocks_of(const exchange& through, std::size_t n_workers) noexcept {
  return std::max(through.backend().n_slots(), 4 * n_workers);
}

// When links that have no slot now are so many, later buffers are not tried.
constexpr std::size_t n_refused_most = 16;

bool is_unfilled(const open_links& its, std::size_t link) noexcept {
  return its.ends[link].cursor == its.states[link].items.open_buffer()->payload();
}

}  // namespace

void worker_outboxes::free_block::operator()(buffer* its) const noexcept { std::free(its); }

worker_outboxes::stream_links::stream_links(worker_links& all, worker_part& part, stream& through,
                                            const open_links& own, pe_worker& by)
    : home(part), of(through), whose(by) {
  number = own.number;
  of_workers = &all;
  only_kind = own.only_kind;
  tag_bytes = own.tag_bytes;
  n_links = own.n_links;
  ends = std::make_unique<link_end[]>(n_links);
  states = std::make_unique<link_state[]>(n_links);
  if (only_kind.bytes == 0) return;
  for (std::size_t link = 0; link < n_links; ++link) ends[link].kind = &only_kind;
}

worker_outboxes::worker_outboxes(exchange& through, pe_threads& threads, std::size_t n_workers)
    : worker_links(n_workers),
      exchange_(through),
      threads_(threads),
      n_blocks_most_(n_blocks_of(through, n_workers)),
      n_available_(n_blocks_most_) {
  for (std::size_t i = 0; i < n_workers; ++i) of_workers_.push_back(std::make_unique<worker_part>());
  exchange_.parts().of_workers = this;
  exchange_.parts().spare.enter(*this);
}

worker_outboxes::~worker_outboxes() {
  exchange_.parts().spare.leave(*this);
  exchange_.parts().of_workers = nullptr;
  for (std::size_t i = 1; i < of_workers_.size(); ++i) discard(i);
}

// --- Workers

open_links& worker_outboxes::find_links(stream& through, const open_links& own, pe_worker& by) {
  worker_part& part = *of_workers_[by.number()];
  const std::uint64_t number = own.number;
  if (part.has_forgotten.load(std::memory_order_acquire)) forget_links(by.number());
  const auto found = std::ranges::find_if(part.all, [&](const auto& each) { return each->number == number; });
  stream_links& its = found != part.all.end()
                          ? **found
                          : *part.all.emplace_back(std::make_unique<stream_links>(*this, part, through, own, by));
  last_used_by(by.number()) = {number, &its};
  return its;
}

void worker_outboxes::forget_links(std::size_t number) {
  worker_part& of = *of_workers_[number];
  const std::lock_guard lock(of.forgetting);
  const auto is_gone = [&](const auto& each) {
    return std::ranges::find(of.forgotten, each->number) != of.forgotten.end();
  };
  std::erase_if(of.all, is_gone);
  last_used_by(number) = {};
  of.forgotten.clear();
  of.has_forgotten.store(false, std::memory_order_relaxed);
}

bool worker_outboxes::make_room(open_links& its, std::size_t link, const item_kind& kind, when_full policy) {
  auto& mine = static_cast<stream_links&>(its);
  link_buffer& items = its.states[link].items;
  const bool has_runs = its.only_kind.bytes == 0;
  const item_kind& its_kind = has_runs ? kind : its.only_kind;
  for (;;) {
    if (items.open_buffer() == nullptr && !open_block(mine, link, policy)) return false;
    if (items.make_room(its.ends[link], its_kind, has_runs, its.tag_bytes)) return true;
    if (is_unfilled(its, link)) refuse_item(its_kind.bytes, exchange_.payload_bytes());
    hand_over(mine, link);
  }
}

std::byte* worker_outboxes::make_record(open_links& its, std::size_t link, const run_header& header,
                                        std::uint32_t align, when_full policy) {
  auto& mine = static_cast<stream_links&>(its);
  link_buffer& items = its.states[link].items;
  const item_layout layout = layout_of(its.only_kind);
  const bool lets_begin = layout == item_layout::records && its.tag_bytes == 0;
  for (;;) {
    if (items.open_buffer() == nullptr && !open_block(mine, link, policy)) return nullptr;
    std::byte* const begin = items.make_record(its.ends[link], header, align, its.tag_bytes, layout, lets_begin);
    if (begin != nullptr) return begin;
    if (is_unfilled(its, link)) refuse_item(header.n_items, exchange_.payload_bytes());
    hand_over(mine, link);
  }
}

bool worker_outboxes::open_block(stream_links& its, std::size_t link, when_full policy) {
  block next = try_take();
  if (next == nullptr && policy == when_full::give_up) {
    hand_over_all(its.home);  // otherwise a task that tries again might try for ever
    return false;
  }
  for (unsigned patience = 0; next == nullptr; next = try_take()) {
    hand_over_all(its.home);  // otherwise all buffers may lie open here
    its.whose.wait_for_pe(patience, n_available_);
  }
  note_under_way(its.of, 1);
  its.states[link].items.open(its.ends[link], *next.release(), exchange_.payload_bytes());
  its.open.push_back(static_cast<std::uint32_t>(link));
  its.home.n_open.fetch_add(1, std::memory_order_relaxed);
  return true;
}

worker_outboxes::block worker_outboxes::close(stream_links& its, std::size_t link) noexcept {
  its.store_held_items();
  block filled(&its.states[link].items.close(its.ends[link], {}, its.only_kind, its.tag_bytes));
  if (its.only_kind.bytes != 0) its.ends[link].kind = &its.only_kind;
  std::erase(its.open, static_cast<std::uint32_t>(link));
  its.home.n_open.fetch_sub(1, std::memory_order_relaxed);
  return filled;
}

void worker_outboxes::hand_over(stream_links& its, std::size_t link) {
  hand_over(its, {&its.of, link, close(its, link)});
}

void worker_outboxes::hand_over(stream_links& its, handed_item&& next) {
  worker_part& home = its.home;
  {
    const std::lock_guard lock(home.handing);
    home.handed.push_back(std::move(next));
    home.has_handed.store(true, std::memory_order_seq_cst);
  }
  its.whose.notify_pe();
}

void worker_outboxes::hand_over_call(open_links& its, std::size_t link, posted_call& call) {
  auto& mine = static_cast<stream_links&>(its);
  if (its.states[link].items.open_buffer() != nullptr) hand_over(mine, link);
  note_under_way(mine.of, 1);
  hand_over(mine, {&mine.of, link, nullptr, &call});
}

void worker_outboxes::hand_over_all(worker_part& of) {
  of.is_asked.store(false, std::memory_order_relaxed);
  for (const auto& each : of.all) {
    while (!each->open.empty()) hand_over(*each, each->open.front());
  }
}

void worker_outboxes::discard(std::size_t number) noexcept {
  for (const auto& each : of_workers_[number]->all) {
    while (!each->open.empty()) {
      close(*each, each->open.back());
      note_under_way(each->of, -1);
    }
  }
}

void worker_outboxes::note_under_way(stream& of, int change) noexcept {
  of.hop(0).out().links().n_at_workers.fetch_add(change, std::memory_order_seq_cst);
  n_under_way_.fetch_add(change, std::memory_order_seq_cst);
}

worker_outboxes::block worker_outboxes::try_take() {
  const std::lock_guard lock(blocks_);
  if (!spare_.empty()) {
    block its = std::move(spare_.back());
    spare_.pop_back();
    n_available_.fetch_sub(1, std::memory_order_relaxed);
    return its;
  }
  if (n_made_ >= n_blocks_most_ && !is_dropping_.load(std::memory_order_relaxed)) return nullptr;
  const std::size_t bytes = sizeof(buffer) + exchange_.payload_bytes();
  void* const memory =
      std::aligned_alloc(cache_line_bytes, (bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes);
  if (memory == nullptr) end_job(status_failure, "out of memory for what tasks sent");
  if (n_made_++ < n_blocks_most_) n_available_.fetch_sub(1, std::memory_order_relaxed);
  return block(new (memory) buffer);
}

// --- The PE's own thread

void worker_outboxes::take_back(block done) noexcept {
  {
    const std::lock_guard lock(blocks_);
    spare_.push_back(std::move(done));
    n_available_.fetch_add(1, std::memory_order_seq_cst);
  }
  threads_.wake_all();
}

bool worker_outboxes::has_handed() const noexcept {
  return std::ranges::any_of(of_workers_,
                             [](const auto& each) { return each->has_handed.load(std::memory_order_seq_cst); });
}

void worker_outboxes::take_handed() {
  for (const auto& each : of_workers_) {
    if (!each->has_handed.load(std::memory_order_seq_cst)) continue;
    const std::lock_guard lock(each->handing);
    std::ranges::move(each->handed, std::back_inserter(handed_));
    each->handed.clear();
    each->has_handed.store(false, std::memory_order_relaxed);
  }
}

// What a call has sent last lies in this thread's own open buffer, and must not be overtaken.
bool worker_outboxes::send_one(handed_item& its, bool may_call) {
  outbox& out = its.of->hop(0).out();
  if (its.filled != nullptr) {
    if (out.is_spilling(its.link) || !out.send_copy(its.link, *its.filled)) return false;
    take_back(std::move(its.filled));
  } else {
    if (!may_call) return false;
    posted_call& call = *std::exchange(its.call, nullptr);
    call.end(call, true);
    out.flush(its.link);
  }
  note_under_way(*its.of, -1);
  return true;
}

bool worker_outboxes::send(bool may_call) {
  take_handed();
  if (handed_.empty() || is_sending_) return false;  // a call waits, and this is called meanwhile
  is_sending_ = true;
  struct refusal {
    const stream* of;
    std::size_t link;
    bool operator==(const refusal&) const = default;
  };
  std::vector<refusal> refused;  // what goes to the same link later must not overtake it
  std::deque<handed_item> kept;
  bool has_moved = false;
  while (!handed_.empty()) {
    handed_item next = std::move(handed_.front());
    handed_.pop_front();
    const refusal its{next.of, next.link};
    const bool may_go = refused.size() < n_refused_most && std::ranges::find(refused, its) == refused.end();
    if (may_go && send_one(next, may_call)) {
      has_moved = true;
      continue;
    }
    if (may_go) {
      if (next.filled != nullptr) exchange_.parts().leaving.free_a_slot(next.of->hop(0).out());
      refused.push_back(its);
    }
    kept.push_back(std::move(next));
  }
  handed_ = std::move(kept);
  is_sending_ = false;
  return has_moved;
}

void worker_outboxes::ask_for_all() noexcept {
  for (const auto& each : of_workers_) {
    if (!each->is_asked.load(std::memory_order_relaxed)) each->is_asked.store(true, std::memory_order_relaxed);
  }
}

void worker_outboxes::forget(const open_links& own) noexcept {
  for (std::size_t i = 1; i < of_workers_.size(); ++i) {
    worker_part& part = *of_workers_[i];
    const std::lock_guard lock(part.forgetting);
    part.forgotten.push_back(own.number);
    part.has_forgotten.store(true, std::memory_order_release);
  }
}

void worker_outboxes::drop(bool is_dropping) noexcept {
  is_dropping_.store(is_dropping, std::memory_order_relaxed);
  if (is_dropping) return;
  take_handed();
  for (handed_item& each : handed_) {
    note_under_way(*each.of, -1);
    if (each.filled != nullptr) take_back(std::move(each.filled));
    if (each.call != nullptr) each.call->end(*each.call, false);
  }
  handed_.clear();
}

}  // namespace shoal::internal
