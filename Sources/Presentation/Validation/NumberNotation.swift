package import CroftFoundation

/// The signs with which the people of a locale write numbers.
///
/// Foundation's own strategies read as much as they understand: 12 in `12abc`, and 1 in `1,5` where a
/// comma separates groups. A form must not store that, so this one reads all of a text or nothing.
package struct NumberNotation: Sendable {
  /// The sign between the whole number and the fraction.
  private let decimalSeparator: Character
  /// The sign between groups of digits.
  private let groupingSeparator: Character?

  /// The notation of a locale.
  package init(_ locale: Locale) {
    decimalSeparator = locale.decimalSeparator?.first ?? "."
    groupingSeparator = locale.groupingSeparator?.first
  }

  /// The number of a text as Swift writes it, with ASCII digits and a point; nil if there is none.
  ///
  /// The digits may be of any script. Groups may be left out; where they are written, the last one
  /// has three digits, so that `1.5` is no number where a point separates groups.
  package func canonical(_ text: String) -> String? {
    // Right-to-left locales put marks without a form of their own around a sign.
    let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .format }
    var rest = String(String.UnicodeScalarView(scalars)).trimmed[...]
    var sign = ""
    if let first = rest.first, "+-\u{2212}".contains(first) {
      if first != "+" { sign = "-" }
      rest.removeFirst()
    }
    let parts = rest.split(
      separator: decimalSeparator, maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = whole(parts[0]) else { return nil }
    if parts.count == 1 { return whole.isEmpty ? nil : sign + whole }
    guard let fraction = digits(parts[1]), !fraction.isEmpty else { return nil }
    return sign + (whole.isEmpty ? "0" : whole) + "." + fraction
  }

  /// The digits of a whole number without its separators.
  private func whole(_ text: Substring) -> String? {
    let groups = text.split(omittingEmptySubsequences: false, whereSeparator: separatesGroups)
      .map(digits)
    var number = ""
    for (index, group) in groups.enumerated() {
      guard let group else { return nil }
      // In India the groups before the last one have two digits.
      let isAllowed =
        switch index {
        case _ where groups.count == 1: true
        case 0: (1...3).contains(group.count)
        case groups.count - 1: group.count == 3
        default: (2...3).contains(group.count)
        }
      if !isAllowed { return nil }
      number += group
    }
    return number
  }

  /// Whether a character separates groups; people type the one on their keyboard.
  private func separatesGroups(_ character: Character) -> Bool {
    guard let groupingSeparator else { return false }
    if groupingSeparator.isWhitespace { return character.isWhitespace }
    if groupingSeparator == "\u{2019}" { return character == "\u{2019}" || character == "'" }
    return character == groupingSeparator
  }

  /// The decimal digits of a text in ASCII; nil if it has another character.
  private func digits(_ text: Substring) -> String? {
    var digits = ""
    for scalar in text.unicodeScalars {
      guard let digit = scalar.decimalDigit else { return nil }
      digits += "\(digit)"
    }
    return digits
  }
}

extension Unicode.Scalar {
  /// The value of a decimal digit of any script; nil for other characters.
  package var decimalDigit: Int? {
    guard properties.generalCategory == .decimalNumber else { return nil }
    return properties.numericValue.map { Int($0) }
  }
}
