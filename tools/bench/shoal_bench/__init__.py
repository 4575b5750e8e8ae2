"""`shoal bench`: runs suites of kernels through `shoal run`, and reports and compares their times."""
