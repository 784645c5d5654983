/// Why a row gives no task, in one sentence; a reader adds the number of the row.
struct RowError: Error {
  let text: IssueText

  init(_ english: String, _ korean: String) { text = IssueText(english, korean) }
}

extension String {
  /// The text in quotes for a message, on one line and shortened where it is long.
  var quotedBriefly: String {
    let scalars = unicodeScalars.prefix(61).map { scalar in
      scalar.properties.generalCategory == .control ? " " : Character(scalar)
    }
    return "\"" + (scalars.count > 60 ? String(scalars.prefix(57)) + "..." : String(scalars)) + "\""
  }
}
