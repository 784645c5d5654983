import Foundation
import Testing
import TestSupport

@testable import Croft

private let utc: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  return calendar
}()

@Model private struct Event: Equatable {
  @PrimaryKey var id: Int
  var at: Date
  #Index<Event>([\.at])
}

/// Dates for which a calendar has no unit, and calendars whose time zones have seconds.
@Suite(.keepsFailedStores) struct DateWithoutUnitTests {
  private static let units: [Calendar.Component] = [
    .era, .year, .yearForWeekOfYear, .quarter, .month, .weekOfYear, .weekOfMonth, .day, .hour,
    .minute, .second, .weekday, .isLeapMonth,
  ]
  private static let seconds: [Double] = [
    0, 7_001, -1e9, .infinity, -.infinity, .nan, 1e300, -1e300, 1e15, -1e15,
  ]

  /// One such date made the groups, sections and observations of all rows throw: the column is not
  /// optional, and its value was nil.
  @Test(arguments: units) func aDateWithoutAUnitBeginsItsOwn(unit: Calendar.Component) throws {
    try withStore(of: Event.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: Self.seconds.enumerated().map {
            Event(id: $0, at: Date(timeIntervalSinceReferenceDate: $1))
          })
      }
      let told = Recorder<Int>()
      let token = store.observe(Event.all.grouped(by: { $0.at.start(of: unit, in: utc) }, .count)) {
        told.add($0.count)
      }
      let starts = Self.seconds.map { seconds in
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let start = seconds.isFinite ? utc.dateInterval(of: unit, for: date)?.start : nil
        return start ?? date
      }
      let groups = try store.fetch(
        Event.all.grouped(by: { $0.at.start(of: unit, in: utc) }, .count))
      #expect(groups.reduce(0) { $0 + $1.values } == Self.seconds.count)
      for group in groups where !group.key.timeIntervalSinceReferenceDate.isNaN {
        #expect(group.values == starts.count { $0 == group.key }, "\(unit) \(group.key)")
      }
      let sections = try store.sections(Event.all, by: { $0.at.start(of: unit, in: utc) })
      #expect(sections.reduce(0) { $0 + $1.objects.count } == Self.seconds.count)
      let components = try store.fetch(
        Event.all.grouped(by: { $0.at.component(unit, in: utc) }, .count))
      #expect(components.first { $0.key == 0 }?.values ?? 0 >= 3)
      store.live.drain()
      #expect(told.all == [groups.count] && token.error == nil)
    }
  }

  /// A time zone such as GMT+01:01:01 was replaced by the one of its identifier, which has no seconds.
  @Test(arguments: [1, 59, -1, 3_661, -3_599, 60, 3_600])
  func aTimeZoneKeepsItsSeconds(_ offset: Int) throws {
    var calendar = utc
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: offset))
    let exact = calendar
    try withStore(of: Event.self) { store in
      let dates = (0..<200).map { Date(timeIntervalSinceReferenceDate: Double($0) * 1_733.5) }
      try store.write { tx in
        try tx.insert(contentsOf: dates.enumerated().map { Event(id: $0, at: $1) })
      }
      let groups = try store.fetch(
        Event.all.grouped(by: { $0.at.start(of: .day, in: exact) }, .count))
      #expect(groups.map(\.key) == Set(dates.map { exact.startOfDay(for: $0) }).sorted())
      let hours = try store.fetch(
        Event.all.grouped(by: { $0.at.component(.hour, in: exact) }, .count))
      for group in hours {
        #expect(group.values == dates.count { exact.component(.hour, from: $0) == group.key })
      }
    }
  }

  /// Two such zones are one for Foundation, and must not share a result or an index.
  @Test func timeZonesThatDifferInTheirSecondsAreTwo() throws {
    func calendar(_ offset: Int) -> UnitCalendar {
      var calendar = utc
      if let zone = TimeZone(secondsFromGMT: offset) { calendar.timeZone = zone }
      return UnitCalendar(calendar)
    }
    #expect(calendar(3_660) != calendar(3_661) && calendar(3_661) == calendar(3_661))
    #expect(calendar(3_660).fingerprint != calendar(3_661).fingerprint)
    let expression = ColumnExpression.start(
      .column(ColumnPath(links: [], place: 1, name: "at")), of: .day, calendar(3_661))
    let stored = CatalogEntry.Expression(expression) { $0 }
    let decoded = try JSONDecoder().decode(
      CatalogEntry.Expression.self, from: try JSONEncoder().encode(stored))
    #expect(decoded == stored)
    let read = decoded.expression { ColumnPath(links: [], place: $0, name: "at") }
    #expect(read == expression)
    guard case .start(_, _, let units)? = read else {
      Issue.record("it was not read")
      return
    }
    #expect(units.calendar.timeZone.secondsFromGMT() == 3_661)
  }
}
