// Specimens: see ARCHITECTURE.md.
