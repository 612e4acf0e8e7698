"""What depends on nothing of ours: errors, ports, configuration keys, limits."""
