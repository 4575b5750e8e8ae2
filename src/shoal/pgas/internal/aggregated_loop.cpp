#include "shoal/pgas/internal/aggregated_loop.hpp"

#include <algorithm>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// So that what is guessed wrong, and what a short loop keeps, is little.
constexpr std::size_t n_iterations_first = 64;
// A read, its query and its answer, and its iteration; in vectors that grow.
constexpr std::size_t bytes_of_read = 128;
constexpr std::int32_t luck_most = 64;

world& checked_home(std::int64_t n, const std::source_location& where) {
  world& home = world::of_job();
  home.require_main("aggregate");
  const auto refuse = [&](const std::string& what) { end_job(status_usage, source_place(where) + ": " + what); };
  if (loop_now(home) != nullptr) {
    refuse("aggregate in a function that another aggregate calls; let that function do the reads itself");
  }
  if (&world::current() != &home) {
    refuse("aggregate in a team, whose arrays have no element access by []; call it outside of the team's finish");
  }
  if (n < 0) refuse("aggregate of " + std::to_string(n) + " iterations; give 0 or more");
  return home;
}

}  // namespace

constinit thread_local running_loop* loops_now __attribute__((tls_model("initial-exec"))) = nullptr;

running_iterations::~running_iterations() {
  // Other PEs of this thread may have begun meanwhile.
  running_loop** to = &loops_now;
  while (*to != &its_) to = &(*to)->outer;
  *to = its_.outer;
}

aggregated_loop* find_loop(const world& home) noexcept {
  for (const running_loop* its = loops_now; its != nullptr; its = its->outer) {
    if (its->home != &home) continue;
    // A function of the program may have sent, and handlers and tasks run while it waits for room.
    const auto& now = its->loop->home().message_exchange().now();
    const bool is_main = now.running() == nullptr && now.answering() == nullptr && now.working() == nullptr;
    return is_main ? its->loop : nullptr;
  }
  return nullptr;
}

aggregated_loop::aggregated_loop(std::int64_t n, std::size_t memory_bytes, const std::source_location& where)
    : home_(checked_home(n, where)),
      entry_(std::make_unique<running_loop>(&home_, this)),
      where_(where),
      n_(n),
      memory_bytes_(memory_bytes),
      chunk_size_(std::min(n_iterations_first, n_iterations_max())) {}

std::size_t aggregated_loop::n_iterations_max() const noexcept {
  return std::max<std::size_t>(1, memory_bytes_ / bytes_of_read);
}

bool aggregated_loop::begin_chunk() {
  static_cast<void>(home_.message_exchange().progress());  // others wait for this PE's answers
  while (pending_.size() < chunk_size_ && n_begun_ < n_) pending_.push_back({n_begun_++, none});
  n_in_chunk_ = std::min(pending_.size(), chunk_size_);
  for (iteration& its : pending_) its.first_read = none;
  reads_.clear();
  large_values_.clear();
  n_fetched_ = 0;
  n_bytes_ = 0;
  checks_.clear();
  return n_in_chunk_ != 0;
}

// Whether iterations of the chunk are left to be run.
bool aggregated_loop::fetch() {
  if (n_in_chunk_ == 0) {
    if (n_bytes_ <= memory_bytes_ / 4) chunk_size_ = std::min(chunk_size_ * 4, n_iterations_max());
    return false;
  }
  if (is_too_large()) {
    chunk_size_ = std::max<std::size_t>(1, n_in_chunk_ / 2);
    return false;
  }
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    std::vector<element_query> queries;
    std::vector<std::uint64_t> large;
    if (kinds_.size() == 1) queries.reserve(reads_.size() - n_fetched_);
    for (std::size_t i = n_fetched_; i < reads_.size(); ++i) {
      element_read& its = reads_[i];
      if (its.kind != k) continue;
      queries.push_back({its.at.pe, its.at.offset, &its.value});
      if (kinds_[k].bytes <= sizeof its.value) continue;
      its.value = large_values_.size();
      large_values_.resize(large_values_.size() + kinds_[k].bytes);
      large.push_back(its.value);
    }
    if (!queries.empty()) kinds_[k].fetch(*this, queries, large);
  }
  n_fetched_ = reads_.size();
  return true;
}

std::uint16_t aggregated_loop::find_kind(std::size_t bytes, fetch_function by) {
  const auto found = std::ranges::find(kinds_, bytes, &element_kind::bytes);
  const auto number = static_cast<std::uint16_t>(found - kinds_.begin());
  if (found == kinds_.end()) kinds_.push_back({bytes, by});
  return number;
}

// The value; null: it is not here, and this run is to go on without it.
const std::byte* aggregated_loop::find(const element_place& at, std::uint16_t kind, const std::source_location& where) {
  if (may_meet_change(at) || part_ == part::using_it) [[unlikely]]
    check_read(at, where);
  if constexpr (are_iterations_checked) {
    if (!is_incomplete_) check_use(at, element_use::read, where);
  }
  const std::uint32_t next = next_read();
  if (next != none) {
    element_read& its = reads_[next];
    const bool is_same = its.at == at && its.kind == kind;
    if (is_same) {
      if (its.is_guess && !is_incomplete_) {
        its.is_guess = false;
        note_luck(1);
      }
      last_read_ = next;
      ++n_reads_;
      return next < n_fetched_ ? value_of(its) : do_without();
    }
    if (!its.is_guess) {
      refuse(
          where,
          "reads another element than when it ran before, with the same values; what it does before a read must be the "
          "same each time");
    }
    note_luck(-1);
    set_next_read(none);
  }
  return ask_for(at, kind);
}

const std::byte* aggregated_loop::ask_for(const element_place& at, std::uint16_t kind) {
  if (is_incomplete_) {
    // A guess that is wrong costs its owner an answer for nothing, and all iterations may guess the same element.
    asks_no_more_ = asks_no_more_ || luck_[std::min<std::size_t>(n_reads_, n_guessed - 1)] < 0;
    if (asks_no_more_) return nullptr;
  }
  const auto number = static_cast<std::uint32_t>(reads_.size());
  if (number == none) refuse(where_, "reads 4,294,967,295 elements; divide it");
  reads_.push_back({at, 0, none, kind, is_incomplete_});
  const std::size_t bytes = kinds_[kind].bytes;
  n_bytes_ += bytes_of_read + (bytes <= sizeof(std::uint64_t) ? 0 : 3 * bytes);
  set_next_read(number);
  last_read_ = number;
  ++n_reads_;
  return do_without();
}

void aggregated_loop::note_luck(std::int32_t by) noexcept {
  std::int32_t& its = luck_[std::min<std::size_t>(n_reads_, n_guessed - 1)];
  its = std::clamp(its + by, -luck_most, luck_most);
}

void aggregated_loop::check_read(const element_place& at, const std::source_location& where) const {
  if (part_ == part::using_it) {
    refuse(where, "reads an element in the second function; read it in the first, and return it");
  }
  if (std::ranges::find(changes_, at, &kept_change::at) != changes_.end()) {
    refuse(where, "reads an element that it has changed before; keep the value in a variable");
  }
}

void aggregated_loop::check_use(const element_place& at, element_use use, const std::source_location& where) {
  const std::int64_t other = checks_.note(at, use, iteration_);
  if (other < 0) return;
  const bool is_read = use == element_use::read;
  refuse(where, ((is_read ? "reads an element that iteration " : "changes an element that iteration ") +
                 std::to_string(other) + (is_read ? " changes" : " reads or changes otherwise") +
                 ": the iterations are not independent, so the order in which they run would decide")
                    .c_str());
}

void aggregated_loop::keep_change(const element_place& at, kept_change its, std::span<const std::byte> value) {
  changed_bits_ |= bit_of(at);
  its.value = values_of_changes_.size();
  values_of_changes_.insert(values_of_changes_.end(), value.begin(), value.end());
  changes_.push_back(its);
}

void aggregated_loop::send_changes() {
  for (const kept_change& its : changes_) its.send(home_, its, values_of_changes_.data() + its.value);
  forget_changes();
}

void aggregated_loop::forget_changes() noexcept {
  changes_.clear();
  values_of_changes_.clear();
}

void aggregated_loop::refuse(loop_misuse what, const std::source_location& where) const {
  switch (what) {
    case loop_misuse::catches_all:
      refuse(
          where,
          "has caught the exception by which a read leaves the function until its value is here; catch exceptions by "
          "their types, and no others");
    case loop_misuse::changes_while_it_reads:
      refuse(where, "changes an element in the first function; do it in the second");
    case loop_misuse::is_not_the_same_twice: break;
  }
  refuse(
      where,
      "has run twice from its beginning and found other values in the program's variables the second time; what comes "
      "before a read may run again, so change variables after the last read, or in a second function");
}

void aggregated_loop::refuse(const std::source_location& where, const char* what) const {
  end_job(status_usage, source_place(where) + ": iteration " + std::to_string(iteration_) + " of an aggregate " + what);
}

}  // namespace shoal::internal
