import CroftFoundation

/// A JSON value of the catalog, as it is stored.
///
/// A later version of Croft may have written keys that this one does not know. They are kept when an
/// entry is written again: ``keepingUnknown(of:readAs:)`` puts them back.
enum CatalogJSON: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([CatalogJSON])
  case object([String: CatalogJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Decoders tell a value's type by trying: an error means that it has another one.
    func value<V: Decodable>(as make: (V) -> CatalogJSON) -> CatalogJSON? {
      (try? container.decode(V.self)).map(make)
    }
    self =
      try container.decodeNil()
      ? .null
      : value(as: Self.bool) ?? value(as: Self.integer) ?? value(as: Self.unsigned)
        ?? value(as: Self.number) ?? value(as: Self.text) ?? value(as: Self.list)
        ?? .object(try container.decode([String: CatalogJSON].self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// This value with the keys of its former self that the program did not read.
  ///
  /// Elements of lists are the same where they have the same `id` or `hash`; columns, which have
  /// neither and never change, where they have the same position.
  ///
  /// - Parameter read: The stored value as the program read it, without the keys that it does not
  ///   know.
  func keepingUnknown(of stored: CatalogJSON, readAs read: CatalogJSON) -> CatalogJSON {
    switch (self, stored, read) {
    case (.object(var object), .object(let stored), .object(let read)):
      for (key, value) in stored {
        if let readValue = read[key] {
          object[key] = object[key]?.keepingUnknown(of: value, readAs: readValue)
        } else if object[key] == nil {
          object[key] = value
        }
      }
      return .object(object)
    case (.list(let list), .list(let stored), .list(let read)) where stored.count == read.count:
      let pairs = zip(stored, read)
      return .list(
        list.enumerated().map { position, element in
          let former =
            if let identity = element.identity {
              pairs.first { $0.1.identity == identity }
                ?? element.replaced.flatMap { id in pairs.first { $0.1.identity == id } }
            } else {
              list.count == stored.count ? (stored[position], read[position]) : nil
            }
          return former.map { element.keepingUnknown(of: $0.0, readAs: $0.1) } ?? element
        })
    default: return self
    }
  }

  /// The number of the index that an index replaces, whose keys it takes over.
  private var replaced: CatalogJSON? {
    if case .object(let object) = self { object["replaces"] } else { nil }
  }

  /// What tells an element of a list from the others, if it has a number or a fingerprint.
  private var identity: CatalogJSON? {
    guard case .object(let object) = self else { return nil }
    return object["id"] ?? object["hash"]
  }
}
