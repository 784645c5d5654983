public import CroftFoundation

/// A value computed from the columns of one object.
///
/// It is a tree of values, as ``ConditionTree`` is. A column may stand for one: see
/// ``ColumnPath/computed``. Where an operand is nil, so is the value, except for ``coalesced(_:_:)``.
indirect enum ColumnExpression: Hashable, Sendable {
  case column(ColumnPath)
  case constant(StoredValue)
  /// A number of a kind; an integer that does not fit becomes the nearest one that does.
  case arithmetic(
    ColumnExpression, ColumnExpression.Operation, ColumnExpression, StorageType.Kind)
  /// The first value, or the second where that is nil.
  case coalesced(ColumnExpression, ColumnExpression)
  case text(ColumnExpression, ColumnExpression.TextFunction)
  /// The beginning of the day, week, month or other unit that contains a date.
  ///
  /// It is the date itself where the calendar knows no such unit.
  case start(ColumnExpression, of: Calendar.Component, UnitCalendar)
  /// The number of a date's unit, such as that of its month.
  case component(ColumnExpression, Calendar.Component, UnitCalendar)
  /// An expression that is nested too deeply to be computed; it replaces the whole expression.
  case tooDeep

  /// How deep expressions may be nested, because they are walked recursively.
  static let deepest = 40

  /// The expressions that this one is made of.
  private var operands: [ColumnExpression] {
    switch self {
    case .column, .constant, .tooDeep: []
    case .arithmetic(let left, _, let right, _), .coalesced(let left, let right): [left, right]
    case .text(let term, _), .start(let term, _, _), .component(let term, _, _): [term]
    }
  }

  /// What a closure finds in the parts of the expression: operands come before what is made of them.
  func collect<Found>(_ find: (ColumnExpression) -> Found?) -> [Found] {
    operands.flatMap { $0.collect(find) } + [find(self)].compactMap(\.self)
  }

  /// The columns that are read.
  var columns: [ColumnPath] { collect { if case .column(let path) = $0 { path } else { nil } } }

  var depth: Int { 1 + (operands.map(\.depth).max() ?? 0) }

  /// The expression, or ``tooDeep`` in its place.
  var bounded: ColumnExpression {
    operands.contains(.tooDeep) || depth > Self.deepest ? .tooDeep : self
  }

  /// The expression with all that its values depend on, beside the types of its columns.
  var fingerprint: String {
    // A name has constants as people read them, in which two dates may look alike.
    var text = ([name] + constants.map { "\($0)" }).joined(separator: " ")
    for calendar in calendars { text += " \(calendar.fingerprint)" }
    return text
  }

  private var constants: [StoredValue] {
    collect { if case .constant(let value) = $0 { value } else { nil } }
  }

  private var calendars: [UnitCalendar] {
    collect { part in
      switch part {
      case .start(_, _, let calendar), .component(_, _, let calendar): calendar
      default: nil
      }
    }
  }

  /// The expression as a program writes it.
  var name: String {
    switch self {
    case .column(let path): path.name
    case .constant(let value): value.text
    case .arithmetic(let left, let operation, let right, _):
      "(\(left.name) \(operation.rawValue) \(right.name))"
    case .coalesced(let left, let right): "(\(left.name) ?? \(right.name))"
    case .text(let term, .lowercased): "\(term.name).lowercased()"
    case .text(let term, .uppercased): "\(term.name).uppercased()"
    case .text(let term, .count): "\(term.name).count"
    case .start(let term, let unit, let calendar):
      "\(term.name).start(of: \(unit), in: \(calendar.calendar.identifier))"
    case .component(let term, let unit, let calendar):
      "\(term.name).component(\(unit), in: \(calendar.calendar.identifier))"
    case .tooDeep: "(an expression nested too deeply)"
    }
  }

  enum Operation: String, CaseIterable, Hashable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case dividedBy = "/"
    case remainder = "%"
  }

  /// What is made of a text.
  enum TextFunction: Hashable, Sendable {
    case lowercased, uppercased
    /// The number of characters.
    case count
  }
}

extension QueryColumn {
  fileprivate var operand: ColumnExpression { path.computed?.expression ?? .column(path) }

  /// A column that stands for an expression.
  fileprivate static func computed(_ expression: ColumnExpression) -> Self
  where M: Model, Value: Storable {
    QueryColumn(
      ColumnPathBuilder(ColumnPath(computing: expression.bounded, Value.storage), M._schema.erased))
  }
}

// MARK: - Numbers

extension QueryColumn where Value: Storable {
  /// The kind of the numbers.
  fileprivate static var kind: StorageType.Kind { Value.storage.kind }
}

extension QueryColumn
where M: Model, Value: OrderedStorable, Value.Unwrapped: OrderedStorable & Numeric {
  /// The sum of two properties; nil where one of them is nil.
  ///
  /// An integer that does not fit the type becomes the nearest one that does.
  public static func + (left: Self, right: Self) -> Self {
    computed(.arithmetic(left.operand, .plus, right.operand, kind))
  }

  /// The difference of two properties; nil where one of them is nil.
  public static func - (left: Self, right: Self) -> Self {
    computed(.arithmetic(left.operand, .minus, right.operand, kind))
  }

  /// The product of two properties; nil where one of them is nil.
  public static func * (left: Self, right: Self) -> Self {
    computed(.arithmetic(left.operand, .times, right.operand, kind))
  }

  /// The sum of a property and a number.
  public static func + (left: Self, right: Value.Unwrapped) -> Self {
    computed(.arithmetic(left.operand, .plus, .constant(right.stored), kind))
  }

  /// The difference of a property and a number.
  public static func - (left: Self, right: Value.Unwrapped) -> Self {
    computed(.arithmetic(left.operand, .minus, .constant(right.stored), kind))
  }

  /// The product of a property and a number.
  public static func * (left: Self, right: Value.Unwrapped) -> Self {
    computed(.arithmetic(left.operand, .times, .constant(right.stored), kind))
  }

  /// The sum of a number and a property.
  public static func + (left: Value.Unwrapped, right: Self) -> Self {
    computed(.arithmetic(.constant(left.stored), .plus, right.operand, kind))
  }

  /// The difference of a number and a property.
  public static func - (left: Value.Unwrapped, right: Self) -> Self {
    computed(.arithmetic(.constant(left.stored), .minus, right.operand, kind))
  }

  /// The product of a number and a property.
  public static func * (left: Value.Unwrapped, right: Self) -> Self {
    computed(.arithmetic(.constant(left.stored), .times, right.operand, kind))
  }

  /// The quotient of two properties; nil where one of them is nil.
  ///
  /// It is nil, too, where an integer or a decimal number is divided by zero. The quotient of two
  /// integers is rounded towards zero, as in Swift.
  public static func / (left: Self, right: Self) -> QueryColumn<M, Value.Unwrapped?> {
    .computed(.arithmetic(left.operand, .dividedBy, right.operand, kind))
  }

  /// A property divided by a number; nil where the property is nil, and for an integer or decimal
  /// zero.
  public static func / (left: Self, right: Value.Unwrapped) -> QueryColumn<M, Value.Unwrapped?> {
    .computed(.arithmetic(left.operand, .dividedBy, .constant(right.stored), kind))
  }

  /// A number divided by a property; nil where the property is nil, or an integer or decimal zero.
  public static func / (left: Value.Unwrapped, right: Self) -> QueryColumn<M, Value.Unwrapped?> {
    .computed(.arithmetic(.constant(left.stored), .dividedBy, right.operand, kind))
  }
}

extension QueryColumn where M: Model, Value: OrderedStorable, Value.Unwrapped: StorableInteger {
  /// The remainder of a division, with the sign of the dividend; nil for nil, and for division by
  /// zero.
  public static func % (left: Self, right: Self) -> QueryColumn<M, Value.Unwrapped?> {
    .computed(.arithmetic(left.operand, .remainder, right.operand, kind))
  }

  /// The remainder of a division by a number, with the property's sign; nil where that is nil.
  ///
  /// The remainder of a division by zero is nil, too.
  public static func % (left: Self, right: Value.Unwrapped) -> QueryColumn<M, Value.Unwrapped?> {
    .computed(.arithmetic(left.operand, .remainder, .constant(right.stored), kind))
  }
}

// MARK: - Values for nil

extension QueryColumn where M: Model, Value: OptionalStorable, Value.Unwrapped: Storable {
  /// The property, or a value where it is nil.
  public static func ?? (column: Self, value: Value.Unwrapped) -> QueryColumn<M, Value.Unwrapped> {
    .computed(.coalesced(column.operand, .constant(value.stored)))
  }

  /// The property, or another one where it is nil.
  public static func ?? (
    column: Self, other: QueryColumn<M, Value.Unwrapped>
  ) -> QueryColumn<M, Value.Unwrapped> {
    .computed(.coalesced(column.operand, other.operand))
  }

  /// The property, or another one where it is nil, which may be nil too.
  public static func ?? (column: Self, other: Self) -> Self where Value: Storable {
    computed(.coalesced(column.operand, other.operand))
  }
}

// MARK: - Texts

extension QueryColumn where M: Model, Value: StoredText {
  /// The text in small letters, as `String.lowercased()` gives it.
  public func lowercased() -> Self { .computed(.text(operand, .lowercased)) }

  /// The text in capitals, as `String.uppercased()` gives it.
  public func uppercased() -> Self { .computed(.text(operand, .uppercased)) }
}

extension QueryColumn where M: Model, Value == String {
  /// The number of characters of the text, as `String.count` returns it.
  public var count: QueryColumn<M, Int> { .computed(.text(operand, .count)) }
}

extension QueryColumn where M: Model, Value == String? {
  /// The number of characters of the text; nil where the text is nil.
  public var count: QueryColumn<M, Int?> { .computed(.text(operand, .count)) }
}

extension QueryColumn where Value == String {
  /// Holds where the text has no characters.
  public var isEmpty: QueryCondition<M> { self == "" }
}

// MARK: - Dates

extension QueryColumn where M: Model, Value: OrderedStorable, Value.Unwrapped == Date {
  /// The beginning of the day, week, month or other unit that contains the date.
  ///
  /// ```swift
  /// Session.where { $0.startedAt.start(of: .month, in: .current) == may }
  /// ```
  ///
  /// The calendar's time zone decides where a day begins, and its `firstWeekday` where a week does,
  /// as for `Calendar.dateInterval(of:for:)`. The value is nil where the date is nil. It is the
  /// date itself where `Calendar` knows no such unit around the date: for dates that are not finite
  /// or too far from the year 1, and for a unit such as `.isLeapMonth`.
  ///
  /// - Parameters:
  ///   - unit: The unit, such as `.day`, `.weekOfYear`, `.month` or `.year`.
  ///   - calendar: The calendar; its time zone is used too.
  public func start(of unit: Calendar.Component, in calendar: Calendar) -> Self {
    .computed(.start(operand, of: unit, UnitCalendar(calendar)))
  }
}

extension QueryColumn where M: Model, Value == Date {
  /// The number of the date's unit, such as 5 for the month of May; 0 for a date that is not finite.
  ///
  /// - Parameters:
  ///   - unit: The unit, such as `.hour`, `.weekday` or `.month`.
  ///   - calendar: The calendar; its time zone is used too.
  public func component(_ unit: Calendar.Component, in calendar: Calendar) -> QueryColumn<M, Int> {
    .computed(.component(operand, unit, UnitCalendar(calendar)))
  }
}

extension QueryColumn where M: Model, Value == Date? {
  /// The number of the date's unit, such as 5 for the month of May; nil where the date is nil.
  ///
  /// It is 0 for a date that is not finite.
  public func component(_ unit: Calendar.Component, in calendar: Calendar) -> QueryColumn<M, Int?> {
    .computed(.component(operand, unit, UnitCalendar(calendar)))
  }
}

// MARK: - What has no type

extension QueryColumn where Value: OrderedStorable, Value.Unwrapped: OrderedStorable & Numeric {
  /// Not available: an optional number and one that is not have no common type.
  @available(
    *, unavailable, message: "give the optional one a value for nil: ($0.discount ?? 0) + $0.price"
  )
  public static func + <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>) -> Self
  where Other.Unwrapped == Value.Unwrapped { left }

  /// Not available: an optional number and one that is not have no common type.
  @available(
    *, unavailable, message: "give the optional one a value for nil: $0.price - ($0.discount ?? 0)"
  )
  public static func - <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>) -> Self
  where Other.Unwrapped == Value.Unwrapped { left }

  /// Not available: an optional number and one that is not have no common type.
  @available(
    *, unavailable, message: "give the optional one a value for nil: ($0.factor ?? 1) * $0.price"
  )
  public static func * <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>) -> Self
  where Other.Unwrapped == Value.Unwrapped { left }
}

extension QueryColumn where Value: StoredText {
  /// Not available: an element of a collection is compared without case by its own operators.
  @available(
    *, unavailable, message: "inside any, all and none write equals(_:options: .caseInsensitive)"
  )
  public func lowercased() -> Self { self }

  /// Not available: an element of a collection is compared without case by its own operators.
  @available(
    *, unavailable, message: "inside any, all and none write equals(_:options: .caseInsensitive)"
  )
  public func uppercased() -> Self { self }
}

extension QueryColumn where Value: OrderedStorable, Value.Unwrapped == Date {
  /// Not available: a date has no year without a calendar.
  @available(
    *, unavailable,
    message:
      "write $0.date.start(of: .year, in: calendar), or compare with a range: $0.date.in(start..<end)"
  )
  public var year: QueryColumn<M, Int> { QueryColumn<M, Int>(nil) }

  /// Not available: a date has no month without a calendar.
  @available(
    *, unavailable,
    message:
      "write $0.date.start(of: .month, in: calendar), or compare with a range: $0.date.in(start..<end)"
  )
  public var month: QueryColumn<M, Int> { QueryColumn<M, Int>(nil) }

  /// Not available: a date has no day without a calendar.
  @available(
    *, unavailable,
    message:
      "write $0.date.start(of: .day, in: calendar), or compare with a range: $0.date.in(start..<end)"
  )
  public var day: QueryColumn<M, Int> { QueryColumn<M, Int>(nil) }
}
