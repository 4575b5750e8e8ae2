# What Makefiles of HClib-Actor's programs include after hclib.mak: options for selectors and bale.
HCLIB_CFLAGS += -I$(HCLIB_ROOT)/../modules/bale_actor/inc
HCLIB_LDFLAGS += -L$(HCLIB_ROOT)/../modules/bale_actor/lib
ifneq ($(strip $(BALE_INSTALL)),)
HCLIB_CFLAGS += -I$(BALE_INSTALL)/include
HCLIB_LDFLAGS += -L$(BALE_INSTALL)/lib
endif
