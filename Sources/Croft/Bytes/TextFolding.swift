/// Folds texts so that those which differ only in what the options ignore become equal.
///
/// What a text folds to is defined by ``folded(_:_:)``. Texts of rows take a table of scalars
/// instead, and the definition only for the words that have a scalar which the table does not know.
enum TextFolding {
  private static let composing = FoldingTable([])
  private static let caseFolding = FoldingTable(.caseInsensitive)
  private static let markDropping = FoldingTable(.diacriticInsensitive)
  private static let both = FoldingTable([.caseInsensitive, .diacriticInsensitive])

  /// The table for some options, which is made when it is first asked for.
  private static func table(for options: TextOptions) -> FoldingTable {
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): composing
    case (true, false): caseFolding
    case (false, true): markDropping
    case (true, true): both
    }
  }

  /// Calls the body with the folded UTF-8 of a text, which is lent for the call.
  ///
  /// - Parameter count: How many folded bytes the body needs; what is behind them may be missing.
  /// - Complexity: O(*n*).
  @inline(__always)
  static func withFolded<R>(
    _ utf8: UnsafeRawBufferPointer, _ options: TextOptions, first count: Int = .max,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    let table = table(for: options)
    if options.isEmpty, unsafe table.isStable(utf8, first: count) { return unsafe body(utf8) }
    // Safety: the room is read while it lives, and only where it was written.
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: FoldingTable.roomNeeded(by: utf8.count), alignment: 8
    ) { room in
      if let written = unsafe table.fold(utf8, first: count, into: room) {
        return unsafe body(UnsafeRawBufferPointer(rebasing: room[..<written]))
      }
      var folded = unsafe folded(String(decoding: utf8, as: UTF8.self), options)
      return folded.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
  }
}

// MARK: - The definition

extension TextFolding {
  /// The text in normalisation form C, folded by the options.
  static func folded(_ text: String, _ options: TextOptions) -> String {
    var folded = text
    if options.contains(.diacriticInsensitive) { folded = withoutMarks(folded) }
    return options.contains(.caseInsensitive)
      ? TextKey.caseFolded(folded) : TextKey.canonicalComposition(of: folded)
  }

  /// The text without the marks of Unicode's blocks of combining diacritical marks.
  private static func withoutMarks(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var rest = ""
    for scalar in TextKey.canonicalDecomposition(of: text)
    where !isMark(scalar) { rest.unicodeScalars.append(scalar) }
    return rest
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}
