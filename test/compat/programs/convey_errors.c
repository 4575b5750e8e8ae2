/* Every error of convey.h: its number, its text, that it is told once, and that the job goes on. */
#include <biconvey.h>
#include <convey.h>
#include <shmem.h>
#include <string.h>

#include "check.h"

static void answer(const void* query, void* reply, void* context) {
  (void)query, (void)context;
  memset(reply, 0, 8);
}

static void is_text(int result, const char* text) { CHECK(strcmp(convey_error_string(NULL, result), text) == 0); }

int main(void) {
  int64_t item = 1, from;
  convey_item_t got;
  convey_t *c, *e;
  biconvey_t* b;
  const convey_alc8r_t broken = {NULL, NULL, NULL};
  CHECK(convey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET) == NULL); /* no job */
  CHECK(biconvey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET) == NULL);
  shmem_init();

  is_text(0, "ordinary failure");
  is_text(1, "value indicates success");
  is_text(-1, "operation is illegal in current state");
  is_text(-2, "misuse of conveyor API detected");
  is_text(-3, "conveyor is NULL");
  is_text(-4, "PE number is out of range");
  is_text(-5, "current communicator is wrong");
  is_text(-6, "internal communication error");
  is_text(-7, "memory allocation failed");
  is_text(-8, "conveyor is not elastic");
  is_text(-9, "item has wrong size for pull");
  is_text(-10, "item is too large for conveyor");
  is_text(-11, "item size is zero");
  is_text(-12, "number of buffered items is too large");
  is_text(-13, "function pointer is NULL");
  is_text(-14, "unknown error");

  /* Without a conveyor. */
  CHECK(convey_begin(NULL, 8, 0) == -3 && convey_advance(NULL, true) == -3 && convey_reset(NULL) == -3);
  CHECK(convey_push(NULL, &item, 0) == -3 && convey_pull(NULL, &item, &from) == -3 && convey_unpull(NULL) == -3);
  CHECK(convey_epush(NULL, 8, &item, 0) == -3 && convey_epull(NULL, &got) == -3 && convey_apull(NULL, &from) == NULL);
  CHECK(convey_free(NULL) == convey_OK && convey_features(NULL) == 0 && convey_statistic(NULL, 0) == 0);
  CHECK(convey_item_size(NULL) == 0 && convey_set_codec(NULL, NULL, NULL) == -3);
  CHECK(biconvey_begin(NULL, 8, 8, answer, NULL) == -3 && biconvey_push(NULL, &item, 0) == -3);
  CHECK(biconvey_pull(NULL, &item) == -3 && biconvey_advance(NULL, true) == -3 && biconvey_reset(NULL) == -3);

  /* Constructors. */
  c = convey_new(SIZE_MAX, 0, NULL, 0x1000 | convey_opt_QUIET); /* leaves out what it does not know */
  CHECK(c != NULL && convey_free(c) == convey_OK);
  CHECK(convey_new_tensor(100, 1, 1, 2, NULL, 0x1000 | convey_opt_QUIET) == NULL);
  CHECK(convey_new_tensor(100, 4, 1, 2, NULL, convey_opt_QUIET) == NULL);
  CHECK(convey_new_tensor(100, 0, 1, 2, NULL, convey_opt_QUIET) == NULL);
  CHECK(convey_new_tensor(100, 1, 1, 3, NULL, convey_opt_QUIET) == NULL);
  CHECK(convey_new_etensor(100, 100, 1, 1, 0, NULL, convey_opt_QUIET) == NULL);
  CHECK(convey_new(SIZE_MAX, 0, &broken, convey_opt_QUIET) == NULL);

  /* States. */
  c = convey_new(SIZE_MAX, 0, NULL, 0);
  CHECK(convey_push(c, &item, 0) == -1 && convey_push(c, &item, 0) == -1); /* printed once */
  CHECK(convey_pull(c, &item, &from) == -1 && convey_unpull(c) == -1 && convey_advance(c, false) == -1);
  CHECK(convey_apull(c, &from) == NULL && convey_epull(c, &got) == convey_FAIL && got.data == NULL);
  CHECK(convey_reset(c) == convey_OK && convey_statistic(c, 16) == -1 && convey_statistic(c, -1) == -1);
  CHECK(convey_begin(c, 0, 0) == -11);
  CHECK(convey_begin(c, (size_t)1 << 40, 0) == -10);
  CHECK(convey_set_codec(c, &convey_standard_codec, NULL) == convey_OK && convey_set_codec(c, NULL, NULL) == convey_OK);
  CHECK(convey_begin(c, 8, 3) == convey_OK); /* no power of two: the item's own alignment */
  CHECK(convey_begin(c, 8, 0) == -1 && convey_free(c) == -1 && convey_reset(c) == -1);
  CHECK(convey_set_codec(c, NULL, NULL) == -1);
  CHECK(convey_push(c, &item, shmem_n_pes()) == -4 && convey_push(c, &item, -1) == -4);
  CHECK(convey_epush(c, 4, &item, 0) == -8 && convey_epush(c, 8, &item, shmem_my_pe()) == convey_OK);
  while (convey_advance(c, true) == convey_OK) continue;
  CHECK(convey_push(c, &item, 0) == -1);
  while (convey_advance(c, false) != convey_DONE) { /* done stays so */
    const int64_t* place = (const int64_t*)convey_apull(c, &from);
    CHECK(place == NULL || (*place == 1 && from == shmem_my_pe()));
  }
  CHECK(convey_advance(c, true) == convey_DONE && convey_unpull(c) == convey_FAIL);
  CHECK(convey_free(c) == convey_OK);

  e = convey_new_elastic(8, SIZE_MAX, 0, NULL, convey_opt_QUIET);
  CHECK(convey_begin(e, 8, 8) == convey_OK && convey_epush(e, 4, &item, shmem_my_pe()) == convey_OK);
  while (convey_advance(e, true) != convey_DONE) {
    if (convey_pull(e, &item, NULL) == -9) CHECK(convey_apull(e, NULL) == NULL && convey_epull(e, &got) == convey_OK);
  }
  CHECK(convey_free(e) == convey_OK);

  b = biconvey_new(SIZE_MAX, 0, NULL, convey_opt_QUIET);
  CHECK(biconvey_begin(b, 8, 8, NULL, NULL) == -13 && biconvey_begin(b, 0, 8, answer, NULL) == -11);
  CHECK(biconvey_push(b, &item, 0) == -1 && biconvey_pull(b, &item) == -1 && biconvey_advance(b, true) == -1);
  CHECK(biconvey_begin(b, 8, 8, answer, NULL) == convey_OK && biconvey_begin(b, 8, 8, answer, NULL) == -1);
  CHECK(biconvey_push(b, &item, -1) == -4 && biconvey_free(b) == -1 && biconvey_reset(b) == -1);
  while (biconvey_advance(b, true) != convey_DONE) continue;
  CHECK(biconvey_reset(b) == convey_OK && biconvey_free(b) == convey_OK);

  /* The codec, on packets that this program laid out. */
  {
    enum { n_packets = 100 };
    const convey_cargo_t cargo = {4, 12, 16, n_packets, NULL};
    convey_layout_t layout;
    unsigned char in[16 * n_packets], out[16 * n_packets], back[16 * n_packets];
    void *to, *fro;
    size_t bytes;
    int i;
    const convey_codec_t* codec = &convey_standard_codec;
    CHECK(codec->name != NULL && codec->plan(&cargo, &layout));
    CHECK(layout.align >= 8 && layout.align <= 64 && layout.stride == 16 && layout.offset == 0 && layout.slack == 0);
    memset(in, 0, sizeof in);
    for (i = 0; i < n_packets; ++i) in[16 * i] = (unsigned char)i, in[16 * i + 9] = (unsigned char)(i / 3), in[16 * i + 5] = 77;
    to = codec->link(&cargo, false), fro = codec->link(&cargo, true);
    CHECK(to != NULL && fro != NULL);
    bytes = codec->compress(&cargo, to, n_packets, in, sizeof out, out);
    CHECK(bytes > 0 && bytes < sizeof out / 4);
    codec->decompress(&cargo, fro, n_packets, bytes, out, back);
    CHECK(memcmp(in, back, sizeof in) == 0);
    CHECK(codec->compress(&cargo, to, n_packets, in, 20, out) == 0); /* no room */
    for (i = 0; i < 16 * n_packets; ++i) in[i] = (unsigned char)(i * 7 + i / 16);
    CHECK(codec->compress(&cargo, to, n_packets, in, sizeof out, out) == 0); /* nothing to gain */
    codec->unlink(&cargo, to), codec->unlink(&cargo, fro);
  }
  PASSED();
  shmem_finalize();
  return 0;
}
