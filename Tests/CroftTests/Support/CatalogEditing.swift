import Foundation
import LMDB
import Testing

@testable import Croft

/// Changes of a store's header and catalog, as a later version of Croft would make them.
struct CatalogEditing {
  let url: URL

  private func change(_ key: [UInt8], _ body: (inout [UInt8]) throws -> Void) throws {
    let environment = try Environment.open(at: url.path, options: .init(.forTests))
    try environment.write { transaction in
      let meta = try #require(try transaction.database(named: "meta"))
      var value = try #require(try transaction.get(key.span.bytes, in: meta)?.copied())
      try body(&value)
      _ = try transaction.put(value.span.bytes, at: key.span.bytes, in: meta)
    }
  }

  /// Changes the bytes of the header; its checksum is computed again.
  func header(_ body: (inout [UInt8]) -> Void) throws {
    try change(StoreHeader.key) { bytes in
      body(&bytes)
      bytes.replaceSubrange(12..<16, with: [0, 0, 0, 0])
      bytes.replaceSubrange(12..<16, with: Checksum.bytes(StoreHeader.key, bytes))
    }
  }

  /// Adds the name of a feature.
  func addFeature(_ name: String) throws {
    try header { $0 += [UInt8(name.utf8.count)] + Array(name.utf8) }
  }

  /// Changes the entry of the model with a number, and counts the change if asked to.
  func entry(
    _ model: Int = 1, countsChange: Bool = true, _ body: (inout CatalogJSON) throws -> Void
  ) throws {
    let key = CatalogEntry.keyPrefix + Array("\(model)".utf8)
    try change(key) { bytes in
      var json = try JSONDecoder().decode(CatalogJSON.self, from: Data(bytes.dropLast(4)))
      try body(&json)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let changed = [UInt8](try encoder.encode(json))
      bytes = changed + Checksum.bytes(key, changed)
    }
    if countsChange { try header { $0[40] += 1 } }
  }

  /// The stored entry of a model.
  func entry(_ model: Int = 1) throws -> CatalogJSON {
    var found = CatalogJSON.null
    try entry(model, countsChange: false) { found = $0 }
    return found
  }
}

extension CatalogJSON {
  /// A member of an object.
  subscript(key: String) -> CatalogJSON? {
    get { if case .object(let object) = self { object[key] } else { nil } }
    set {
      guard case .object(var object) = self else { return }
      object[key] = newValue
      self = .object(object)
    }
  }

  /// An element of a list.
  subscript(place: Int) -> CatalogJSON {
    get { if case .list(let list) = self { list[place] } else { .null } }
    set {
      guard case .list(var list) = self else { return }
      list[place] = newValue
      self = .list(list)
    }
  }
}
