#include "shoal/actor/internal/encoding.hpp"

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace shoal::internal {

void wrote_otherwise(const char* type_name, bool has_thrown) {
  const std::string its = "sending " + readable_type_name(type_name) + ": its serialize ";
  end_job(status_usage, has_thrown ? its + "threw while it wrote; let it throw nothing"
                                   : its +
                                         "did not write as many bytes as it had counted just before; let it write the "
                                         "same each time, and change nothing");
}

}  // namespace shoal::internal
