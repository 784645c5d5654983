import CroftFoundation

/// The first line of a dump: its format, and the models as the catalog of the file has them.
struct DumpHeader: Codable {
  /// The format that is written, and the only one that is read.
  static let format = 1

  let format: Int
  /// The checksum of the models, because a catalog that somebody changed is not checked.
  let checksum: UInt32
  let models: [CatalogEntry]

  init(_ models: [CatalogEntry]) throws {
    (format, self.models) = (Self.format, models)
    checksum = try Self.checksum(of: models)
  }

  /// The checksum of the models as JSON with sorted keys.
  ///
  /// Keys that a later version of Croft wrote are not among them, so that its dumps do not fit.
  static func checksum(of models: [CatalogEntry]) throws -> UInt32 {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = [UInt8](try encoder.encode(models))
    // Safety: the bytes do not change during the call.
    return unsafe json.withUnsafeBytes {
      unsafe Checksum.of(UnsafeRawBufferPointer(start: nil, count: 0), $0)
    }
  }

  /// The format alone, which is read first.
  struct Format: Codable {
    let format: Int
  }
}

/// The last line of a dump, without which it is not whole.
struct DumpEnd: Codable {
  /// How many objects there are before it.
  let objects: Int
}

/// The first line and the last one: what each holds is under a key that no model can have.
struct DumpMark<Content: Codable>: Codable {
  static var key: String { CodingKeys.content.stringValue }

  let content: Content

  private enum CodingKeys: String, CodingKey {
    case content = "$croft"
  }
}

/// A line of a dump with an object: `{"Book":{"id":1,"title":"Sea"}}`.
struct DumpedObject: Encodable {
  let model: String
  let columns: [ColumnDefinition]
  let values: [StoredValue]

  func encode(to encoder: any Encoder) throws {
    var line = encoder.container(keyedBy: DumpedName.self)
    var object = line.nestedContainer(keyedBy: DumpedName.self, forKey: DumpedName(model))
    for (column, value) in zip(columns, values) {
      try object.encode(DumpedValue(value, column.storage), forKey: DumpedName(column.name))
    }
  }
}

/// A line after the first one.
enum DumpLine: DecodableWithConfiguration {
  case object(Table, [StoredValue])
  case end(DumpEnd)

  init(from decoder: any Decoder, configuration tables: [String: Table]) throws {
    let line = try decoder.container(keyedBy: DumpedName.self)
    guard let name = line.allKeys.first, line.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "It has one key, which is the name of a model."))
    }
    if name.stringValue == DumpMark<DumpEnd>.key {
      self = .end(try line.decode(DumpEnd.self, forKey: name))
      return
    }
    guard let table = tables[name.stringValue] else {
      throw DecodingError.dataCorruptedError(
        forKey: name, in: line, debugDescription: "The first line has no such model.")
    }
    let object = try line.nestedContainer(keyedBy: DumpedName.self, forKey: name)
    let columns = table.schema.columns
    let values = try columns.map { column in
      let name = DumpedName(column.name)
      guard object.contains(name) else {
        throw DecodingError.dataCorruptedError(
          forKey: name, in: object, debugDescription: "It is missing.")
      }
      return try object.decode(DumpedValue.self, forKey: name, configuration: column.storage).value
    }
    if object.allKeys.count > columns.count {
      let unknown = object.allKeys.first { key in
        !columns.contains { $0.name == key.stringValue }
      }
      throw DecodingError.dataCorruptedError(
        forKey: unknown ?? name, in: object, debugDescription: "The model has no such property.")
    }
    self = .object(table, values)
  }
}
