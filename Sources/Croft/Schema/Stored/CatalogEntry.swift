import CroftFoundation

/// A model as the catalog stores it: JSON in the tree `meta`, under `model/` and its id.
///
/// Models and fields are identified by numbers, so that a rename changes the catalog only. The
/// trees of rows and indexes are named `e<number>` and `x<number>`. Property names that differ from
/// the JSON's are mapped in `CodingKeys`, which never change.
struct CatalogEntry: Codable, Equatable, Sendable {
  /// A stored property, whatever its present name.
  struct Field: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    /// Names that programs gave it before.
    var aliases: [String] = []
    var type: StoredType
    /// The value of rows whose layout lacks the field; without one they hold nil.
    var defaultForOldRows: Data?
    /// The default that a program declared, if any.
    ///
    /// A nil is read as it where a program needs a value, and an insert by a program that does not
    /// declare the field stores it.
    var declaredDefault: Data?
    /// Whether the newest program that declares the field makes it optional; absent for no.
    ///
    /// A nil then means nil, and the next program that needs a value says which.
    var isDefaultRetired: Bool?
    /// The model that the field refers to, if it holds references.
    var reference: Reference?
    /// The values that the newest program which declares the field can read.
    ///
    /// Absent where only programs of earlier versions of Croft declared it. Such a program keeps it or drops
    /// it; dropped, it is written again by the next opening for writing.
    var domain: ValueDomain?
    /// The domains of other programs that declare or declared it; absent for none.
    var formerDomains: [ValueDomain]?

    private enum CodingKeys: String, CodingKey {
      case id, name, aliases, type, reference
      case domain = "values"
      case formerDomains = "formerValues"
      case defaultForOldRows = "absent"
      case declaredDefault = "preset"
      case isDefaultRetired = "isPresetFormer"
    }
  }

  /// The target of a field's references, and the rule for a deleted target.
  struct Reference: Codable, Equatable, Sendable {
    /// The number of the model referred to, which a rename does not change.
    var model: Int
    var onDelete: DeleteRule
  }

  /// A sequence of columns that some rows have; never changed once it is written.
  struct Layout: Codable, Equatable, Sendable {
    struct Column: Codable, Equatable, Sendable {
      var field: Int
      var type: StoredType
      /// Whether the row leaves the column out because the key holds it.
      var isInKey: Bool
    }

    var id: UInt16
    var columns: [Column]
  }

  struct Index: Codable, Equatable, Sendable {
    struct Column: Codable, Equatable, Sendable {
      /// The field whose values are entered; absent for an expression.
      var field: Int?
      /// The expression whose values are entered; absent for a field.
      var expression: Expression?
      var isDescending = false
      var isCaseFolded = false
      /// The type whose key code the entries have.
      var type: StoredType
      /// The types with which the expression's fields were read, in its order; absent for a field.
      var operands: [StoredType]?
      /// Whether the words and characters of its texts are entered, for searches; absent for no.
      var isText: Bool?
      /// The data with which values were computed that depend on any; absent for other values.
      var dataVersion: DataVersion?

      /// The fields that are read.
      var fields: [Int] { expression?.fields ?? field.map { [$0] } ?? [] }
    }

    var id: Int
    var columns: [Column]
    var isUnique = false
    /// Whether some rows do not have their entries yet.
    var isBuilding = false
    /// While it is being built, the key of the last row that has its entries; absent for none.
    var built: Data?
    /// Whether another index is to be built in its place, with the same columns.
    var awaitsRebuild: Bool?
    /// While it is being built, the number of the index that it will replace; absent for none.
    var replaces: Int?
    /// Whether it was complete and is built again for other data, so that a row which cannot be read
    /// must not keep the store from being opened; absent for no.
    var skipsDamagedRows: Bool?
  }

  /// A declaration of the model with which a program opened the store.
  struct KnownSchema: Codable, Equatable, Sendable {
    var fingerprint: String
    /// The fields of its columns, in declaration order; absent in earlier files.
    var fields: [Int]?

    fileprivate enum CodingKeys: String, CodingKey {
      case fields
      case fingerprint = "hash"
    }
  }

  var id: Int
  var name: String
  /// Names that programs gave it before.
  var aliases: [String] = []
  /// The number of the tree with the rows.
  var tree: Int
  var keys: [Int] = []
  /// Fields in the order in which programs added them.
  var fields: [Field] = []
  /// The number of the next field.
  var nextField = 0
  /// All layouts that rows may have.
  var layouts: [Layout] = []
  /// The greatest number that a layout had, if that layout was removed.
  var lastLayout: UInt16?
  var indexes: [Index] = []
  /// The declarations with which programs opened the store, the first one first.
  var knownSchemas: [KnownSchema] = []
  var migrations: [String] = []
  /// Whether changes of its objects are put into the outbox; absent for no.
  var isReplicated: Bool?

  private enum CodingKeys: String, CodingKey {
    case id, name, aliases, tree, keys, fields, nextField, layouts, lastLayout, indexes, migrations
    case isReplicated
    case knownSchemas = "forms"
  }

  static let keyPrefix: [UInt8] = Array("model/".utf8)

  var treeName: String { "e\(tree)" }
  static func treeName(ofIndex id: Int) -> String { "x\(id)" }

  /// The entry of a model that is new to the store: it has no fields yet.
  init(name: String, id: Int) {
    self.id = id
    self.name = name
    tree = id
  }

  /// The greatest number that a layout has or had.
  var newestLayout: UInt16 {
    max(
      layouts.map(\.id).max() ?? RecordLayout.unregistered, lastLayout ?? RecordLayout.unregistered)
  }

  /// Adds a declaration, or replaces the one with its fingerprint.
  mutating func note(_ schema: KnownSchema) {
    if let place = knownSchemas.firstIndex(where: { $0.fingerprint == schema.fingerprint }) {
      knownSchemas[place] = schema
    } else {
      knownSchemas.append(schema)
      knownSchemas.removeFirst(max(0, knownSchemas.count - Threshold.knownSchemasPerModel.value))
    }
  }

  /// A field's place among the fields.
  func place(of field: Int) -> Int? { fields.firstIndex { $0.id == field } }
}

extension CatalogEntry.Field {
  var storage: StorageType {
    get { type.storage }
    set { type.storage = newValue }
  }

  func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Takes up the values that a program declares.
  ///
  /// Programs with other cases of one enum may open a store in turn. Each would replace what the other one
  /// wrote, and each write would read the catalog again: so a list that another one contains never replaces it,
  /// and of others only one that is new to the store. Those that are not in force are kept, for checks of values.
  mutating func declare(_ declared: ValueDomain) {
    guard let present = domain else {
      domain = declared
      return
    }
    var others = formerDomains ?? []
    let isNew = !others.contains(declared)
    if declared == present { return }
    if declared.isPreferred(to: present, isNew: isNew) {
      domain = declared
      others.removeAll { $0 == declared || $0 == present }
      others.append(present)
    } else {
      guard isNew else { return }
      others.append(declared)
    }
    others.removeFirst(max(0, others.count - Threshold.knownSchemasPerModel.value))
    formerDomains = others
  }

  /// The field without the values that it can have.
  var withoutDomain: Self {
    var field = self
    (field.domain, field.formerDomains) = (nil, nil)
    return field
  }

  /// Gives the field the name in a program's declaration, and adds its former names.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Self.renamed(self.name, aliases, to: name, from: formers)
  }

  /// The name after a program opened the store, and all former names.
  ///
  /// An older program's name changes nothing: only a program that declares the former name renames.
  fileprivate static func renamed(
    _ name: String, _ aliases: [String], to newName: String, from formers: [String]
  ) -> (String, [String]) {
    let isRenamed = name != newName && formers.contains(name)
    var aliases = aliases
    for former in formers + (isRenamed ? [name] : []) where !aliases.contains(former) {
      aliases.append(former)
    }
    let present = isRenamed ? newName : name
    return (present, aliases.filter { $0 != present })
  }
}

extension CatalogEntry {
  /// Gives the model the name in a program's declaration, and adds its former names.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Field.renamed(self.name, aliases, to: name, from: formers)
  }
}

extension CatalogEntry.KnownSchema {
  init(from decoder: any Decoder) throws {
    // Earlier files have the fingerprint alone, as a text; nil here means that it is not a text.
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(fingerprint: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fingerprint: try container.decode(String.self, forKey: .fingerprint),
      fields: try container.decodeIfPresent([Int].self, forKey: .fields))
  }
}

extension CatalogEntry.Layout.Column {
  var storage: StorageType { type.storage }
}

extension CatalogEntry.Index.Column {
  /// The functions whose values the column has and that depend on data of the runtime.
  var dataFunctions: Set<ColumnExpression.DataFunction> {
    let computed = expression?.expression { ColumnPath(place: $0, name: "") }
    return (computed?.dataFunctions ?? []).union(isCaseFolded ? [.textCase] : [])
      .union(isText == true ? [.searchTerms] : [])
  }

  /// Whether both are the same column of an index; their types may differ.
  func isSame(as other: Self) -> Bool {
    field == other.field && expression == other.expression && isDescending == other.isDescending
      && isCaseFolded == other.isCaseFolded && isText == other.isText
  }
}

extension CatalogEntry.Index {
  /// Whether it is an index for searches.
  var isText: Bool { columns.contains { $0.isText == true } }
}

extension CatalogEntry {
  /// Whether an index notes the data with which it was computed.
  var hasVersionedExpressions: Bool {
    indexes.contains { $0.columns.contains { $0.dataVersion != nil } }
  }

  /// Whether one of the fields refers to one of some models.
  func refers(to models: [Int]) -> Bool {
    fields.contains { field in field.reference.map { models.contains($0.model) } ?? false }
  }
}

extension CatalogEntry {
  /// The fields in their order, with those of the primary key in the order of the key.
  ///
  /// A program may declare them in another order than programs before it: then they are exchanged.
  var fieldsInKeyOrder: [Field] {
    var rest = keys.compactMap { id in fields.first { $0.id == id } }[...]
    return fields.map { field in keys.contains(field.id) ? rest.popFirst() ?? field : field }
  }
}

extension Schema {
  /// The schema of a model that the program does not declare, made of its catalog entry.
  ///
  /// - Parameter target: The schema of the model with a number; references lead nowhere without it.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for an entry without a primary key.
  convenience init(
    _ entry: CatalogEntry, referringTo target: (@Sendable (Int) -> Schema)? = nil
  ) throws {
    guard entry.fields.contains(where: { entry.keys.contains($0.id) }) else {
      throw StoreError.corrupt(
        model: entry.name, key: nil, reason: "its catalog entry names no primary key")
    }
    self.init(
      name: entry.name,
      columns: entry.fieldsInKeyOrder.map { field in
        var column = ColumnDefinition(
          name: field.name, storage: field.storage, isKey: entry.keys.contains(field.id),
          keyRestoresValue: entry.layouts.contains { layout in
            layout.columns.contains { $0.field == field.id && $0.isInKey }
          })
        // Where the newest program makes the property optional, its default is nil.
        let isRetired = field.isDefaultRetired == true && field.storage.isOptional
        column.stored = ColumnDefinition.Stored(
          field.domain, formerDomains: field.formerDomains ?? [],
          defaultValue: isRetired ? nil : field.declaredDefault.map { FieldValue([UInt8]($0)) })
        if let target, let reference = field.reference {
          column.reference = ForeignKeyDefinition(
            target: { target(reference.model) }, onDelete: reference.onDelete,
            isRequired: !field.storage.isOptional && field.storage.collection == nil)
        }
        return column
      })
  }
}

// MARK: - Expressions

extension CatalogEntry {
  /// An expression as the catalog stores it, with the numbers of fields in place of columns.
  struct Expression: Codable, Equatable, Sendable {
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
    private var operands: [Expression]?
    private var field: Int?
    private var constant: Constant?
    /// The kind of number that arithmetic gives.
    private var number: StorageType.Kind?
    private var unit: String?
    private var calendar: Calendar?
    /// The offset of the calendar's time zone, where its identifier lacks the seconds.
    private var offsetSeconds: Int?

    private init(_ kind: Kind, _ operands: [Expression]? = nil) {
      self.kind = kind
      self.operands = operands
    }

    /// The numbers of the fields that are read, in the order of the expression.
    var fields: [Int] { field.map { [$0] } ?? (operands ?? []).flatMap(\.fields) }
  }
}

extension CatalogEntry.Expression {
  /// The stored form of an expression over a model's own columns, given each one's field number.
  init(_ expression: ColumnExpression, _ field: (Int) -> Int) {
    func stored(_ term: ColumnExpression) -> Self { Self(term, field) }
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

extension CatalogEntry.Expression.Kind {
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

extension CatalogEntry.Expression.Constant {
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
  /// The units that a catalog, and the text of a query, can name.
  static let all: [Calendar.Component] = [
    .era, .year, .month, .day, .hour, .minute, .second, .weekday, .weekdayOrdinal, .quarter,
    .weekOfMonth, .weekOfYear, .yearForWeekOfYear, .nanosecond, .dayOfYear, .calendar, .timeZone,
    .isLeapMonth,
  ]
}
