import Croft
import Foundation

/// The primary key of an object, as addresses write it.
struct ObjectKey: Equatable {
  /// The values of the key's properties, as texts.
  let texts: [String]

  /// The key of an object.
  ///
  /// - Throws: ``StoreError`` where the object lacks a property of the key.
  init(_ object: DynamicObject, of model: StoredModel) throws {
    texts = try model.primaryKey.map { ValueText.key(try object[$0]) }
  }

  /// The key that a reference holds.
  init(reference: StoredValue) { texts = [ValueText.key(reference)] }

  /// Reads a key from a path; nil for another text.
  init?(path: String) {
    let parts = path.split(separator: ",", omittingEmptySubsequences: false)
    let texts = parts.compactMap { $0.removingPercentEncoding }
    guard texts.count == parts.count else { return nil }
    self.texts = texts
  }

  /// The key as a part of a path.
  var path: String { texts.map(\.percentEncoded).joined(separator: ",") }

  /// The key for people.
  var title: String { texts.joined(separator: ", ") }

  /// Whether queries can compare the keys of a model.
  static func isComparable(in model: StoredModel) -> Bool {
    model.properties.allSatisfy {
      !$0.isPrimaryKey || $0.type.kind != .compound && $0.type.kind != .coded
    }
  }

  /// The values as parameters of a query, by name; nil where they are not those of the model's key.
  func parameters(of model: StoredModel) -> [String: any Storable]? {
    let properties = model.properties.filter(\.isPrimaryKey)
    guard properties.count == texts.count else { return nil }
    var values: [String: any Storable] = [:]
    for (place, (text, property)) in zip(texts, properties).enumerated() {
      guard let value = ValueText.value(text, as: property.type.kind) else { return nil }
      values[Self.parameter(place)] = value
    }
    return values
  }

  /// The object with the key; nil where there is none.
  ///
  /// - Throws: An error of the store.
  func object(
    of model: StoredModel, in tx: inout ReadTransaction
  ) throws -> DynamicObject? {
    guard let parameters = parameters(of: model) else { return nil }
    let conditions = model.primaryKey.enumerated().map { place, name in
      "\(name.asQueryName) == $\(Self.parameter(place))"
    }
    let text = "\(model.name) where \(conditions.joined(separator: " and ")) limit 1"
    return try tx.fetch(DynamicQuery(text, named: parameters)).first
  }

  /// The condition for keys after the one in the parameters.
  ///
  /// - Parameter names: The names of the key's properties, in its order.
  static func isGreater(_ names: [String]) -> String { isGreater(names[...]) }

  private static func isGreater(_ names: ArraySlice<String>) -> String {
    guard let first = names.first else { return "true" }
    let (name, value) = (first.asQueryName, "$" + parameter(names.startIndex))
    if names.count == 1 { return "\(name) > \(value)" }
    return "\(name) > \(value) or \(name) == \(value) and (\(isGreater(names.dropFirst())))"
  }

  private static func parameter(_ place: Int) -> String { "key\(place)" }
}

extension String {
  /// The name of a property in a query, where it is never a keyword.
  var asQueryName: String {
    split(separator: ".").map { "`\($0)`" }.joined(separator: ".")
  }
}
