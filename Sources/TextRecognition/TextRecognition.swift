// TextRecognition: see ARCHITECTURE.md.
