// The result of `shoal run` for programs.
#include <ostream>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/version.hpp"
#include "tools/cli/columns.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/report.hpp"

namespace shoal::cli {
namespace {

std::string parameters(const kernels::option_list& options) {
  std::string members;
  for (const auto& [name, value] : options) {
    members += (members.empty() ? "" : ", ") + json_string(name) + ": " + json_value(value);
  }
  return "{" + members + "}";
}

std::string seconds_of(const variant_result& v) {
  const summary s = summarise(v.seconds);
  return R"({"median": )" + json_number(s.median) + R"(, "min": )" + json_number(s.min) + R"(, "max": )" +
         json_number(s.max) + "}";
}

// Whether the plain loop was as fast as on an idle machine.
const char* validity(const measurement& m) {
  if (m.loop() == nullptr) return "null";
  return m.is_valid() ? "true" : "false";
}

}  // namespace

void print_json(std::ostream& out, const run_request& request, const measurement& m) {
  for (const variant_result& v : m.variants) {
    out << R"({"kernel": )" << json_string(request.kernel->name)  //
        << R"(, "variant": )" << json_string(v.variant)  //
        << R"(, "substrate": )" << json_string(name_of(m.substrate))  //
        << R"(, "pes": )" << m.n_pes  //
        << R"(, "parameters": )" << parameters(request.options);
    if (!v.is_available) {
      out << R"(, "available": false, "version": )" << json_string(version()) << "}\n";
      continue;
    }
    out << R"(, "operations_per_pe": )" << json_number(v.operations_per_pe)  //
        << R"(, "messages_per_pe": )" << json_number(v.messages_per_pe)  //
        << R"(, "seconds": )" << seconds_of(v)  //
        << R"(, "ns_per_message": )" << json_number(ns_per_message(v))  //
        << R"(, "ns_per_operation": )" << json_number(ns_per_operation(v))  //
        << R"(, "ratio_to_loop": )" << json_number(ratio_to_loop(v, m.loop()))  //
        << R"(, "line_handoff_ns": )" << (m.handoff_ns ? json_number(*m.handoff_ns) : "null")  //
        << R"(, "state": )" << (m.handoff_ns ? json_string(name_of_state(*m.handoff_ns)) : "null")  //
        << R"(, "valid": )" << validity(m) << R"(, "verified": )" << (v.is_verified ? "true" : "false")  //
        << R"(, "version": )" << json_string(version());
    if (!m.answer_json.empty()) out << R"(, "answer": {)" << internal::as_utf8(m.answer_json) << '}';
    out << "}\n";
  }
}

}  // namespace shoal::cli
