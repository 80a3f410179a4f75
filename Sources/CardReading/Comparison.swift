package import CardModel

/// The contract's exact comparison: 0 where the barcode's number is the expected one, 1 where it differs.
package func compare(barcode: IdentityNumber, expected: IdentityNumber) -> Int {
  barcode == expected ? 0 : 1
}
