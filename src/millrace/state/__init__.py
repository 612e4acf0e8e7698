"""The machines: everything that must survive, as decisions replayed from a log."""
