"""What users import in their tests, and the simulator."""
