import Croft
import Foundation
import TerminalText

extension Shell {
  /// The files differ, which was written.
  struct FilesDiffer: Error {}

  /// Writes how another file differs from this one: models first, then objects by model and key.
  ///
  /// Each file is read at one state. In memory are some hundred objects.
  ///
  /// - Throws: ``FilesDiffer``; ``ShellCommand/Problem``; `StoreError`; what writing throws.
  func writeDifferences(to other: String, of models: [String]) throws {
    let second: Store
    do { second = try ShellStore(other).reading() } catch {
      throw ShellCommand.Problem(reason: ErrorText.text(of: error))
    }
    var writer = DifferenceWriter(format, to: streams)
    try file.reading().read(onProgress: interruptCheck) { old in
      try second.read(onProgress: interruptCheck) { new in
        let pairs = try ModelPair.all(try old.models(), try new.models(), named: models)
        for pair in pairs {
          for difference in pair.differences { try writer.add(difference) }
          try checkInterrupt()
        }
        for pair in pairs where pair.hasComparableObjects {
          let keyNames = pair.new?.primaryKey ?? []
          writer.equalCount += try new.forEachDifference(of: pair.name, from: old) {
            try writer.add($0, keyNames: keyNames)
          }
        }
      }
    }
    try writer.finish()
    if writer.count > 0 { throw FilesDiffer() }
  }
}

/// A model in both files, or in one of them.
private struct ModelPair {
  let name: String
  let old: StoredModel?
  let new: StoredModel?

  /// The models of both files by name.
  ///
  /// - Throws: ``ShellCommand/Problem`` for a name that neither has.
  static func all(
    _ old: [StoredModel], _ new: [StoredModel], named names: [String]
  ) throws -> [ModelPair] {
    let known = Set((old + new).map(\.name)).sorted()
    for name in names where !known.contains(name) {
      let reason = "neither file has a model \(name); they have \(known.joined(separator: ", "))"
      throw ShellCommand.Problem(reason: reason.escaped())
    }
    return known.filter { names.isEmpty || names.contains($0) }.map { name in
      ModelPair(
        name: name, old: old.first { $0.name == name }, new: new.first { $0.name == name })
    }
  }

  /// Whether both have the model, with the same primary key.
  var hasComparableObjects: Bool {
    guard let old, let new else { return false }
    return Self.key(of: old) == Self.key(of: new)
  }

  private static func key(of model: StoredModel) -> [String] {
    model.properties.filter(\.isPrimaryKey).map { "\($0.name): \($0.typeName)" }
  }

  /// How the models differ: as a whole, in the primary key, in properties, and in indexes.
  var differences: [SchemaDifference] {
    guard let old, let new else {
      let objects = (old ?? new)?.objectCount ?? 0
      let text = objects == 1 ? "1 object" : "\(objects) objects"
      return [
        SchemaDifference(
          model: name, part: "model", name: name, old: old.map { _ in text },
          new: new.map { _ in text })
      ]
    }
    var differences: [SchemaDifference] = []
    func compare(_ part: String, _ old: [(String, String)], _ new: [(String, String)]) {
      for (name, text) in old {
        let other = new.first { $0.0 == name }?.1
        if other != text { add(part, name, text, other) }
      }
      for (name, text) in new where !old.contains(where: { $0.0 == name }) {
        add(part, name, nil, text)
      }
    }
    func add(_ part: String, _ name: String, _ old: String?, _ new: String?) {
      differences.append(
        SchemaDifference(model: self.name, part: part, name: name, old: old, new: new))
    }
    if !hasComparableObjects {
      add(
        "primary key", "", Self.key(of: old).joined(separator: ", "),
        Self.key(of: new).joined(separator: ", "))
    }
    compare("property", old.properties.map(Self.described), new.properties.map(Self.described))
    // A model may have several indexes over the same properties: equal ones are left out first.
    var (oldIndexes, newIndexes) = (
      old.indexes.map(Self.described), new.indexes.map(Self.described)
    )
    oldIndexes.removeAll { index in
      guard let place = newIndexes.firstIndex(where: { $0 == index }) else { return false }
      newIndexes.remove(at: place)
      return true
    }
    compare("index", oldIndexes, newIndexes)
    return differences
  }

  private static func described(_ property: StoredModel.Property) -> (String, String) {
    var text = property.typeName
    if let reference = property.reference {
      text += ", refers to \(reference.model), on delete \(reference.onDelete)"
    }
    if !property.cases.isEmpty {
      let cases = property.cases.map { "\($0.name) = \(ValueText.plain($0.value))" }
      text += ", cases \(cases.joined(separator: ", "))"
    }
    return (property.name, text)
  }

  private static func described(_ index: StoredModel.Index) -> (String, String) {
    (index.columns.joined(separator: ", "), index.isUnique ? "unique" : "not unique")
  }
}

/// A part of a model that one of the files lacks, or has otherwise.
private struct SchemaDifference {
  let model: String
  /// What it is: a model, a primary key, a property or an index.
  let part: String
  let name: String
  let old: String?
  let new: String?
}

/// Writes differences: lines for people, objects in JSON, and rows in the other formats.
private struct DifferenceWriter {
  /// The most bytes of a value that are written themselves; of more there is a checksum.
  private static let bytesShown = 16

  private let streams: Streams
  private let format: OutputFormat
  private var rows: RowWriter
  private var counts: [String: Int] = [:]
  /// How many objects both files have with the same values.
  var equalCount = 0
  /// How many differences there are.
  private(set) var count = 0

  init(_ format: OutputFormat, to streams: Streams) {
    (self.format, self.streams) = (format, streams)
    rows = RowWriter(
      format, ["change", "model", "part", "name", "property", "old", "new"], to: streams)
  }

  /// `-` for what the other file lacks, `+` for what it has alone, `~` for what it has otherwise.
  private static func sign<Side>(_ old: Side?, _ new: Side?) -> String {
    old == nil ? "+" : new == nil ? "-" : "~"
  }

  mutating func add(_ difference: SchemaDifference) throws {
    let sign = Self.sign(difference.old, difference.new)
    note("difference of models")
    let (old, new) = (difference.old, difference.new)
    switch format {
    case .plain, .table:
      let isModel = difference.part == "model"
      let part = [isModel ? "" : difference.model, difference.part, difference.name]
      let values = [old, new].compactMap { $0 }.joined(separator: " → ")
      let line = (part.filter { !$0.isEmpty }.joined(separator: " ") + ": " + values)
      try write("\(sign) \(line.escaped())\n")
    case .json, .ndjson:
      try writeJSON([
        ("change", sign.jsonQuoted), ("model", difference.model.jsonQuoted),
        ("part", difference.part.jsonQuoted), ("name", difference.name.jsonQuoted),
        ("old", old.map(\.jsonQuoted) ?? "null"), ("new", new.map(\.jsonQuoted) ?? "null"),
      ])
    case .csv, .md:
      try rows.add([
        .string(sign), .string(difference.model), .string(difference.part),
        .string(difference.name), .none, old.map { .string($0) } ?? .none,
        new.map { .string($0) } ?? .none,
      ])
    }
  }

  mutating func add(_ difference: ObjectDifference, keyNames: [String]) throws {
    let sign = Self.sign(difference.old, difference.new)
    let kinds = ["-": "removed", "+": "added", "~": "changed"]
    note(kinds[sign] ?? "")
    guard let object = difference.new ?? difference.old else { return }
    switch format {
    case .plain, .table:
      let line = try Self.line(difference, object, keyNames)
      try write("\(sign) \(object.model.escaped()) \(line)\n")
    case .json, .ndjson: try writeJSON(Self.fields(difference, object, sign, keyNames))
    case .csv, .md:
      let key = Self.list(object, keyNames)
      for name in difference.changedNames.isEmpty ? object.names : difference.changedNames {
        try rows.add([
          .string(sign), .string(object.model), .string("object"), .string(key), .string(name),
          try Self.shown(difference.old?[name]), try Self.shown(difference.new?[name]),
        ])
      }
    }
  }

  private mutating func note(_ kind: String) {
    counts[kind, default: 0] += 1
    count += 1
  }

  private func write(_ text: String) throws { try streams.write(Data(text.utf8)) }

  mutating func finish() throws {
    switch format {
    case .plain, .table:
      if count == 0 {
        return try write(
          "The files are equal: \(equalCount == 1 ? "1 object" : "\(equalCount) objects").\n")
      }
      let models = counts["difference of models"] ?? 0
      let objects = ["removed", "added", "changed"].map { "\(counts[$0] ?? 0) \($0)" }
      try write(
        "Objects: \(objects.joined(separator: ", ")), \(equalCount) equal. "
          + "Differences of models: \(models).\n")
    case .json: try write(count == 0 ? "[]\n" : "\n]\n")
    case .ndjson: break
    case .csv, .md: try rows.finish()
    }
  }

  // MARK: - Lines and objects

  private mutating func writeJSON(_ fields: [(String, String)]) throws {
    let text = "{" + fields.map { "\($0.jsonQuoted):\($1)" }.joined(separator: ",") + "}"
    let isArray = format == .json
    try write(isArray ? (count == 1 ? "[\n  " : ",\n  ") + text : text + "\n")
  }

  /// The properties of a whole object, or the key of one that changed and what changed.
  private static func line(
    _ difference: ObjectDifference, _ object: DynamicObject, _ keyNames: [String]
  ) throws -> String {
    guard let old = difference.old, let new = difference.new else {
      return list(object, object.names)
    }
    let changes = try difference.changedNames.map { name in
      "\(name.escaped()): \(text(of: try old[name])) → \(text(of: try new[name]))"
    }
    return list(object, keyNames) + " " + changes.joined(separator: ", ")
  }

  private static func list(_ object: DynamicObject, _ names: [String]) -> String {
    let parts = zip(object.names, object.values).filter { names.contains($0.0) }
    return "{" + parts.map { "\($0.escaped()): \(text(of: $1))" }.joined(separator: ", ") + "}"
  }

  private static func fields(
    _ difference: ObjectDifference, _ object: DynamicObject, _ sign: String, _ keyNames: [String]
  ) throws -> [(String, String)] {
    func json(_ object: DynamicObject?, _ names: [String]) -> String {
      guard let object else { return "null" }
      let parts = zip(object.names, object.values).filter { names.contains($0.0) }
      return "{"
        + parts.map { "\($0.jsonQuoted):\(ValueText.json($1))" }.joined(separator: ",") + "}"
    }
    let names = difference.changedNames.isEmpty ? object.names : difference.changedNames
    return [
      ("change", sign.jsonQuoted), ("model", object.model.jsonQuoted),
      ("key", json(object, keyNames)), ("old", json(difference.old, names)),
      ("new", json(difference.new, names)),
    ]
  }

  /// A value as a statement has it; of more than some bytes their number and checksum.
  private static func text(of value: StoredValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .data(let bytes) where bytes.count > bytesShown:
      "(\(bytes.count) bytes, CRC-32 \(checksum(of: bytes)))"
    case .list(let values): "[" + values.map { Self.text(of: $0) }.joined(separator: ", ") + "]"
    default: ValueText.plain(value, nothing: "nil")
    }
  }

  /// A value of a row of a table.
  private static func shown(_ value: StoredValue?) -> StoredValue {
    guard let value else { return .none }
    guard case .data(let bytes) = value, bytes.count > bytesShown else { return value }
    return .string(text(of: value))
  }

  /// A text in quotes, as a query text has it.
  private static func quoted(_ text: String) -> String {
    "\"" + text.escaped(backslash: true, also: "\"") + "\""
  }

  /// The checksum of bytes as gzip and `cksum -a crc32b` have it.
  private static func checksum(of bytes: [UInt8]) -> String {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<UInt8.bitWidth { sum = sum & 1 == 1 ? sum >> 1 ^ polynomial : sum >> 1 }
    }
    let text = String(~sum, radix: 16)
    return String(repeating: "0", count: checksumDigits - text.count) + text
  }

  /// The polynomial of CRC-32, reversed.
  private static let polynomial: UInt32 = 0xEDB8_8320
  private static let checksumDigits = 8
}
