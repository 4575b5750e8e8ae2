#include "shoal/actor/world.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "shoal/base/contract.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal {

using detail::collective;

namespace {

codec_number codec_named(std::string_view name) {
  if (name == "best") return codec_number::best;
  if (name == "squeeze") return codec_number::squeeze;
  if (name == "delta") return codec_number::delta;
  return name == "zstd" ? codec_number::zstd : codec_number::none;
}

}  // namespace

world::world(substrate& machine, const settings& chosen)
    : machine_(machine),
      settings_(chosen),
      exchange_(machine,
                {.slots = {.n_shared_slots = chosen.n_shared_slots.value < 0
                                                 ? SIZE_MAX
                                                 : static_cast<std::size_t>(chosen.n_shared_slots.value),
                           .spill_bytes_max = spill_bytes_max(chosen)},
                 .node_size = chosen.node_size.value,
                 .n_hops = static_cast<int>(chosen.n_hops.value),
                 .codec = codec_named(chosen.codec.value),
                 .ns_per_byte = chosen.ns_per_byte.value < 0 ? machine.ns_per_byte() : chosen.ns_per_byte.value,
                 .latency_ns = static_cast<std::uint64_t>(chosen.max_latency_us.value) * 1000,
                 .keeps_records = chosen.stats.value}),
      hops_(exchange_.nodes(), {.least = static_cast<int>(chosen.n_hops.value),
                                .most = chosen.adapts_hops ? n_hops_max : static_cast<int>(chosen.n_hops.value),
                                .slot_bytes = machine.payload_bytes(),
                                .ns_per_buffer = machine.ns_per_buffer()}),
      reroutes_(chosen.sim.value.seed, 0x686f7073),
      learns_hops_(hops_.is_open() || (chosen.adapts_hops && chosen.sim.value.reroute > 0)) {
  current_pe = this;
  machine_.on_stall([this] { return describe_wait(); });
}

world::~world() {
  closures_.clear();
  machine_.on_stall({});
  current_pe = nullptr;
}

world& world::current() {
  if (current_pe == nullptr) {
    shoal::end_job(status_usage,
                   "a Shoal call outside shoal::run; make it in the function that "
                   "shoal::run was given");
  }
  return static_cast<world&>(*current_pe);
}

void world::end_job(int status, std::string_view report) noexcept {
  machine_.end_job(status, report);
  std::abort();  // never reached; gcc 12 forgets [[noreturn]] across the virtual call
}

void world::require_main(const char* what) const {
  if (const char* answering = exchange_.now().answering(); answering != nullptr) {
    shoal::end_job(status_usage, std::string(answering) + ": " + what +
                                     " in an answer, where nothing may wait; do it in the main program");
  }
  const inbox* const running = exchange_.now().running();
  if (running == nullptr) return;
  shoal::end_job(status_usage, running->describe() + ": " + what +
                                   " in a handler, where nothing may wait; send a message whose handler "
                                   "goes on, or do it in the main program");
}

// --- Supersteps

void world::begin_finish(const std::source_location& where) {
  require_main("finish");
  const std::size_t depth = scopes_.size();
  scopes_.push_back({.where = where, .mailboxes = {}});
  if (depth == 0) {
    for (mailbox* m : rootless_) enlist(*m);
  }
  if (closures_.size() <= depth) {
    // Constructed inside this scope, it enlists itself.
    closures_.push_back(std::make_unique<lambda_actor<world>>(*this, *this, "world"));
  } else {
    enlist(closures_[depth]->as_mailbox());
  }
}

void world::end_finish() {
  scope& s = scopes_.back();
  for (mailbox* m : s.mailboxes) m->await();
  await_quiescence(s.mailboxes, collective::finish, s.where);
  for (mailbox* m : s.mailboxes) m->end_superstep();
  s.mailboxes.clear();
}

void world::pop_scope() noexcept {
  for (mailbox* m : scopes_.back().mailboxes) m->end_superstep();
  scopes_.pop_back();
  if (!scopes_.empty()) return;
  for (mailbox* m : rootless_) m->is_closed_ = false;  // as dormant now as those that nobody closed
}

void world::enlist(mailbox& m) {
  if (scopes_.empty()) {
    rootless_.push_back(&m);
    return;
  }
  scopes_.back().mailboxes.push_back(&m);
  m.begin_superstep(scopes_.size() - 1);
}

void world::delist(mailbox& m) noexcept {
  m.record();
  std::erase(rootless_, &m);
  for (scope& s : scopes_) std::erase(s.mailboxes, &m);
  m.is_in_scope_ = false;
}

void world::close(std::span<mailbox* const> mailboxes) {
  for (mailbox* m : mailboxes) m->await();
  await_quiescence(mailboxes, collective::close_mailbox, {});
  for (mailbox* m : mailboxes) {
    m->end_superstep();
    m->is_closed_ = true;
    std::erase(scopes_[m->depth_].mailboxes, m);
  }
}

namespace {

struct wave_totals {
  std::uint64_t n_sent = 0;
  std::uint64_t n_handled = 0;

  friend wave_totals operator+(const wave_totals& a, const wave_totals& b) {
    return {a.n_sent + b.n_sent, a.n_handled + b.n_handled};
  }
};

// Where hops follow the traffic, waves carry this, too. Elsewhere a wave fits into a cache line.
struct traffic_totals {
  wave_totals wave;
  superstep_traffic traffic;  // on routes of as many hops as are chosen now
  std::size_t n_streams_most = 0;  // of a PE

  friend traffic_totals operator+(const traffic_totals& a, const traffic_totals& b) {
    return {a.wave + b.wave, a.traffic + b.traffic, std::max(a.n_streams_most, b.n_streams_most)};
  }
};

}  // namespace

// Termination by counting (Mattern, "Algorithms for distributed termination detection", 1987, the four
// counter method). A wave adds up what each PE sent and handled, each at a moment when it had nothing left
// to do. If what was handled up to wave w equals what was sent up to wave w+1, then nothing was under
// way in between, and nothing can come any more. A first wave that counts nothing sent is enough alone: a
// PE acts after its contribution only on a message, and there was none.
void world::await_quiescence(std::span<mailbox* const> mailboxes, collective kind, const std::source_location& where) {
  waits_in_ = kind == collective::finish ? "finish" : "close or the destructor of an actor";
  waits_at_ = where;
  // PEs that end other mailboxes than the rest are told.
  std::uint64_t type = detail::digest_of<traffic_totals>();
  for (const mailbox* m : mailboxes) type = (type ^ (m->stream_.serial() + 1)) * 0x100000001b3;
  std::uint64_t n_handled_last = UINT64_MAX;
  bool has_arrived = false;
  const auto is_idle = [](const mailbox* m) { return m->stream_.is_empty(); };
  for (unsigned patience = 0, n_busy = 0;;) {
    const bool has_moved = exchange_.progress() || exchange_.flush();
    if (has_moved) {
      patience = 0;
      // Mailboxes of outer supersteps may keep this PE busy for ever; those that we wait for need their
      // partly filled buffers sent, and their waves, all the same. Now and then is soon enough.
      if (++n_busy % 64 != 0) continue;
      for (mailbox* m : mailboxes) m->stream_.flush();
    }
    if (!has_arrived && std::all_of(mailboxes.begin(), mailboxes.end(), is_idle)) {
      traffic_totals mine;
      for (const mailbox* m : mailboxes) {
        // Over several hops a message counts once for each, so that one in a relay is under way.
        const stream_counts now = m->stream_.counts_of_hops();
        mine.wave.n_sent += now.n_sent - m->counts_before_.n_sent;
        mine.wave.n_handled += now.n_handled - m->counts_before_.n_handled;
        if (learns_hops() && m->stream_.n_hops() == hops_.n_hops())
          mine.traffic = mine.traffic + (m->stream_.traffic() - m->traffic_before_);
      }
      if (learns_hops()) {
        mine.n_streams_most = exchange_.n_streams();
        arrive(kind, type, std::as_bytes(std::span(&mine, 1)), detail::combine_values<traffic_totals, std::plus<>>,
               where);
      } else {
        arrive(kind, type, std::as_bytes(std::span(&mine.wave, 1)), detail::combine_values<wave_totals, std::plus<>>,
               where);
      }
      has_arrived = true;
    }
    if (has_arrived && machine_.is_round_complete()) {
      detail::check_heads(machine_);
      traffic_totals all;
      std::memcpy(&all, machine_.round_result() + sizeof(detail::round_head),
                  learns_hops() ? sizeof all : sizeof all.wave);
      if (all.wave.n_sent == 0 || all.wave.n_sent == n_handled_last) {
        if (learns_hops()) choose_hops(all.traffic, all.n_streams_most);
        break;
      }
      n_handled_last = all.wave.n_handled;
      has_arrived = false;
      patience = 0;
      continue;
    }
    if (!has_moved) exchange_.idle(patience);
  }
  waits_in_ = nullptr;
}

// Each hop of a mailbox reserves a slot, and mailboxes to come need theirs, too. So hops are chosen only while streams
// are an eighth of the slots at most, and none but the least are taken where more than half may be reserved.
bool world::has_slots_for_hops() const noexcept {
  if (!learns_hops_ || settings_.sim.value.reroute > 0) return true;
  const std::size_t n_new = exchange_.n_constructed() - n_constructed_ - n_ports_renewed_;
  return (n_ports_most_ + n_new) * 2 <= machine_.n_slots();
}

void world::choose_hops(const superstep_traffic& last, std::size_t n_streams_most) {
  const double reroute = settings_.sim.value.reroute;
  if (reroute > 0) {
    if (reroutes_.chance(reroute)) hops_.take(1 + static_cast<int>(reroutes_.below(n_hops_max)));
    return;
  }
  n_ports_most_ = n_streams_most * n_hops_max;
  n_constructed_ = exchange_.n_constructed();
  n_ports_renewed_ = 0;
  if (n_streams_most * 8 > machine_.n_slots()) {
    hops_.take(exchange_.n_hops());
  } else if (last.n_items != 0) {
    hops_.learn(last);
  }
}

bool world::progress() {
  require_main("progress (or yield)");
  const bool has_moved = exchange_.progress();
  if (has_moved || exchange_.flush()) {
    progress_patience_ = 0;
  } else {
    // Whoever loops on progress waits for somebody who may need this core.
    machine_.pause(progress_patience_);
  }
  return has_moved;
}

lambda_actor<world>& world::closures() {
  if (scopes_.empty()) {
    shoal::end_job(status_usage, "world.send outside finish; nothing would wait for it, so send inside world.finish");
  }
  // A handler's closures belong to the superstep of the message it handles, which may be an outer one of
  // that in which the main program waits.
  return *closures_[exchange_.now().running() == nullptr ? scopes_.size() - 1 : handling_depth_];
}

// --- Collectives

void world::arrive(collective kind, std::uint64_t type, std::span<const std::byte> payload, combine_function combine,
                   const std::source_location& where) {
  std::byte contribution[round_bytes_max];
  const detail::round_head head = detail::make_head(kind, type, where, my_pe());
  std::memcpy(contribution, &head, sizeof head);
  if (!payload.empty()) std::memcpy(contribution + sizeof head, payload.data(), payload.size());
  machine_.arrive({contribution, sizeof head + payload.size()}, combine);
}

const std::byte* world::round(collective kind, std::uint64_t type, std::span<const std::byte> payload,
                              combine_function combine, const std::source_location& where) {
  require_main("a collective call");
  waits_in_ = "a collective call";
  waits_at_ = where;
  arrive(kind, type, payload, combine, where);
  for (unsigned patience = 0; !machine_.is_round_complete();) exchange_.progress_or_idle(patience);
  waits_in_ = nullptr;
  detail::check_heads(machine_);
  return machine_.round_result() + sizeof(detail::round_head);
}

void world::barrier(std::source_location where) {
  round(collective::barrier, 0, {}, detail::combine_only_heads, where);
}

void world::end_of_body() {
  waits_in_ = "the end of the program";
  round(collective::end_of_body, 0, {}, detail::combine_only_heads, {});
  if (settings_.stats.value) print_statistics();
}

void world::print_statistics() {
  for (const auto& closures : closures_) closures->as_mailbox().record();
  std::vector<stream_record> records = exchange_.take_records();
  for (stream_record& r : records) {
    const stream_counts mine = r.counts;
    r.counts = all_reduce(mine);
    r.counts.buffer_bytes_most = max(mine.buffer_bytes_most);
    r.counts.monster_bytes_most = max(mine.monster_bytes_most);
  }
  const std::uint64_t buffer_bytes_most = max(exchange_.buffer_bytes_most());
  std::erase_if(records, [](const stream_record& r) { return r.counts.n_sent == 0; });
  if (my_pe() == 0 && !records.empty()) {
    const statistics_summary all{.n_pes = n_pes(),
                                 .payload_bytes = machine_.payload_bytes(),
                                 .buffer_bytes_most = buffer_bytes_most,
                                 .budget_bytes = settings_.memory_bytes.value,
                                 .n_hops = n_hops(),
                                 .n_hop_changes = hops_.n_changes()};
    std::fputs(format_statistics(records, all).c_str(), stderr);
  }
}

void world::broadcast_bytes(std::span<std::byte> bytes, pe_id root, const std::source_location& where) {
  if (root < 0 || root >= n_pes()) {
    shoal::end_job(status_usage, "broadcast from PE " + std::to_string(root) +
                                     ", which is out of range; PEs are 0 to " + std::to_string(n_pes() - 1));
  }
  // Heads carry the whole size and the root, so that PEs that disagree are told.
  const std::uint64_t type = bytes.size() ^ (static_cast<std::uint64_t>(root) << 40);
  while (!bytes.empty()) {
    const std::span<std::byte> piece = bytes.first(std::min(bytes.size(), detail::round_payload_max));
    round(collective::broadcast, type, piece, detail::combine_only_heads, where);
    if (my_pe() != root) std::memcpy(piece.data(), contribution(root), piece.size());
    bytes = bytes.subspan(piece.size());
  }
}

// --- Symmetric memory

std::size_t world::allocate_bytes(std::size_t bytes, const std::source_location& where) {
  constexpr std::size_t align = cache_line_bytes;
  const std::size_t begin =
      allocations_.empty() ? 0 : (allocations_.back().first + allocations_.back().second + align - 1) / align * align;
  if (bytes > machine_.heap_bytes() || begin > machine_.heap_bytes() - bytes) {
    throw setup_error("the symmetric heap is exhausted: " + std::to_string(bytes) + " bytes wanted, " +
                      std::to_string(machine_.heap_bytes() - std::min(begin, machine_.heap_bytes())) + " of " +
                      std::to_string(machine_.heap_bytes()) +
                      " left on each PE; raise SHOAL_HEAP (shoalrun --heap), for example to " +
                      std::to_string(((begin + bytes) >> 20) + 1) + "M");
  }
  // All PEs compute the same offset, or the round says that they do not.
  round(collective::allocate, bytes, {}, detail::combine_only_heads, where);
  // An empty array has an offset of its own, too, by which it is deallocated.
  allocations_.emplace_back(begin, std::max(bytes, align));
  std::memset(machine_.heap() + begin, 0, bytes);
  round(collective::allocate, bytes, {}, detail::combine_only_heads, where);
  return begin;
}

void world::deallocate_bytes(std::size_t offset, const std::source_location& where) {
  round(collective::deallocate, offset, {}, detail::combine_only_heads, where);
  const std::size_t n_erased = std::erase_if(allocations_, [&](const auto& a) { return a.first == offset; });
  if (n_erased == 0) {
    shoal::end_job(status_usage, "deallocate of an array that is not allocated (offset " + std::to_string(offset) +
                                     " of the symmetric heap); was it deallocated before?");
  }
}

void world::access_out_of_range(std::size_t index, std::size_t size, pe_id pe) const {
  const std::string of_array = "element " + std::to_string(index) + " of an array of " + std::to_string(size);
  const bool is_there = pe >= 0 && pe < n_pes();
  shoal::end_job(status_usage,
                 "one-sided access to " + of_array + " on PE " + std::to_string(pe) + ", which is out of range; " +
                     (is_there ? "elements are counted from 0" : "PEs are 0 to " + std::to_string(n_pes() - 1)));
}

std::uint32_t world::enlist_object(void* object) {
  require_main("constructing a per_pe");
  objects_.push_back(object);
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

void world::no_such_object() const {
  shoal::end_job(status_usage,
                 "the handle of a per_pe was used on this PE before the per_pe was constructed here, or "
                 "after it was destroyed; construct it before the finish whose messages use it, and let "
                 "it live until that has returned");
}

// --- Reports

std::string world::describe_wait() const {
  std::string text;
  if (const inbox* full = exchange_.pressure().waiting_for_room(); full != nullptr) {
    text = "for room to send (" + full->describe() + ")";
  } else if (waits_in_ == nullptr) {
    return "runs its main program";
  } else {
    text = std::string("in ") + waits_in_;
    if (waits_at_.line() != 0) {
      text += std::string(" (") + waits_at_.file_name() + ":" + std::to_string(waits_at_.line()) + ")";
    }
  }
  for (const stream_hop* hop : exchange_.hops()) {
    const stream_counts counts = hop->counts();
    if (counts.n_sent != 0 || counts.n_handled != 0 || !hop->is_empty()) text += "; " + hop->describe_backlog();
  }
  return text;
}

}  // namespace shoal
