import CardModel

/// Writes manifests as CSV: `rescan.csv` above all, the pairs that need a new back image. Fill `back` and run it.
package enum ManifestWriter {
  /// The header with its line end.
  package static let header = CSVCell.line(ManifestRow.columns)

  /// The row with its line end, for `ManifestReader` to read back and for a spreadsheet to show without running anything.
  package static func line(_ row: ManifestRow) -> String {
    CSVCell.line([
      row.id, FrameList.join(row.front), FrameList.join(row.back), row.identityNumber ?? "",
      row.scanMode?.rawValue ?? "",
      row.imageWidthPixels.map(String.init) ?? "",
    ])
  }

  /// The row of a pair whose back must be scanned again: as it came, without its back files.
  package static func rescanLine(_ row: ManifestRow) -> String {
    var row = row
    row.back = []
    return line(row)
  }
}
