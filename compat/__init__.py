"""The clients' own test suites and Kafka's own tools, run against this broker and against Apache Kafka."""
