import Croft
import Foundation
import TerminalText

/// Performs queries, statements and commands on one store.
struct Shell {
  /// What a line asks for beyond its results.
  enum Outcome {
    case next
    case leave
    case begin
    case commit
    case rollback
    /// ^C has ended it.
    case interrupted
  }

  /// A person did not confirm a statement.
  private struct Declined: Error {}

  /// ^C has ended what a line of the prompt asked for.
  struct Interrupted: Error, CustomStringConvertible {
    var description = "interrupted"

    /// ^C has ended a statement, which has changed nothing.
    static let rolledBack = Interrupted(
      description: "interrupted: the statement is rolled back, and nothing was changed")
  }

  let file: ShellStore
  let streams: Streams
  let writes: Bool
  let allowsUnknownCases: Bool
  /// Whether each line is a whole query or statement, which no prompt asks more lines for.
  let hasWholeLines: Bool
  /// The values of `$1` and `$name` in queries and statements.
  let parameters: [String: String]
  private(set) var format: OutputFormat
  /// The last query whose result was written.
  private var lastQuery: String?

  init(
    _ file: ShellStore, _ format: OutputFormat, _ streams: Streams, writes: Bool,
    allowsUnknownCases: Bool, hasWholeLines: Bool = false, parameters: [String: String] = [:]
  ) {
    (self.file, self.format, self.streams) = (file, format, streams)
    (self.writes, self.allowsUnknownCases) = (writes, allowsUnknownCases)
    (self.hasWholeLines, self.parameters) = (hasWholeLines, parameters)
  }

  /// Does what a line asks for; an empty one and one that begins with `#` ask for nothing.
  ///
  /// - Throws: ``ShellCommand/Problem``; `QueryTextError`; `StoreError`; what writing throws.
  mutating func perform(_ line: String) throws -> Outcome {
    switch try request(of: line, inTransaction: false) {
    case .outcome(let outcome):
      guard outcome == .commit || outcome == .rollback else { return outcome }
      throw ShellCommand.Problem(reason: "there is no transaction to end; begin starts one")
    case .query(let text):
      let query = try self.query(text)
      try file.reading().read(onProgress: interruptCheck) { tx in
        var writer = try rowWriter(tx.names(of: query))
        try tx.forEach(query) { object, _ in
          try checkInterrupt()
          try writer.add(object.values)
        }
        try writer.finish()
      }
      lastQuery = text
    case .watched(let text):
      try watch(text)
      return .interrupted
    case .statement(let statement):
      do {
        let count = try file.writing().write(onProgress: interruptCheck) { tx in
          try change(statement, in: &tx)
        }
        try write(count, of: statement)
      } catch is Declined {
      } catch is Interrupted { throw Interrupted.rolledBack }
    }
    return .next
  }

  /// Does what a line asks for within a transaction; commands tell what was committed before it.
  ///
  /// - Throws: As ``perform(_:)``.
  mutating func perform(_ line: String, in tx: inout WriteTransaction) throws -> Outcome {
    switch try request(of: line, inTransaction: true) {
    case .outcome(.begin):
      throw ShellCommand.Problem(
        reason: "a transaction is open already; commit or rollback ends it")
    case .outcome(let outcome): return outcome
    case .query(let text):
      let query = try self.query(text)
      var writer = try rowWriter(tx.names(of: query))
      try tx.forEach(query) { object, _ in
        try checkInterrupt()
        try writer.add(object.values)
      }
      try writer.finish()
      lastQuery = text
    case .watched:
      throw ShellCommand.Problem(
        reason: "watch follows commits, and not this transaction; commit or rollback ends it")
    case .statement(let statement):
      do {
        // What a person declines is undone alone.
        let count = try tx.savepoint { tx in try change(statement, in: &tx) }
        try write(count, of: statement)
      } catch is Declined {
      } catch is Interrupted { throw Interrupted.rolledBack }
    }
    return .next
  }

  /// Why arguments are parts of one query or command, and do not ask for something of their own;
  /// nil where they are whole.
  func refusal(of arguments: Arguments) -> String? {
    let texts = arguments.statements
    if let reason = texts.first.flatMap(misplacedOperation) { return reason }
    if texts.count > 1, let part = texts.first(where: isPart) {
      return
        "\(part.jsonQuoted) is not a query of its own: a query is one argument, in quotes, "
        + "as in croft FILE 'Book where year > 2000'; see croft --help"
    }
    // An option has a whole command.
    for place in texts.indices.dropFirst() where place >= arguments.optionCount {
      let (command, word) = (texts[place - 1].trimmingSpaces, texts[place].trimmingSpaces)
      let usage = ShellCommand.usages.first { $0.name == command }
      if usage?.takesNames == true, hasModel(word) {
        return
          "\(command) and \(word) are two arguments, and a command with its words is one, in "
          + "quotes: '\(command) \(word)'; see croft --help"
      }
    }
    return nil
  }

  /// What to write for a text that is the name of an operation and no model; nil for others.
  private func misplacedOperation(_ text: String) -> String? {
    let name = Entry.ended(text.trimmingSpaces)
    guard FileOperation.names.contains(name), !hasModel(name) else { return nil }
    // A file is made of a dump, and not changed by one.
    let command = name == "load" ? "" : ", or .\(name) in the place of a query"
    return "\(name) is an operation, which comes before the file: croft \(name) FILE\(command)"
  }

  /// The words with which statements and the queries that are watched begin.
  private static let verbs: Set<String> = ["insert", "update", "delete", "watch"]

  /// Whether an argument begins with no model and no command.
  private func isPart(_ argument: String) -> Bool {
    let text = argument.trimmingSpaces
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, !text.hasPrefix("."), !text.hasPrefix("#") else { return false }
    let word = String(first.filter { $0 != "`" && $0 != ";" })
    if hasModel(word) || words.count > 1 && Self.verbs.contains(word.lowercased()) { return false }
    if beginsMisspelt(words) || adviceOnForeignWord(words.map(String.init)) != nil {
      return false
    }
    if Spelling.nearest(to: word, among: modelNames) != nil { return false }
    return ShellCommand(word: Entry.ended(text)) == nil
      && (words.count > 1 || !["begin", "commit", "rollback"].contains(word.lowercased()))
  }

  /// What a line is, after commands were done.
  private enum Request {
    case outcome(Outcome)
    case query(String)
    case watched(String)
    case statement(DynamicStatement)
  }

  private mutating func request(of line: String, inTransaction: Bool) throws -> Request {
    var line = line.trimmingSpaces
    if line.isEmpty || line.hasPrefix("#") { return .outcome(.next) }
    if line.hasPrefix(".") {
      let command = try ShellCommand(line)
      if case .watch(let query) = command { return .watched(query) }
      if inTransaction, case .operation(let operation) = command,
        let reason = operation.refusalInTransaction
      {
        throw ShellCommand.Problem(reason: reason)
      }
      return .outcome(try perform(command))
    }
    let typed = line
    line = Entry.ended(line)
    // A model may have such a name.
    if let command = ShellCommand(word: line), !hasModel(line) {
      return .outcome(try perform(command))
    }
    if let query = ShellCommand.watchedQuery(in: line), !query.isEmpty, !hasModel("watch") {
      return .watched(query)
    }
    let outcome: Outcome? =
      switch line.lowercased() {
      case "begin": .begin
      case "commit": .commit
      case "rollback": .rollback
      default: nil
      }
    guard outcome != nil || DynamicStatement.isStatement(line) else {
      if let reason = misplacedOperation(line) { throw ShellCommand.Problem(reason: reason) }
      try checkBeginning(of: line)
      if let reason = misspeltWord(line) { throw ShellCommand.Problem(reason: reason) }
      return .query(line)
    }
    guard writes else {
      throw ShellCommand.Problem(
        reason: "the store is open for reading only: start croft with --write to change it")
    }
    if let outcome { return .outcome(outcome) }
    let statement = try self.statement(line)
    if typed == line { try checkExtent(of: statement) }
    return .statement(statement)
  }

  private mutating func perform(_ command: ShellCommand) throws -> Outcome {
    switch command {
    case .models: try writeModels()
    case .schema(let model): try writeSchema(try models(named: model))
    case .indexes(let model): try writeIndexes(try models(named: model))
    case .explain(let text):
      let query = try self.query(text)
      try write("\(try file.reading().read { try $0.explain(query) })\n")
    // A watched query is none of the results here.
    case .watch: break
    case .export(let path, let query):
      guard let query = query ?? lastQuery else {
        throw ShellCommand.Problem(
          reason: ".export writes the result of the query before it, and there is none; name one")
      }
      try export(query, to: path)
    case .operation(let operation):
      try operation.checkCopy()
      // An exit code tells a script that files differ; here the lines do.
      do { try perform(operation) } catch is FilesDiffer {}
    case .mode(let new): format = new
    case .help: try write(ShellCommand.overview + "\n")
    case .operatorHelp: try write(OperatorHelp.text + "\n")
    case .quit: return .leave
    }
    return .next
  }

  /// What writes the rows of a query's result.
  ///
  /// - Throws: ``ShellCommand/Problem`` for names that the format does not take.
  private func rowWriter(_ names: [String]) throws(ShellCommand.Problem) -> RowWriter {
    try format.check(names)
    return RowWriter(format, names, to: streams)
  }

  /// A query with the parameters of the run; a message tells what it may mean otherwise than its
  /// author thinks.
  func query(_ text: String) throws -> DynamicQuery {
    if let reason = Self.refusal(ofStatement: text) { throw ShellCommand.Problem(reason: reason) }
    let query = try DynamicQuery(text, texts: parameters)
    for hint in query.hints { streams.report("croft: \(hint.escaped())") }
    return query
  }

  private func statement(_ text: String) throws -> DynamicStatement {
    let statement = try DynamicStatement(text, texts: parameters)
    for hint in statement.hints { streams.report("croft: \(hint.escaped())") }
    return statement
  }

  func write(_ text: String) throws { try streams.write(Data(text.utf8)) }

  /// Ends a result at the prompt after ^C.
  ///
  /// - Throws: ``Interrupted``.
  func checkInterrupt() throws(Interrupted) {
    try interruptCheck()
  }

  /// Ends a long read at the prompt after ^C; called between rows, whether they match or not.
  var interruptCheck: () throws(Interrupted) -> Void {
    { [isInterrupted = streams.isInterrupted] () throws(Interrupted) in
      if isInterrupted() { throw Interrupted() }
    }
  }

  // MARK: - Statements

  /// Performs a statement; a person is asked before objects are updated or deleted.
  ///
  /// - Throws: ``Declined``, so that the caller undoes it.
  private func change(
    _ statement: DynamicStatement, in tx: inout WriteTransaction
  ) throws -> Int {
    let consequences = streams.isTerminal ? try tx.consequences(of: statement) : []
    let count: Int
    do { count = try tx.perform(statement) } catch let error as QueryTextError {
      guard allowsUnknownCases, let warning = ErrorText.warning(for: error.reason) else {
        throw error
      }
      streams.report("croft: \(warning.escaped())")
      count = try tx.perform(statement, allowingUnknownCases: true)
    }
    guard streams.isTerminal, statement.kind != .insert, count > 0 else { return count }
    let objects = count == 1 ? "1 object" : "\(count) objects"
    let others = Self.text(of: consequences, besides: statement.model)
    let question = "\(objects) of \(statement.model): \(statement.kind.rawValue)? \(others)[y/N] "
    let answer = streams.input.answer(to: question)?.trimmingSpaces.lowercased() ?? ""
    guard ["y", "yes"].contains(answer) else {
      streams.report("croft: nothing was changed")
      throw Declined()
    }
    return count
  }

  /// What a delete does to other objects, in sentences with a blank after each; empty for nothing.
  private static func text(
    of consequences: [DeleteConsequence], besides model: String
  ) -> String {
    func counts(_ count: (DeleteConsequence) -> Int) -> String {
      consequences.filter { count($0) > 0 }.map { "\(count($0)) of \($0.model)" }
        .joined(separator: ", ")
    }
    let deleted = counts { $0.model == model ? 0 : $0.deletedCount }
    let nullified = counts(\.nullifiedCount)
    return (deleted.isEmpty ? "" : "Also deleted: \(deleted). ")
      + (nullified.isEmpty ? "" : "References are removed: \(nullified). ")
  }

  /// Writes how many objects a statement changed.
  private func write(_ count: Int, of statement: DynamicStatement) throws {
    let name =
      switch statement.kind {
      case .insert: "inserted"
      case .update: "updated"
      case .delete: "deleted"
      }
    try write([name], [[.int(Int64(count))]])
  }

  // MARK: - About the file

  /// Writes a table about the file.
  func write(_ names: [String], _ rows: [[StoredValue]]) throws {
    var writer = RowWriter(format, names, to: streams)
    for row in rows { try writer.add(row) }
    try writer.finish()
  }

  private func models(named name: String?) throws -> [StoredModel] {
    let models = try file.reading().models
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
      models(named: nil).map { model in
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
}
