import Croft
import PageServer

/// A value on a page: its text, or that there is none, and where it leads.
enum ValueCell {
  /// The values of an object for the template, in the order of the model's properties.
  ///
  /// - Parameters:
  ///   - object: The object, with all properties.
  ///   - key: Its primary key.
  ///   - model: Its model.
  ///   - charactersMax: How many characters of a text are shown; nil for all.
  static func cells(
    of object: DynamicObject, _ key: ObjectKey, _ model: StoredModel, charactersMax: Int?
  ) -> [[String: Any]] {
    zip(model.properties, object.values).map { property, value in
      var cell = self.cell(property, value, charactersMax)
      if case .data(let bytes) = value, !bytes.isEmpty {
        cell["download"] = StudioPath.bytes(property.name, of: key, model.name)
      }
      // From the key one gets to the object; from a key that refers, to both.
      if property.isPrimaryKey, ObjectKey.isComparable(in: model) {
        cell["object"] = StudioPath.object(key, of: model.name)
      }
      return cell
    }
  }

  private static func cell(
    _ property: StoredModel.Property, _ value: StoredValue, _ charactersMax: Int?
  ) -> [String: Any] {
    switch value {
    case .none: return ["isNil": true]
    case .string(""): return ["isEmpty": true]
    case .list(let values):
      guard let reference = property.reference, property.type.kind != .compound,
        !values.isEmpty, charactersMax == nil
      else { return ["text": text(value, charactersMax)] }
      return ["targets": values.map { target(reference, $0) }]
    case .int, .uint, .double, .decimal, .bool, .date, .uuid, .string, .data:
      var cell: [String: Any] = ["text": text(value, charactersMax)]
      if isNumber(value) { cell["isNumber"] = true }
      if let reference = property.reference, property.type.kind != .compound {
        cell["targets"] = [target(reference, value)]
        cell["text"] = nil
      }
      return cell
    }
  }

  private static func target(
    _ reference: StoredModel.Reference, _ value: StoredValue
  ) -> [String: Any] {
    [
      "text": ValueText.plain(value).shown,
      "path": StudioPath.object(ObjectKey(reference: value), of: reference.model),
    ]
  }

  private static func text(_ value: StoredValue, _ charactersMax: Int?) -> String {
    let text = ValueText.plain(value)
    guard let charactersMax, text.count > charactersMax else { return text.shown }
    return text.prefix(charactersMax).description.shown + "…"
  }

  private static func isNumber(_ value: StoredValue) -> Bool {
    switch value {
    case .int, .uint, .double, .decimal: true
    default: false
    }
  }
}
