/// Puts rows of one layout into another, by a plan made once.
///
/// A value that the source lacks, and a nil where the target has none, become the value that
/// the catalog keeps for the field.
@safe
struct RowTranscoder: Sendable {
  /// One column of the target.
  struct Step: Sendable {
    let target: ColumnLayout
    /// The column it comes from; nil where the source has no such field.
    let source: ColumnLayout?
    let widening: Widening
    /// What it becomes where the source holds no value; nil for nil.
    let substitute: FieldValue?
  }

  let source: RowLayout
  let target: RowLayout
  private let steps: [Step]

  /// A plan; the steps are the target's columns, in their order.
  init(from source: RowLayout, to target: RowLayout, _ steps: [Step]) {
    self.source = source
    self.target = target
    self.steps = steps
  }

  /// Puts one row into the target's layout.
  ///
  /// - Parameters:
  ///   - row: A row of the source's layout.
  ///   - arena: Where the new row lies; its key stays where it is.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` where a value must be and is not.
  func transcode(_ row: RowView, into arena: RowArena) throws -> RowView {
    var variableBytes = 0
    for step in steps {
      guard case .variable = step.target.place else { continue }
      variableBytes += try unsafe value(of: step, in: row)?.count ?? 0
    }
    let isWide = variableBytes > 0xFFFF
    let start = target.variableStart(isWide: isWide)
    let room = unsafe arena.room(for: start + variableBytes)
    // Safety: the room holds the header, the bitmap, the fixed-width area and the ends, which
    // are zeroed, and behind them the variable bytes, which were counted above.
    unsafe room.initializeMemory(as: UInt8.self, repeating: 0, count: start)
    unsafe room.storeBytes(of: target.header(isWide: isWide).littleEndian, as: UInt32.self)
    var end = 0
    for step in steps where step.target.place != .key {
      let value = try unsafe value(of: step, in: row)
      if let bit = step.target.presenceBit, unsafe value != nil {
        let byte = unsafe room.advanced(by: 4 + bit >> 3).assumingMemoryBound(to: UInt8.self)
        unsafe byte.pointee |= 1 << UInt8(bit & 7)
      }
      switch step.target.place {
      case .key: continue
      case .fixed(let offset):
        if let source = step.source, source.place == .key {
          unsafe KeyCode.storeValue(
            of: row.keyBytes, source.kind, at: room + offset, step.target.kind)
        } else if let value = unsafe value {
          unsafe step.widening.copy(value, to: room + offset, width: step.target.storage.width)
        }
      case .variable(let slot):
        if let value = unsafe value, let bytes = value.baseAddress {
          unsafe (room + start + end).copyMemory(from: bytes, byteCount: value.count)
          end += value.count
        }
        unsafe storeEnd(end, slot, isWide: isWide, in: room)
      }
    }
    return unsafe RowView(
      key: row.key, keyCount: row.keyCount, row: UnsafeRawPointer(room),
      rowCount: start + variableBytes, isWide: isWide)
  }

  private func storeEnd(_ end: Int, _ slot: Int, isWide: Bool, in room: UnsafeMutableRawPointer) {
    // Safety: the room has a place for each variable column's end.
    if isWide {
      unsafe room.storeBytes(
        of: UInt32(truncatingIfNeeded: end).littleEndian,
        toByteOffset: target.endsStart + slot * 4, as: UInt32.self)
    } else {
      unsafe room.storeBytes(
        of: UInt16(truncatingIfNeeded: end).littleEndian,
        toByteOffset: target.endsStart + slot * 2, as: UInt16.self)
    }
  }

  /// Whether a column of the target has a value for a row.
  func hasValue(at place: Int, in row: RowView) -> Bool {
    let step = steps[place]
    return step.source.map { $0.isPresent(in: row) } ?? false || step.substitute != nil
  }

  /// The bytes that a column of the target gets, before they are widened; nil for nil.
  @inline(__always)
  private func value(of step: Step, in row: RowView) throws -> UnsafeRawBufferPointer? {
    if let column = step.source, column.isPresent(in: row) {
      return try unsafe column.bytes(in: row, source)
    }
    // Safety: the substitute lives as long as the plan.
    if let substitute = step.substitute { return unsafe substitute.bytes }
    guard step.target.presenceBit != nil || step.target.place == .key else {
      throw unsafe StoreError.schemaMismatch(
        model: target.schema.name, field: target.names[step.target.index],
        reason: "the row with key \(target.schema.describe(key: row.keyBytes)) has no value for "
          + "it; give the property a default, or make it optional")
    }
    return nil
  }
}
