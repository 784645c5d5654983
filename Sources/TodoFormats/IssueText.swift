/// A sentence about a file for users, in English and in Korean.
///
/// Thrown, it tells why a row is not a task; a reader adds the number of the row.
package struct IssueText: Error, Hashable, Sendable {
  /// The sentence in English.
  package let english: String
  /// The sentence in Korean.
  package let korean: String

  /// Makes a sentence, which ends with a full stop in both languages.
  package init(_ english: String, _ korean: String) {
    self.english = english
    self.korean = korean
  }

  /// Tells that a priority has no meaning in the format.
  static func unknownPriority(_ text: String) -> IssueText {
    IssueText(
      "The priority \(text.quotedBriefly) is unknown.",
      "중요도 \(text.quotedBriefly.with(.object)) 알 수 없습니다.")
  }

  /// Tells that the system does not know a time zone.
  static func unknownZone(_ name: String) -> IssueText {
    IssueText(
      "The time zone \(name.quotedBriefly) is unknown; yours is used.",
      "시간대 \(name.quotedBriefly.with(.object)) 알 수 없어 지금 시간대로 읽습니다.")
  }

  /// Tells that a key of our JSON is unknown.
  static func unknownKey(_ key: String) -> IssueText {
    IssueText(
      "The key \(key.quotedBriefly) is unknown and left out.",
      "알 수 없는 키 \(key.quotedBriefly.with(.object)) 뺍니다.")
  }

  /// Tells that a value is not understood and stays with the item.
  static func kept(_ text: String, as name: String, korean: String? = nil) -> IssueText {
    IssueText(
      "\(name) \(text.quotedBriefly) is not understood; it is kept unchanged.",
      "\(korean ?? name) \(text.quotedBriefly.with(.object)) 알 수 없어 그대로 둡니다.")
  }
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
