#include "shoal/substrate/internal/network/node_map.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <tuple>

#include "shoal/base/internal/cgroups.hpp"
#include "shoal/base/internal/cores.hpp"
#include "shoal/base/internal/life_lock.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"
#include "shoal/substrate/internal/network/descriptor_passing.hpp"

namespace shoal::internal::network {
namespace {

std::uint64_t digest(std::string_view text) { return std::hash<std::string_view>{}(text); }

// What ranks tell each other about their location.
struct place {
  std::uint64_t kernel = 0;  // boot id
  std::uint64_t hostname = 0;
  std::uint64_t token = 0;  // under which this rank listens, if it does
  std::bitset<1024> cpus{};  // CPUs that this rank may use; on larger machines modulo 1024

  bool is_with(const place& other) const noexcept { return kernel == other.kernel && hostname == other.hostname; }
};

place place_of_this_process() {
  std::string boot_id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot_id);
  char hostname[256] = {};
  ::gethostname(hostname, sizeof hostname - 1);
  std::random_device random;
  const std::uint64_t token = (std::uint64_t{random()} << 32 | random()) ^ static_cast<std::uint64_t>(::getpid());
  place here{digest(boot_id), digest(hostname), token};
  for (const int cpu : affinity_cpus()) here.cpus.set(static_cast<std::size_t>(cpu) % here.cpus.size());
  return here;
}

descriptor make_memory() {
  descriptor memory(::memfd_create("shoal-node", MFD_CLOEXEC));
  if (!memory.is_open() || ::ftruncate(memory.get(), local::job_page_bytes) != 0) {
    const int error = errno;
    throw setup_error("cannot make memory for the PEs of this node to share (" + std::string(std::strerror(error)) +
                      ")" + descriptor_advice(error));
  }
  return memory;
}

constexpr int none = -1;

class finder {
public:
  finder(wire& between, std::int64_t node_size)
      : wire_(between),
        me_(static_cast<std::size_t>(between.rank())),
        node_size_(node_size),
        places_(gather(between, place_of_this_process())),
        leader_of_(places_.size(), none) {}

  node_map find() {
    while (std::ranges::count(leader_of_, none) != 0) place_some();
    return map_of_leaders();
  }

private:
  // For each rank without a node, the first rank with which it might share one. Ranks to which no descriptor could be
  // passed are candidates again next time, without the leader that they cannot reach.
  std::vector<int> candidates() const {
    std::vector<int> leader(places_.size(), none);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<int, std::int64_t>> open;  // leader, ranks so far
    for (std::size_t rank = 0; rank < places_.size(); ++rank) {
      if (leader_of_[rank] != none) continue;
      const auto key = std::pair(places_[rank].kernel, places_[rank].hostname);
      const auto [found, is_new] = open.try_emplace(key, static_cast<int>(rank), 0);
      auto& [first, n] = found->second;
      if (node_size_ > 0 && n == node_size_) std::tie(first, n) = std::pair(static_cast<int>(rank), 0);
      leader[rank] = first;
      ++n;
    }
    return leader;
  }

  void place_some() {
    const std::vector<int> leader = candidates();
    const int mine = leader[me_];
    const bool is_leader = mine == wire_.rank();
    descriptor listener;
    if (is_leader) {
      memory_ = make_memory();
      listener = listen_under(places_[me_].token, static_cast<int>(std::ranges::count(leader, mine)));
    }
    gather(wire_, std::uint8_t{1});  // all listen

    descriptor connection;
    if (mine != none && !is_leader) connection = connect_to(places_[static_cast<std::size_t>(mine)].token);
    const auto connected = gather(wire_, static_cast<std::uint8_t>(connection.is_open()));
    int n_connected = 0;
    for (std::size_t rank = 0; rank < leader.size(); ++rank) {
      if (leader[rank] == static_cast<int>(rank)) leader_of_[rank] = leader[rank];
      if (connected[rank] == 0) continue;
      leader_of_[rank] = leader[rank];
      n_connected += leader[rank] == mine;
    }
    if (is_leader && !hand_out(listener, memory_.get(), n_connected)) lost("hand out");
    if (connection.is_open()) {
      memory_ = take_over(connection);
      if (!memory_.is_open()) lost("receive");
    }
    const bool is_placed_now = leader_of_[me_] == mine && mine != none;
    if (is_placed_now) has_lock_ = hold_life_lock(memory_.get(), wire_.rank());
    // No rank stops listening before all have been served, and none checks a lock before all had time to take theirs.
    n_locks_ = static_cast<std::size_t>(std::ranges::count(gather(wire_, static_cast<std::uint8_t>(has_lock_)), 1));
  }

  [[noreturn]] static void lost(const char* what) {
    throw setup_error("cannot " + std::string(what) + " the memory that the PEs of this node share (" +
                      std::strerror(errno) + "); is the limit on open files (ulimit -n) reached?");
  }

  node_map map_of_leaders() {
    node_map map;
    map.node_of.resize(places_.size());
    map.local_of.resize(places_.size());
    for (std::size_t rank = 0; rank < places_.size(); ++rank) {
      const int leader = leader_of_[rank];
      if (leader == static_cast<int>(rank)) {
        map.node_of[rank] = static_cast<std::uint32_t>(map.members.size());
        map.members.emplace_back();
      } else {
        map.node_of[rank] = map.node_of[static_cast<std::size_t>(leader)];
      }
      std::vector<int>& node = map.members[map.node_of[rank]];
      map.local_of[rank] = static_cast<int>(node.size());
      node.push_back(static_cast<int>(rank));
    }
    map.my_node = map.node_of[me_];
    map.my_local = map.local_of[me_];
    describe_machine(map);
    map.memory = std::move(memory_);
    map.has_life_locks = n_locks_ == places_.size();
    return map;
  }

  void describe_machine(node_map& map) const {
    const place& here = places_[me_];
    auto cpus = here.cpus;
    map.machine_size = 0;
    map.is_bound = false;
    for (std::size_t rank = 0; rank < places_.size(); ++rank) {
      if (!places_[rank].is_with(here)) continue;
      map.machine_rank += rank < me_;
      ++map.machine_size;
      cpus |= places_[rank].cpus;
      // If all ranks may use the same CPUs, nobody has bound them.
      map.is_bound = map.is_bound || places_[rank].cpus != here.cpus;
    }
    map.machine_cores = std::max(1, static_cast<int>(std::min(static_cast<double>(cpus.count()), cpu_quota())));
  }

  wire& wire_;
  std::size_t me_;
  std::int64_t node_size_;
  std::vector<place> places_;
  std::vector<int> leader_of_;  // by rank, or none
  descriptor memory_;
  bool has_lock_ = false;
  std::size_t n_locks_ = 0;
};

}  // namespace

node_map find_nodes(wire& between, std::int64_t node_size) { return finder(between, node_size).find(); }

}  // namespace shoal::internal::network
