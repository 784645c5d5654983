import Croft
import Foundation

/// Answers queries and commands about one store.
struct Shell {
  /// The store is damaged; the description names the first problems.
  struct DamagedStore: Error, CustomStringConvertible {
    let result: Verification

    var description: String {
      (["the store has \(result.problemCount) problems"] + result.problems).joined(
        separator: "\n  ")
    }
  }

  private let store: Store
  private let streams: Streams
  private(set) var format: OutputFormat

  init(_ store: Store, _ format: OutputFormat, _ streams: Streams) {
    (self.store, self.format, self.streams) = (store, format, streams)
  }

  /// Does what a line asks for; an empty one and one that begins with `#` ask for nothing.
  ///
  /// - Returns: False for the command to leave.
  /// - Throws: ``ShellCommand/Problem``; `QueryTextError`; `StoreError`; what writing throws.
  mutating func perform(_ line: String) throws -> Bool {
    let line = line.trimmingSpaces
    if line.isEmpty || line.hasPrefix("#") { return true }
    guard line.hasPrefix(".") else {
      try answer(try DynamicQuery(line))
      return true
    }
    switch try ShellCommand(line) {
    case .models: try writeModels()
    case .schema(let model): try writeSchema(try models(named: model))
    case .indexes(let model): try writeIndexes(try models(named: model))
    case .explain(let text):
      try write("\(try store.read { try $0.explain(try DynamicQuery(text)) })\n")
    case .stats: try write("\(try store.statistics)\n")
    case .verify: try verify()
    case .mode(let new): format = new
    case .help: try write(ShellCommand.list + "\n")
    case .quit: return false
    }
    return true
  }

  private func write(_ text: String) throws { try streams.write(Data(text.utf8)) }

  private func answer(_ query: DynamicQuery) throws {
    let names = try store.read { try $0.names(of: query) }
    var writer = RowWriter(format, names, to: streams)
    try store.read { tx in
      try tx.forEach(query) { object, _ in try writer.add(object.values) }
    }
    try writer.finish()
  }

  /// Writes a table about the file.
  private func write(_ names: [String], _ rows: [[StoredValue]]) throws {
    var writer = RowWriter(format, names, to: streams)
    for row in rows { try writer.add(row) }
    try writer.finish()
  }

  private func models(named name: String?) throws -> [StoredModel] {
    let models = try store.models
    guard let name else { return models }
    let named = models.filter { $0.name == name }
    if named.isEmpty {
      let names = models.map(\.name).joined(separator: ", ")
      throw ShellCommand.Problem(reason: "the file has no model \(name); it has \(names)")
    }
    return named
  }

  private func writeModels() throws {
    try write(
      ["model", "objects", "bytes"],
      store.models.map { model in
        [.string(model.name), .int(Int64(model.objectCount)), .int(Int64(model.bytes))]
      })
  }

  private func writeSchema(_ models: [StoredModel]) throws {
    try write(
      ["model", "property", "type", "key", "refers to", "on delete", "cases"],
      models.flatMap { model in
        model.properties.map { property in
          [
            .string(model.name), .string(property.name), .string(property.typeName),
            property.isPrimaryKey ? .string("primary") : .none,
            property.reference.map { .string($0.model) } ?? StoredValue.none,
            property.reference.map { .string("\($0.onDelete)") } ?? StoredValue.none,
            property.cases.isEmpty ? .none : .string(Self.text(of: property.cases)),
          ]
        }
      })
  }

  /// The names of cases, each with its raw value where that is another text.
  private static func text(of cases: [StoredModel.Case]) -> String {
    cases.map { item in
      let raw = ValueText.plain(item.value)
      return raw == item.name ? raw : "\(item.name) = \(raw)"
    }.joined(separator: ", ")
  }

  private func writeIndexes(_ models: [StoredModel]) throws {
    try write(
      ["model", "index", "unique", "complete"],
      models.flatMap { model in
        model.indexes.map { index in
          [
            .string(model.name), .string(index.columns.joined(separator: ", ")),
            .bool(index.isUnique), .bool(!index.isBuilding),
          ]
        }
      })
  }

  /// Names what is damaged; an error where anything is.
  private func verify() throws {
    let result = try store.verify()
    if !result.isSound { throw DamagedStore(result: result) }
    try write("The store is sound: \(result.rows) objects, \(result.indexEntries) index entries.\n")
  }
}
