"""Message definitions to decode and encode functions."""
