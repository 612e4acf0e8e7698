"""The only I/O: sockets, files, clocks, the assembled node."""
