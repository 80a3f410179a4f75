// BarcodeDecoding: see ARCHITECTURE.md.
