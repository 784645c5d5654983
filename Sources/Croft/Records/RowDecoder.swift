extension _RowDecoder {
  /// Makes a decoder that stands nowhere yet; `move(to:)` puts it on a row.
  init(layout: RowLayout) {
    self.layout = layout
    // Safety: any address will do, for `move` replaces both before anything is read.
    unsafe key = UnsafeRawPointer(Unmanaged.passUnretained(layout).toOpaque())
    unsafe row = key
    unsafe keyCursor = key
  }

  /// Puts the decoder at the start of another row of the same layout.
  mutating func move(to view: RowView) {
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
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no code of the type.
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
    // Safety: whoever set the cursor checked that a whole code with its end mark begins there.
    let start = unsafe keyCursor
    while unsafe keyCursor.loadUnaligned(as: UInt16.self) != 0 { unsafe keyCursor += 1 }
    unsafe keyCursor += 2
    return unsafe KeyCode.unescaped(
      UnsafeRawBufferPointer(start: start, count: keyCursor - start))
  }

  @usableFromInline
  func badEnds() -> StoreError {
    .corrupt(
      model: layout.schema.name, key: keyText, reason: "its end offsets do not fit its length")
  }

  /// The error for a raw value that no case of the enum has.
  @usableFromInline
  func noCase(of type: String, rawValue: String) -> StoreError {
    .schemaMismatch(
      model: layout.schema.name, field: layout.names[columnsBegun - 1],
      reason: "the row with key \(keyText) holds \(rawValue), which is no case of \(type); "
        + "a newer version of the program may have written it. Add the case, or change the row")
  }

  /// The error for a text that is no URL, such as one that was a String before.
  func noURL(_ text: String) -> StoreError {
    .schemaMismatch(
      model: layout.schema.name, field: layout.names[columnsBegun - 1],
      reason: "the row with key \(keyText) holds \"\(text)\", which is no URL; declare a String, "
        + "or change the row")
  }

  /// The error for JSON that is no value of the property's type.
  func undecodable(as type: String, _ reason: String) -> StoreError {
    .schemaMismatch(
      model: layout.schema.name, field: layout.schema.columns[columnsBegun - 1].name,
      reason: "the row with key \(keyText) holds JSON that is no \(type) (\(reason)); "
        + "make the type read what it wrote before")
  }

  /// The error for a property of an embedded struct that has no value, although the struct is there.
  @usableFromInline
  func missingValue() -> StoreError {
    .schemaMismatch(
      model: layout.schema.name, field: layout.schema.columns[columnsBegun - 1].name,
      reason: "the row with key \(keyText) has no value for it; give the property a default, "
        + "or make it optional")
  }

  /// The error for bytes that are no value of the property's type.
  func badValue(_ text: String) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: keyText,
      reason: "\(layout.schema.columns[columnsBegun - 1].name) holds bytes that are not \(text)")
  }

  private var keyText: String {
    // Safety: `move` took both from one borrowed buffer.
    unsafe layout.schema.describe(key: UnsafeRawBufferPointer(start: key, count: keyCount))
  }
}
