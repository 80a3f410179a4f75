// CardReading: see ARCHITECTURE.md.
