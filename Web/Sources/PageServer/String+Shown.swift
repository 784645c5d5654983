extension String {
  /// The text with a sign in place of what a page would act on rather than draw.
  ///
  /// Those are control characters, and the marks that turn the direction of writing, also of what
  /// follows. Tabs stay, and lines end as in HTML, whichever ends the text has.
  public var shown: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    guard unicodeScalars.contains(where: { isControl($0) || $0 == "\r" }) else { return self }
    let text = String(
      String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    return text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }
}
