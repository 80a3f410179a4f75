// FieldLocating: see ARCHITECTURE.md.
