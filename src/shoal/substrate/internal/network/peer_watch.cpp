#include "shoal/substrate/internal/network/peer_watch.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "shoal/base/internal/life_lock.hpp"

namespace shoal::internal::network {
namespace {

// Each look takes a system call or two.
constexpr std::uint64_t interval_ns = 10'000'000;

}  // namespace

peer_watch::peer_watch(const node_map& nodes, const local::job_page& job, leader_ring* ring)
    : nodes_(nodes), job_(job), ring_(ring), last_(static_cast<std::size_t>(nodes.my_local)) {
  struct stat memory{};
  if (!nodes.has_life_locks || ::fstat(nodes.memory.get(), &memory) != 0) return;
  device_ = memory.st_dev;
  file_ = memory.st_ino;
  // Some systems grant locks but do not show them to other processes.
  const std::vector<int>& here = nodes.my_members();
  is_watching_node_ = std::ranges::all_of(
      here, [&](int rank) { return rank == here[last_] || is_life_lock_held(nodes.memory.get(), rank); });
}

// The program may have closed the descriptor and opened another file under its number.
bool peer_watch::is_same_memory() const noexcept {
  struct stat memory{};
  return ::fstat(nodes_.memory.get(), &memory) == 0 && memory.st_dev == device_ && memory.st_ino == file_;
}

bool peer_watch::has_lost_lock(std::size_t position) const noexcept {
  // Check the lock first: a process marks that it has finished before it ends.
  return is_watching_node_ && position != static_cast<std::size_t>(nodes_.my_local) &&
         !is_life_lock_held(nodes_.memory.get(), nodes_.my_members()[position]) &&
         job_.stage[position].load(std::memory_order_acquire) != local::pe_stage::finished && is_same_memory();
}

pe_id peer_watch::look(std::uint64_t now_ns) noexcept {
  if (now_ns < next_look_ns_) return -1;
  next_look_ns_ = now_ns + interval_ns;
  const std::vector<int>& here = nodes_.my_members();
  // A process loses its locks when it closes any descriptor of the memory, as a program might that searches
  // /proc/self/fd.
  if (is_watching_node_ && is_same_memory()) {
    hold_life_lock(nodes_.memory.get(), here[static_cast<std::size_t>(nodes_.my_local)]);
  }
  if (++last_ >= here.size()) last_ = 0;
  if (has_lost_lock(last_)) return here[last_];
  return ring_ == nullptr ? -1 : ring_->look();
}

bool peer_watch::is_dead(pe_id found) noexcept {
  const std::vector<int>& here = nodes_.my_members();
  const auto at = std::ranges::find(here, static_cast<int>(found));
  return at == here.end() || has_lost_lock(static_cast<std::size_t>(at - here.begin()));
}

}  // namespace shoal::internal::network
