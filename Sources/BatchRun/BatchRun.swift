// BatchRun: see ARCHITECTURE.md.
