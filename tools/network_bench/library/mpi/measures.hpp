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
/// Time of a one-sided put, or get, that is completed at once. The target waits in the library.
void measure_put(session& all);
void measure_get(session& all);
/// Time of such a put to a target that does not call the library for 2 ms: about 1.5 ms if the put needs its help.
void measure_put_to_absent(session& all);
/// Half of a round trip of a put after which the receiver, which polls, sees a flag.
void measure_put_notified(session& all);
/// Time per put when many are started and then completed by one flush; and the same with puts of 8 bytes.
void measure_put_bandwidth(session& all);
void measure_put_rate(session& all);
/// Time of an atomic addition that returns the old value, and of one that returns nothing; both are completed at once.
void measure_fetch_add(session& all);
void measure_add(session& all);
/// Which share of an exchange or of a computation, whichever is shorter, is hidden behind the other one: without calls of
/// the library during the computation, and with a test every few microseconds.
void measure_overlap(session& all);
/// Latency, time per message and message rate of several pairs of threads at once. The time per message is that of all
/// pairs together. These need thread level multiple.
void measure_thread_latency(session& all);
void measure_thread_bandwidth(session& all);
void measure_thread_rate(session& all);

}  // namespace network_bench
