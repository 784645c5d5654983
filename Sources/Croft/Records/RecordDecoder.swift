/// Decodes one object from its key's code and its row, in declaration order.
///
/// It borrows the transaction's memory, so it cannot be copied and stays in the call that made it.
@safe
public struct _RecordDecoder: ~Copyable {
  @usableFromInline var key: UnsafeRawPointer
  @usableFromInline var row: UnsafeRawPointer
  @usableFromInline var keyCount = 0
  /// The start of the next part of a key's code.
  @usableFromInline var keyCursor: UnsafeRawPointer
  @usableFromInline var rowCount = 0
  @usableFromInline var presence = 0
  @usableFromInline var fixed = 0
  @usableFromInline var ends = 0
  @usableFromInline var variableStart = 0
  @usableFromInline var lastEnd = 0
  @usableFromInline var isWide = false
  /// The number of columns begun, by which an error finds the property's name.
  @usableFromInline var columnsBegun = 0
  /// How many rows the query's result has, for those who keep all; 0 where that is not known.
  @usableFromInline var expectedRows = 0
  // Safety: the table, which outlives every decoder of its rows, holds the layout.
  @safe unowned(unsafe) let layout: RecordLayout

  /// Reads the next property.
  ///
  /// - Throws: ``StoreError`` if the bytes are no such value.
  @inlinable
  public mutating func decode<V: StorableProperty>() throws -> V {
    columnsBegun &+= 1
    return try V.load(from: &self)
  }

  /// Reads a key, or the next part of a compound one, from the key's code.
  ///
  /// - Throws: ``StoreError`` if the bytes are no such value.
  @inlinable
  public mutating func decodeKey<V: StorableKey>() throws -> V {
    try V.loadKey(from: &self)
  }

  @inlinable
  mutating func loadFixed<T: BitwiseCopyable>(_ type: T.Type) -> T {
    // Safety: `move` checked that the row holds its whole fixed-width area.
    let value = unsafe row.loadUnaligned(fromByteOffset: fixed, as: T.self)
    fixed &+= MemoryLayout<T>.size
    return value
  }

  @inlinable
  mutating func loadPresence() -> Bool {
    // Safety: `move` checked that the row holds its bitmap.
    let byte = unsafe row.load(fromByteOffset: 4 &+ presence >> 3, as: UInt8.self)
    let bit = byte >> UInt8(truncatingIfNeeded: presence & 7) & 1
    presence &+= 1
    return bit == 1
  }

  /// The next variable column's bytes, borrowed by the closure.
  @inlinable
  mutating func withVariable<R>(_ body: (UnsafeRawBufferPointer) -> R) throws -> R {
    let start = lastEnd
    // Safety: `move` checked that the row holds all its end offsets.
    if isWide {
      lastEnd = Int(
        UInt32(littleEndian: unsafe row.loadUnaligned(fromByteOffset: ends, as: UInt32.self)))
      ends &+= 4
    } else {
      lastEnd = Int(
        UInt16(littleEndian: unsafe row.loadUnaligned(fromByteOffset: ends, as: UInt16.self)))
      ends &+= 2
    }
    guard start <= lastEnd, variableStart &+ lastEnd <= rowCount else { throw badEnds() }
    // Safety: the guard keeps the range inside the row.
    return unsafe body(
      UnsafeRawBufferPointer(
        start: row.advanced(by: variableStart &+ start), count: lastEnd &- start))
  }

  /// The next eight bytes of the key's code.
  @inlinable
  mutating func loadKeyWord() -> UInt64 {
    // Safety: before the cursor was set, a whole code of the type was found there.
    let word = unsafe keyCursor.loadUnaligned(as: UInt64.self)
    unsafe keyCursor += 8
    return UInt64(bigEndian: word)
  }

  /// Skips the empty column of a value that is nil.
  @usableFromInline
  mutating func skip(_ storage: StorageType) {
    fixed &+= storage.width
    if storage.width == 0 { ends &+= isWide ? 4 : 2 }
  }
}

// MARK: - Objects

extension _RecordDecoder {
  /// Makes a decoder without a row; `move(to:)` gives it one.
  init(layout: RecordLayout) {
    self.layout = layout
    // Safety: placeholders; `move` sets both before use.
    unsafe key = UnsafeRawPointer(Unmanaged.passUnretained(layout).toOpaque())
    unsafe row = key
    unsafe keyCursor = key
  }

  /// Moves the decoder to the start of another row of the same layout.
  @inline(__always)
  mutating func move(to view: RecordView) {
    // Safety: as for the initialiser.
    unsafe key = view.key
    unsafe row = view.row
    keyCount = view.keyCount
    rowCount = view.rowCount
    isWide = view.isWide
    unsafe keyCursor = view.key
    presence = 0
    fixed = layout.fixedStart
    ends = layout.endsStart
    variableStart = layout.variableStart(isWide: isWide)
    lastEnd = 0
    columnsBegun = 0
  }

  /// Reads a compound key from its code.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are not a code of the type.
  mutating func decodeCode<K: CompoundKey>(_ code: UnsafeRawBufferPointer) throws -> K {
    let storage = K.storage
    guard let start = code.baseAddress,
      unsafe KeyCode.length(of: storage, in: code) == code.count
    else { throw badValue("a key \(storage.text)") }
    // Safety: a whole code begins there, and the cursor is put back before the bytes can go.
    let cursor = unsafe keyCursor
    unsafe keyCursor = start
    defer { unsafe keyCursor = cursor }
    return try K(_key: &self)
  }

  /// The next text or data of the key's code, unescaped.
  mutating func loadEscaped() -> [UInt8] {
    // Safety: the caller checked that a whole code with its end mark begins at the cursor.
    let start = unsafe keyCursor
    while unsafe keyCursor.loadUnaligned(as: UInt16.self) != 0 { unsafe keyCursor += 1 }
    unsafe keyCursor += 2
    return unsafe KeyCode.unescaped(
      UnsafeRawBufferPointer(start: start, count: keyCursor - start))
  }

  @usableFromInline
  func badEnds() -> StoreError { corrupt("its end offsets do not fit its length") }

  /// The error for bytes that are not a value of the property's type.
  func badValue(_ text: String) -> StoreError {
    corrupt("\(layout.names[columnsBegun - 1]) holds bytes that are not \(text)")
  }

  /// The error for a raw value that no case of the enum has.
  @usableFromInline
  func noCase(of type: String, rawValue: String) -> StoreError {
    mismatch(
      "holds \(rawValue), which is not a case of \(type); a newer version of the program may have "
        + "written it. Add the case, or change the row")
  }

  /// The error for a text that is not a URL, such as one that was a String before.
  func noURL(_ text: String) -> StoreError {
    mismatch("holds \"\(text)\", which is not a URL; declare a String, or change the row")
  }

  /// The error for JSON that is not a value of the property's type.
  func undecodable(as type: String, _ reason: String) -> StoreError {
    mismatch(
      "holds JSON that is not a value of \(type) (\(reason)); make the type read what it wrote before"
    )
  }

  /// The error for a property of an embedded struct that has no value, although the struct is there.
  @usableFromInline
  func missingValue() -> StoreError {
    mismatch("has no value for it; give the property a default, or make it optional")
  }

  private func mismatch(_ reason: String) -> StoreError {
    .schemaMismatch(
      model: layout.schema.name, field: layout.names[columnsBegun - 1],
      reason: "the row with key \(keyText) \(reason)")
  }

  private func corrupt(_ reason: String) -> StoreError {
    .corrupt(model: layout.schema.name, key: keyText, reason: reason)
  }

  private var keyText: String {
    // Safety: `move` took both from one borrowed buffer.
    unsafe layout.schema.describe(key: UnsafeRawBufferPointer(start: key, count: keyCount))
  }
}

// A collection's bytes are read by the same cursors as a row's, as they are written.

extension _RecordDecoder {
  /// The positions of the cursors before a collection.
  @usableFromInline
  struct CollectionFrame {
    @usableFromInline let count: Int
    let values: Int
    let presence: Int
    let fixed: Int
    let ends: Int
    let variableStart: Int
    let lastEnd: Int
    let rowCount: Int
    let isWide: Bool
  }

  @inlinable
  mutating func loadElements<V: Storable>(as storage: StorageType) throws -> [V] {
    let frame = try beginCollection(storage)
    var elements: [V] = []
    elements.reserveCapacity(frame.count)
    for _ in 0..<frame.count { elements.append(try V.load(from: &self)) }
    endCollection(frame)
    return elements
  }

  /// Reads the texts and values of the next column, in the order of the texts.
  @inlinable
  mutating func loadPairs<V: Storable>(as storage: StorageType) throws -> [(String, V)] {
    let frame = try beginCollection(storage)
    var keys: [String] = []
    keys.reserveCapacity(frame.count)
    for _ in 0..<frame.count { keys.append(try String.load(from: &self)) }
    beginValues(frame)
    let pairs = try keys.map { ($0, try V.load(from: &self)) }
    endCollection(frame)
    return pairs
  }

  /// Puts the cursors into the next column's collection, whose parts fit its length.
  @usableFromInline
  mutating func beginCollection(_ storage: StorageType) throws -> CollectionFrame {
    let row = unsafe row
    // Safety: the bytes are looked at while the row is borrowed.
    let found = try unsafe withVariable { bytes -> (start: Int, count: Int, end: Int)? in
      guard let view = unsafe CollectionView(bytes, storage) else { return nil }
      let start = unsafe bytes.baseAddress.map { unsafe $0 - row } ?? 0
      return (start, view.count, start + bytes.count)
    }
    guard let found else { throw badEnds() }
    let parts = CollectionParts(storage, count: found.count)
    let frame = CollectionFrame(
      count: found.count, values: found.start + parts.values, presence: presence, fixed: fixed,
      ends: ends, variableStart: variableStart, lastEnd: lastEnd, rowCount: rowCount,
      isWide: isWide)
    presence = found.start << 3
    fixed = frame.values
    ends = storage.collection == .dictionary ? found.start + parts.keyEnds : frame.values
    variableStart = found.start + parts.variable
    lastEnd = 0
    rowCount = found.end
    isWide = true
    return frame
  }

  /// Puts the cursors after a dictionary's texts.
  @usableFromInline
  mutating func beginValues(_ frame: CollectionFrame) {
    ends = frame.values
    variableStart += lastEnd
    lastEnd = 0
  }

  @usableFromInline
  mutating func endCollection(_ frame: CollectionFrame) {
    presence = frame.presence
    fixed = frame.fixed
    ends = frame.ends
    variableStart = frame.variableStart
    lastEnd = frame.lastEnd
    rowCount = frame.rowCount
    isWide = frame.isWide
  }
}

// MARK: - Single columns

extension _RecordDecoder {
  /// The value of one column of a row.
  mutating func value<V: Storable>(of column: ColumnLayout, in view: RecordView) throws -> V {
    move(to: view, column: column)
    guard column.place == .key else { return try decode() }
    guard let type = V.self as? any StorableKey.Type, let value = try key(as: type) as? V else {
      preconditionFailure("A primary key is of a key's type.")
    }
    return value
  }

  private mutating func key<K: StorableKey>(as type: K.Type) throws -> K { try decodeKey() }

  /// Moves the decoder to one column of a row.
  mutating func move(to view: RecordView, column: ColumnLayout) {
    move(to: view)
    columnsBegun = column.index
    presence = column.presenceBit ?? 0
    switch column.place {
    case .key: return
    case .fixed(let offset): fixed = offset
    case .variable(let slot):
      let width = isWide ? 4 : 2
      ends = layout.endsStart + slot * width
      lastEnd = slot == 0 ? 0 : view.end(slot - 1, layout)
    }
  }
}

/// A struct whose properties are read from a row one after the other: a model, or a part of models.
public protocol _RecordStruct {}

extension _RecordStruct {
  /// Reads the next property; the closure is never called and only gives the type.
  ///
  /// With an explicit type an optional is read as an optional, and an initializer of the user's with
  /// the same labels and other types does not make the macro's call ambiguous.
  @inlinable @inline(__always)
  public static func _decode<V: StorableProperty>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    try row.decode()
  }

  /// Reads a property that cannot be stored; ``_requireStorable(_:)`` reports the error.
  @_disfavoredOverload
  public static func _decode<V>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    preconditionFailure("\(V.self) cannot be stored.")
  }

  /// Reads a property that is stored as JSON; the closure only gives the type.
  @inlinable
  public static func _decodeCoded<V: Codable & Sendable>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    try (row.decode() as _Coded<V>).value
  }
}

extension Model {
  /// Reads the primary key, from the row if that has it too; the closure only gives the type.
  @inlinable @inline(__always)
  public static func _decodeKey<V: StorableKey>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    guard V.keyRestoresValue else { return try row.decode() }
    row.columnsBegun &+= 1
    return try row.decodeKey()
  }
}
