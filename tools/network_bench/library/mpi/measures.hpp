/// The measures of MPI. All are collective.
#pragma once

#include "tools/network_bench/library/support/session.hpp"

namespace network_bench {

/// Half of a round trip of standard blocking sends.
void measure_latency(session& all);
/// Time per message while many nonblocking sends are in flight; and the same with messages of 8 bytes.
void measure_bandwidth(session& all);
void measure_rate(session& all);
/// Time per message of each send mode, blocking, and started and waited for at once. All receives are posted before.
void measure_send_modes(session& all);
/// Time of a standard blocking send whose receive is posted late; and the largest message whose send does not wait.
void measure_eager(session& all);

}  // namespace network_bench
