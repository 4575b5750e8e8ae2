#include "shoal/substrate/internal/network/leader_ring.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <random>
#include <utility>
#include <vector>

namespace shoal::internal::network {

using clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds patience{2};
constexpr std::chrono::seconds meeting_max{10};
constexpr std::size_t n_addresses_max = 8;

// Sent to the next leader after our token; says that we chose this connection:
constexpr char all_before_are_here = 'h';
constexpr char all_are_here = 'a';
// Sent to the previous leader:
constexpr char farewell = 'f';

// Where a leader listens, in network byte order, and its token for callers. Port 0: it does not listen.
struct contact {
  std::uint64_t token = 0;
  std::uint32_t addresses[n_addresses_max] = {};
  std::uint32_t n_addresses = 0;
  std::uint32_t port = 0;
};

std::uint64_t random_number() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

// Adds the addresses of this host under which others may reach it. If several hosts have an address (loopback, a
// container bridge), a stranger may answer, who does not know the token.
void add_addresses(contact& mine) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return;
  for (const ifaddrs* each = all; each != nullptr && mine.n_addresses < n_addresses_max; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_UP) == 0) continue;
    mine.addresses[mine.n_addresses++] = reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr.s_addr;
  }
  ::freeifaddrs(all);
}

descriptor make_socket() { return descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

descriptor listen(contact& mine) {
  descriptor listener = make_socket();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (!listener.is_open() || ::bind(listener.get(), any, length) != 0 ||
      ::listen(listener.get(), n_addresses_max) != 0 || ::getsockname(listener.get(), any, &length) != 0) {
    return {};
  }
  mine.token = random_number();
  mine.port = address.sin_port;
  add_addresses(mine);
  return listener;
}

// Keeps firewalls from forgetting a connection that is idle for hours.
void keep_alive(const descriptor& connection) {
  const int yes = 1;
  const int idle_s = 60;
  ::setsockopt(connection.get(), SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
  ::setsockopt(connection.get(), IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
}

descriptor call(std::uint32_t host, std::uint32_t port) {
  descriptor connection = make_socket();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = static_cast<in_port_t>(port);
  keep_alive(connection);
  const bool has_begun =
      connection.is_open() &&
      (::connect(connection.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 || errno == EINPROGRESS);
  return has_begun ? std::move(connection) : descriptor{};
}

// A leader between two others: the previous one calls it, and it calls the next one.
class introduction {
public:
  introduction(const descriptor& listener, const contact& previous, const contact& mine, const contact& next)
      : listener_(listener), previous_(previous), mine_(mine), next_(next) {
    for (std::size_t i = 0; i < next.n_addresses; ++i) {
      if (descriptor made = call(next.addresses[i], next.port); made.is_open()) calls_.push_back(std::move(made));
    }
  }

  void run() {
    const auto end = clock::now() + patience;
    while (!is_done()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock::now()).count();
      if (left <= 0) return;
      std::vector<pollfd> events{{listener_.get(), POLLIN, 0}};
      for (const descriptor& caller : callers_) events.push_back({caller.get(), POLLIN, 0});
      for (const descriptor& each : calls_) events.push_back({each.get(), POLLIN, 0});
      if (::poll(events.data(), events.size(), static_cast<int>(left)) <= 0) continue;
      hear_answers();
      hear_callers();
      accept();
    }
  }

  descriptor answered;  // by the next leader
  descriptor chosen_by;  // by the previous leader

private:
  bool is_done() const { return chosen_by.is_open() && (answered.is_open() || calls_.empty()); }

  void accept() {
    for (;;) {
      descriptor caller(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!caller.is_open()) return;
      keep_alive(caller);
      // So little always fits; otherwise nobody answers.
      ::send(caller.get(), &mine_.token, sizeof mine_.token, MSG_NOSIGNAL);
      callers_.push_back(std::move(caller));
    }
  }

  void hear_callers() {
    for (descriptor& caller : callers_) {
      std::uint64_t token = 0;
      const ssize_t n = ::recv(caller.get(), &token, sizeof token, 0);
      if (n < 0 && errno == EAGAIN) continue;
      if (n == sizeof token && token == previous_.token && !chosen_by.is_open()) chosen_by = std::move(caller);
      caller.close();
    }
    std::erase_if(callers_, [](const descriptor& caller) { return !caller.is_open(); });
  }

  void hear_answers() {
    for (descriptor& each : calls_) {
      std::uint64_t token = 0;
      const ssize_t n = ::recv(each.get(), &token, sizeof token, 0);
      if (n < 0 && errno == EAGAIN) continue;
      if (n == sizeof token && token == next_.token && !answered.is_open() &&
          ::send(each.get(), &mine_.token, sizeof mine_.token, MSG_NOSIGNAL) == sizeof mine_.token) {
        answered = std::move(each);
      }
      each.close();
    }
    std::erase_if(calls_, [](const descriptor& each) { return !each.is_open(); });
  }

  const descriptor& listener_;
  const contact& previous_;
  const contact& mine_;
  const contact& next_;
  std::vector<descriptor> callers_;  // not yet chosen
  std::vector<descriptor> calls_;  // not yet answered
};

}  // namespace

leader_ring::leader_ring(wire& between, const node_map& nodes, bool is_watch) {
  contact mine;
  descriptor listener;
  if (nodes.is_leader()) listener = listen(mine);
  const std::vector<contact> all = gather(between, mine);
  const bool do_all_listen = std::ranges::all_of(nodes.members, [&](const std::vector<int>& members) {
    return all[static_cast<std::size_t>(members.front())].port != 0;
  });
  if (nodes.n_nodes() < 2 || !do_all_listen) return;
  if (nodes.is_leader()) {
    const std::size_t n_nodes = nodes.members.size();
    const int previous = nodes.members[(nodes.my_node + n_nodes - 1) % n_nodes].front();
    next_ = nodes.members[(nodes.my_node + 1) % n_nodes].front();
    is_first_ = nodes.my_node == 0;
    introduction both(listener, all[static_cast<std::size_t>(previous)], mine, all[static_cast<std::size_t>(next_)]);
    both.run();
    to_next_ = std::move(both.answered);
    from_previous_ = std::move(both.chosen_by);
  }
  const bool is_linked = !nodes.is_leader() || (to_next_.is_open() && from_previous_.is_open());
  is_whole_ = std::ranges::count(gather(between, static_cast<std::uint8_t>(is_linked)), 0) == 0;
  // Otherwise the next leader may have given up and closed the connection before it learnt which one it was.
  is_watching_ = is_watch && is_whole_ && nodes.is_leader();
}

int leader_ring::look() noexcept {
  if (!is_watching_) return -1;
  char said = 0;
  const ssize_t n = ::recv(to_next_.get(), &said, 1, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return -1;
  is_watching_ = false;
  return n == 0 ? next_ : -1;
}

void leader_ring::bid_farewell() noexcept {
  if (from_previous_.is_open()) ::send(from_previous_.get(), &farewell, 1, MSG_NOSIGNAL);
}

bool leader_ring::say(char word) noexcept { return ::send(to_next_.get(), &word, 1, MSG_NOSIGNAL) == 1; }

bool leader_ring::hear(char word, clock::time_point end) noexcept {
  for (;;) {
    char said = 0;
    const ssize_t n = ::recv(from_previous_.get(), &said, 1, 0);
    if (n >= 0) return n == 1 && said == word;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock::now()).count();
    if ((errno != EAGAIN && errno != EINTR) || left <= 0) return false;
    pollfd event{from_previous_.get(), POLLIN, 0};
    ::poll(&event, 1, static_cast<int>(left));
  }
}

void leader_ring::meet() noexcept {
  const auto end = clock::now() + meeting_max;
  for (const char word : {all_before_are_here, all_are_here}) {
    const bool is_well = is_first_ ? say(word) && hear(word, end) : hear(word, end) && say(word);
    if (is_well) continue;
    is_watching_ = false;
    return to_next_.close();  // so that the next leader need not wait either
  }
}

}  // namespace shoal::internal::network
