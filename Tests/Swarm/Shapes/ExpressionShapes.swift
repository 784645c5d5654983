import Croft
import Foundation

// A model that is asked for expressions, without and with indexes on them.

enum Booked {
  @Model struct Stay {
    @PrimaryKey var id: Int = 0
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var note: String?
    var nights: Int16 = 1
    var isPaid = false
  }
}
extension Booked.Stay: SwarmModel {
  static var fields: [any ModelField<Booked.Stay>] {
    [
      Property("id", \.id), Property("day", \.day), Property("note", \.note),
      Property("nights", \.nights), Property("isPaid", \.isPaid),
      Calculated(
        "month", of: "day", { $0.day.start(of: .month, in: Booked.calendar) }, Booked.month),
      Calculated("folded", of: "note", { $0.note.lowercased() }, Booked.lowercased),
      Calculated("twice", of: "nights", { $0.nights * 2 }, Booked.twice),
    ]
  }
}

extension Booked {
  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    return calendar
  }()

  @Sendable static func month(_ value: Value) -> Value {
    guard case .date(let seconds) = value else { return .null }
    // A date that no month contains is its own start.
    guard seconds.isFinite,
      let month = calendar.dateInterval(
        of: .month, for: Date(timeIntervalSinceReferenceDate: seconds))
    else { return value }
    return .date(month.start.timeIntervalSinceReferenceDate)
  }

  @Sendable static func lowercased(_ value: Value) -> Value {
    if case .text(let text) = value { .text(text.lowercased()) } else { .null }
  }

  @Sendable static func twice(_ value: Value) -> Value {
    if case .int(let number) = value { .int(Int64(Int16(clamping: number * 2))) } else { .null }
  }
}

/// Indexes on all expressions.
enum Monthly {
  @Model struct Stay {
    @PrimaryKey var id: Int = 0
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var note: String?
    var nights: Int16 = 1
    var isPaid = false
    #Index<Stay> {
      [$0.day.start(of: .month, in: Booked.calendar).descending, $0.isPaid.ascending]
    }
    #Index<Stay> { [$0.note.lowercased().ascending] }
    #Index<Stay> { [($0.nights * 2).ascending, $0.note.lowercased().descending] }
  }
}
extension Monthly.Stay: SwarmModel {
  static var fields: [any ModelField<Monthly.Stay>] {
    [
      Property("id", \.id), Property("day", \.day), Property("note", \.note),
      Property("nights", \.nights), Property("isPaid", \.isPaid),
      Calculated(
        "month", of: "day", { $0.day.start(of: .month, in: Booked.calendar) }, Booked.month),
      Calculated("folded", of: "note", { $0.note.lowercased() }, Booked.lowercased),
      Calculated("twice", of: "nights", { $0.nights * 2 }, Booked.twice),
    ]
  }
}

/// The number of nights may be missing, and the property before it is not declared.
enum Open {
  @Model struct Stay {
    @PrimaryKey var id: Int = 0
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var nights: Int16?
    var note: String?
    #Index<Stay> { [($0.nights * 2).ascending, $0.note.lowercased().descending] }
    #Index<Stay> { [$0.day.start(of: .month, in: Booked.calendar).ascending] }
  }
}
extension Open.Stay: SwarmModel {
  static var fields: [any ModelField<Open.Stay>] {
    [
      Property("id", \.id), Property("day", \.day), Property("note", \.note),
      Property("nights", \.nights),
      Calculated(
        "month", of: "day", { $0.day.start(of: .month, in: Booked.calendar) }, Booked.month),
      Calculated("folded", of: "note", { $0.note.lowercased() }, Booked.lowercased),
      Calculated("twice", of: "nights", { $0.nights * 2 }, Booked.twice),
    ]
  }
}

extension Family {
  private static let needed = Models.Change.require("Stay", "nights", .int(1))
  private static let paid = Models.Change.add("Stay", "isPaid", .bool(false))

  static let expressions: [Family] = [
    Family(
      "stays",
      versions: [
        Models([ShapeOf(Booked.Stay.self)], changes: [paid, needed]),
        Models([ShapeOf(Monthly.Stay.self)], changes: [paid, needed]),
        Models([ShapeOf(Open.Stay.self)], changes: [.relax("Stay", "nights")]),
      ])
  ]
}
