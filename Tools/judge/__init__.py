"""The independent judge: draws cards that share nothing with `Sources/Specimens` but the published facts."""
