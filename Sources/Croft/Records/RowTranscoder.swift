#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Transcodes rows of one layout into another, by a plan made once.
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
    /// The value where the source holds none; nil for nil.
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

  /// Transcodes one row into the target's layout.
  ///
  /// - Parameters:
  ///   - row: A row of the source's layout.
  ///   - arena: The memory of the new row; its key stays where it is.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets do not fit;
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
    switch self {
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

extension StorageType.Kind {
  /// Whether it is a signed integer of some width.
  var isSigned: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }

  /// Whether it is an unsigned integer of some width.
  var isUnsigned: Bool {
    switch self {
    case .uint8, .uint16, .uint32, .uint64: true
    default: false
    }
  }
}

/// One value's bytes as a row holds them, at a fixed address.
///
/// `@unchecked Sendable`: immutable after init; the memory goes with it.
@safe
final class FieldValue: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, bytes.count), alignment: 16)
    // Safety: the memory was just made, and is freed once, by `deinit`.
    unsafe copy.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { unsafe bytes.baseAddress?.deallocate() }
}

extension FieldValue {
  /// What a value starts as that cannot be carried: zero, or empty.
  static func zero(of storage: StorageType) -> FieldValue {
    let isCode = storage.kind == .decimal || storage.kind == .compound
    guard isCode, storage.collection == nil else {
      return FieldValue([UInt8](repeating: 0, count: storage.width))
    }
    var code = _ByteBuffer()
    StoredValue.zero(of: storage).appendKey(kind: storage.kind, to: &code, cut: nil)
    return unsafe FieldValue([UInt8](code.bytes))
  }
}

/// Memory for rows that were transcoded into another layout, freed all at once.
///
/// It lives as long as the query or statement whose views point into it, and is confined to
/// the thread of that.
@safe
final class RowArena {
  private static var chunkBytes: Int { Threshold.arenaBytes.value }

  private var chunks: [UnsafeMutableRawBufferPointer] = unsafe []
  /// How many bytes of the last chunk are taken.
  private var used = 0

  deinit {
    // Safety: each chunk was allocated here, and no view outlives the arena.
    while let chunk = unsafe chunks.popLast() { unsafe chunk.deallocate() }
  }

  /// The bytes that the arena holds on to.
  var byteCount: Int { unsafe chunks.reduce(0) { $0 + $1.count } }

  /// Uninitialised room, at an address that stays until ``clear()``.
  func room(for count: Int) -> UnsafeMutableRawPointer {
    // Safety: the room is in the last chunk, behind what was taken before.
    if let last = unsafe chunks.last, used + count <= last.count,
      let start = last.baseAddress
    {
      let room = unsafe start + used
      used += count
      return unsafe room
    }
    let size = max(Self.chunkBytes, count)
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe chunks.append(UnsafeMutableRawBufferPointer(start: start, count: size))
    used = count
    return unsafe start
  }

  /// Forgets all rows; no view of one may be used again.
  func clear() {
    guard used > 0 else { return }
    // Safety: views end with the statement that the caller ends.
    while unsafe chunks.count > 1 { unsafe chunks.removeLast().deallocate() }
    used = 0
  }
}
