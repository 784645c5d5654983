/// Splits a query text into tokens.
struct QueryLexer {
  /// The most scalars of a text.
  static let scalarsMax = 65_536

  private let scalars: [Unicode.Scalar]
  private var place = 0

  /// The tokens of a text, with one for its end.
  ///
  /// - Throws: ``QueryTextError`` for a text that is too long or ends within a literal, and for a sign that no
  ///   query has.
  static func tokens(of text: String) throws(QueryTextError) -> [QueryToken] {
    var lexer = QueryLexer(scalars: Array(text.unicodeScalars))
    if lexer.scalars.count > scalarsMax {
      throw QueryTextError("the query is longer than \(scalarsMax) characters", at: scalarsMax)
    }
    var tokens: [QueryToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  /// Whether a whole text is a date or a moment.
  static func isMoment(_ text: String) -> Bool {
    var lexer = QueryLexer(scalars: Array(text.unicodeScalars))
    return lexer.moment() != nil && lexer.peek() == nil
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    place + distance < scalars.count ? scalars[place + distance] : nil
  }

  private mutating func next() throws(QueryTextError) -> QueryToken {
    while let scalar = peek(), scalar.properties.isWhitespace { place += 1 }
    let start = place
    func token(_ kind: QueryToken.Kind) -> QueryToken {
      QueryToken(kind: kind, position: start, end: place)
    }
    guard let scalar = peek() else { return token(.end) }
    if let uuid = uuid() { return token(.uuid(uuid)) }
    if let moment = moment() {
      try checkTime(after: moment, at: start)
      return token(.moment(moment))
    }
    switch scalar {
    case "0"..."9": return token(try number())
    case "\"", "'": return token(.text(try quoted(by: scalar)))
    case "`": return token(.quotedName(try quoted(by: scalar)))
    case "$":
      place += 1
      let name = word()
      if name.isEmpty { throw QueryTextError("a parameter has a number or a name: $1", at: start) }
      return token(.parameter(name))
    case "x" where peek(1) == "\"" || peek(1) == "'":
      place += 1
      return token(.bytes(try bytes(quoted(by: scalars[place]), at: start)))
    default: break
    }
    if Self.isNameStart(scalar) { return token(.name(word())) }
    for (sign, advice) in ForeignQueryWords.longSigns where hasNext(sign) {
      throw QueryTextError("\"\(sign)\" is not an operator: \(advice)", at: start)
    }
    for sign in ["==", "!=", "<>", "<=", ">=", "&&", "||", "??"] where hasNext(sign) {
      place += 2
      return token(.sign(sign))
    }
    guard "=<>!()[]{},.:+-*/%".unicodeScalars.contains(scalar) else {
      for (sign, advice) in ForeignQueryWords.signs where hasNext(sign) {
        throw QueryTextError("\"\(sign)\" does not fit here: \(advice)", at: start)
      }
      throw QueryTextError("\"\(scalar)\" is no sign of a query", at: start)
    }
    place += 1
    return token(.sign(String(scalar)))
  }

  private func hasNext(_ sign: String) -> Bool {
    sign.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private mutating func word() -> String {
    var name = ""
    while let scalar = peek(), scalar.properties.isXIDContinue || scalar == "_" {
      name.unicodeScalars.append(scalar)
      place += 1
    }
    return name
  }

  /// Reads a text in quotes, with escapes unless the quotes are backquotes.
  ///
  /// `\n` is a line feed, `\r` a carriage return, `\t` a tab, and a backslash before a quote or another backslash
  /// is that one.
  private mutating func quoted(by quote: Unicode.Scalar) throws(QueryTextError) -> String {
    let start = place
    place += 1
    var text = ""
    while let scalar = peek() {
      place += 1
      if scalar == quote { return text }
      guard scalar == "\\", quote != "`" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      guard let escaped = peek() else { break }
      place += 1
      text.unicodeScalars.append(try Self.scalar(escaped, at: place - 2))
    }
    throw QueryTextError(
      "the text that begins here has no end: add \(quote)", at: start, isUnfinished: true)
  }

  /// What a scalar after a backslash means.
  ///
  /// - Throws: ``QueryTextError`` for others, as in `"C:\data"`: the backslash would be lost.
  private static func scalar(
    _ escaped: Unicode.Scalar, at position: Int
  ) throws(QueryTextError) -> Unicode.Scalar {
    switch escaped {
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    case "\\", "\"", "'": escaped
    default:
      throw QueryTextError(
        "a backslash stands for itself as \\\\, and before n, r, t or a quote for that character",
        at: position)
    }
  }

  private func bytes(_ text: String, at position: Int) throws(QueryTextError) -> [UInt8] {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard place + 1 < digits.count,
        let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
      else {
        throw QueryTextError("bytes are pairs of hexadecimal digits: x\"00ff\"", at: position)
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// A number, or with a unit right after it a length of time.
  private mutating func number() throws(QueryTextError) -> QueryToken.Kind {
    let start = place
    func isDigit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "0"..."9" ~= $0 } ?? false }
    var isWhole = true
    while isDigit(peek()) || peek() == "_" && isDigit(peek(1)) { place += 1 }
    if peek() == ".", isDigit(peek(1)) {
      isWhole = false
      place += 1
      while isDigit(peek()) { place += 1 }
    }
    let hasSign = peek(1) == "-" || peek(1) == "+"
    if peek() == "e" || peek() == "E", isDigit(peek(1)) || hasSign && isDigit(peek(2)) {
      isWhole = false
      place += hasSign ? 2 : 1
      while isDigit(peek()) { place += 1 }
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[start..<place].filter { $0 != "_" })
    let unit = word()
    if unit.isEmpty { return .number(text) }
    guard isWhole, let count = Int(text), QueryMoment.units[unit] != nil else {
      while let scalar = peek(), scalar.properties.isXIDContinue || scalar == "-" { place += 1 }
      let word = String(String.UnicodeScalarView(scalars[start..<place]))
      throw QueryTextError(
        "\"\(word)\" is neither a number nor a length of time, such as 30s, 5m, 12h, 7d, 2w, 3mo or 1y: "
          + "put a text or a UUID into quotes, '\(word)'", at: start)
    }
    return .duration(count, unit)
  }

  /// A date as `2026-06-01`, with a time as `2026-06-01T09:30:00Z`.
  private mutating func moment() -> String? {
    let date = "0000-00-00"
    guard matches(date), !(peek(date.count).map { "0"..."9" ~= $0 } ?? false) else { return nil }
    var length = date.count
    if matches("T00:00", from: length) {
      length += "T00:00".count
      if matches(":00", from: length) {
        length += ":00".count
        var digits = peek(length) == "." ? 1 : 0
        while digits > 0, let digit = peek(length + digits), "0"..."9" ~= digit { digits += 1 }
        if digits > 1 { length += digits }
      }
      if peek(length) == "Z" {
        length += 1
      } else if matches("+00:00", from: length) || matches("-00:00", from: length) {
        length += "+00:00".count
      }
    }
    return take(length)
  }

  /// Refuses a time after a date and a blank, as other languages have it.
  private func checkTime(after date: String, at start: Int) throws(QueryTextError) {
    var blanks = 0
    while let scalar = peek(blanks), scalar.properties.isWhitespace { blanks += 1 }
    guard blanks > 0, date.count == "0000-00-00".count else { return }
    let isShort = matches("0:00", from: blanks)
    guard isShort || matches("00:00", from: blanks) else { return }
    let joined = Array((date + (isShort ? "T0" : "T")).unicodeScalars)
    var lexer = QueryLexer(scalars: joined + scalars[(place + blanks)...])
    let written = lexer.moment()
    while lexer.peek()?.properties.isWhitespace ?? false { lexer.place += 1 }
    // A zone, or a half of the day, is written in another way as well.
    let isWhole =
      !["+", "-"].contains(lexer.peek())
      && !["am", "pm", "z", "utc", "gmt"].contains(lexer.word().lowercased())
    throw QueryTextError(
      "a date and its time have a T between them: write "
        + (written.flatMap { isWhole ? $0 : nil } ?? "it as in 2026-06-01T21:30:00Z"),
      at: start)
  }

  private mutating func uuid() -> String? {
    let length = 36
    for distance in 0..<length {
      guard let scalar = peek(distance) else { return nil }
      let isDash = [8, 13, 18, 23].contains(distance)
      guard isDash ? scalar == "-" : scalar.properties.isASCIIHexDigit else { return nil }
    }
    if let after = peek(length), after.properties.isXIDContinue { return nil }
    return take(length)
  }

  /// Whether the next scalars match a pattern, in which 0 matches any digit.
  private func matches(_ form: String, from distance: Int = 0) -> Bool {
    form.unicodeScalars.enumerated().allSatisfy { offset, expected in
      guard let scalar = peek(distance + offset) else { return false }
      return expected == "0" ? "0"..."9" ~= scalar : scalar == expected
    }
  }

  private mutating func take(_ length: Int) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[place..<place + length])
    place += length
    return text
  }
}
