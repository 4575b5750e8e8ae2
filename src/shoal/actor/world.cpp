#include "shoal/actor/world.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/captured_addresses.hpp"
#include "shoal/actor/internal/deferred_calls.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/posted_calls.hpp"
#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/same_binary.hpp"
#include "shoal/actor/internal/statistics_file.hpp"
#include "shoal/actor/internal/statistics_text.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/actor/job.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/internal/signal_text.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/codec/codec.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal {

using namespace internal;

namespace {

exchange_options options_of(const settings& chosen, const world_entry& entry) {
  const std::int64_t n_shared = chosen.n_shared_slots.value;
  return {.slots = {.n_shared_slots = n_shared < 0 ? SIZE_MAX : static_cast<std::size_t>(n_shared),
                    .spill_bytes_max = spill_bytes_max(chosen),
                    .is_followed = entry.number != 0},
          .node_size = chosen.node_size.value,
          .n_hops = static_cast<int>(chosen.n_hops.value),
          .codec = *chosen.codec.value,
          .ns_per_byte = chosen.ns_per_byte.value,
          .latency_ns = static_cast<std::uint64_t>(chosen.max_latency_us.value) * 1000,
          .has_workers = chosen.n_workers.value > 1,
          .keeps_records = chosen.stats.value != statistics_form::none,
          .stalls = entry.stalls};
}

}  // namespace

world::world(substrate& backend, const settings& chosen, const world_entry& entry)
    : world(nullptr, backend, chosen, entry, std::make_unique<internal::exchange>(backend, options_of(chosen, entry))) {
  current_pe = this;
  note_world(+1);
}

world::world(world* job, substrate& backend, const settings& chosen, const world_entry& entry,
             std::unique_ptr<internal::exchange> through)
    : one_sided_access(backend, collectives_, job != nullptr),
      job_(job == nullptr ? *this : *job),
      backend_(backend),
      settings_(chosen),
      entry_(entry),
      exchange_(std::move(through)),
      my_pe_(exchange_->my_pe()),
      n_pes_(exchange_->n_pes()),
      number_for_answers_(static_cast<std::uint16_t>(exchange_->team().number)),
      own_main_(job == nullptr ? new main_program(*exchange_) : nullptr),
      main_(job == nullptr ? *own_main_ : job->main_),
      collectives_(*exchange_, main_),
      own_captured_(job == nullptr ? new captured_addresses(backend.heap()) : nullptr),
      captured_(job == nullptr ? *own_captured_ : job->captured_),
      scopes_(*this, *exchange_, collectives_, main_, chosen),
      own_teams_(job == nullptr ? new team_worlds(*this, *exchange_) : nullptr),
      teams_(job == nullptr ? *own_teams_ : job->teams_),
      calls_(std::make_unique<deferred_calls>(*this, "world.defer")),
      own_posted_(job == nullptr ? new posted_calls(*this, *exchange_, teams_) : nullptr),
      posted_(job == nullptr ? *own_posted_ : job->posted_),
      own_answers_(job == nullptr ? new internal::answers(*exchange_, teams_, main_, chosen.memory_bytes.value, n_pes_)
                                  : nullptr),
      answers_(job == nullptr ? *own_answers_ : job->answers_),
      n_exceptions_(std::uncaught_exceptions()) {
  if (!is_team()) return;
  teams_.enlist(*this);
  ++job_.n_teams_;
}

world::~world() {
  if (is_team()) {
    if (scopes_.n_open() != 0 && std::uncaught_exceptions() == n_exceptions_) {
      shoal::internal::end_job(status_usage, exchange_->name() + ": destroyed inside its own finish; leave that first");
    }
    if (std::uncaught_exceptions() == n_exceptions_) {
      await_background("the destructor of a team");
      collectives_.agree(collective_call::end_of_team, "the destructor of a team", 0, {});
    }
    scopes_.record_living();
    teams_.delist(*this);
    --job_.n_teams_;
    end_arrays();
    end_background();
    return;
  }
  internal::answers::end(own_answers_.get());  // what is dropped meanwhile finds them by this world
  static_cast<void>(own_answers_.release());
  end_arrays();
  end_background();
  note_world(-1);
  current_pe = nullptr;
}

// Every PE learns who gives which colour. The teams' numbers are new to all PEs here, so each is so to its members.
world world::split(std::int64_t colour, std::int64_t key, std::source_location where) {
  struct wish {
    std::int64_t colour;
    std::int64_t key;
    pe_id pe;
    std::uint64_t next_team;
  };
  teams_.require_room();
  std::uint64_t& next_team = exchange_->parts().next_team;
  std::vector<wish> wishes =
      collectives_.gather(wish{colour, key, my_pe_, next_team}, where, collective_call::split, "split");
  std::sort(wishes.begin(), wishes.end(), [](const wish& a, const wish& b) {
    if (a.colour != b.colour) return a.colour < b.colour;
    return a.key != b.key ? a.key < b.key : a.pe < b.pe;
  });
  for (const wish& its : wishes) next_team = std::max(next_team, its.next_team);
  team_members members;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const wish& its = wishes[i];
    if (i != 0 && its.colour != wishes[i - 1].colour) ++next_team;
    if (its.colour != colour) continue;
    members.number = next_team;
    if (its.pe == my_pe_) members.my_pe = static_cast<pe_id>(members.pes.size());
    members.pes.push_back(pe_in_job(its.pe));
  }
  ++next_team;
  if (next_team > n_teams_ever_max) {
    end_job(status_usage, "the job has made " + std::to_string(n_teams_ever_max) +
                              " teams, and no more are possible; split before a loop, not in it");
  }
  return world(&job_, backend_, settings_, entry_,
               std::make_unique<internal::exchange>(*job_.exchange_, std::move(members)));
}

pe_id world::pe_in_job(pe_id pe) const noexcept { return exchange_->pe_in_job(pe); }

world& world::running_of_teams() noexcept {
  if (other_worker() == nullptr) return teams_.now();
  const superstep_part* const whose = tasks_of(exchange_->parts())->sender_elsewhere().whose;
  return whose == nullptr ? *this : whose->steps().home();
}

bool world::progress() { return main_.progress(); }

void world::require_main(const char* what) const { main_.require(what); }

void world::asked(bool is_passed_on) noexcept { main_.tell_when_asked(is_passed_on); }

void world::begin() {
  if (entry_.number != 0) {
    // Buffers of earlier worlds are recognised by their numbers. Their slots are released at once: a PE may wait for
    // them before it arrives here.
    exchange_->begin_numbers(entry_.first_stream);
    collectives_.agree(collective_call::begin_world, "the beginning of the world", entry_.number, {});
    exchange_->begin_numbers(max(entry_.first_stream));
  }
  const std::uint64_t mine = digest_of_program();
  if (min(mine) != max(mine)) {
    end_job(status_usage, "the PEs of this job run different programs; start one binary with shoalrun");
  }
  main_.forget_calls();
  if (settings_.stats.value == statistics_form::none) return;
  if (my_pe() == 0) statistics_ = std::make_unique<const statistics_file>(settings_.stats_file.value);
  exchange_->parts().watch.restart();  // how far apart the PEs came up is not the program's time
}

void world::there_is_none() noexcept {
  shoal::internal::end_job(status_usage,
                           "a Shoal call outside shoal::run; make it in the function that "
                           "shoal::run was given");
}

void world::context_left_by_exit(int status) noexcept {
  if (!entry_.is_job) return pe_context::context_left_by_exit(status);
  if (entry_.at_exit == exit_policy::report) {
    end_job(status_usage,
            "exit was called in the middle of the job; close the shoal::job first, or open it with exit_policy::close");
  }
  if (status != 0) {
    std::fflush(nullptr);  // the launcher ends the other PEs at once, and may then end this process
    // The system keeps 8 bits of a status, and a failure must not become 0.
    end_job((status & 0xff) == 0 ? status_failure : status & 0xff, {});
  }
  require_main("exit");
  if (teams_.of_main().n_open() != 0) {
    end_job(status_usage, "exit was called inside finish, whose messages would be lost; leave finish first");
  }
  // The world's parts stay, since nothing destroys the objects that use them.
  end();
  current_pe = nullptr;
}

void world::struck_by(int signal, const void* address) noexcept {
  const pe_worker* const other = other_worker();  // what the PE's own thread does has nothing to do with it
  const inbox* const running = other != nullptr ? nullptr : exchange_->now().running();
  const handled_messages* const handled = handled_by_task();
  const stack_fault stacks = backend_.stack_fault_at(address);
  const waiting_tasks* const tasks = tasks_of(exchange_->parts());
  const std::size_t overflowed_bytes = tasks == nullptr ? 0 : tasks->overflowed_bytes_at(address);
  const bool is_explained = running != nullptr || other != nullptr || handled != nullptr || stacks.locked >= 0 ||
                            stacks.overflowed_bytes != 0 || overflowed_bytes != 0;
  if (!is_explained || !backend_.claim_report()) return;
  signal_text line;
  line << "shoal: PE " << my_pe() << ": " << name_of_error(signal);
  if (address != nullptr) (line << " at address ").add_hex(reinterpret_cast<std::uintptr_t>(address));
  if (stacks.overflowed_bytes != 0) {
    line << ", where its stack of " << static_cast<std::int64_t>(stacks.overflowed_bytes >> 10)
         << " KiB ends (deep recursion, or large local variables; raise SHOAL_SIM=stack=...),";
  }
  if (overflowed_bytes != 0) {
    line << ", where the stack of a task of " << static_cast<std::int64_t>(overflowed_bytes >> 10)
         << " KiB ends (deep recursion, or large local variables; raise SHOAL_TASK_STACK),";
  }
  if (stacks.locked >= 0) line << " on the stack of PE " << stacks.locked << ", which means nothing to this PE,";
  if (running != nullptr || handled != nullptr) {
    line << " while handling ";
    running != nullptr ? running->tell(line, address) : handled->tell(line, address);
  } else {
    line << (overflowed_bytes != 0 || other != nullptr ? " in a task" : " in the main program");
  }
  if (other != nullptr) line << " on its worker " << static_cast<std::int64_t>(other->number());
  line.print();
}

void world::leave(std::unique_ptr<deferred_call> call) {
  if (pe_worker* const other = other_worker(); other != nullptr) {
    return other->post([this, its = std::move(call)]() mutable { leave(std::move(its)); });
  }
  calls_->leave(std::move(call));
}

void world::post_call(std::unique_ptr<deferred_call> call) { posted_.post(std::move(call)); }

int world::n_hops() const noexcept { return scopes_.hops().n_hops(); }

void world::use_codec(codec_number number, std::unique_ptr<codec> own) {
  if (is_team()) {
    end_job(status_usage,
            "use_codec of a team: the PEs of a job share their codecs; call it on the world of the whole job");
  }
  exchange_->use_codec(number, std::move(own));
}

void world::end_job(int status, std::string_view report) noexcept {
  backend_.end_job(status, report);
  std::abort();  // unreachable; gcc 12 forgets [[noreturn]] across the virtual call
}

void world::delist_object(const world& home, std::uint32_t id, const void* object) noexcept {
  if (current_pe == nullptr) return;
  world& job = static_cast<world&>(*current_pe);
  if (&job != &home && !job.teams_.holds(home)) return;
  // An earlier world may have been at the same address.
  pe_objects& objects = const_cast<world&>(home).objects_;
  const std::uint32_t its = &job == &home ? id : id & team_worlds::id_in_team_max;
  if (objects.holds(its, object)) objects.delist(its);
}

std::uint32_t world::enlist_object(void* object, object_type type, const char* type_name) {
  require_main("constructing a per_pe");
  exchange_->objects().note("per_pe of ", type_name, 0);
  if (is_team() && objects_.is_empty()) teams_.require_own_mark(*this);
  const std::uint32_t id = objects_.enlist(object, type);
  if (!is_team()) return id;
  if (id > team_worlds::id_in_team_max) {
    end_job(status_usage,
            "a team has 32768 per_pe objects, and no more are possible; construct them before a loop, not in it");
  }
  return id | team_worlds::mark_of(*this);
}

void world::end() {
  SHOAL_ASSERT(!has_ended_);
  if (teams_.size() != 0) {
    end_job(status_usage, "the job ended while " + std::to_string(teams_.size()) +
                              (teams_.size() == 1 ? " team" : " teams") +
                              " of it still existed; destroy what world.split returned first");
  }
  posted_.require_none();
  await_background("the end of the program's body");
  quiet();  // nobody serves a PE whose world has ended
  collectives_.end(entry_.is_job ? collective_call::close_job : collective_call::end_of_body);
  end_arrays();
  end_background();
  if (settings_.stats.value != statistics_form::none) tell_statistics();
  has_ended_ = true;
  backend_.finished();
}

void world::tell_statistics() {
  scopes_.record_living();
  job_statistics all{.world = std::max<std::uint64_t>(entry_.number, 1),
                     .substrate = name_of(backend_.kind()),
                     .is_simulated = is_simulated(backend_.kind()),
                     .n_pes = n_pes(),
                     .payload_bytes = backend_.payload_bytes(),
                     .budget_bytes = settings_.memory_bytes.value,
                     .links = backend_.links(),
                     .n_hops = n_hops(),
                     .n_hop_changes = scopes_.hops().n_changes(),
                     .times = {},
                     .streams = {}};
  const bool is_complete = collect_statistics(collectives_, *exchange_, all);
  if (statistics_ == nullptr) return;
  if (is_complete) {
    statistics_->add(statistics_as(settings_.stats.value, all, statistics_->is_new()));
  } else {
    std::fputs("shoal: no statistics, since the PEs have destroyed different actors or conveyors\n", stderr);
  }
}

}  // namespace shoal
