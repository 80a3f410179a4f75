/// A chart of horizontal bars as SVG. Each bar has its label and number beside it, so that no colour has to be told apart.
struct BarChart {
  /// A bar: its label, its length's value, and the number as it is written beside it.
  struct Bar {
    var label: String
    var value: Double
    var text: String
  }

  /// What the chart shows, for those who cannot see it.
  var description: String
  var bars: [Bar]
  /// The value of a bar of full length; the longest bar's where it is `nil`.
  var full: Double?

  private static let width = 640
  private static let labelWidth = 250
  private static let barWidth = 270
  private static let rowHeight = 24

  var svg: String {
    let longest = full ?? bars.map(\.value).max() ?? 0
    let height = bars.count * Self.rowHeight + 4
    var svg = """
      <svg role="img" aria-label="\(HTML.escape(description))" viewBox="0 0 \(Self.width) \(height)" width="\(Self.width)" height="\(height)">

      """
    for (index, bar) in bars.enumerated() {
      let y = index * Self.rowHeight + 2
      let part = longest > 0 ? min(1, max(0, bar.value / longest)) : 0
      let length = Int((part * Double(Self.barWidth)).rounded())
      svg += """
        <text x="\(Self.labelWidth - 8)" y="\(y + 16)" text-anchor="end">\(HTML.escape(bar.label))</text>\
        <rect class="ground" x="\(Self.labelWidth)" y="\(y + 3)" width="\(Self.barWidth)" height="18"/>\
        <rect class="bar" x="\(Self.labelWidth)" y="\(y + 3)" width="\(length)" height="18"/>\
        <text x="\(Self.labelWidth + Self.barWidth + 8)" y="\(y + 16)">\(HTML.escape(bar.text))</text>

        """
    }
    return svg + "</svg>\n"
  }
}

/// A chart of upright columns side by side as SVG: a distribution, or a course over time.
struct ColumnChart {
  var description: String
  var values: [Int]
  /// What stands under the first and under the last column.
  var start: String
  var end: String
  /// What the columns' height counts.
  var unit: String

  private static let width = 640.0
  private static let height = 150.0

  var svg: String {
    let top = max(1, values.max() ?? 1)
    let step = Self.width / Double(max(1, values.count))
    var svg = """
      <svg role="img" aria-label="\(HTML.escape(description))" viewBox="0 0 640 200" width="640" height="200">
      <text x="0" y="14">\(HTML.escape("highest: \(Summary.grouped(values.max() ?? 0)) \(unit)"))</text>

      """
    for (index, value) in values.enumerated() where value > 0 {
      let height = max(1, Double(value) / Double(top) * Self.height)
      svg += """
        <rect class="bar" x="\(Self.place(Double(index) * step))" y="\(Self.place(22 + Self.height - height))" \
        width="\(Self.place(max(0.5, step - 1)))" height="\(Self.place(height))"/>

        """
    }
    return svg + """
      <line class="axis" x1="0" y1="172.5" x2="640" y2="172.5"/>
      <text x="0" y="190">\(HTML.escape(start))</text><text x="640" y="190" text-anchor="end">\(HTML.escape(end))</text>
      </svg>

      """
  }

  private static func place(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
