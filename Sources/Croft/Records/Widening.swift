/// How a value of one storage type becomes one of another without losing anything.
enum Widening: Sendable, Hashable {
  /// The bytes are the same.
  case none
  /// A signed integer gets more bytes.
  case signed
  /// An unsigned integer gets more bytes.
  case unsigned
  /// A Float becomes a Double.
  case real

  /// The way from one type to another, whatever their optionality; nil where there is none.
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
