# Makefiles of HClib's programs include this. There is nothing to set.
