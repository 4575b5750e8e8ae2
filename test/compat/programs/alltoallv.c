/* An all-to-all checker with the options of the one that comes with Conveyors: each PE sends items to random PEs
   through a conveyor of the kind asked for. Sums over all PEs must agree. Beyond the original, each receiver knows the
   bytes of each item that it is to get; from each PE they must come in order, none missing and none twice. */
#include <convey.h>
#include <convey_alc8r.h>
#include <convey_codec.h>
#include <getopt.h>
#include <shmem.h>
#include <unistd.h>

#include "alltoall_apps.h"
#include "alltoall_exchange.h"
#include "alltoall_items.h"
#include "check.h"

static const char usage[] =
    "alltoallv [options] FLAVOUR LOAD [ITEM_SIZE]   alltoallv --   (reads such lines, without the name)\n"
    "FLAVOUR: simple, twohop, vector, matrix or tensor; LOAD: pushes for each pair of PEs; ITEM_SIZE: bytes (8)\n"
    "  -a S  warm up for S seconds at least      -b N  buffers of a link (2)\n"
    "  -c N  bytes of a buffer (10000)           -d    DYNAMIC\n"
    "  -e    elastic                             -f N  status if no conveyor is made (1)\n"
    "  -g    index gather                        -h    histogram\n"
    "  -m N  words of a table, for each PE (100000)\n"
    "  -n N  timed iterations (1)                -p    PROGRESS\n"
    "  -q    no results, errors only             -r F  part of the pulls that is undone\n"
    "  -s N  seed                                -t N  PEs of a local group (1)\n"
    "  -u    an exchange of the program's own    -v    statistics of each iteration\n"
    "  -w N  iterations before those             -x    SCATTER\n"
    "  -y    each item is acknowledged, and nobody is done before all are\n"
    "  -z N  COMPRESS; N random bits an item     -A    an allocator that checks the order\n"
    "  -B    BLOCKING                            -C    print the configuration\n"
    "  -H    print the names of hosts            -L    STANDARD\n"
    "  -M    alignment, no sums                  -P    sums for each pair of PEs\n"
    "  -R    another item size in each iteration\n";

/* --- A command line */

static convey_t* construct(const settings* s, const convey_alc8r_t* memory) {
  static int own; /* nobody looks into it */
  const convey_mpp_a2a_t* a2a = s->is_own_alltoall ? (const convey_mpp_a2a_t*)&own : NULL;
  const int order = s->kind == VECTOR ? 1 : s->kind == MATRIX ? 2 : 3;
  if (s->is_elastic && s->kind < VECTOR) {
    return convey_new_elastic(s->item_size, SIZE_MAX, s->n_local, memory, s->options);
  }
  if (s->is_elastic) {
    return convey_new_etensor(s->capacity, s->item_size, order, s->n_local, s->n_buffers, memory, s->options);
  }
  if (s->kind == SIMPLE) return convey_new_simple(s->capacity, memory, a2a, s->options);
  if (s->kind == TWOHOP) {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
    return convey_new_twohop(s->capacity, s->n_local, memory, s->options);
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
  }
  return convey_new_tensor(s->capacity, order, s->n_local, s->n_buffers, memory, s->options);
}

static convey_t* make(const settings* s, const convey_alc8r_t* memory) {
  convey_t* c = construct(s, memory);
  uint64_t features;
  if (c == NULL) return NULL;
  features = convey_features(c);
  EXPECT(((features & convey_ELASTIC) != 0) == s->is_elastic);
  EXPECT((s->options & convey_opt_PROGRESS) == 0 || (features & convey_STEADY) != 0);
  if (s->entropy_bits >= 0) {
    const int result = convey_set_codec(c, &convey_standard_codec, NULL);
    EXPECT(result == ((features & convey_THRIFTY) != 0 ? convey_OK : convey_FAIL));
  }
  return c;
}

static size_t size_in_iteration(const settings* s, uint64_t key) {
  const size_t least = s->what == EXCHANGE ? 1 : sizeof(entry);
  return s->has_random_sizes ? least + (size_t)(hash(key, 7, 7) % (s->item_size - least + 1)) : s->item_size;
}

static void print_statistics(convey_t* const c[2], size_t item_size, double seconds) {
  static const char* const names[] = {"begins", "pushes", "pulls", "unpulls", "advances", "comms", "syncs", "bytes"};
  int i, kind;
  fprintf(stderr, "items of %zu bytes: %.6f s\n", item_size, seconds);
  for (i = 0; i < 2; ++i) {
    if (c[i] == NULL) continue;
    for (kind = 0; kind < convey_CUMULATIVE; ++kind) {
      fprintf(stderr, " %s %ld", names[kind], (long)convey_statistic(c[i], kind + convey_CUMULATIVE));
    }
    fprintf(stderr, "\n");
  }
}

static void print_configuration(const settings* s, convey_t* c) {
  printf("%d PEs, convey %s: %s%s, %zu buffers of %zu bytes, local groups of %zu, options 0x%lx, features 0x%lx\n",
         n_pes, convey_version, s->is_elastic ? "elastic " : "", s->name, s->n_buffers, s->capacity, s->n_local,
         (unsigned long)s->options, (unsigned long)convey_features(c));
}

static void print_hosts(void) {
  enum { most = 64 };
  char* names = (char*)shmem_calloc((size_t)n_pes, most);
  char mine[most] = {0};
  int pe;
  CHECK(gethostname(mine, most - 1) == 0);
  shmem_putmem(names + most * me, mine, most, 0);
  shmem_barrier_all();
  for (pe = 0; me == 0 && pe < n_pes; ++pe) printf("PE %d is on %s\n", pe, names + most * pe);
  shmem_free(names);
}

/* One iteration; the seconds that it took. */
static double iterate(const settings* s, convey_t* const c[2], int64_t number, told* with) {
  const uint64_t key = hash(s->seed, (uint64_t)number, 0);
  const size_t item_size = size_in_iteration(s, key);
  double begin, seconds;
  shmem_barrier_all();
  begin = now();
  switch (s->what) {
    case EXCHANGE: exchange(s, c, item_size, key, with); break;
    case HISTOGRAM: histogram(s, c[0], item_size, key); break;
    case GATHER: gather(s, c[0], c[1], item_size, key); break;
  }
  seconds = now() - begin;
  if (s->is_verbose && me == 0) print_statistics(c, item_size, seconds);
  return seconds;
}

/* Whether to warm up once more; PE 0's clock decides for all. */
static bool has_time(const settings* s, double begin, told* with) {
  int64_t more;
  if (s->autotune_seconds <= 0) return false;
  shmem_barrier_all();
  with->counts[0] = now() - begin < s->autotune_seconds;
  shmem_barrier_all();
  more = shmem_int64_g(&with->counts[0], 0);
  shmem_barrier_all();
  return more != 0;
}

/* The status: 0, 1 after errors, or that of option f. */
static bool has_run;
static int run(const settings* s) {
  allocations blocks = {{NULL}, 0, 0};
  const convey_alc8r_t checking = {&blocks, grab, give_back};
  const convey_alc8r_t* memory = s->checks_allocations ? &checking : NULL;
  const bool needs_two = s->what == GATHER || (s->what == EXCHANGE && s->is_steady_test);
  settings of_second = *s;
  convey_t* c[2] = {NULL, NULL};
  told with = {(int64_t*)shmem_calloc((size_t)n_pes, sizeof(int64_t)),
               (int64_t*)shmem_calloc((size_t)n_pes, sizeof(int64_t)), (long*)shmem_calloc(1, sizeof(long)), 0};
  double seconds = 0;
  const double begin = now();
  int64_t i = 0, end;
  long long errors[1], all_errors[1];
  has_run = true;
  n_errors = 0;
  of_second.options |= convey_opt_PROGRESS;
  of_second.is_elastic = s->is_elastic && s->what == GATHER;
  c[0] = make(s, memory);
  if (c[0] != NULL && needs_two) c[1] = make(&of_second, memory);
  if (c[0] == NULL || (needs_two && c[1] == NULL)) {
    if (me == 0 && !s->is_quiet) printf("%s: no conveyor\n", s->name);
    EXPECT(convey_free(c[0]) == convey_OK);
    shmem_free(with.n_ready), shmem_free(with.sums), shmem_free(with.counts);
    return s->failure_status;
  }
  if (s->prints_configuration && me == 0) print_configuration(s, c[0]);
  if (s->prints_hosts) print_hosts();
  while (i < s->n_warmups || has_time(s, begin, &with)) iterate(s, c, i++, &with);
  for (end = i + s->n_iterations; i < end; ++i) seconds += iterate(s, c, i, &with);
  if (needs_two) EXPECT(convey_free(c[1]) == convey_OK);
  EXPECT(convey_free(c[0]) == convey_OK);
  EXPECT(blocks.n_blocks == 0 && (blocks.n_grabbed > 0) == s->checks_allocations);
  shmem_free(with.n_ready), shmem_free(with.sums), shmem_free(with.counts);
  if (me == 0 && !s->is_quiet && s->n_iterations > 0) {
    const int64_t n_items = s->load * n_pes * s->n_iterations;
    printf("%s %ld %zu: %.1f ns for each push of a PE\n", s->name, (long)s->load, s->item_size,
           n_items > 0 ? 1e9 * seconds / (double)n_items : 0);
  }
  errors[0] = n_errors;
  shmem_longlong_sum_to_all(all_errors, errors, 1, 0, 0, n_pes, NULL, NULL);
  if (me == 0 && all_errors[0] != 0)
    fprintf(stderr, "%s %ld %zu: %lld errors\n", s->name, (long)s->load, s->item_size, all_errors[0]);
  return all_errors[0] != 0;
}

/* --- Options */

enum { says_help = 1000, says_version };

static bool read_option(settings* s, int option, const char* value) {
  const long number = value == NULL ? 0 : atol(value);
  switch (option) {
    case 'a': s->autotune_seconds = atof(value); break;
    case 'b': s->n_buffers = (size_t)number; break;
    case 'c': s->capacity = (size_t)number; break;
    case 'd': s->options |= convey_opt_DYNAMIC; break;
    case 'e': s->is_elastic = true; break;
    case 'f': s->failure_status = (int)number; break;
    case 'g': s->what = GATHER; break;
    case 'h': s->what = HISTOGRAM; break;
    case 'm': s->table_words = number; break;
    case 'n': s->n_iterations = number; break;
    case 'p': s->options |= convey_opt_PROGRESS; break;
    case 'q': s->is_quiet = true; break;
    case 'r': s->unpulled = atof(value); break;
    case 's': s->seed = (uint64_t)number; break;
    case 't': s->n_local = (size_t)number; break;
    case 'u': s->is_own_alltoall = true; break;
    case 'v': s->is_verbose = true; break;
    case 'w': s->n_warmups = number; break;
    case 'x': s->options |= convey_opt_SCATTER; break;
    case 'y': s->is_steady_test = true; break;
    case 'z': s->entropy_bits = (int)number, s->options |= convey_opt_COMPRESS; break;
    case 'A': s->checks_allocations = true; break;
    case 'B': s->options |= convey_opt_BLOCKING; break;
    case 'C': s->prints_configuration = true; break;
    case 'H': s->prints_hosts = true; break;
    case 'L': s->options |= convey_opt_STANDARD; break;
    case 'M': s->checks_alignment = true; break;
    case 'P': s->checks_pairs = true; break;
    case 'R': s->has_random_sizes = true; break;
    default: return false;
  }
  return true;
}

static bool is_possible(const settings* s) {
  return s->load >= 0 && s->item_size > 0 && s->n_iterations >= 0 && s->table_words > 0 && s->table_words <= 1 << 30 &&
         s->unpulled >= 0 && s->unpulled < 1 && (s->what == EXCHANGE || s->item_size >= sizeof(entry)) &&
         (!s->is_steady_test || (s->options & convey_opt_PROGRESS) != 0);
}

/* The status of a command line; 2 if it is not understood. */
static int obey(int argc, char* argv[]) {
  static const char* const names[] = {"simple", "twohop", "vector", "matrix", "tensor"};
  static const struct option longer[] = {
      {"help", 0, NULL, says_help}, {"version", 0, NULL, says_version}, {NULL, 0, NULL, 0}};
  settings s;
  int option, kind = 0;
  bool is_right = true;
  memset(&s, 0, sizeof s);
  s.item_size = 8, s.n_buffers = 2, s.capacity = 10000, s.n_local = 1, s.n_iterations = 1, s.table_words = 100000,
  s.seed = 1;
  s.entropy_bits = -1, s.failure_status = 1;
  optind = 0; /* glibc's word for: anew */
  opterr = me == 0;
  while ((option = getopt_long(argc, argv, "a:b:c:def:ghm:n:pqr:s:t:uvw:xyz:ABCHLMPR", longer, NULL)) != -1) {
    if (option == says_help || option == says_version) {
      if (me == 0) printf("%s\n", option == says_help ? usage : convey_version);
      return 0;
    }
    is_right = read_option(&s, option, optarg) && is_right;
  }
  if (is_right && argc - optind >= 2 && argc - optind <= 3) {
    while (kind < 5 && strcmp(argv[optind], names[kind]) != 0) ++kind;
    s.load = atol(argv[optind + 1]);
    if (argc - optind == 3) s.item_size = (size_t)atol(argv[optind + 2]);
  } else {
    kind = 5;
  }
  if (kind == 5 || !is_possible(&s)) {
    if (me == 0) fprintf(stderr, "%s", usage);
    return 2;
  }
  s.kind = (flavour)kind, s.name = names[kind];
  return run(&s);
}

/* PE 0 reads lines for all. The first status that is not 0. */
static int obey_lines(char* program) {
  enum { most = 1000, most_words = 64 };
  char* line = (char*)shmem_malloc(most);
  int status = 0;
  CHECK(line != NULL);
  for (;;) {
    char text[most];
    char* words[most_words + 1];
    int n = 1, result;
    if (me == 0 && fgets(line, most, stdin) == NULL) strcpy(line, "--");
    shmem_barrier_all();
    shmem_getmem(text, line, most, 0);
    shmem_barrier_all();
    if (strcmp(text, "--") == 0) break;
    words[0] = program;
    for (words[n] = strtok(text, " \t\n"); words[n] != NULL && n < most_words; words[n] = strtok(NULL, " \t\n")) ++n;
    if (n == 1 || words[1][0] == '#') continue;
    words[n] = NULL;
    result = obey(n, words);
    if (result != 0 && me == 0) fprintf(stderr, "status %d of a line that ends with: %s\n", result, words[n - 1]);
    if (status == 0) status = result;
  }
  shmem_free(line);
  return status;
}

int main(int argc, char* argv[]) {
  int status;
  shmem_init();
  me = shmem_my_pe();
  n_pes = shmem_n_pes();
  status = argc == 2 && strcmp(argv[1], "--") == 0 ? obey_lines(argv[0]) : obey(argc, argv);
  fflush(stdout);
  if (status == 0 && has_run) PASSED();
  shmem_finalize();
  return status;
}
