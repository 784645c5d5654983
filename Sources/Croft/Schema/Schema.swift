import Synchronization

/// The declaration of a model without its Swift type: name, columns in order, and indexes.
@usableFromInline
final class Schema: Sendable {
  let name: String
  /// Names that the model had before; a stored model with such a name is this one.
  let aliases: [String]
  let columns: [ColumnDefinition]
  /// Reads an object and forgets it, so that what is no object throws.
  let read: @Sendable (inout _RecordDecoder) throws -> Void
  private let madeIndexes: Mutex<Result<[IndexDefinition], ModelMistake>?>
  private let makeIndexes: @Sendable () -> Result<[IndexDefinition], ModelMistake>
  /// The places of the primary key's columns, ascending; one unless the key is compound.
  let keyPlaces: [Int]
  let removed: [String]
  /// For each column the place of the first one of its property: a struct has several.
  let propertyPlaces: [Int]
  /// How much a term counts in the texts that have another weight than 1, by their places.
  let textWeights: [Int: Int]
  private let places: [String: Int]

  init(
    name: String, aliases: [String] = [], columns: [ColumnDefinition],
    removed: [String] = [], textWeights: [String: Int] = [:],
    read: @escaping @Sendable (inout _RecordDecoder) throws -> Void = { _ in },
    indexes: @escaping @Sendable () -> Result<[IndexDefinition], ModelMistake> = { .success([]) }
  ) {
    keyPlaces = columns.indices.filter { columns[$0].isKey }
    precondition(
      !keyPlaces.isEmpty, "\(name) has no primary key: mark one property with @PrimaryKey.")
    self.name = name
    self.aliases = aliases
    self.columns = columns
    makeIndexes = indexes
    self.read = read
    madeIndexes = Mutex(nil)
    self.removed = removed
    let properties = columns.map { $0.name.prefix { $0 != "." } }
    let firsts = Dictionary(
      zip(properties, columns.indices), uniquingKeysWith: { first, _ in first })
    propertyPlaces = properties.indices.map { firsts[properties[$0]] ?? $0 }
    let places = Dictionary(
      zip(columns.map(\.name), columns.indices), uniquingKeysWith: { first, _ in first })
    self.places = places
    self.textWeights = Dictionary(
      uniqueKeysWithValues: textWeights.compactMap { name, weight in
        places[name].map { ($0, weight) }
      })
  }

  /// The indexes that the program declares, each once.
  ///
  /// They are made when they are first asked for: the expressions among them name columns of this
  /// schema, which must exist by then.
  ///
  /// A declaration with a ``mistake`` has none.
  var indexes: [IndexDefinition] {
    switch allIndexes {
    case .success(let indexes): indexes
    case .failure: []
    }
  }

  private var allIndexes: Result<[IndexDefinition], ModelMistake> {
    if let made = madeIndexes.withLock({ $0 }) { return made }
    let made = makeIndexes()
    madeIndexes.withLock { $0 = made }
    return made
  }

  /// What is wrong with the declaration, or with that of a model that it refers to; nil if nothing.
  ///
  /// A store refuses the model when it is opened, before a row is read or written.
  var mistake: ModelMistake? {
    ownMistake ?? columns.lazy.compactMap { $0.reference?.target().ownMistake }.first
  }

  private var ownMistake: ModelMistake? {
    if let mistake = columns.lazy.compactMap(\.mistake).first { return mistake }
    let parts = keyPlaces.reduce(0) { $0 + columns[$1].storage.keyPartCount }
    if parts > KeyParts.most {
      return ModelMistake(
        "the primary key of \(name) has \(parts) parts, and at most \(KeyParts.most) fit; use fewer"
      )
    }
    guard case .failure(let mistake) = allIndexes else { return nil }
    return mistake
  }

  func place(named name: String) -> Int? { places[name] }

  /// The place of the primary key among the columns; of a compound key its first column's.
  var keyIndex: Int { keyPlaces[0] }

  /// The primary key's column; of a compound key the first.
  var key: ColumnDefinition { columns[keyIndex] }

  /// Whether several columns together are the primary key.
  ///
  /// Its code is the concatenation of their codes, and rows store all of them.
  var isKeyCompound: Bool { keyPlaces.count > 1 }

  /// The length of every key's code, or nil where it varies.
  var keyWidth: Int? { keyPlaces.map { columns[$0].storage.keyWidth }.sum }

  /// The value of a key's code as text, for error messages.
  func describe(key bytes: UnsafeRawBufferPointer) -> String {
    // Safety: the text is made while the bytes are borrowed.
    guard isKeyCompound else { return unsafe KeyCode.describe(bytes, as: key.storage) }
    return unsafe KeyCode.describe(bytes, parts: keyPlaces.map { columns[$0].storage })
  }
}

extension Schema: Hashable {
  // The same declaration is one object, whatever it says.

  @usableFromInline static func == (left: Schema, right: Schema) -> Bool { left === right }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension Schema {
  /// A hash of the name, columns and indexes, which identifies this schema of the model.
  ///
  /// A store keeps the fingerprints of the schemas with which it was opened. A program whose
  /// fingerprint it does not know is a newer one: its schema decides which indexes and removed
  /// fields there are.
  var fingerprint: String {
    // Descriptions are asked for directly: to find out how to print a value of any type takes the runtime much longer.
    var text = "\(name) \(aliases.description) \(removed.description)"
    for column in columns {
      text += "\n\(column.name) \(column.aliases.description) \(column.storage.text)"
      if column.isKey { text += " key" }
      if column.storeDefault != nil { text += " default" }
      if let reference = column.reference {
        text += " to \(reference.target().name) \(reference.onDelete.rawValue)"
      }
    }
    for index in indexes {
      text += index.isText ? "\ntext" : index.isUnique ? "\nunique" : "\nindex"
      for column in index.columns {
        switch column.source {
        case .column(let place): text += " \(place)"
        case .expression(let computed): text += " \(computed.expression.fingerprint)"
        }
        if column.isDescending { text += "d" }
        if column.isCaseFolded { text += "c" }
      }
    }
    // Safety: the bytes are hashed while they are borrowed from the text.
    let hash = text.withUTF8 { unsafe Checksum.FNV1a.hash(UnsafeRawBufferPointer($0)) }
    return String(hash, radix: 16)
  }
}

/// The schema of a model type, as the macro describes it; made once for each type.
public final class _ModelSchema<M: Model>: Sendable {
  /// The schema without its Swift type, for code that works on bytes.
  @usableFromInline let erased: Schema
  private let names: ModelPropertyNames
  /// Stored properties by their offsets and types, by which they are found faster than by key paths.
  private let properties: [(offset: Int, type: ObjectIdentifier, name: String, place: Int?)]

  /// Makes a schema.
  public init(
    _ name: String, _ columns: [_Column<M>], indexes: [_Index<M>] = [],
    renamedFrom aliases: [String] = [], removed: [String] = []
  ) {
    let definitions = columns.flatMap { $0.definitions() }
    let names = ModelPropertyNames(columns.flatMap(\.names))
    let declared = Result { () throws(ModelMistake) in
      try Self.indexes(columns, indexes, names, definitions)
    }
    let orders = indexes.compactMap(\.order)
    let weighted = indexes.flatMap { index in
      zip(Self.names(of: index, names), index.weights).filter { $1 != 1 }
    }
    erased = Schema(
      name: name, aliases: aliases, columns: definitions, removed: removed,
      textWeights: Dictionary(weighted, uniquingKeysWith: { first, _ in first }),
      read: { _ = try M(_record: &$0) }
    ) {
      Result { () throws(ModelMistake) in
        var all = try declared.get()
        for order in orders { all.add(try IndexDefinition(in: order(QueryColumn(nil)))) }
        all.addForeignKeys(of: definitions)
        return all
      }
    }
    self.names = names
    properties = columns.flatMap(\.names).compactMap { [erased] path, name in
      guard let path = path as? PartialKeyPath<M>, let offset = MemoryLayout<M>.offset(of: path)
      else { return nil }
      let type = type(of: path).valueType
      // Of properties without bytes several can have one offset.
      guard Self.hasBytes(type) else { return nil }
      return (offset, ObjectIdentifier(type), name, erased.place(named: name))
    }
  }

  private static func hasBytes(_ type: Any.Type) -> Bool {
    func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
    return _openExistential(type, do: size) > 0
  }

  /// The indexes of single properties, then those of `#Index` and `#Unique` on properties.
  private static func indexes(
    _ columns: [_Column<M>], _ indexes: [_Index<M>], _ names: ModelPropertyNames,
    _ definitions: [ColumnDefinition]
  ) throws(ModelMistake) -> [IndexDefinition] {
    var all: [IndexDefinition] = []
    for column in columns {
      guard let options = column.index else { continue }
      all.add(
        try IndexDefinition(
          over: [column.name], [options], isUnique: options.contains(.unique), definitions))
    }
    for index in indexes where index.order == nil {
      let parts = Self.names(of: index, names)
      guard index.isText else {
        all.add(
          try IndexDefinition(
            over: parts, index.parts.map(\.options), isUnique: index.isUnique, definitions))
        continue
      }
      if all.contains(where: \.isText) {
        throw ModelMistake("a model has two indexes for searches; name all texts in one")
      }
      all.add(try IndexDefinition(searching: parts, definitions))
      for (name, weight) in zip(parts, index.weights) where !TextIndexPart.weights.contains(weight)
      {
        throw ModelMistake(
          "an index for searches gives \(name) the weight \(weight); use one from "
            + "\(TextIndexPart.weights.lowerBound) to \(TextIndexPart.weights.upperBound)")
      }
    }
    return all
  }

  /// The names of the properties of an index.
  private static func names(of index: _Index<M>, _ names: ModelPropertyNames) -> [String] {
    index.parts.map { part in
      ([names[part.property] ?? "\(part.property)"] + part.path).joined(separator: ".")
    }
  }

  /// The name of a stored property, or nil for a computed one.
  func name(of path: PartialKeyPath<M>) -> String? { property(at: path)?.name }

  /// The place of a stored property among the columns; nil for a computed one, and for a
  /// struct that is always there and so has no column of its own.
  func column(at path: PartialKeyPath<M>) -> Int? { property(at: path)?.place }

  /// The name of a stored property and its place; nil for a computed one.
  func property(at path: PartialKeyPath<M>) -> (name: String, place: Int?)? {
    if let offset = MemoryLayout<M>.offset(of: path) {
      let type = ObjectIdentifier(type(of: path).valueType)
      for property in properties where property.offset == offset && property.type == type {
        return (property.name, property.place)
      }
    }
    return names[path].map { ($0, erased.place(named: $0)) }
  }
}
