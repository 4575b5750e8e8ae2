#include "shoal/conveyor/internal/exchange_parts.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

node_layout layout_of(const substrate& backend, pe_id node_size) {
  const std::span<const std::uint32_t> known = backend.nodes();
  return known.empty() ? node_layout(backend.n_pes(), node_size) : node_layout(known);
}

// The same object for all PEs, if the substrate has a place for it.
std::shared_ptr<route_tables> tables_of_job(substrate& backend, pe_id node_size) {
  std::shared_ptr<void>* const common = backend.common_place();
  if (common != nullptr && *common != nullptr) {
    auto shared = std::static_pointer_cast<route_tables>(*common);
    SHOAL_REQUIRE(node_size <= 0 || shared->nodes().largest_node() == std::min(node_size, backend.n_pes()));
    return shared;
  }
  auto made = std::make_shared<route_tables>(layout_of(backend, node_size));
  if (common != nullptr) *common = made;
  return made;
}

}  // namespace

std::uint64_t place_of_name(std::string_view name) noexcept {
  digest all;
  all.add(name);
  return all.value();
}

exchange_parts::exchange_parts(substrate& pe, const exchange_options& options)
    : backend(pe),
      tables(tables_of_job(pe, options.node_size)),
      nodes(tables->nodes()),
      slots(pe, options.slots),
      codec(pe, options.ns_per_byte),
      watch(pe, options.keeps_records),
      leaving(pe),
      arriving(pe, slots, leaving, now, watch, options.stalls),
      // Where time is virtual, each wait sleeps.
      pressure(slots, leaving, arriving, now, watch, spare, is_simulated(pe.kind()) ? 0 : 64),
      has_workers(options.has_workers),
      stalls_(options.stalls),
      keeps_records_(options.keeps_records) {
  if (options.codec != codec_number::none && nodes.n_nodes() > 1) codec.use(options.codec, nullptr);
}

exchange_parts::~exchange_parts() {
  if (service_ != nullptr) spare.leave(*service_);
  if (!broken_.empty()) plane().close();
}

control_plane& exchange_parts::plane() {
  if (stalls_ != nullptr) return stalls_->plane();
  if (own_plane_ == nullptr) own_plane_ = std::make_unique<control_plane>(backend);
  return *own_plane_;
}

void exchange_parts::serve_waves() {
  if (service_ != nullptr) return;
  service_ = std::make_unique<wave_service>(plane());
  spare.enter(*service_);
}

void exchange_parts::keep_broken(std::vector<std::unique_ptr<wave>> waves) noexcept {
  broken_.insert(broken_.end(), std::make_move_iterator(waves.begin()), std::make_move_iterator(waves.end()));
}

std::size_t exchange_parts::n_streams() const noexcept {
  return std::accumulate(exchanges.begin(), exchanges.end(), std::size_t{0},
                         [](std::size_t n, const exchange* each) { return n + each->n_streams_of_group(); });
}

void exchange_parts::record(const stream_counts& counts, const std::string& name, std::uint64_t serial,
                            std::uint32_t position) {
  SHOAL_ASSERT(keeps_records());
  std::string its_name = name;
  const std::uint64_t job = exchanges.front()->number();
  const std::uint64_t team = team_of_hop(serial);
  if (team > job + n_teams_with_rows) {  // a program may split in a loop
    its_name += " of later teams";
    serial = first_hop_of_team(job + n_teams_with_rows + 1);
  } else if (team != job) {
    its_name += " of team " + std::to_string(team);
  }
  stream_record& kept = records_[{serial, position, team == job ? 0 : place_of_name(its_name)}];
  kept = {its_name, serial, position, followed_by(kept.counts, counts)};
}

std::vector<stream_record> exchange_parts::take_records() {
  std::vector<stream_record> records;
  for (const auto& [key, kept] : records_) records.push_back(kept);
  records_.clear();
  return records;
}

}  // namespace shoal::internal
