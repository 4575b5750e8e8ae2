"""The program of `shoal network-bench`."""
