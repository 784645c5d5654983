import Foundation

/// The addresses of the pages.
enum StudioPath {
  /// The field by which the address of the page after a commit names it.
  static let done = "done"

  /// The grid of a model.
  static func model(_ name: String) -> String { "/models/\(name.percentEncoded)" }

  /// A part of a model's objects.
  static func grid(_ name: String, _ request: ObjectGrid.Request) -> String {
    model(name) + query(request)
  }

  /// The form of the first objects of a part.
  static func edit(_ name: String, _ request: ObjectGrid.Request) -> String {
    model(name) + "/edit" + query(request)
  }

  /// The fields of a grid in an address, with a question mark before them where there are any.
  static func query(_ request: ObjectGrid.Request) -> String {
    var parts: [String] = []
    if !request.filter.isEmpty { parts.append("query=\(request.filter.percentEncoded)") }
    if !request.sort.isEmpty { parts.append("sort=\(request.sort.percentEncoded)") }
    if let after = request.after { parts.append("after=\(after.percentEncoded)") }
    if let before = request.before { parts.append("before=\(before.percentEncoded)") }
    if let from = request.from { parts.append("from=\(from.percentEncoded)") }
    if request.waits { parts.append("wait=1") }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }

  /// Another view of a model's objects, all that the filter finds.
  ///
  /// - Parameters:
  ///   - view: The name of the view in addresses.
  ///   - name: The name of the model.
  ///   - request: What the grid shows, whose filter and order the view has.
  static func view(_ view: String, of name: String, _ request: ObjectGrid.Request) -> String {
    let filter = String(request.filter.trimmed)
    let all = ObjectGrid.Request(filter: filter, sort: request.sort)
    return "\(model(name))/\(view)\(query(all))"
  }

  /// The events of a grid.
  ///
  /// - Parameters:
  ///   - name: The name of the model.
  ///   - query: The query of the grid's address.
  ///   - found: How many objects the page has of a search that is not done; nil for another page.
  static func events(_ name: String, _ query: String?, found: Int?) -> String {
    let fields = [query, found.map { "\(search)=\($0)" }].compactMap { $0 }.filter { !$0.isEmpty }
    return model(name) + "/events" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  /// The field of how many objects a page has of a search that is not done.
  static let search = "search"

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
