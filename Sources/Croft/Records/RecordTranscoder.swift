import CroftFoundation

/// Transcodes rows of one layout into another, by a plan made once.
///
/// A value that the source lacks, and a nil where the target has none, become the value that
/// the catalog keeps for the field.
@safe
struct RecordTranscoder: Sendable {
  struct Step: Sendable {
    let target: ColumnLayout
    /// The column it comes from; nil where the source has no such field.
    let source: ColumnLayout?
    let widening: RecordTranscoder.Widening
    /// The value where the source holds none; nil for nil.
    let substitute: FieldValue?
  }

  let source: RecordLayout
  let target: RecordLayout
  /// The target's columns, in their order.
  let steps: [Step]

  /// Transcodes one row into the target's layout.
  ///
  /// - Parameter arena: The memory of the new row; its key stays where it is.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets do not fit;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` where a value must be and is not.
  func transcode(_ row: RecordView, into arena: RecordArena) throws -> RecordView {
    var variableBytes = 0
    for step in steps {
      guard case .variable = step.target.place else { continue }
      variableBytes += try unsafe value(of: step, in: row)?.count ?? 0
    }
    let isWide = variableBytes > 0xFFFF
    let start = target.variableStart(isWide: isWide)
    let room = unsafe arena.room(for: start + variableBytes)
    // Safety: the room holds the header, the bitmap, the fixed-width area and the ends, which
    // are zeroed, and after them the variable bytes, which were counted above.
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
    return unsafe RecordView(
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

  func hasValue(at place: Int, in row: RecordView) -> Bool {
    let step = steps[place]
    return step.source.map { $0.isPresent(in: row) } ?? false || step.substitute != nil
  }

  /// The bytes that a column of the target gets, of the source's type or its own; nil for nil.
  @inline(__always)
  private func value(of step: Step, in row: RecordView) throws -> UnsafeRawBufferPointer? {
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

extension RecordTranscoder {
  /// How a value of one storage type is converted to another without loss.
  enum Widening: Sendable, Hashable {
    /// The bytes are the same.
    case none
    /// A signed integer gets more bytes.
    case signed
    /// An unsigned integer gets more bytes.
    case unsigned
    /// A Float becomes a Double.
    case real

    /// The conversion from one type to another, whatever their optionality; nil where there is none.
    init?(from source: StorageType, to target: StorageType) {
      if source.optional == target.optional {
        self = .none
        return
      }
      guard source.collection == nil, target.collection == nil else { return nil }
      switch (source.kind, target.kind) {
      case (.float, .double): self = .real
      case (let from, let to) where from.isSigned && to.isSigned && from.width < to.width:
        self = .signed
      case (let from, let to)
      where from.isUnsigned && (to.isUnsigned || to.isSigned) && from.width < to.width:
        self = .unsigned
      default: return nil
      }
    }

    /// Writes a value's bytes as the wider type's.
    @inline(__always)
    func copy(_ bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer, width: Int) {
      guard let source = bytes.baseAddress else { return }
      // Safety: the caller's place has room for `width` bytes, which are at least the source's.
      // A value of that width is the wider type's already, as a default is.
      switch bytes.count < width ? self : .none {
      case .none: unsafe place.copyMemory(from: source, byteCount: bytes.count)
      case .signed, .unsigned:
        let isNegative = unsafe self == .signed && bytes[bytes.count - 1] >= 0x80
        unsafe place.initializeMemory(
          as: UInt8.self, repeating: isNegative ? 0xFF : 0, count: width)
        unsafe place.copyMemory(from: source, byteCount: bytes.count)
      case .real:
        let bits = UInt32(littleEndian: unsafe source.loadUnaligned(as: UInt32.self))
        let double = Double(Float(bitPattern: bits))
        unsafe place.storeBytes(of: double.bitPattern.littleEndian, as: UInt64.self)
      }
    }
  }
}

extension StorageType.Kind {
  var isSigned: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }

  var isUnsigned: Bool {
    switch self {
    case .uint8, .uint16, .uint32, .uint64: true
    default: false
    }
  }
}
