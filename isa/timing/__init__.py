"""What instructions cost, and when they run: prices, hazards, the event scheduler."""
