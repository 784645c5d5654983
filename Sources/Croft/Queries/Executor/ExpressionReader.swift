import CroftFoundation
import Synchronization

/// Computes an expression from the bytes of rows.
///
/// `Leaf` reads one of its columns: a ``ColumnReader`` for queries, or the column's place in the row for
/// an index.
indirect enum ExpressionReader<Leaf> {
  case column(Leaf)
  case constant(StoredValue)
  case arithmetic(
    ExpressionReader, ColumnExpression.Operation, ExpressionReader, StorageType.Kind)
  case coalesced(ExpressionReader, ExpressionReader)
  case text(ExpressionReader, ColumnExpression.TextFunction)
  case start(ExpressionReader, ColumnExpression.UnitStarts)
  case component(ExpressionReader, Calendar.Component, Calendar)

  /// A reader of an expression, given the readers of its columns.
  init(_ expression: ColumnExpression, _ leaf: (ColumnPath) throws -> Leaf) rethrows {
    switch expression {
    case .column(let path): self = .column(try leaf(path))
    case .constant(let value): self = .constant(value)
    case .arithmetic(let left, let operation, let right, let kind):
      self = .arithmetic(
        try ExpressionReader(left, leaf), operation, try ExpressionReader(right, leaf), kind)
    case .coalesced(let left, let right):
      self = .coalesced(try ExpressionReader(left, leaf), try ExpressionReader(right, leaf))
    case .text(let term, let function): self = .text(try ExpressionReader(term, leaf), function)
    case .start(let term, let unit, let calendar):
      self = .start(
        try ExpressionReader(term, leaf), ColumnExpression.UnitStarts(unit, calendar.calendar))
    case .component(let term, let unit, let calendar):
      self = .component(try ExpressionReader(term, leaf), unit, calendar.calendar)
    case .tooDeep:
      preconditionFailure("A query or an index of it is refused before its rows are read.")
    }
  }

  /// The value of the expression, given those of its columns; `none` for nil.
  func value(_ read: (Leaf) throws -> StoredValue) rethrows -> StoredValue {
    switch self {
    case .column(let leaf): return try read(leaf)
    case .constant(let value): return value
    case .arithmetic(let left, let operation, let right, let kind):
      let first = try left.value(read)
      return first.combined(operation, try right.value(read)).rounded(to: kind)
    case .coalesced(let left, let right):
      let first = try left.value(read)
      return first == .none ? try right.value(read) : first
    case .text(let term, let function):
      guard case .string(let text) = try term.value(read) else { return .none }
      return switch function {
      case .lowercased: .string(text.lowercased())
      case .uppercased: .string(text.uppercased())
      case .count: .int(Int64(text.count))
      }
    case .start(let term, let starts):
      guard case .date(let date) = try term.value(read) else { return .none }
      return .date(starts.start(of: date) ?? date)
    case .component(let term, let unit, let calendar):
      guard case .date(let date) = try term.value(read) else { return .none }
      guard date.isFinite else { return .int(0) }
      let number = calendar.component(unit, from: Date(timeIntervalSinceReferenceDate: date))
      return .int(Int64(number))
    }
  }
}

extension ExpressionReader: Sendable where Leaf: Sendable {}

extension StoredValue {
  /// Two numbers of one type combined; `none` where one is nil, and where nothing is divided by zero.
  ///
  /// An integer that does not fit counts as the nearest one that does.
  fileprivate func combined(_ operation: ColumnExpression.Operation, _ other: StoredValue)
    -> StoredValue
  {
    switch (self, other) {
    case (.int(let left), .int(let right)):
      return left.combined(operation, right).map { .int($0) } ?? .none
    case (.uint(let left), .uint(let right)):
      return left.combined(operation, right).map { .uint($0) } ?? .none
    case (.double(let left), .double(let right)):
      switch operation {
      case .plus: return .double(left + right)
      case .minus: return .double(left - right)
      case .times: return .double(left * right)
      case .dividedBy: return .double(left / right)
      case .remainder: return .double(left.truncatingRemainder(dividingBy: right))
      }
    case (.decimal(let left), .decimal(let right)):
      switch operation {
      case .plus: return .decimal(left + right)
      case .minus: return .decimal(left - right)
      case .times: return .decimal(left * right)
      case .dividedBy: return right == 0 ? .none : .decimal(left / right)
      case .remainder: return .none
      }
    default: return .none
    }
  }

  /// The nearest value that a kind of number has.
  fileprivate func rounded(to kind: StorageType.Kind) -> StoredValue {
    switch (self, kind) {
    case (.int(let value), .int8): .int(Int64(Int8(clamping: value)))
    case (.int(let value), .int16): .int(Int64(Int16(clamping: value)))
    case (.int(let value), .int32): .int(Int64(Int32(clamping: value)))
    case (.uint(let value), .uint8): .uint(UInt64(UInt8(clamping: value)))
    case (.uint(let value), .uint16): .uint(UInt64(UInt16(clamping: value)))
    case (.uint(let value), .uint32): .uint(UInt64(UInt32(clamping: value)))
    case (.double(let value), .float): .double(Double(Float(value)))
    default: self
    }
  }
}

extension FixedWidthInteger {
  fileprivate func combined(_ operation: ColumnExpression.Operation, _ other: Self) -> Self? {
    switch operation {
    case .plus:
      let (sum, isPast) = addingReportingOverflow(other)
      return isPast ? (other < 0 ? .min : .max) : sum
    case .minus:
      let (difference, isPast) = subtractingReportingOverflow(other)
      return isPast ? (other < 0 ? .max : .min) : difference
    case .times:
      let (product, isPast) = multipliedReportingOverflow(by: other)
      return isPast ? ((self < 0) == (other < 0) ? .max : .min) : product
    case .dividedBy:
      if other == 0 { return nil }
      let (quotient, isPast) = dividedReportingOverflow(by: other)
      return isPast ? .max : quotient
    case .remainder:
      if other == 0 { return nil }
      return remainderReportingOverflow(dividingBy: other).partialValue
    }
  }
}

extension ColumnExpression {
  /// Finds when the unit of a calendar begins in which a date is, computing each unit once.
  final class UnitStarts: Sendable {
    private let unit: Calendar.Component
    private let calendar: Calendar
    /// Shorter than what a calendar tells apart, in seconds.
    private static let shortest = 0.001
    /// The offsets from a unit's ends, in seconds, between which the time zone must not change.
    private static let probes = stride(from: -172_800.0, through: 172_800, by: 43_200)
    /// The units met lately, ascending; they do not overlap.
    private let known = Mutex<[DateInterval]>([])

    init(_ unit: Calendar.Component, _ calendar: Calendar) {
      self.unit = unit
      self.calendar = calendar
    }

    /// The beginning, in seconds since 2001; nil where the calendar has no such unit for the date.
    ///
    /// - Complexity: O(log *u*) for *u* units met so far, except for the first date of each.
    func start(of seconds: Double) -> Double? {
      guard seconds.isFinite else { return nil }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let found = known.withLock { known in
        let place = known.indices.partitionPoint { known[$0].end > date }
        return place < known.count && known[place].start <= date ? known[place].start : nil
      }
      if let found { return found.timeIntervalSinceReferenceDate }
      guard let interval = calendar.dateInterval(of: unit, for: date) else { return nil }
      // Around a day that a country left out, Foundation's weeks overlap: those are not kept.
      let last = calendar.dateInterval(of: unit, for: interval.end - Self.shortest)
      if last?.start == interval.start, isSteady(around: interval.start),
        isSteady(around: interval.end)
      {
        keep(interval)
      }
      return interval.start.timeIntervalSinceReferenceDate
    }

    /// Whether the time zone has one offset around a date.
    ///
    /// Where it changes, Foundation's units overlap: a date has one or another, and which one must not
    /// depend on the dates before.
    private func isSteady(around date: Date) -> Bool {
      let offset = calendar.timeZone.secondsFromGMT(for: date)
      return Self.probes.allSatisfy { calendar.timeZone.secondsFromGMT(for: date + $0) == offset }
    }

    private func keep(_ interval: DateInterval) {
      known.withLock { known in
        if known.count >= Threshold.keptDateUnits.value { known.removeAll() }
        let place = known.indices.partitionPoint { known[$0].end > interval.start }
        // Another thread may have kept it meanwhile.
        if place < known.count, known[place].start <= interval.start { return }
        known.insert(interval, at: place)
      }
    }
  }
}
