"""The bench: this broker beside Apache Kafka on one machine, same clients, against the budgets of the plan."""
