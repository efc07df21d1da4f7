"""The planner: decides groups, cuts, loop order, storage and cores before anything is materialised."""
