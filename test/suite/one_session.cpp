// Preloaded into MPICH's launcher if there are more processes than cores. The launcher starts each rank in its own
// session, and Linux schedules sessions as groups (autogroups, man 7 sched): sched_yield then yields the core only to
// others of the same session, that is to nobody. With this library the ranks stay in the launcher's session, each in
// its own process group, so that the launcher still ends them with their children.
#include <unistd.h>

extern "C" pid_t setsid() noexcept { return ::setpgid(0, 0) == 0 ? ::getpid() : -1; }
