"""How our own programs reach any cluster."""
