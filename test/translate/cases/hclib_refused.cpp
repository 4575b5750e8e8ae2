// The lambda's reply goes through a pointer that nothing proves to be the selector.
#define USE_LAMBDA
#include <selector.h>

hclib::Selector<2>* asking; /* other files may assign it */
long n;

void ask() {
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    selector.send(0, 0, [] { asking->send(1, 0, [] { ++n; }); });
    selector.done(0);
  });
}
