// What errors tell of values that a property cannot have.
extension DynamicValues {
  /// The error of a value that is a list where a single one is needed, or the other way round.
  func listNeeded(_ column: ColumnDefinition, at position: Int) -> QueryTextError {
    let value = Self.sample(of: column)
    let example =
      switch column.storage.collection {
      case nil: "a single value, such as \(value)"
      case .array, .set: "a list, such as [\(value)] or []"
      case .dictionary: "texts and values, such as [\"a\": \(value)] or [:]"
      }
    return QueryTextError(
      "\(column.name) is \(column.storage.text): give it \(example)", at: position)
  }

  /// The error of a word that is not a value.
  func wrongWord(
    _ word: String, _ column: ColumnDefinition, at position: Int
  ) -> QueryTextError {
    let advice =
      if ["none", "null", "undefined"].contains(word.lowercased()) {
        "write nil for no value"
      } else if column.storage.kind == .string {
        "put a text into quotes, \"\(word)\""
      } else {
        "give it \(QueryResolver.example(of: column.storage.kind))"
      }
    return QueryTextError(
      "\(column.name) is \(column.storage.text): \(advice)", at: position)
  }

  /// A literal that a column, or an element of it, may be set to, for errors.
  static func sample(of column: ColumnDefinition) -> String {
    if let first = column.domain?.cases.first { return QueryTextWriter.name(first.name) }
    return switch column.storage.kind {
    case .bool: "true"
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: "12"
    case .float, .double, .decimal: "12.5"
    case .date: "2026-06-01"
    case .uuid: "0199b0c2-7d3e-7a51-9d3c-5e0f2a7b1c44"
    case .string: "\"milk\""
    case .data, .compound, .coded: "x\"00ff\""
    }
  }
}
