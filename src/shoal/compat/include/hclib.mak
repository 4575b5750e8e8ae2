# What Makefiles of HClib's programs include: options for tasks. `eval "$(shoal-compat)"` sets HCLIB_ROOT.
ifeq ($(strip $(HCLIB_ROOT)),)
$(error HCLIB_ROOT is empty; set it by: eval "$$(shoal-compat)")
endif
HCLIB_CFLAGS += -I$(HCLIB_ROOT)/include
HCLIB_CXXFLAGS = -std=c++11 $(HCLIB_CFLAGS)
HCLIB_LDFLAGS += -L$(HCLIB_ROOT)/lib
HCLIB_LDLIBS += -lhclib -lrt -ldl
