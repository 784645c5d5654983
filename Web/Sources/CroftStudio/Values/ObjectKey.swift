import Croft
import Foundation
import PageServer

/// The primary key of an object, as addresses write it: a text for each of its parts.
///
/// A compound key that is a part of another one has its own parts there.
struct ObjectKey: Hashable {
  /// The values of the key's parts, as texts.
  let texts: [String]

  /// The key of an object.
  ///
  /// - Throws: ``StoreError`` where the object lacks a property of the key.
  init(_ object: DynamicObject, of model: StoredModel) throws {
    texts = try model.keyProperties.flatMap { Self.texts(of: try object[$0.name], $0.type) }
  }

  /// The key that a reference holds.
  init(reference: StoredValue, _ type: StorageType) {
    texts = Self.texts(of: reference, type)
  }

  /// Reads a key from a path; nil for another text.
  init?(path: String) {
    let parts = path.split(separator: ",", omittingEmptySubsequences: false)
    let texts = parts.compactMap { Self.text(ofComponent: $0) }
    guard texts.count == parts.count else { return nil }
    self.texts = texts
  }

  private static func texts(of value: StoredValue, _ type: StorageType) -> [String] {
    (value.keyParts(of: type) ?? [value]).map(ValueText.key)
  }

  /// The key as a part of a path.
  var path: String { texts.map(Self.component).joined(separator: ",") }

  /// The key for people.
  var title: String { texts.map(\.visible).joined(separator: ", ") }

  /// The mark of an empty text, and of one that browsers take out of a path.
  private static let mark = "~"

  private static func component(_ text: String) -> String {
    let isMarked = ["", ".", ".."].contains(text) || text.hasPrefix(mark)
    return (isMarked ? mark : "") + text.percentEncoded
  }

  private static func text(ofComponent component: Substring) -> String? {
    guard let text = component.removingPercentEncoding else { return nil }
    return text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text
  }
}

extension ObjectKey {
  /// A value for each property of a model's key; nil where the texts are not those of such a key.
  func values(of model: StoredModel) -> [StoredValue]? {
    var (rest, values) = (texts[...], [StoredValue]())
    for property in model.keyProperties {
      let kinds = property.type.keyKinds
      let parts = zip(rest, kinds.isEmpty ? [property.type.kind] : kinds).compactMap {
        ValueText.value($0, as: $1)
      }
      guard parts.count == max(1, kinds.count) else { return nil }
      rest = rest.dropFirst(parts.count)
      guard let value = kinds.isEmpty ? parts[0] : StoredValue(keyParts: parts, of: property.type)
      else { return nil }
      values.append(value)
    }
    return rest.isEmpty ? values : nil
  }

  /// The bytes or the value by which a reference of a type names the object; nil where it has another type.
  func reference(_ type: StorageType, to model: StoredModel) -> StoredValue? {
    guard let values = values(of: model) else { return nil }
    if type.keyKinds.isEmpty { return values.count == 1 ? values[0] : nil }
    let parts = zip(values, model.keyProperties).flatMap { value, property in
      value.keyParts(of: property.type) ?? [value]
    }
    return StoredValue(keyParts: parts, of: type)
  }

  /// The values as parameters of a query, by name; nil where they are not those of the model's key.
  func parameters(of model: StoredModel) -> [String: any Storable]? {
    guard let values = values(of: model) else { return nil }
    let pairs = values.enumerated().map { (Self.parameter($0.offset), $0.element.parameter) }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The query for the object with the key; nil for texts that are not those of the model's key.
  func query(of model: StoredModel) throws -> DynamicQuery? {
    guard let parameters = parameters(of: model) else { return nil }
    let condition = Self.isEqual(model.primaryKey[...])
    return try DynamicQuery("\(model.name.asQueryName) where \(condition)", named: parameters)
  }

  /// The object with the key; nil where there is none.
  ///
  /// - Throws: An error of the store.
  func object(
    of model: StoredModel, in tx: inout ReadTransaction
  ) throws -> DynamicObject? {
    guard let query = try query(of: model) else { return nil }
    return try tx.fetch(query).first
  }

  /// The condition for some of the key's properties, beginning with the first, to be those in the parameters.
  static func isEqual(_ names: ArraySlice<String>) -> String {
    zip(names, names.indices).map { "\($0.asQueryName) == $\(parameter($1))" }
      .joined(separator: " and ")
  }

  /// The conditions for keys before or after the one in the parameters, the nearest first: each is one range of keys.
  ///
  /// - Parameters:
  ///   - sign: `<` for keys before it, and `>` for those after it.
  ///   - names: The names of the key's properties, in its order.
  static func are(_ sign: String, _ names: [String]) -> [String] {
    names.indices.reversed().map { place in
      let differs = "\(names[place].asQueryName) \(sign) $\(parameter(place))"
      return place == 0 ? differs : "\(isEqual(names[..<place])) and \(differs)"
    }
  }

  private static func parameter(_ place: Int) -> String { "key\(place)" }
}

extension StoredModel {
  /// The properties that are the primary key, in its order.
  var keyProperties: [Property] { properties.filter(\.isPrimaryKey) }
}

extension String {
  /// The name of a model or property in a query, where it is never a keyword.
  var asQueryName: String {
    split(separator: ".").map { "`\($0)`" }.joined(separator: ".")
  }

  /// The text as one that is seen: in quotes where it is empty, or begins or ends with a space.
  var visible: String {
    let isPlain = first.map { !$0.isWhitespace } ?? false
    return isPlain && last?.isWhitespace == false ? shown : "\"\(shown)\""
  }
}
