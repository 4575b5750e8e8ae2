// What programs of HClib-Actor may do wrong; the argument says what.
#include <memory>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include <selector.h>

namespace {

void selector_in_handler() {
  hclib::Actor<int> its;
  its.mb[0].process = [](int, int) { hclib::Actor<int> other; };
  hclib::finish([&] {
    its.start();
    its.send(0, 0);
    its.done();
  });
}

void wait_in_handler() {
  hclib::Actor<int> its;
  its.mb[0].process = [](int, int) { hclib::finish([] { hclib::async([] {}); }); };
  hclib::finish([&] {
    its.start();
    its.send(0, 0);
    its.done();
  });
}

/* Each packet makes two. */
void run_away() {
  hclib::Actor<int> its;
  its.mb[0].process = [&](int, int from) {
    its.send(0, from);
    its.send(0, shmem_n_pes() - 1 - from);
  };
  hclib::finish([&] {
    its.start();
    its.send(0, 1);
    for (;;) hclib::yield();
  });
}

/* PE 1 sends more than memory has room for while PE 0 waits where no handler runs. */
void send_before_barrier() {
  hclib::Actor<> its;
  its.mb[0].process = [](int64_t, int) {};
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < 10000000 && shmem_my_pe() == 1; ++i) its.send(i, 0);
    shmem_barrier_all();
    its.done();
  });
}

void do_wrong(const std::string& how) {
  if (how == "run away") return run_away();
  if (how == "barrier") return send_before_barrier();
  if (how == "construct") return selector_in_handler();
  if (how == "wait") return wait_in_handler();
  std::unique_ptr<hclib::Actor<int>> its(new hclib::Actor<int>);
  if (how != "no process") {
    its->mb[0].process = [&](int, int) {
      if (how == "throw") throw std::runtime_error("oh");
    };
  }
  hclib::finish([&] {
    if (how == "early send") its->send(0, 0);
    if (how == "early done") its->done();
    its->start();
    if (how == "twice") its->start();
    if (how == "range") its->send(0, shmem_n_pes());
    if (how == "mailbox") its->done(7);
    if (how == "throw" || how == "no process") its->send(0, 0);
    if (how == "destroy") its.reset();
    if (how == "exit in finish" && shmem_my_pe() == 1) exit(3);
    if (how == "exit in send") {
      if (shmem_my_pe() == 1) {
        sleep(1); /* does not call Shoal, so that the other PE finds no room */
        exit(3);
      }
      for (;;) its->send(0, 1);
    }
    if (how != "forgotten" || shmem_my_pe() == 0) its->done();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "outside") hclib::Actor<int> its;
  const char* deps[] = {"bale_actor"};
  hclib::launch(deps, 1, [=] { do_wrong(how); });
  return 0;
}
