/// The measures of OpenSHMEM. All are collective. The first PE acts; unless a measure says otherwise, the second one waits
/// in the library.
#pragma once

#include "tools/network_bench/library/shmem/job.hpp"
#include "tools/network_bench/library/support/session.hpp"

namespace network_bench {

constexpr int second_pe = 1;

/// Time of a put that is completed at once.
void measure_put(session& all);
/// Time of such a put to a PE that does not call the library for 2 ms: about 1.5 ms if the put needs its help.
void measure_put_to_absent(session& all);
/// Time of a blocking get.
void measure_get(session& all);
/// Half of a round trip of a put after which the receiver sees a flag.
void measure_put_notified(session& all);
/// Time per put when many are started and then completed together; and the same with puts of 8 bytes.
void measure_put_bandwidth(session& all);
void measure_put_rate(session& all);
/// Time of an atomic addition that returns the old value, and of one that is completed and returns nothing.
void measure_fetch_add(session& all);
void measure_add(session& all);

}  // namespace network_bench
