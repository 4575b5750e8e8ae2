/* HClib's functions of C: tasks, promises, finishes, loops and atomics. */
#include <stdlib.h>
#include <string.h>

#include "hclib.h"
#include "hclib_atomic.h"
#include "shmem.h"

#include "check.h"

static int n_run;
static int table[6][5][4];

static void count(void* argument) {
  void (*body)(void*) = NULL;
  void* given = NULL;
  hclib_get_curr_task_info(&body, &given);
  CHECK(body == count && given == argument);
  n_run += argument == NULL ? 1 : *(int*)argument;
}

static void* twice(void* argument) {
  int* const made = malloc(sizeof *made);
  *made = 2 * *(int*)argument;
  return made;
}

static void put_later(void* argument) {
  void (*body)(void*) = NULL;
  void* given = NULL;
  hclib_yield(NULL);
  hclib_get_curr_task_info(&body, &given);
  CHECK(body == put_later && given == argument);
  hclib_promise_put(argument, &n_run);
}

static void note_1d(void* argument, int i) { ((int*)argument)[i] += 1; }
static void note_2d(void* argument, int i, int j) { ((int(*)[4])argument)[i][j] += 1; }
static void note_3d(void* argument, int i, int j, int k) {
  CHECK(argument == NULL);
  table[i][j][k] += 1;
}
/* ISO C has no cast of these to void*. */
static void* address_1d(void (*function)(void*, int)) {
  void* address;
  memcpy(&address, &function, sizeof address);
  return address;
}
static void* address_2d(void (*function)(void*, int, int)) {
  void* address;
  memcpy(&address, &function, sizeof address);
  return address;
}
static void* address_3d(void (*function)(void*, int, int, int)) {
  void* address;
  memcpy(&address, &function, sizeof address);
  return address;
}

static void zero(void* part, void* user_data) {
  CHECK(user_data == &n_run);
  *(long*)part = 0;
}
static void add(void* part, void* user_data) { *(long*)part += *(int*)user_data; }
static void gather(void* into, void* part, void* user_data) {
  (void)user_data;
  *(long*)into += *(long*)part;
}
static void add_five(void* atomic) {
  int five = 5;
  hclib_atomic_update(atomic, add, &five);
}

static void test_promises(void) {
  hclib_promise_t** const all = hclib_promise_create_n(3, 1);
  hclib_promise_t* const one = hclib_promise_create();
  hclib_promise_t own;
  hclib_future_t* futures[4];
  int value = 3;
  int i;
  CHECK(all[3] == NULL);
  hclib_promise_init(&own);
  hclib_start_finish();
  for (i = 0; i < 3; ++i) {
    futures[i] = hclib_get_future_for_promise(all[i]);
    CHECK(!hclib_future_is_satisfied(futures[i]));
    hclib_async(put_later, all[i], NULL, 0, NULL);
  }
  futures[3] = hclib_get_future_for_promise(&own);
  n_run = 0;
  hclib_async(count, &value, futures, 4, hclib_get_closest_locale());
  hclib_async_nb(count, NULL, futures, 1, NULL);
  CHECK(hclib_future_wait(futures[2]) == &n_run && hclib_future_get(futures[0]) == &n_run);
  hclib_promise_put(&own, NULL);
  hclib_end_finish();
  CHECK(n_run == 4 && hclib_future_is_satisfied(futures[3]) && hclib_future_get(futures[3]) == NULL);
  {
    hclib_future_t* const made = hclib_async_future(twice, &value, NULL, 0, NULL);
    hclib_future_t* const after = hclib_async_future(twice, &value, (hclib_future_t*[]){made}, 1, NULL);
    int* const first = hclib_future_wait(after);
    int* const second = hclib_future_get(made);
    CHECK(*first == 6 && *second == 6 && first != second);
    free(first);
    free(second);
  }
  hclib_promise_free(one);
  hclib_promise_free_n(all, 3, 1);
}

static void test_loops(void) {
  int line[10] = {0};
  int plane[3][4] = {{0}};
  hclib_loop_domain_t domains[3] = {{1, 10, 2, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  int i, j, k, mode;
  for (mode = FORASYNC_MODE_FLAT; mode <= FORASYNC_MODE_RECURSIVE; ++mode) {
    hclib_start_finish();
    hclib_forasync(address_1d(note_1d), line, 1, domains, mode);
    hclib_end_finish();
  }
  for (i = 0; i < 10; ++i) CHECK(line[i] == (i % 2 == 1 ? 2 : 0));
  domains[0] = (hclib_loop_domain_t){0, 3, 1, 1};
  domains[1] = (hclib_loop_domain_t){0, 4, 1, 3};
  hclib_future_wait(hclib_forasync_future(address_2d(note_2d), plane, 2, domains, FORASYNC_MODE_RECURSIVE));
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 4; ++j) CHECK(plane[i][j] == 1);
  domains[0].high = 6;
  domains[1].high = 5;
  domains[2] = (hclib_loop_domain_t){1, 4, 1, 2};
  hclib_start_finish();
  hclib_forasync(address_3d(note_3d), NULL, 3, domains, FORASYNC_MODE_FLAT);
  hclib_end_finish();
  for (i = 0; i < 6; ++i)
    for (j = 0; j < 5; ++j)
      for (k = 0; k < 4; ++k) CHECK(table[i][j][k] == (k > 0));
}

static void test_atomics(void) {
  hclib_atomic_t* const made = hclib_atomic_create(sizeof(long), zero, &n_run);
  hclib_atomic_t own;
  int i;
  hclib_atomic_init(&own, sizeof(long), zero, &n_run);
  hclib_start_finish();
  for (i = 0; i < 10; ++i) hclib_async(add_five, i % 2 ? made : &own, NULL, 0, NULL);
  hclib_end_finish();
  CHECK(*(long*)hclib_atomic_gather(made, gather, NULL) == 25 && *(long*)hclib_atomic_gather(&own, gather, NULL) == 25);
}

static void body(void* argument) {
  void (*its)(void*) = body;
  void* given = argument;
  hclib_get_curr_task_info(&its, &given);
  CHECK(argument == &n_run && its == NULL && given == NULL);
  test_promises();
  test_loops();
  test_atomics();
  n_run = 0;
  hclib_async(count, NULL, NULL, 0, ANY_PLACE);
  shmem_barrier_all();
}

int main(void) {
  const char* deps[] = {"system"};
  hclib_launch(body, &n_run, deps, 1);
  CHECK(n_run == 1);
  PASSED();
  return 0;
}
