// Preloaded into MPICH's launcher where there are more processes than cores. It starts each rank in a session of its
// own, and Linux schedules sessions as groups (autogroups, man 7 sched): sched_yield then gives the core to others of
// the same session only, that is to nobody. Here the ranks stay in the launcher's session, each in its own process
// group, so that the launcher still ends them with their children.
#include <unistd.h>

extern "C" pid_t setsid() noexcept { return ::setpgid(0, 0) == 0 ? ::getpid() : -1; }
