/* What comes with Conveyors as examples: index gather by a biconveyor; two hash tables, each the other's inverse, asked
   through two biconveyors that are advanced together; and the standard codec on buffers of any size and content. */
#include <biconvey.h>
#include <convey.h>
#include <shmem.h>
#include <string.h>

#include "check.h"

static int64_t me, n_pes;

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* --- Index gather: replies come in the order of questions, so nothing has to say whose they are */

typedef struct {
  const int64_t* values;
  int64_t n_asked;
} table;

static void look_up(const void* query, void* reply, void* context) {
  table* its = (table*)context;
  int64_t place;
  memcpy(&place, query, sizeof place);
  memcpy(reply, &its->values[place], sizeof(int64_t));
  ++its->n_asked;
}

static void gather(int64_t n_here, int64_t n_asked) {
  int64_t* values = (int64_t*)malloc((size_t)n_here * sizeof(int64_t));
  biconvey_t* b = biconvey_new(SIZE_MAX, 0, NULL, 0);
  table its = {values, 0};
  int64_t i, n_pulled = 0, place, reply;
  CHECK(values != NULL && b != NULL);
  for (i = 0; i < n_here; ++i) values[i] = -(i * n_pes + me + 1);
  CHECK(biconvey_begin(b, sizeof(int64_t), sizeof(int64_t), look_up, &its) == convey_OK);
  i = 0;
  while (biconvey_advance(b, i == n_asked)) {
    for (; i < n_asked; ++i) {
      const int64_t global = (int64_t)(mixed((uint64_t)(i * n_pes + me)) % (uint64_t)(n_here * n_pes));
      place = global / n_pes;
      if (biconvey_push(b, &place, global % n_pes) != convey_OK) break;
    }
    for (; biconvey_pull(b, &reply) == convey_OK; ++n_pulled) {
      const int64_t global = (int64_t)(mixed((uint64_t)(n_pulled * n_pes + me)) % (uint64_t)(n_here * n_pes));
      CHECK(reply == -(global + 1));
    }
  }
  CHECK(n_pulled == n_asked);
  CHECK(biconvey_reset(b) == convey_OK && biconvey_free(b) == convey_OK);
  shmem_barrier_all();
  free(values);
}

/* --- Two tables: F(a) = b and G(b) = a for as many pairs on all PEs. A key's PE follows from its hash. */

typedef struct {
  uint64_t key, value;
} pair;

typedef struct {
  pair* slots; /* keys are not 0 */
  uint64_t n_slots;
} hash_table;

static uint64_t a_of(int64_t i) { return mixed((uint64_t)i + 1); }
static uint64_t b_of(int64_t i) { return mixed(~(uint64_t)i); }
static int64_t pe_of(uint64_t key) { return (int64_t)(mixed(key) % (uint64_t)n_pes); }

static pair* find(const hash_table* in, uint64_t key) {
  uint64_t at = mixed(key ^ 77) % in->n_slots;
  while (in->slots[at].key != 0 && in->slots[at].key != key) at = (at + 1) % in->n_slots;
  return &in->slots[at];
}

/* The pairs that belong here, of all. */
static hash_table make_table(int64_t n_pairs, bool is_inverse) {
  hash_table its = {NULL, 2 * (uint64_t)n_pairs + 1};
  int64_t i;
  its.slots = (pair*)calloc((size_t)its.n_slots, sizeof(pair));
  CHECK(its.slots != NULL);
  for (i = 0; i < n_pairs; ++i) {
    const uint64_t key = is_inverse ? b_of(i) : a_of(i);
    pair* place;
    if (pe_of(key) != me) continue;
    place = find(&its, key);
    CHECK(place->key == 0);
    place->key = key, place->value = is_inverse ? a_of(i) : b_of(i);
  }
  return its;
}

static void answer(const void* query, void* reply, void* context) {
  uint64_t key;
  const pair* found;
  memcpy(&key, query, sizeof key);
  found = find((const hash_table*)context, key);
  CHECK(found->key == key);
  memcpy(reply, &found->value, sizeof(uint64_t));
}

static void meld(biconvey_t* f, biconvey_t* g, int64_t n_pairs) {
  hash_table forth = make_table(n_pairs, false), back = make_table(n_pairs, true);
  const int64_t first = n_pairs * me / n_pes, last = n_pairs * (me + 1) / n_pes;
  int64_t i = first, n_asked = first, n_closed = first;
  uint64_t b = 0, a = 0;
  bool has_b = false, more;
  CHECK(biconvey_begin(f, sizeof a, sizeof b, answer, &forth) == convey_OK);
  CHECK(biconvey_begin(g, sizeof b, sizeof a, answer, &back) == convey_OK);
  while (more = biconvey_advance(f, i == last), more | biconvey_advance(g, !more && !has_b)) {
    for (; i < last; ++i) {
      a = a_of(i);
      if (biconvey_push(f, &a, pe_of(a)) != convey_OK) break;
    }
    for (;; has_b = false) {
      if (!has_b && biconvey_pull(f, &b) != convey_OK) break;
      if (!has_b) CHECK(b == b_of(n_asked));
      n_asked += !has_b;
      has_b = true;
      if (biconvey_push(g, &b, pe_of(b)) != convey_OK) break;
    }
    for (; biconvey_pull(g, &a) == convey_OK; ++n_closed) CHECK(a == a_of(n_closed));
  }
  CHECK(n_asked == last && n_closed == last);
  CHECK(biconvey_reset(f) == convey_OK && biconvey_reset(g) == convey_OK);
  shmem_barrier_all();
  free(forth.slots), free(back.slots);
}

/* --- The codec: what it encodes, it decodes */

static void round_trip(size_t item_size, size_t n_items, int random_bits) {
  const convey_codec_t* codec = &convey_standard_codec;
  const convey_cargo_t cargo = {0, item_size, item_size, n_items, NULL};
  convey_layout_t layout = {0, 0, 0, 0, 0};
  unsigned char *in, *out, *back;
  void *encoder, *decoder;
  size_t bytes, i, k, whole;
  if (!codec->plan(&cargo, &layout)) return;
  CHECK(layout.stride >= item_size && layout.align >= 8 && layout.align <= 64);
  whole = layout.offset + n_items * layout.stride + layout.slack + layout.overrun;
  whole = (whole / 64 + 2) * 64;
  in = (unsigned char*)calloc(3, whole);
  CHECK(in != NULL);
  out = in + whole, back = out + whole;
  for (i = 0; i < n_items; ++i) {
    for (k = 0; k < item_size; ++k) {
      const int bits = random_bits - 8 * (int)k;
      const unsigned mask = bits >= 8 ? 255 : bits > 0 ? (1u << bits) - 1 : 0;
      in[layout.offset + i * layout.stride + k] = (unsigned char)((mixed(i * 1000 + k) & mask) | (0xa5 & ~mask));
    }
  }
  encoder = codec->link(&cargo, false), decoder = codec->link(&cargo, true);
  bytes = codec->compress(&cargo, encoder, n_items, in, n_items * item_size, out);
  CHECK(bytes <= n_items * item_size);
  if (bytes > 0) {
    codec->decompress(&cargo, decoder, n_items, bytes, out, back);
    for (i = 0; i < n_items; ++i) {
      const size_t at = layout.offset + i * layout.stride;
      CHECK(memcmp(in + at, back + at, item_size) == 0);
    }
  }
  /* Few bytes of many items are worth it. */
  CHECK(bytes > 0 || n_items < 10 || item_size < 4 || random_bits > 4 * (int)item_size);
  codec->unlink(&cargo, encoder), codec->unlink(&cargo, decoder);
  free(in);
}

int main(void) {
  static const size_t sizes[] = {1, 4, 8, 13, 14, 16, 18, 24, 27, 32, 33, 40, 64};
  static const size_t numbers[] = {1, 2, 3, 10, 100, 1000};
  static const int bits[] = {0, 1, 7, 8, 30, 64, 96, 160, 600};
  biconvey_t *f, *g;
  size_t s, i, b;
  shmem_init();
  me = shmem_my_pe(), n_pes = shmem_n_pes();
  gather(100, 3000);
  gather(1, 1);
  gather(7, 0);
  f = biconvey_new_tensor(10000, 2, 1, 2, NULL, 0), g = biconvey_new_simple(10000, NULL, NULL, convey_opt_SCATTER);
  CHECK(f != NULL && g != NULL);
  meld(f, g, 2000 * n_pes + 1);
  meld(f, g, 1);
  meld(g, f, 500);
  CHECK(biconvey_free(g) == convey_OK && biconvey_free(f) == convey_OK);
  for (s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    for (i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
      for (b = 0; b < sizeof bits / sizeof *bits; ++b) round_trip(sizes[s], numbers[i], bits[b]);
    }
  }
  PASSED();
  shmem_finalize();
  return 0;
}
