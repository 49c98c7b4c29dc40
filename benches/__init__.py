"""The unit of cost, and benchmarks that are run by hand (`make bench`)."""
