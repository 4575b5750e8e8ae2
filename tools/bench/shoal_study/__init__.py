"""The program of `shoal study`."""
