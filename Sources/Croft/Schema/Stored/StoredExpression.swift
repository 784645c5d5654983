import CroftFoundation

/// An expression as the catalog stores it, with the numbers of fields in place of columns.
struct StoredExpression: Codable, Equatable, Sendable {
  /// What the expression is; its operands are expressions of their own.
  fileprivate enum Kind: String, Codable {
    case field, constant, plus, minus, times, dividedBy, remainder, coalesced, lowercased
    case uppercased, count, start, component
  }

  /// A constant in the format of rows.
  fileprivate struct Constant: Codable, Equatable {
    var type: StoredType
    var bytes: Data
  }

  private var kind: Kind
  private var operands: [StoredExpression]?
  private var field: Int?
  private var constant: Constant?
  /// The kind of number that arithmetic gives.
  private var number: StorageType.Kind?
  private var unit: String?
  private var calendar: Calendar?
  /// The offset of the calendar's time zone, where its identifier lacks the seconds.
  private var offsetSeconds: Int?

  private init(_ kind: Kind, _ operands: [StoredExpression]? = nil) {
    self.kind = kind
    self.operands = operands
  }

  /// The numbers of the fields that are read, in the order of the expression.
  var fields: [Int] { field.map { [$0] } ?? (operands ?? []).flatMap(\.fields) }
}

extension StoredExpression {
  /// The stored form of an expression over a model's own columns, given each one's field number.
  init(_ expression: ColumnExpression, _ field: (Int) -> Int) {
    func stored(_ term: ColumnExpression) -> StoredExpression { StoredExpression(term, field) }
    switch expression {
    case .column(let path):
      self.init(.field)
      self.field = field(path.place)
    case .constant(let value):
      self.init(.constant)
      constant = Constant(value)
    case .arithmetic(let left, let operation, let right, let number):
      self.init(Kind(operation), [stored(left), stored(right)])
      self.number = number
    case .coalesced(let left, let right): self.init(.coalesced, [stored(left), stored(right)])
    case .text(let term, .lowercased): self.init(.lowercased, [stored(term)])
    case .text(let term, .uppercased): self.init(.uppercased, [stored(term)])
    case .text(let term, .count): self.init(.count, [stored(term)])
    case .start(let term, let unit, let calendar):
      self.init(.start, [stored(term)])
      (self.unit, self.calendar) = ("\(unit)", calendar.calendar)
      offsetSeconds = calendar.offsetSeconds
    case .component(let term, let unit, let calendar):
      self.init(.component, [stored(term)])
      (self.unit, self.calendar) = ("\(unit)", calendar.calendar)
      offsetSeconds = calendar.offsetSeconds
    case .tooDeep: preconditionFailure("The declaration of an index of it is refused.")
    }
  }

  /// The expression over the columns of a layout; nil where a field has none, or a part is not known.
  ///
  /// - Parameter path: The column of a field, by the field's number.
  func expression(_ path: (Int) -> ColumnPath?) -> ColumnExpression? {
    var terms: [ColumnExpression] = []
    for operand in operands ?? [] {
      guard let term = operand.expression(path) else { return nil }
      terms.append(term)
    }
    if let operation = kind.operation {
      guard terms.count == 2, let number else { return nil }
      return .arithmetic(terms[0], operation, terms[1], number)
    }
    switch kind {
    case .field: return field.flatMap(path).map { .column($0) }
    case .constant: return constant?.value.map { .constant($0) }
    case .coalesced: return terms.count == 2 ? .coalesced(terms[0], terms[1]) : nil
    default: break
    }
    guard terms.count == 1 else { return nil }
    switch kind {
    case .lowercased: return .text(terms[0], .lowercased)
    case .uppercased: return .text(terms[0], .uppercased)
    case .count: return .text(terms[0], .count)
    default: break
    }
    guard let calendar, let unit = Calendar.Component.all.first(where: { "\($0)" == unit }) else {
      return nil
    }
    let units = UnitCalendar(calendar, offsetSeconds: offsetSeconds)
    return kind == .start
      ? .start(terms[0], of: unit, units) : .component(terms[0], unit, units)
  }
}

extension StoredExpression.Kind {
  fileprivate init(_ operation: ColumnExpression.Operation) {
    switch operation {
    case .plus: self = .plus
    case .minus: self = .minus
    case .times: self = .times
    case .dividedBy: self = .dividedBy
    case .remainder: self = .remainder
    }
  }

  fileprivate var operation: ColumnExpression.Operation? {
    ColumnExpression.Operation.allCases.first { Self($0) == self }
  }
}

extension StoredExpression.Constant {
  /// The constant of a value; none for nil and for a collection, which no expression has.
  fileprivate init?(_ value: StoredValue) {
    func bytes(_ word: some FixedWidthInteger) -> Data {
      var bytes = _ByteBuffer()
      bytes.append(littleEndian: word)
      return Data(bytes.copied)
    }
    switch value {
    case .none, .list: return nil
    case .bool(let value): self.init(.bool, Data([value ? 1 : 0]))
    case .int(let value): self.init(.int64, bytes(value))
    case .uint(let value): self.init(.uint64, bytes(value))
    case .double(let value): self.init(.double, bytes(value.bitPattern))
    case .date(let value): self.init(.date, bytes(value.bitPattern))
    case .uuid(let high, let low):
      self.init(.uuid, bytes(high.byteSwapped) + bytes(low.byteSwapped))
    case .string(let value): self.init(.string, Data(value.utf8))
    case .data(let value): self.init(.data, Data(value))
    case .decimal: self.init(.decimal, Data(value.keyCode(kind: .decimal)))
    }
  }

  private init(_ kind: StorageType.Kind, _ bytes: Data) {
    self.init(type: StoredType(StorageType(kind)), bytes: bytes)
  }

  /// The value; nil where the bytes are none.
  fileprivate var value: StoredValue? {
    let width = type.storage.kind.width
    guard width == 0 || width == bytes.count else { return nil }
    // Safety: the value is made while the bytes are borrowed.
    return unsafe bytes.withUnsafeBytes { unsafe StoredValue($0, as: type.storage) }
  }
}

extension Calendar.Component {
  /// The units that a catalog can name.
  fileprivate static let all: [Calendar.Component] = [
    .era, .year, .month, .day, .hour, .minute, .second, .weekday, .weekdayOrdinal, .quarter,
    .weekOfMonth, .weekOfYear, .yearForWeekOfYear, .nanosecond, .dayOfYear, .calendar, .timeZone,
    .isLeapMonth,
  ]
}
