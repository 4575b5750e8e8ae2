/* The time in seconds, as programs of HClib-Actor have it. libgetput.h declares the same function. */
#ifndef MYTIME_H
#define MYTIME_H

#include <stddef.h>
#include <sys/time.h>

#ifndef SHOAL_LIBGETPUT_H

#ifdef __cplusplus
extern "C++" {
inline double wall_seconds() {
#else
static inline double wall_seconds(void) {
#endif
  struct timeval now;
  gettimeofday(&now, NULL);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}
#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif

#endif
