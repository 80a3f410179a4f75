package import CardModel
package import Foundation

/// A line of `timings.ndjson`: how long a pair took. Kept apart from the results, which are the same on every machine.
package struct TimingLine: Sendable, Equatable {
  package var id: String
  /// From handing the pair to a worker to having its answer, as the supervisor saw it.
  package var milliseconds: Double
  /// Milliseconds a stage, as the worker measured them.
  package var stages: [String: Double]
  /// When it was done, in seconds since the process that did it began the run; `nil` where nobody looked.
  package var secondsSinceStart: Double?

  package init(id: String, milliseconds: Double, stages: [String: Double], secondsSinceStart: Double? = nil) {
    self.id = id
    self.milliseconds = milliseconds
    self.stages = stages
    self.secondsSinceStart = secondsSinceStart
  }

  /// The line's bytes, without the line end.
  package var line: [UInt8] {
    var builder = ObjectBuilder()
    builder.add("id", .string(id))
    builder.add("milliseconds", .double(milliseconds))
    builder.add("secondsSinceStart", fraction: secondsSinceStart)
    builder.add("stages", .object(stages.map { .init($0.key, .double($0.value)) }))
    return JSONWriter.line(builder.value)
  }

  /// Reads a line that this type wrote.
  package init(line: some Collection<UInt8>) throws(FormatError) {
    let fields = try WireFields(JSONValue.parse(line: line))
    (id, milliseconds) = (try fields.text("id"), try fields.number("milliseconds"))
    secondsSinceStart = try fields.optional("secondsSinceStart", "is not a number") { $0.double }
    stages = [:]
    for member in try fields.required("stages", "is not an object", { $0.object }) {
      guard let value = member.value.double else { throw FormatError("`stages` holds something other than numbers") }
      stages[member.key] = value
    }
  }
}

/// A line of `log.ndjson`. It names a pair by its place in the input, never by its id: ids are often a person's number.
package struct LogLine: Sendable, Equatable {
  package enum Level: String, Sendable, CaseIterable { case info, warning, error }

  package var time: Date
  package var level: Level
  /// Fixed wording with counts and places; no card text, number, name, date or path of an input.
  package var message: String
  /// 1-based place of the pair in the input.
  package var pair: Int?
  package var reason: Reason?

  package init(time: Date, level: Level, message: String, pair: Int? = nil, reason: Reason? = nil) {
    self.time = time
    self.level = level
    self.message = message
    self.pair = pair
    self.reason = reason
  }

  /// The line's bytes, without the line end.
  package var line: [UInt8] {
    var builder = ObjectBuilder()
    builder.add("level", .string(level.rawValue))
    builder.add("message", .string(message))
    builder.add("pair", number: pair)
    builder.add("reason", text: reason?.rawValue)
    builder.add("time", .string(time.formatted(.iso8601)))
    return JSONWriter.line(builder.value)
  }
}
