"""Kafka's wire, without I/O."""
