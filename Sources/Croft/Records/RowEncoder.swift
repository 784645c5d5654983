extension _RowEncoder {
  /// Starts a row: header, empty presence bits, and room for everything of fixed width.
  @usableFromInline
  mutating func begin(_ layout: RowLayout, isWide: Bool = false) {
    let start = layout.variableStart(isWide: isWide)
    key.count = 0
    row.count = 0
    row.reserve(start)
    // Safety: `reserve` made room for `start` bytes.
    unsafe row.base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.fixedStart)
    unsafe row.base.storeBytes(of: layout.header(isWide: isWide).littleEndian, as: UInt32.self)
    row.count = start
    presence = 0
    fixed = layout.fixedStart
    ends = layout.endsStart
    variableStart = start
    self.isWide = isWide
  }

  /// Whether the variable bytes are more than 16-bit end offsets can tell.
  @usableFromInline
  var isTooLongForNarrowEnds: Bool { !isWide && row.count &- variableStart > 0xFFFF }
}
