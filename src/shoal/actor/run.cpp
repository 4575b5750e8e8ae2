#include "shoal/actor/run.hpp"

#include <link.h>

#include <exception>
#include <span>

#include "shoal/actor/resolve.hpp"
#include "shoal/actor/settings_table.hpp"
#include "shoal/base/digest.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/codec/codec_number.hpp"
#include "shoal/substrate/run.hpp"

namespace shoal {
namespace {

// A digest of the program's notes, among them the build id that linkers put there.
std::uint64_t build_digest() {
  digest notes;
  ::dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* data) {
        auto& all = *static_cast<digest*>(data);
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          if (program->dlpi_phdr[i].p_type != PT_NOTE) continue;
          const auto* bytes = reinterpret_cast<const std::byte*>(program->dlpi_addr + program->dlpi_phdr[i].p_vaddr);
          all.add(std::span(bytes, program->dlpi_phdr[i].p_memsz));
        }
        return 1;  // the first object is the program itself
      },
      &notes);
  return notes.value();
}

// PEs that run different binaries would call the wrong closures.
void check_same_binary(world& w) {
  const std::uint64_t mine = detail::closure_table_digest() ^ build_digest();
  if (w.min(mine) != w.max(mine)) {
    w.end_job(status_usage, "the PEs of this job run different programs; start one binary with shoalrun");
  }
}

int refuse(const setup_error& e) {
  report_fault(e.what());
  return status_usage;
}

int run_pe(substrate& machine, const settings& chosen, detail::program_body body) {
  refuse_exit();  // the substrate's library has begun, so what we do at exit comes before what it does
  world w(machine, chosen);
  try {
    check_same_binary(w);
    int status = body(w);
    // The system keeps 8 bits of a status, and a failure must not become 0.
    if (status != 0 && (status & 0xff) == 0) status = status_failure;
    w.end_of_body();
    machine.finished();
    return status;
  } catch (const setup_error& e) {
    w.end_job(status_usage, e.what());
  } catch (const std::exception& e) {
    w.end_job(status_failure, "the program threw: " + one_line(e.what()));
  } catch (...) {
    w.end_job(status_failure, "the program threw something that is no std::exception");
  }
}

// As the environment says, on the processes of `communicator` if it has a value.
int run_as_environment_says(communicator_handle communicator, detail::program_body body) {
  settings chosen;
  try {
    chosen = settings_from_environment();
  } catch (const setup_error& e) {
    return refuse(e);
  }
  chosen.communicator = communicator;
  return detail::run_with(chosen, body);
}

}  // namespace

namespace detail {

int run_with(const settings& chosen, program_body body) {
  if (current_pe != nullptr) {
    end_job(status_usage, "shoal::run was called inside shoal::run; a program has one body");
  }
  try {
    // Rejects a codec that this build lacks, even if no buffer leaves the node.
    if (chosen.codec.value) require_built(*chosen.codec.value, chosen.codec.origin);
    settings complete = chosen;  // with what run_on_substrate decides
    return run_on_substrate(complete, resolve, [&](substrate& machine) { return run_pe(machine, complete, body); });
  } catch (const setup_error& e) {
    return refuse(e);
  }
}

int run_from_environment(program_body body) { return run_as_environment_says({}, body); }

int run_on_communicator(std::int32_t communicator, program_body body) {
  return run_as_environment_says({.handle = communicator, .has_value = true}, body);
}

}  // namespace detail
}  // namespace shoal
