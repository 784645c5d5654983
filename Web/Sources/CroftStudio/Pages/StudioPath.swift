import Foundation

/// The addresses of the pages.
enum StudioPath {
  /// The grid of a model.
  static func model(_ name: String) -> String { "/models/\(name.percentEncoded)" }

  /// A part of a model's objects.
  ///
  /// - Parameters:
  ///   - name: The name of the model.
  ///   - filter: The condition; empty for all objects.
  ///   - after: Where the part begins, as ``ObjectGrid/next``; nil for the first.
  static func grid(_ name: String, filter: String, after: String? = nil) -> String {
    var parts: [String] = []
    if !filter.isEmpty { parts.append("query=\(filter.percentEncoded)") }
    if let after { parts.append("after=\(after.percentEncoded)") }
    return model(name) + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }

  /// An object.
  static func object(_ key: ObjectKey, of model: String) -> String {
    "\(self.model(model))/objects/\(key.path)"
  }

  /// The bytes of one value of an object.
  static func bytes(_ property: String, of key: ObjectKey, _ model: String) -> String {
    "\(object(key, of: model))/values/\(property.percentEncoded)"
  }
}

extension String {
  /// The text as a part of an address: all but letters and digits of ASCII, `-`, `_` and `.` as `%` and digits.
  var percentEncoded: String {
    addingPercentEncoding(withAllowedCharacters: .inAddresses) ?? ""
  }
}

extension CharacterSet {
  fileprivate static let inAddresses = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
}
