import TerminalText

/// What `.help operators` writes: the operators of query texts, each with an example.
enum OperatorHelp {
  /// Some operators that are told together.
  struct Row {
    /// The operators, with blanks between them.
    let operators: String
    /// A condition that has one of them.
    let example: String
    let meaning: String
  }

  /// The word after `.help` and `croft help` that asks for it.
  static let topic = "operators"

  /// The operators, in the order in which they are told.
  static let rows = [
    Row(operators: "== !=", example: "year == 1999", meaning: "equal or not; also = and <>"),
    Row(operators: "< <= > >=", example: "year >= 2000", meaning: "in order"),
    Row(operators: "== nil", example: "year != nil", meaning: "without a value, or with one"),
    Row(operators: "in", example: "year in [1999, 2001]", meaning: "one of a list; also not in"),
    Row(
      operators: "between", example: "year between 1990 and 1999",
      meaning: "from one value to another, with both"),
    Row(
      operators: "and or not", example: "id == 1 or id > 2 and not id == 4",
      meaning: "also && || !"),
    Row(
      operators: "contains", example: "title contains[cd] \"sea\"",
      meaning: "of texts a part; [c] ignores case, [d] diacritics"),
    Row(
      operators: "beginsWith endsWith", example: "title beginsWith[c] \"s\"",
      meaning: "of texts the start or the end"),
    Row(
      operators: "like", example: "title like \"*ea?\"",
      meaning: "of texts a pattern: * is any characters, ? is one"),
    Row(
      operators: "equals", example: "title equals[c] \"sea\"",
      meaning: "of texts the whole, with [c] or [d]"),
    Row(
      operators: "matches", example: "title matches \"sea -salt\"",
      meaning: "of texts a search for words; -salt excludes one"),
    Row(
      operators: "contains", example: "tags contains \"a\"", meaning: "of collections an element"),
    Row(
      operators: "any all none", example: "tags any (it beginsWith \"a\")",
      meaning: "elements for which a condition holds"),
    Row(
      operators: ".count .sum .max", example: "tags.count == 0",
      meaning: "of collections; also .min .avg"),
    Row(
      operators: ".", example: "author.name == \"Bo\"",
      meaning: "a property of the object that is referred to"),
    Row(operators: "+ - * / %", example: "year % 4 == 0", meaning: "arithmetic"),
    Row(operators: "??", example: "(year ?? 0) < 2000", meaning: "another value for nil"),
    Row(
      operators: "lower() length()", example: "length(title) > 3",
      meaning: "functions of texts; also upper()"),
    Row(
      operators: "now today", example: "due > now - 7d",
      meaning: "dates; lengths of time are s m h d w mo y"),
    Row(
      operators: "year() start()", example: "start(due, month) == 2026-06-01",
      meaning: "parts of dates; also month() day() and others"),
  ]

  /// The operators, one row a line.
  static let text: String = {
    let rows = OperatorHelp.rows
    func width(of text: (Row) -> String) -> Int { rows.map { text($0).count }.max() ?? 0 }
    let operatorWidth = width(of: \.operators)
    let exampleWidth = width(of: \.example)
    let lines = rows.map { row in
      "  \(row.operators.padded(to: operatorWidth))  \(row.example.padded(to: exampleWidth))  "
        + row.meaning
    }
    return "Operators of conditions, as in Book where year > 2000:\n"
      + lines.joined(separator: "\n")
  }()
}
