import Croft
import Foundation

extension Shell {
  /// Some rows are not objects of the model; nothing was written.
  struct RefusedRows: Error, CustomStringConvertible {
    let problems: [String]
    let isComplete: Bool

    var description: String {
      let count = problems.count == 1 ? "1 error" : "\(problems.count) errors"
      let head = "nothing was imported: \(count)\(isComplete ? "" : ", and the rest was not read")"
      return ([head] + problems.map { $0.escaped() }).joined(separator: "\n  ")
    }
  }

  /// Rolls a dry run back.
  private struct DryRunEnded: Error {}

  /// Inserts the objects of a table or of lines of JSON, all of them or none.
  ///
  /// - Throws: ``ShellCommand/Problem``; `StoreError`; what reading the rows throws.
  func importRows(_ request: ImportRequest) throws {
    guard writes else {
      throw ShellCommand.Problem(
        reason: "an import needs --write, also a dry run, which changes the store and rolls back")
    }
    guard let model = try file.reading().models.first(where: { $0.name == request.model }) else {
      let names = try file.reading().models.map(\.name).joined(separator: ", ")
      let reason = "the file has no model \(request.model); it has \(names)"
      throw ShellCommand.Problem(reason: reason.escaped())
    }
    let rows = try source(request.rows)
    defer { streams.showProgress("") }
    var importing = RowImport(request, model, allowsUnknownCases: allowsUnknownCases) { warning in
      streams.showProgress("")
      streams.report("croft: \(warning.escaped())")
    }
    do {
      try file.writing().write(onProgress: interruptCheck) { tx in
        try importing.run(rows, in: &tx) { count in
          try checkInterrupt()
          if count.isMultiple(of: RowImport.rowsPerReport) { streams.showProgress("\(count) rows") }
        }
        if !importing.problems.isEmpty {
          throw RefusedRows(problems: importing.problems, isComplete: importing.isComplete)
        }
        if request.isDryRun { throw DryRunEnded() }
      }
      try write(importing.counts("Inserted", "updated", "skipped") + ".\n")
    } catch is Interrupted {
      throw Interrupted(description: "interrupted: nothing was imported")
    } catch is DryRunEnded {
      let counts = importing.counts("Would insert", "update", "skip")
      try write(counts + ". It was a dry run: nothing was changed.\n")
    }
  }

  /// The bytes of a file; of the standard input where there is none.
  private func source(_ path: String?) throws -> ByteReader {
    guard let path else { return ByteReader(streams.readBytes) }
    let handle: FileHandle
    do { handle = try FileHandle(forReadingFrom: URL(filePath: path)) } catch {
      throw ShellCommand.Problem(
        reason: "\(path.escaped()) cannot be read: \(error.localizedDescription)")
    }
    return ByteReader { try handle.read(upToCount: Streams.bytesPerRead) }
  }
}

/// An import under way: it reads rows, makes objects of them and counts what happens.
private struct RowImport {
  /// The most errors that are told, after which no more rows are read.
  private static let problemsMax = 20
  /// The rows between two reports of progress.
  static let rowsPerReport = 1_000

  private let request: ImportRequest
  private let properties: [String: StoredModel.Property]
  private let primaryKey: [String]
  private let allowsUnknownCases: Bool
  /// Tells of the first value that is not checked.
  private let warn: (String) -> Void
  private var hasWarned = false
  private var (inserted, updated, skipped) = (0, 0, 0)
  private(set) var problems: [String] = []
  /// Whether all rows were read.
  private(set) var isComplete = true

  init(
    _ request: ImportRequest, _ model: StoredModel, allowsUnknownCases: Bool,
    warn: @escaping (String) -> Void
  ) {
    (self.request, self.allowsUnknownCases, self.warn) = (request, allowsUnknownCases, warn)
    primaryKey = model.primaryKey
    properties = Dictionary(
      model.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func counts(_ insert: String, _ update: String, _ skip: String) -> String {
    let objects = inserted == 1 ? "1 object" : "\(inserted) objects"
    return "\(insert) \(objects)"
      + (request.existing == .update ? ", \(update) \(updated)" : "")
      + (request.existing == .skip ? ", \(skip) \(skipped)" : "")
  }

  /// Reads all rows, until there are too many errors.
  ///
  /// - Parameter progress: Called after each row, with their number; an error that it throws ends it.
  mutating func run(
    _ bytes: ByteReader, in tx: inout WriteTransaction, _ progress: (Int) throws -> Void
  ) throws {
    let first = try bytes.peek()
    // A column with such a name is one that --map has.
    if first == UInt8(ascii: "["), !request.map.keys.contains(where: { $0.hasPrefix("[") }) {
      throw ShellCommand.Problem(
        reason: "the rows are an array: give one object a line, as -o ndjson writes them")
    }
    if first == UInt8(ascii: "{") {
      try readLines(bytes, in: &tx, progress)
    } else {
      try readTable(CSVReader(bytes), in: &tx, progress)
    }
  }

  /// Whether further rows are read.
  private mutating func continues() -> Bool {
    if problems.count < Self.problemsMax { return true }
    isComplete = false
    return false
  }

  // MARK: - Lines of JSON

  private mutating func readLines(
    _ bytes: ByteReader, in tx: inout WriteTransaction, _ progress: (Int) throws -> Void
  ) throws {
    var line = 0
    while continues(), try bytes.peek() != nil {
      line += 1
      var content: [UInt8] = []
      do {
        try bytes.take(into: &content) { $0 == UInt8(ascii: "\n") }
      } catch let error as ByteReader.TooLong {
        throw ShellCommand.Problem(reason: "line \(line): it has \(error)")
      }
      bytes.advance()
      guard let text = String(validating: content, as: UTF8.self) else {
        problems.append("line \(line): it is not UTF-8")
        continue
      }
      if text.trimmingSpaces.isEmpty { continue }
      do {
        let values = try tx.values(ofJSON: text, in: request.model, names: request.map)
        try add(values, in: &tx)
      } catch let error as StoreError {
        problems.append("line \(line): \(try Self.reason(of: error))")
      }
      try progress(line)
    }
  }

  // MARK: - Tables

  private mutating func readTable(
    _ reader: CSVReader, in tx: inout WriteTransaction, _ progress: (Int) throws -> Void
  ) throws {
    var reader = reader
    let names: [String]
    do {
      guard let head = try reader.next() else {
        throw ShellCommand.Problem(reason: "there are no rows; the first one names the columns")
      }
      names = try columns(head.fields.map(\.text))
    } catch let problem as CSVReader.Problem {
      throw ShellCommand.Problem(
        reason: "line \(problem.line), column \(problem.column): \(problem.reason)")
    }
    var count = 0
    while continues() {
      do {
        guard let row = try reader.next() else { return }
        // A line without anything is a row where the table has one column.
        if names.count > 1, row.fields == [CSVReader.Field(text: "", isQuoted: false)] { continue }
        try add(row, names, in: &tx)
      } catch let problem as CSVReader.Problem {
        problems.append("line \(problem.line), column \(problem.column): \(problem.reason)")
      }
      count += 1
      try progress(count)
    }
  }

  /// What separates the columns of tables of other programs.
  private static let otherSeparators: [(sign: Character, name: String)] = [
    (";", "semicolon"), ("\t", "tab"),
  ]

  /// The property of each column; an empty text for one that is passed over.
  private func columns(_ names: [String]) throws -> [String] {
    func problem(_ reason: String) -> ShellCommand.Problem {
      ShellCommand.Problem(reason: reason.escaped())
    }
    if names.count == 1, let name = names.first, request.map[name] == nil,
      self.properties[name] == nil,
      let other = Self.otherSeparators.first(where: { name.contains($0.sign) })
    {
      throw problem(
        "the first row has no comma, and a \(other.name) in \(name): the separator of columns is a "
          + "comma")
    }
    for name in request.map.keys.sorted() where !names.contains(name) {
      throw problem(
        "--map has the column \(name), which the rows do not have; they have "
          + names.joined(separator: ", "))
    }
    if request.map[""] == nil, let place = names.firstIndex(of: "") {
      throw problem("column \(place + 1) has no name; --map '=' passes over it")
    }
    let properties = names.map { request.map[$0] ?? $0 }
    if let missing = primaryKey.first(where: { !properties.contains($0) }),
      let option = request.existing.option
    {
      throw problem(
        "\(option) finds objects by their key, and no column is for \(missing); the columns are "
          + names.joined(separator: ", ") + ", and --map 'COLUMN=\(missing)' takes one of them")
    }
    for (column, property) in zip(names, properties) where !property.isEmpty {
      guard self.properties[property] != nil else {
        throw problem(
          "\(request.model) has no property \(property) for the column \(column); "
            + "--map '\(column)=' passes over it")
      }
      guard properties.count(where: { $0 == property }) == 1 else {
        throw problem("two columns are for \(property)")
      }
    }
    return properties
  }

  private mutating func add(
    _ row: CSVReader.Row, _ names: [String], in tx: inout WriteTransaction
  ) throws {
    guard row.fields.count == names.count else {
      let fields = row.fields.count == 1 ? "1 field" : "\(row.fields.count) fields"
      problems.append(
        "line \(row.line): it has \(fields), and the first row names \(names.count) columns")
      return
    }
    var values: [String: StoredValue] = [:]
    let count = problems.count
    for (place, field) in row.fields.enumerated() where !names[place].isEmpty {
      let name = names[place]
      do {
        values[name] = try value(of: field, name, in: tx)
      } catch let error as StoreError {
        problems.append(
          "line \(row.line), column \(place + 1): \(try Self.reason(of: error))")
      }
    }
    guard problems.count == count else { return }
    do { try add(values, in: &tx) } catch let error as StoreError {
      let place = Self.field(of: error).flatMap { names.firstIndex(of: $0) }
      let column = place.map { ", column \($0 + 1)" } ?? ""
      problems.append("line \(row.line)\(column): \(try Self.reason(of: error))")
    }
  }

  /// The value of a field; nil where it is not given, so that the object has the default.
  private func value(
    of field: CSVReader.Field, _ name: String, in tx: borrowing WriteTransaction
  ) throws -> StoredValue? {
    guard field.text.isEmpty, !field.isQuoted, let type = properties[name]?.type else {
      return try tx.value(of: name, in: request.model, from: field.text)
    }
    if type.isOptional { return StoredValue.none }
    return type.kind == .string && type.collection == nil ? .string("") : nil
  }

  // MARK: - Objects

  private mutating func add(
    _ values: [String: StoredValue], in tx: inout WriteTransaction
  ) throws {
    // The key comes first: a row for an object that is there may be a part of it, and an insert
    // wants a whole one. Without a key, an insert tells what is missing, or makes one.
    let key = values.filter { primaryKey.contains($0.key) && $0.value != StoredValue.none }
    if key.count < primaryKey.count, let option = request.existing.option {
      let missing = primaryKey.first { key[$0] == nil } ?? ""
      throw StoreError.schemaMismatch(
        model: request.model, field: missing,
        reason: "\(option) finds objects by their key: give it a value")
    }
    let model = request.model
    if key.count == primaryKey.count {
      switch request.existing {
      case .refuse: break
      case .skip:
        if try tx.update(model, key) { return skipped += 1 }
      case .update:
        let isThere = try change(in: &tx) {
          try $0.update(model, values, allowingUnknownCases: $1)
        }
        if isThere { return updated += 1 }
      }
    }
    try change(in: &tx) {
      _ = try $0.insert(model, values, allowingUnknownCases: $1)
    }
    inserted += 1
  }

  /// Writes an object, and tells of the first value that is written without a check.
  ///
  /// - Parameter body: Its second argument is whether unknown cases are allowed; where they are
  ///   not, it throws before it writes.
  private mutating func change<Result>(
    in tx: inout WriteTransaction, _ body: (inout WriteTransaction, Bool) throws -> Result
  ) throws -> Result {
    guard allowsUnknownCases, !hasWarned else { return try body(&tx, allowsUnknownCases) }
    do { return try body(&tx, false) } catch let error as StoreError {
      guard case .schemaMismatch(_, _, let reason) = error,
        let warning = ErrorText.warning(for: reason)
      else { throw error }
      let result = try body(&tx, true)
      hasWarned = true
      warn(warning + "; it is not checked in later rows, and no message tells of them")
      return result
    }
  }

  /// The property that an error is about, where that is one.
  private static func field(of error: StoreError) -> String? {
    switch error {
    case .schemaMismatch(_, let field, _): field
    case .keyTooLong(_, let field, _), .danglingReference(_, let field, _, _): field
    case .duplicateKey(_, let fields, _), .uniqueViolation(_, let fields, _, _):
      fields.count == 1 ? fields[0] : nil
    default: nil
    }
  }

  /// Why a row is no object of the model.
  ///
  /// - Throws: Another error, which ends the import.
  private static func reason(of error: StoreError) throws -> String {
    switch error {
    case .schemaMismatch(_, let field?, let reason):
      ErrorText.shellText(reason.hasPrefix(field) ? reason : "\(field): \(reason)")
    case .schemaMismatch(_, nil, let reason): ErrorText.shellText(reason)
    case .duplicateKey(let model, _, let key):
      "\(model) has an object with key \(key); --update sets its properties, --skip leaves it"
    case .uniqueViolation, .danglingReference, .keyTooLong, .objectTooLarge:
      "\(error)"
    default: throw error
    }
  }
}
