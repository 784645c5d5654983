/// The kinds of a compound key's parts, packed so that a ``StorageType`` stays plain bits.
///
/// Integers are there by their sign alone, since their key codes have one width.
@usableFromInline
struct KeyParts: Hashable, Sendable {
  /// Four bits for each part, the first part's lowest; one more than its place in ``known``.
  @usableFromInline var bits: UInt64

  /// No parts.
  @inlinable
  init() { bits = 0 }

  private static let known: [StorageType.Kind] = [.int64, .uint64, .date, .uuid, .string, .data]
  private static let most = 16

  /// Packs the parts' kinds; a compound key among them counts with its own parts.
  ///
  /// - Precondition: There are sixteen parts at most, of kinds that keys can have.
  init(_ parts: [StorageType]) {
    let kinds = parts.flatMap { part in
      part.kind == .compound ? part.parts.kinds : [part.kind.widest]
    }
    precondition(
      kinds.count <= Self.most, "A compound key has \(Self.most) parts at most: use fewer.")
    bits = 0
    for kind in kinds.reversed() {
      guard let place = Self.known.firstIndex(of: kind) else {
        preconditionFailure("No part of a key is a \(kind.rawValue): choose another type.")
      }
      bits = bits << 4 | UInt64(place + 1)
    }
  }

  /// The parts' kinds, in order.
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
  var codeWidth: Int? {
    var sum = 0
    for kind in kinds {
      guard let width = kind.keyWidth else { return nil }
      sum += width
    }
    return sum
  }
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

extension StorageType {
  /// A primary key of several properties.
  init(keyOf parts: [StorageType]) { self.init(.compound, parts: KeyParts(parts)) }
}

extension StorageType.Kind {
  /// The widest kind with the same key code.
  fileprivate var widest: Self { isSigned ? .int64 : isUnsigned ? .uint64 : self }
}
