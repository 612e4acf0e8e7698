"""A request's way to partitions and machines."""
