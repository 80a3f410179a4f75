// Imaging: see ARCHITECTURE.md.
