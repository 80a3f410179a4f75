private import CSpecimens

/// The typefaces that cards are drawn with, and fontconfig's narrowing to them.
enum Typefaces {
  /// For labels and values.
  static let latin = [
    // The lines that our model learnt from know these ...
    "Liberation Sans", "Arimo", "Noto Sans", "Open Sans", "Roboto", "Lato", "Carlito", "Nimbus Sans", "FreeSans",
    "DejaVu Sans",
    "Cabin",
    // ... and not these.
    "Inter", "Clear Sans", "PT Sans", "M PLUS 1", "M PLUS 2", "TeX Gyre Heros", "Inter Display", "PT Sans Caption",
  ]
  static let urdu = ["Noto Nastaliq Urdu", "Nafees", "Noto Naskh Arabic", "Amiri"]
  static let monospaced = ["Liberation Mono", "Cousine", "DejaVu Sans Mono", "PT Mono"]

  /// Whether fontconfig knows those families alone; asked before the first drawing. Anything else in the process that
  /// draws text would see no others either: nothing in this project does.
  static let ready = cspecimens_use_fonts(configuration) == 0

  /// fontconfig accepts a font that an `acceptfont` pattern fits even where a `rejectfont` pattern fits as well.
  private static var configuration: String {
    let accepted = (latin + urdu + monospaced).map {
      "<acceptfont><pattern><patelt name=\"family\"><string>\($0)</string></patelt></pattern></acceptfont>"
    }
    return """
      <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
      <dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir prefix="xdg">fonts</dir>
      <cachedir>/var/cache/fontconfig</cachedir><cachedir prefix="xdg">fontconfig</cachedir>
      <selectfont>\(accepted.joined())
      <rejectfont><pattern><patelt name="scalable"><bool>true</bool></patelt></pattern></rejectfont>
      <rejectfont><pattern><patelt name="scalable"><bool>false</bool></patelt></pattern></rejectfont>
      </selectfont></fontconfig>
      """
  }
}
