/// A primary key of several properties; `@Model` makes one if several properties are marked.
///
/// ```swift
/// @Model struct Track {
///   @PrimaryKey var album: Int
///   @PrimaryKey var number: Int
///   var title: String
/// }
///
/// let first = try store.get(Track.self, Track.PrimaryKey(album: 7, number: 1))
/// ```
///
/// Keys are ordered by their first part, then by the next. A property can have such a type, and so
/// has a `Ref` to such a model. It is stored as the key's code. A text in it is read in
/// normalisation form C, which equals the original text.
public protocol CompoundKey: StorableKey {
  /// The types under which rows store the parts.
  static var _parts: [StorageType] { get }
  /// Reads the parts from the key's code.
  init(_key row: inout _RecordDecoder) throws
}

extension CompoundKey {
  /// Bytes of variable length: the key's code.
  public static var storage: StorageType { StorageType(keyOf: _parts) }
  /// The code as conditions compare it.
  public var stored: StoredValue { .data(keyCode) }

  /// Writes the code.
  public func store(into row: inout _RecordEncoder) {
    var code = _ByteBuffer()
    appendKey(to: &code)
    // Safety: the bytes are copied while the buffer lives.
    unsafe row.storeVariable(code.bytes)
  }

  /// The key whose code conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    guard case .data(let code) = stored else { return nil }
    row.columnsBegun = 1
    // Safety: the code is read during the call. What is no key's code gives none.
    return unsafe code.withUnsafeBytes { unsafe try? row.decodeCode($0) }
  }

  /// Reads the key from its code.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are not such a code; what
  ///   reading a part throws.
  public static func load(from row: inout _RecordDecoder) throws -> Self {
    // Safety: the bytes are read while the row is borrowed.
    let code = try unsafe row.withVariable { unsafe $0 }
    return try unsafe row.decodeCode(code)
  }

  /// Reads the key as a part of another one.
  public static func loadKey(from row: inout _RecordDecoder) throws -> Self {
    try Self(_key: &row)
  }
}

extension _ByteBuffer {
  /// Appends a part of a compound key.
  @inlinable
  public mutating func appendKeyPart<V: StorableKey>(_ value: V) { value.appendKey(to: &self) }
}

/// The kinds of a compound key's parts, packed so that a ``StorageType`` stays plain bits.
///
/// Integers are listed by their sign only, because key codes of all widths are the same.
@usableFromInline
struct KeyParts: Hashable, Sendable {
  /// Four bits for each part, the first part's lowest; one more than its place in ``known``.
  @usableFromInline var bits: UInt64

  /// No parts.
  @inlinable
  init() { bits = 0 }

  private static let known: [StorageType.Kind] = [.int64, .uint64, .date, .uuid, .string, .data]
  static let most = 16

  /// Packs the parts' kinds; a compound key among them adds its own parts.
  ///
  /// The first sixteen are packed: a store refuses a model whose key has more.
  ///
  /// - Precondition: The kinds are those that keys can have.
  init(_ parts: [StorageType]) {
    let kinds = parts.flatMap { part in
      part.kind == .compound ? part.parts.kinds : [part.kind.widest]
    }
    bits = 0
    for kind in kinds.prefix(Self.most).reversed() {
      guard let place = Self.known.firstIndex(of: kind) else {
        preconditionFailure("No part of a key is a \(kind.rawValue): choose another type.")
      }
      bits = bits << 4 | UInt64(place + 1)
    }
  }

  var kinds: [StorageType.Kind] {
    var kinds: [StorageType.Kind] = []
    var rest = bits
    while rest != 0 {
      kinds.append(Self.known[Int(rest & 15) - 1])
      rest >>= 4
    }
    return kinds
  }

  /// The length of every key's code, or nil where it varies.
  var codeWidth: Int? { kinds.map(\.keyWidth).sum }
}

extension KeyParts {
  /// The parts as the catalog writes them, such as `(int64,string)`.
  var text: String { "(" + kinds.map(\.rawValue).joined(separator: ",") + ")" }

  /// The parts that a text names; nil where it names none.
  init?(text: Substring) {
    guard text.first == "(", text.last == ")" else { return nil }
    let names = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    let kinds = names.compactMap { StorageType.Kind(rawValue: String($0)) }
    guard kinds.count == names.count, kinds.count <= Self.most,
      kinds.allSatisfy(Self.known.contains)
    else { return nil }
    self.init(kinds.map { StorageType($0) })
  }
}

extension [Int?] {
  /// The sum; nil where a number is nil.
  var sum: Int? { contains(nil) ? nil : reduce(0) { $0 + ($1 ?? 0) } }
}

extension StorageType {
  init(keyOf parts: [StorageType]) { self.init(.compound, parts: KeyParts(parts)) }

  /// How many parts it has in a compound key.
  var keyPartCount: Int { kind == .compound ? parts.kinds.count : 1 }
}

extension StorageType.Kind {
  /// The widest kind with the same key code.
  fileprivate var widest: Self { isSigned ? .int64 : isUnsigned ? .uint64 : self }
}

extension KeyParts {
  /// The code of the parts' zeroes.
  var zero: [UInt8] {
    kinds.flatMap { StoredValue.zero(of: StorageType($0)).keyCode(kind: $0) }
  }
}

// Keys of several properties, for programs that do not know their types.

extension StorageType {
  /// The kinds of a compound key's parts, in its order; of other kinds none.
  ///
  /// A compound key that is a part of another one has its own parts there. Whole numbers are of the widest kind.
  public var keyKinds: [Kind] { kind == .compound ? parts.kinds : [] }
}

extension StoredValue {
  /// The bytes of a compound key that has some values; nil where they are not of its kinds.
  ///
  /// Query texts compare a property that holds such a key, as a reference does, with these bytes.
  ///
  /// - Parameters:
  ///   - keyParts: A value for each of ``StorageType/keyKinds``, in their order.
  ///   - type: The type of a property that holds such keys.
  public init?(keyParts: [StoredValue], of type: StorageType) {
    let kinds = type.keyKinds
    guard !kinds.isEmpty, kinds.count == keyParts.count else { return nil }
    var code = _ByteBuffer()
    for (kind, part) in zip(kinds, keyParts) {
      switch (kind, part) {
      case (.int64, .int), (.uint64, .uint), (.date, .date), (.uuid, .uuid), (.string, .string),
        (.data, .data):
        part.appendKey(kind: kind, to: &code, cut: nil)
      default: return nil
      }
    }
    self = .data(code.copied)
  }

  /// The values of a compound key's parts; nil for what is no key of the type.
  ///
  /// - Parameter type: The type of a property that holds such keys.
  public func keyParts(of type: StorageType) -> [StoredValue]? {
    guard case .data(let code) = self, !type.keyKinds.isEmpty else { return nil }
    // Safety: the code is read during the call, and each part ends within it.
    return unsafe code.withUnsafeBytes { bytes -> [StoredValue]? in
      var rest = unsafe bytes
      var values: [StoredValue] = []
      for kind in type.keyKinds {
        guard let length = unsafe KeyCode.length(of: StorageType(kind), in: rest) else {
          return nil
        }
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest[..<length])
        if kind == .data {
          values.append(.data(unsafe KeyCode.unescaped(part)))
        } else if let value = unsafe StoredValue(code: part, kind: kind) {
          values.append(value)
        } else {
          return nil
        }
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[length...])
      }
      return unsafe rest.isEmpty ? values : nil
    }
  }
}
