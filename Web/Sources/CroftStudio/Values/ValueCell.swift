import Croft
import PageServer

/// A value on a page: its text, or that there is none, and where it leads.
enum ValueCell {
  /// How much of a value a page shows.
  struct Limits {
    /// The most characters of a text.
    let characters: Int
    /// The most elements of a collection.
    let elements: Int
    /// The most bytes of a text whose characters are counted.
    let countedBytes: Int
    /// Whether each element of a collection of references is a link.
    let linksElements: Bool

    /// In a grid, where a value has one cell.
    static let grid = Limits(
      characters: 200, elements: 20, countedBytes: 8 << 10, linksElements: false)
    /// On the page of one object.
    static let page = Limits(
      characters: 20_000, elements: 1_000, countedBytes: ValueText.countedBytesMax,
      linksElements: true)
  }

  /// The values of an object for the template, in the order of the model's properties.
  ///
  /// - Parameters:
  ///   - object: The object, with all properties.
  ///   - key: Its primary key.
  ///   - model: Its model.
  ///   - limits: How much of each value is shown.
  /// - Complexity: Bounded by the limits, however long the values are.
  static func cells(
    of object: DynamicObject, _ key: ObjectKey, _ model: StoredModel, _ limits: Limits
  ) -> [[String: Any]] {
    zip(model.properties, object.values).map { property, value in
      var cell = self.cell(property, value, limits)
      let isWholeText = isText(value) && cell["isCut"] == nil
      if property.reference == nil, hasBytes(value), !isWholeText {
        cell["download"] = StudioPath.bytes(property.name, of: key, model.name)
      }
      if property.isPrimaryKey {
        lead(&cell, to: StudioPath.object(key, of: model.name), property, value)
      }
      return cell
    }
  }

  /// Whether the bytes of a value can be downloaded.
  static func hasBytes(_ value: StoredValue) -> Bool {
    switch value {
    case .data(let bytes): !bytes.isEmpty
    case .string(let text): !text.isEmpty
    default: false
    }
  }

  private static func isText(_ value: StoredValue) -> Bool {
    if case .string = value { true } else { false }
  }

  /// Makes the text of a key the link to its object; from a key that refers one gets to both.
  private static func lead(
    _ cell: inout [String: Any], to path: String, _ property: StoredModel.Property,
    _ value: StoredValue
  ) {
    cell["object"] = path
    cell["isEmpty"] = nil
    cell["download"] = nil
    let isPlainText = isText(value) && property.cases.isEmpty
    cell["text"] = isPlainText ? ValueText.plain(value).visible : property.text(of: value).shown
    if let reference = property.reference {
      cell["targets"] = [target(reference, value, property.type, text: "→ \(reference.model)")]
    }
  }

  private static func cell(
    _ property: StoredModel.Property, _ value: StoredValue, _ limits: Limits
  ) -> [String: Any] {
    if let name = property.caseName(of: value) { return ["text": name.shown] }
    switch value {
    case .none: return ["isNil": true]
    case .string("") where property.reference == nil: return ["isEmpty": true]
    case .list(let values):
      guard let reference = property.reference, !values.isEmpty, limits.linksElements else {
        return text(values, property, limits)
      }
      return targets(reference, values, property.type, limits)
    case .int, .uint, .double, .decimal, .bool, .date, .uuid, .string, .data:
      if let reference = property.reference {
        return ["targets": [target(reference, value, property.type)]]
      }
      var cell = text(value, property.type, limits)
      if isNumber(value) { cell["isNumber"] = true }
      return cell
    }
  }

  private static func target(
    _ reference: StoredModel.Reference, _ value: StoredValue, _ type: StorageType,
    text: String? = nil
  ) -> [String: Any] {
    let key = ObjectKey(reference: value, type)
    return [
      "text": text ?? key.title, "path": StudioPath.object(key, of: reference.model), "label": "",
    ]
  }

  /// The elements of a collection of references, each a link.
  private static func targets(
    _ reference: StoredModel.Reference, _ values: [StoredValue], _ type: StorageType,
    _ limits: Limits
  ) -> [String: Any] {
    let width = type.collection == .dictionary ? 2 : 1
    let count = values.count / width
    let targets = (0..<min(count, limits.elements)).map { place -> [String: Any] in
      let value = values[place * width + width - 1]
      var target: [String: Any] =
        value == .none
        ? ["nothing": "nil"] : self.target(reference, value, type)
      target["label"] = width == 1 ? "" : label(values[place * width], limits) + ": "
      return target
    }
    var cell: [String: Any] = ["targets": targets]
    if count > targets.count { cell["rest"] = "… \(count) in all" }
    return cell
  }

  /// A text of a dictionary's key.
  private static func label(_ value: StoredValue, _ limits: Limits) -> String {
    ValueText.beginning(of: ValueText.plain(value), limits.characters).text.visible
  }

  private static func text(
    _ value: StoredValue, _ type: StorageType, _ limits: Limits
  ) -> [String: Any] {
    guard case .string(let text) = value else {
      return ["text": ValueText.plain(value, type).shown]
    }
    let (beginning, isAll) = ValueText.beginning(of: text, limits.characters)
    if isAll { return ["text": beginning.shown] }
    let rest = ValueText.extent(of: beginning, in: text, countedBytes: limits.countedBytes)
    return ["text": beginning.shown, "rest": rest, "isCut": true]
  }

  /// The first elements of a collection, within the limits together.
  private static func text(
    _ values: [StoredValue], _ property: StoredModel.Property, _ limits: Limits
  ) -> [String: Any] {
    let width = property.type.collection == .dictionary ? 2 : 1
    let count = values.count / width
    var (texts, characters) = ([String](), 0)
    for place in 0..<min(count, limits.elements) where characters < limits.characters {
      let value = values[place * width + width - 1]
      var text = property.text(of: value)
      if case .string(let all) = value, property.caseName(of: value) == nil {
        let (beginning, isAll) = ValueText.beginning(of: all, limits.characters - characters)
        text = isAll ? beginning : beginning + "…"
      }
      texts.append(width == 1 ? text : "\(label(values[place * width], limits)): \(text)")
      characters += text.unicodeScalars.count + 1
    }
    var cell: [String: Any] = ["text": "[" + texts.joined(separator: ", ").shown + "]"]
    if count > texts.count { cell["rest"] = "… \(count) in all" }
    return cell
  }

  private static func isNumber(_ value: StoredValue) -> Bool {
    switch value {
    case .int, .uint, .double, .decimal: true
    default: false
    }
  }
}
