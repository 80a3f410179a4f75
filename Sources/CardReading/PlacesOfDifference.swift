/// Where another reading of a text differs from it: 2 i + 1 for its letter at i, changed or dropped, 2 i for letters added
/// before that.
func placesOfDifference(_ text: String, _ other: String) -> Set<Int> {
  let a = Array(text.unicodeScalars)
  let b = Array(other.unicodeScalars)
  let rows = distances(a, b)
  var places: Set<Int> = []
  var (i, j) = (a.count, b.count)
  while i > 0 || j > 0 {
    if i > 0, j > 0, rows[i][j] == rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1) {
      if a[i - 1] != b[j - 1] { places.insert(2 * i - 1) }
      (i, j) = (i - 1, j - 1)
    } else if i > 0, rows[i][j] == rows[i - 1][j] + 1 {
      places.insert(2 * i - 1)
      i -= 1
    } else {
      places.insert(2 * i)
      j -= 1
    }
  }
  return places
}

/// The distances of all beginnings of two texts: a row for each of the first's, from the empty one.
private func distances(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> [[Int]] {
  var rows = [Array(0...b.count)]
  for (i, x) in a.enumerated() {
    let above = rows[i]
    var row = [i + 1]
    for (j, y) in b.enumerated() {
      row.append(min(above[j] + (x == y ? 0 : 1), above[j + 1] + 1, row[j] + 1))
    }
    rows.append(row)
  }
  return rows
}
