// RecordFormats: see ARCHITECTURE.md.
