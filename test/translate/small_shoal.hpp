// What test/translate/cases/rules.cpp and refused.cpp name of Shoal and of the standard library: broken.test.py puts it in the
// place of their includes, so that a mutation costs milliseconds.
namespace std {
using int64_t = long;
using uint16_t = unsigned short;
using size_t = unsigned long;
template <class T>
T&& move(T& x) {
  return static_cast<T&&>(x);
}
template <class T>
T&& forward(T& x) {
  return static_cast<T&&>(x);
}
template <class T>
struct vector {
  vector() {}
  vector(const vector&) {}
  explicit vector(size_t n) {}
  vector(T a, T b, T c, T d, T e) {}
  vector& operator=(const vector&) { return *this; }
  T& operator[](size_t i) { return first[i]; }
  const T& operator[](size_t i) const { return first[i]; }
  void assign(size_t n, T x) {}
  void push_back(const T& x) {}
  void clear() {}
  T* begin() { return first; }
  T* end() { return first; }
  const T* begin() const { return first; }
  const T* end() const { return first; }
  T* first;
  size_t size() const { return 0; }
};
template <class T>
const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T, size_t n>
struct array {
  T first[n];
  const T& operator[](size_t i) const { return first[i]; }
};
template <class T>
struct function {
  template <class F>
  function& operator=(F&& f) {
    return *this;
  }
  void operator()() const {}
};
template <class T>
void swap(T& a, T& b) {}
template <class I, class F>
void for_each(I from, I to, F f) {}
int printf(const char* format, ...);
int puts(const char* text);
}  // namespace std
namespace shoal {
using pe_id = long;
struct world {
  pe_id my_pe() const { return 0; }
  pe_id n_pes() const { return 0; }
  template <class F>
  void finish(F&& f) {}
  template <class F>
  void send(pe_id pe, const F& f) {}
  long sum(long x) { return 0; }
};
template <class T>
struct pe_handle {
  T& operator*() const { return *operator->(); }
  T* operator->() const { return nullptr; }
  unsigned id;
};
template <class T>
struct per_pe {
  template <class... A>
  explicit per_pe(world& w, A&&... a) {}
  pe_handle<T> handle() const { return {}; }
  T& operator*() { return *operator->(); }
  T* operator->() { return nullptr; }
};
template <class T>
struct lambda_actor {
  lambda_actor(world& w, T& of) {}
  template <class F>
  void send(pe_id pe, const F& f) {}
};
template <class Self, class... Messages>
struct selector {
  explicit selector(world& w) {}
  template <class M>
  void send(pe_id pe, const M& m) {}
};
template <class F>
int run(int argc, char** argv, F&& f) {
  return 0;
}
}  // namespace shoal
