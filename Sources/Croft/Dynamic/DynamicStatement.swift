public import CroftFoundation

/// A statement as a text, which changes objects of a model that the program need not declare.
///
/// ```swift
/// var options = Store.Options()
/// options.usesStoredModels = true
/// let store = try Store.open(at: url, models: [], options: options)
/// let statement = try DynamicStatement("update TodoItem where due < today set priority = high")
/// let count = try store.write { tx in try tx.perform(statement) }
/// ```
///
/// The text is read when the statement is made; names and types are looked up in the file when it is performed. The
/// grammar is in <doc:QueryTexts>.
public struct DynamicStatement: Sendable, Hashable {
  /// What a statement does.
  public enum Kind: String, Sendable, CaseIterable {
    /// Adds an object: `insert TodoItem {title: "milk"}`.
    case insert
    /// Sets properties: `update TodoItem where isDone set priority = low`.
    case update
    /// Removes objects: `delete TodoItem where isDone`.
    case delete
  }

  /// The text.
  public let text: String
  let statement: WriteStatement
  let parameters: QueryParameters
  let calendar: Calendar

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - parameters: The values of `$1`, `$2` and so on.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a statement.
  public init(
    _ text: String, _ parameters: any Storable..., calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(parameters), calendar)
  }

  /// Reads a text whose parameters have names.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - named: The values of `$name` by name.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a statement.
  public init(
    _ text: String, named: [String: any Storable], calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(named: named), calendar)
  }

  /// Reads a text whose parameters have names, and values that are texts themselves.
  ///
  /// The type of a value follows from where it is used: `2000` is a number beside a number, and a text beside a
  /// text. Values that a person typed, such as arguments of a command, are given so. They are literals as
  /// in a text of their own, `2026-06-01`, `now - 7d` or `nil`, and texts without quotes. Beside a text every value
  /// is a text, also `nil`. An enum has its raw value or the name of a case. A text in brackets is a list where one
  /// is expected, as in `in $list`: `[1, 2]`, and beside texts `["a", "b"]` or `[a, b]`. In `in [$1]` it is one value.
  ///
  /// - Parameters:
  ///   - text: The statement.
  ///   - texts: The values of `$name` by name; `1` is the name of `$1`.
  ///   - calendar: Its time zone has the dates of the texts that name none.
  /// - Throws: ``QueryTextError`` for a text that is not a statement.
  public init(
    _ text: String, texts: [String: String], calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(texts: texts), calendar)
  }

  private init(
    _ text: String, _ parameters: QueryParameters, _ calendar: Calendar
  ) throws(QueryTextError) {
    do {
      var parser = try QueryParser(text)
      statement = try parser.write()
    } catch {
      throw error.inText(text)
    }
    (self.text, self.parameters, self.calendar) = (text, parameters, calendar)
  }

  /// Whether a text begins as a statement does, and not as a query.
  ///
  /// A query may be about a model whose name is `Update`: `Update where isDone`.
  public static func isStatement(_ text: String) -> Bool {
    // A text that cannot be read is no statement: as a query it gives the same error.
    (try? QueryParser(text))?.beginsWrite ?? false
  }

  /// What it does.
  public var kind: Kind { statement.kind }

  /// The name of the model whose objects it changes.
  public var model: String { statement.model.text }
}

extension DynamicStatement: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
