/* Tasks of C++, a part of hclib_cpp.h. `nb`: the task will not wait. `at`: all places are one. A null future is as if
   satisfied. */
#ifndef SHOAL_HCLIB_ASYNC_H
#define SHOAL_HCLIB_ASYNC_H

namespace hclib {

/* --- Tasks that begin at once */

template <class L>
void async(L&& lambda) {
  shoal_parts::spawn(std::forward<L>(lambda), nullptr, 0, "hclib::async");
}
template <class L>
void async_at(L&& lambda, hclib_locale_t*) {
  shoal_parts::spawn(std::forward<L>(lambda), nullptr, 0, "hclib::async_at");
}
template <class L>
void async_nb(L&& lambda) {
  shoal_parts::spawn(std::forward<L>(lambda), nullptr, 0, "hclib::async_nb");
}
template <class L>
void async_nb_at(L&& lambda, hclib_locale_t*) {
  shoal_parts::spawn(std::forward<L>(lambda), nullptr, 0, "hclib::async_nb_at");
}

/* --- Tasks that begin after futures */

template <class L>
void async_await(L&& lambda, hclib_future_t* future) {
  hclib_future_t* all[] = {future};
  shoal_parts::spawn(std::forward<L>(lambda), all, 1, "hclib::async_await");
}
template <class L>
void async_await(L&& lambda, hclib_future_t* f1, hclib_future_t* f2) {
  hclib_future_t* all[] = {f1, f2};
  shoal_parts::spawn(std::forward<L>(lambda), all, 2, "hclib::async_await");
}
template <class L>
void async_await(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_future_t* f3, hclib_future_t* f4) {
  hclib_future_t* all[] = {f1, f2, f3, f4};
  shoal_parts::spawn(std::forward<L>(lambda), all, 4, "hclib::async_await");
}
template <class L>
void async_await(L&& lambda, const std::vector<hclib_future_t*>& all) {
  shoal_parts::spawn(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_await");
}
template <class L>
void async_await_at(L&& lambda, hclib_future_t* future, hclib_locale_t*) {
  hclib_future_t* all[] = {future};
  shoal_parts::spawn(std::forward<L>(lambda), all, 1, "hclib::async_await_at");
}
template <class L>
void async_await_at(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_locale_t*) {
  hclib_future_t* all[] = {f1, f2};
  shoal_parts::spawn(std::forward<L>(lambda), all, 2, "hclib::async_await_at");
}
template <class L>
void async_await_at(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_future_t* f3, hclib_future_t* f4,
                    hclib_locale_t*) {
  hclib_future_t* all[] = {f1, f2, f3, f4};
  shoal_parts::spawn(std::forward<L>(lambda), all, 4, "hclib::async_await_at");
}
template <class L>
void async_await_at(L&& lambda, const std::vector<hclib_future_t*>& all, hclib_locale_t*) {
  shoal_parts::spawn(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_await_at");
}
template <class L>
void async_nb_await(L&& lambda, hclib_future_t* future) {
  hclib_future_t* all[] = {future};
  shoal_parts::spawn(std::forward<L>(lambda), all, 1, "hclib::async_nb_await");
}
template <class L>
void async_nb_await(L&& lambda, hclib_future_t* f1, hclib_future_t* f2) {
  hclib_future_t* all[] = {f1, f2};
  shoal_parts::spawn(std::forward<L>(lambda), all, 2, "hclib::async_nb_await");
}
template <class L>
void async_nb_await(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_future_t* f3, hclib_future_t* f4) {
  hclib_future_t* all[] = {f1, f2, f3, f4};
  shoal_parts::spawn(std::forward<L>(lambda), all, 4, "hclib::async_nb_await");
}
template <class L>
void async_nb_await(L&& lambda, const std::vector<hclib_future_t*>& all) {
  shoal_parts::spawn(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_nb_await");
}
template <class L>
void async_nb_await_at(L&& lambda, hclib_future_t* future, hclib_locale_t*) {
  hclib_future_t* all[] = {future};
  shoal_parts::spawn(std::forward<L>(lambda), all, 1, "hclib::async_nb_await_at");
}
template <class L>
void async_nb_await_at(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_locale_t*) {
  hclib_future_t* all[] = {f1, f2};
  shoal_parts::spawn(std::forward<L>(lambda), all, 2, "hclib::async_nb_await_at");
}
template <class L>
void async_nb_await_at(L&& lambda, hclib_future_t* f1, hclib_future_t* f2, hclib_future_t* f3, hclib_future_t* f4,
                       hclib_locale_t*) {
  hclib_future_t* all[] = {f1, f2, f3, f4};
  shoal_parts::spawn(std::forward<L>(lambda), all, 4, "hclib::async_nb_await_at");
}
template <class L>
void async_nb_await_at(L&& lambda, const std::vector<hclib_future_t*>& all, hclib_locale_t*) {
  shoal_parts::spawn(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_nb_await_at");
}

/* --- Tasks whose value is that of a future */

template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future(L&& lambda) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), nullptr, 0, "hclib::async_future");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future_await(L&& lambda, hclib_future_t* future) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), &future, 1, "hclib::async_future_await");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future_await(L&& lambda,
                                                                       const std::vector<hclib_future_t*>& all) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_future_await");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future_at(L&& lambda, hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), nullptr, 0, "hclib::async_future_at");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future_await_at(L&& lambda, hclib_future_t* future,
                                                                          hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), &future, 1, "hclib::async_future_await_at");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_future_await_at(L&& lambda,
                                                                          const std::vector<hclib_future_t*>& all,
                                                                          hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_future_await_at");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future(L&& lambda) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), nullptr, 0, "hclib::async_nb_future");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future_await(L&& lambda, hclib_future_t* future) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), &future, 1, "hclib::async_nb_future_await");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future_await(L&& lambda,
                                                                          const std::vector<hclib_future_t*>& all) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_nb_future_await");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future_at(L&& lambda, hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), nullptr, 0, "hclib::async_nb_future_at");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future_await_at(L&& lambda, hclib_future_t* future,
                                                                             hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), &future, 1, "hclib::async_nb_future_await_at");
}
template <class L>
future_t<typename shoal_parts::result_of<L>::type>* async_nb_future_await_at(L&& lambda,
                                                                             const std::vector<hclib_future_t*>& all,
                                                                             hclib_locale_t*) {
  return shoal_parts::spawn_future(std::forward<L>(lambda), all.data(), all.size(), "hclib::async_nb_future_await_at");
}

}  // namespace hclib

#endif
