import Foundation

/// A value of an object with its key, which messages name.
struct JSONField {
  let key: String
  let value: JSONScanner.Value
  let line: Int

  func string() throws -> String {
    guard JSONScanner.isString(value) else { throw refusal("a text in quotes", "따옴표 안의 글") }
    return try JSONScanner.string(value, line: line)
  }

  func bool() throws -> Bool {
    if value.elementsEqual("true".utf8) { return true }
    guard value.elementsEqual("false".utf8) else { throw refusal("true or false", "true나 false") }
    return false
  }

  func number() throws -> Int64 {
    guard let number = Int64(String(decoding: value, as: UTF8.self)) else {
      throw refusal("a whole number", "정수")
    }
    return number
  }

  func word<Word: RawRepresentable & CaseIterable>() throws -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try string()) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal("one of \(words)", words + " 가운데 하나")
    }
    return word
  }

  func date() throws -> TaskDate {
    guard let date = TaskDate(try string()) else {
      throw refusal("a date such as 2026-06-01", "2026-06-01 같은 날짜")
    }
    return date
  }

  func moment() throws -> Date {
    guard let read = DateText(try string()) else {
      throw refusal("a time such as 2026-06-01T12:00:00Z", "2026-06-01T12:00:00Z 같은 시각")
    }
    return read.moment(in: .gmt)
  }

  func elements() throws -> [JSONField] {
    var scanner = JSONScanner(value, line: line)
    guard value.first == UInt8(ascii: "[") else { throw refusal("a list", "목록") }
    return try scanner.elements().map { JSONField(key: key, value: $0, line: line) }
  }

  func fields() throws -> [String: JSONField] {
    var scanner = JSONScanner(value, line: line)
    guard value.first == UInt8(ascii: "{") else { throw refusal("an object", "객체") }
    let fields = try scanner.members().map { ($0.key, $0.field(line: line)) }
    return Dictionary(fields) { $1 }.filter { !JSONScanner.isNull($0.value.value) }
  }

  func note() throws -> TaskNote {
    let fields = try fields()
    guard let text = try fields["text"]?.string() else {
      throw refusal("a list of objects with a text", "text가 있는 객체의 목록")
    }
    return TaskNote(text, at: try fields["at"]?.moment())
  }

  /// A phrase such as `2 weeks`, or the words of another program.
  func repetition() throws -> TaskRepeat {
    if JSONScanner.isString(value) { return TaskRepeat(.phrase, try string()) }
    let fields = try fields()
    guard let kind: TaskRepeat.Kind = try fields["kind"]?.word(),
      let text = try fields["text"]?.string()
    else { throw refusal("a text, or an object of kind and text", "글이나, kind와 text가 있는 객체") }
    return TaskRepeat(kind, text)
  }

  func image() throws -> TaskGroup.Image {
    let fields = try fields()
    guard let type = try fields["type"]?.string(), let text = try fields["base64"]?.string(),
      let bytes = Data(base64Encoded: text)
    else { throw refusal("an object of type and base64", "type과 base64가 있는 객체") }
    return TaskGroup.Image(mimeType: type, bytes: bytes)
  }

  func part() throws -> TaskRecord.Part {
    let pair = try elements().map { try $0.string() }
    guard pair.count == 2 else { throw refusal("a list of pairs", "둘씩 묶은 목록") }
    return TaskRecord.Part(pair[0], pair[1])
  }

  private func refusal(_ english: String, _ korean: String) -> IssueText {
    IssueText(
      "The value of \(key.quotedBriefly) is not \(english).",
      "\(key.quotedBriefly)의 값이 틀립니다. 필요한 것: \(korean).")
  }
}
