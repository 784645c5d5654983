public import CroftFoundation

/// A query as a text, about a model that the program need not declare.
///
/// ```swift
/// let query = try DynamicQuery("TodoItem where priority >= $1 sort by due desc limit 20", 2)
/// for item in try store.fetch(query) { print(try item["title"]) }
/// ```
///
/// The text is read when the query is made; names and types are looked up in the file when it is run. The grammar
/// is in <doc:QueryTexts>.
public struct DynamicQuery: Sendable, Hashable {
  /// The text.
  public let text: String
  let statement: QueryStatement
  let parameters: QueryParameters
  let calendar: Calendar

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - parameters: The values of `$1`, `$2` and so on.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a query.
  public init(
    _ text: String, _ parameters: any Storable..., calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(parameters), calendar)
  }

  /// Reads a text whose parameters have names.
  ///
  /// - Parameters:
  ///   - text: The query.
  ///   - named: The values of `$name` by name.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a query.
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
  ///   - text: The query.
  ///   - texts: The values of `$name` by name; `1` is the name of `$1`.
  ///   - calendar: Its time zone has the dates of the texts that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a query.
  public init(
    _ text: String, texts: [String: String], calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(texts: texts), calendar)
  }

  init(
    _ text: String, _ parameters: QueryParameters, _ calendar: Calendar
  ) throws(QueryTextError) {
    do {
      var parser = try QueryParser(text)
      statement = try parser.statement()
    } catch {
      throw error.inText(text)
    }
    (self.text, self.parameters, self.calendar) = (text, parameters, calendar)
  }

  /// The name of the model whose objects are read.
  public var model: String { statement.model?.text ?? "" }
}

extension DynamicQuery: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
