/* One-sided access by messages, of HClib-Actor on Shoal. Addresses are symmetric. Constructors start, as in one fork; programs of
   the other call start, which has nothing left to do. The finish in which done is called waits for the end. */
#ifndef SELECTOR_SHMEM_H
#define SELECTOR_SHMEM_H

#include "selector.h"

extern "C++" {

enum MailBoxType { REQUEST, RESPONSE };

namespace hclib {

template <typename T>
struct PutPkt {
  T* loc;
  T val;
};
template <typename T>
struct AtomicIncPkt {
  T* loc;
};
template <typename T>
using AtomicAddPkt = PutPkt<T>;
template <typename T>
struct GetPkt {
  T* dest;
  union {
    T* src;
    T val;
  };
};

/* An address travels as its place among the symmetric objects. */
template <typename T>
T* shoal_sent_address(T* symmetric) {
  return reinterpret_cast<T*>(shoal_symmetric_offset(symmetric));
}
template <typename T>
T* shoal_arrived_address(T* sent) {
  return static_cast<T*>(shoal_symmetric_address(reinterpret_cast<size_t>(sent)));
}

/* dest[i] = src[i] on a PE. */
template <typename T, typename P = PutPkt<T> >
class Put_nbi : public Actor<P> {
public:
  Put_nbi(bool = true) : Actor<P>(true) {
    this->mb[0].process = [](P pkt, int) { *shoal_arrived_address(pkt.loc) = pkt.val; };
  }
  void start() {}
  void operator()(T* dest, T* src, size_t n, int pe) {
    for (size_t i = 0; i < n; ++i) {
      P pkt;
      pkt.loc = shoal_sent_address(dest + i);
      pkt.val = src[i];
      this->send(pkt, pe);
    }
  }
};

/* dest[i] = src[i] of a PE, once the selector has ended. dest is read here alone, and may lie anywhere. */
template <typename T, typename P = GetPkt<T> >
class Get_nbi : public Selector<2, P> {
public:
  Get_nbi(bool = true) : Selector<2, P>(true) {
    this->mb[REQUEST].process = [this](P pkt, int from) {
      P reply;
      reply.dest = pkt.dest;
      reply.val = *shoal_arrived_address(pkt.src);
      Selector<2, P>::send(RESPONSE, reply, from);
    };
    this->mb[RESPONSE].process = [](P pkt, int) { *pkt.dest = pkt.val; };
  }
  void start() {}
  void operator()(T* dest, T* src, size_t n, int pe) {
    for (size_t i = 0; i < n; ++i) {
      P pkt;
      pkt.dest = dest + i;
      pkt.src = shoal_sent_address(src + i);
      this->send(REQUEST, pkt, pe);
    }
  }
  void done() { Selector<2, P>::done(REQUEST); }
};

/* ++*dest on a PE. Atomic with the other packets of that PE. */
template <typename T, typename P = AtomicIncPkt<T> >
class AtomicInc : public Actor<P> {
public:
  AtomicInc(bool = true) : Actor<P>(true) {
    this->mb[0].process = [](P pkt, int) { ++*shoal_arrived_address(pkt.loc); };
  }
  void start() {}
  void operator()(T* dest, int pe) {
    P pkt;
    pkt.loc = shoal_sent_address(dest);
    this->send(pkt, pe);
  }
};

/* *dest += val on a PE. */
template <typename T, typename P = AtomicAddPkt<T> >
class AtomicAdd : public Actor<P> {
public:
  AtomicAdd(bool = true) : Actor<P>(true) {
    this->mb[0].process = [](P pkt, int) { *shoal_arrived_address(pkt.loc) += pkt.val; };
  }
  void start() {}
  void operator()(T* dest, T val, int pe) {
    P pkt;
    pkt.loc = shoal_sent_address(dest);
    pkt.val = val;
    this->send(pkt, pe);
  }
};

} /* namespace hclib */

} /* extern "C++" */

#endif
