// The contract of every kind of conveyor on PEs that are threads: the same code as between processes, but the thread
// sanitizer sees both ends.
// labels: threads
// processors: 2
#include "test/contract/runs.hpp"

namespace shoal::test {

[[maybe_unused]] const bool are_declared = check_on_threads("kinds_on_threads", kind_claims());

}  // namespace shoal::test
