#include "tools/shoalrun/options.hpp"

#include <string_view>

#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"

namespace shoalrun {
namespace {

using shoal::max_workers;
using shoal::setup_error;
using shoal::internal::launcher::binding;
using shoal::internal::local::max_pes;

// Walks through arguments: options as "--name value", "--name=value" or "-nvalue".
class argument_reader {
public:
  explicit argument_reader(std::span<const char* const> rest) : rest_(rest) {}

  // Moves to the next option; returns false at the first word that is not one, which begins the command.
  bool next_option() {
    if (rest_.empty()) return false;
    const std::string_view word = rest_.front();
    if (!word.starts_with('-') || word == "-") return false;
    rest_ = rest_.subspan(1);
    if (word == "--") return false;
    const std::size_t name_end = word.starts_with("--") ? word.find('=') : 2;
    name_ = word.substr(0, name_end);
    has_attached_ = name_end < word.size();
    attached_ = has_attached_ ? word.substr(name_end) : std::string_view();
    if (attached_.starts_with('=')) attached_.remove_prefix(1);
    return true;
  }

  const std::string& name() const { return name_; }

  std::string_view value(const char* example) {
    if (has_attached_) return attached_;
    if (rest_.empty()) throw setup_error(name_ + " needs a value, for example " + name_ + " " + example);
    const std::string_view word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

  void expect_no_value() const {
    if (has_attached_) throw setup_error(name_ + " takes no value, but got '" + std::string(attached_) + "'");
  }

  std::vector<std::string> rest() const { return {rest_.begin(), rest_.end()}; }

private:
  std::span<const char* const> rest_;
  std::string name_;
  std::string_view attached_;
  bool has_attached_ = false;
};

int parse_int(std::string_view text, const std::string& name, int low, int high) {
  return static_cast<int>(shoal::parse_integer(text, name, low, high));
}

binding parse_binding(std::string_view text) {
  if (text == "core") return binding::core;
  if (text == "none") return binding::none;
  throw setup_error("--bind=" + std::string(text) + " is no way to bind; take core or none");
}

}  // namespace

command_line parse_command_line(std::span<const char* const> arguments) {
  command_line line;
  argument_reader reader(arguments);
  while (reader.next_option()) {
    const std::string& name = reader.name();
    if (name == "-n" || name == "--pes") {
      line.options.n_pes = parse_int(reader.value("2"), name, 1, max_pes);
    } else if (name == "--workers") {
      line.options.n_workers = parse_int(reader.value("2"), name, 1, max_workers);
    } else if (name == "--bind") {
      line.options.bind = parse_binding(reader.value("none"));
    } else if (name == "--heap") {
      line.options.heap = reader.value("64M");
      shoal::parse_bytes(line.options.heap, name);
    } else if (name == "--debug") {
      line.options.debug_pe = parse_int(reader.value("0"), name, 0, max_pes - 1);
    } else if (name == "--tag") {
      reader.expect_no_value();
      line.options.tag = true;
    } else if (name == "--help" || name == "-h") {
      line.wants_help = true;
      return line;
    } else if (name == "--version") {
      line.wants_version = true;
      return line;
    } else {
      throw setup_error("unknown option '" + name + "'; options stand before the program, shoalrun --help lists them");
    }
  }
  line.command = reader.rest();
  if (line.command.empty()) {
    throw setup_error("no program to run; for example: shoalrun -n 2 ./program, or see shoalrun --help");
  }
  return line;
}

const char* const help =
    R"(usage: shoalrun [options] program [arguments...]

Runs a program on several PEs (processing elements) of this machine, one process each.

  -n P, --pes P     number of PEs, 1 to 256 (default: as many as keep busy the cores that this process may use)
  --workers W       threads of each PE that run its tasks, its own included (default: SHOAL_WORKERS, or 1)
  --bind core|none  one core for each worker of a PE, or none (default: core when there are enough cores)
  --tag             put "[pe] " before each line that a PE prints; lines are never mixed
  --heap SIZE       symmetric heap per PE, for example 512k, 64M, 2G
  --debug PE        let this PE wait at its start for a debugger, and print its process id
  --help            print this
  --version         print the version

PE 0 reads the standard input; the other PEs find it empty. Signals sent to shoalrun go to all PEs.

The exit status is 0 when all PEs succeed, else that of the first PE that failed, 128 + n when signal
n ended it, and 2 when the job could not be started. When one PE fails, all others are ended.
)";

}  // namespace shoalrun
