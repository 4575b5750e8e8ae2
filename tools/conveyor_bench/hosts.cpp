#include "tools/conveyor_bench/hosts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace shoal::cli {
namespace {

using host_name = std::array<char, 65>;  // Linux names have at most 64 bytes

// "PEs 0-3, 8".
std::string ranges_text(const std::vector<std::size_t>& pes) {
  std::string text = pes.size() == 1 ? "PE " : "PEs ";
  for (std::size_t first = 0, end = 0; first < pes.size(); first = end) {
    end = first + 1;
    while (end < pes.size() && pes[end] == pes[end - 1] + 1) ++end;
    if (first != 0) text += ", ";
    text += std::to_string(pes[first]);
    if (end - first > 1) text += "-" + std::to_string(pes[end - 1]);
  }
  return text;
}

}  // namespace

std::vector<std::string> gather_hosts(world& w) {
  host_name mine = {};
  if (::gethostname(mine.data(), mine.size() - 1) != 0) mine = {"?"};
  std::vector<std::string> hosts;
  for (const host_name& name : w.gather(mine)) hosts.emplace_back(name.data());
  return hosts;
}

std::string hosts_text(const std::vector<std::string>& hosts) {
  std::string text;
  for (auto host = hosts.begin(); host != hosts.end(); ++host) {
    if (std::find(hosts.begin(), host, *host) != host) continue;  // has its line already
    std::vector<std::size_t> pes;
    for (std::size_t pe = 0; pe < hosts.size(); ++pe) {
      if (hosts[pe] == *host) pes.push_back(pe);
    }
    text += "host " + *host + ": " + ranges_text(pes) + "\n";
  }
  return text;
}

}  // namespace shoal::cli
