// The library's face.
