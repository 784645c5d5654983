import Croft
import PageServer

/// The form of some objects, for the template: each property with its value, or with what was typed.
struct EditPage {
  let model: StoredModel
  /// The properties whose values only their program knows.
  var unlisted: Set<String> = []
  /// What was typed, object by object; empty before.
  var typed: [ObjectEdit] = []
  var issues: [EditReview.Issue] = []

  /// An object of the form.
  struct Row {
    /// The place among the edits.
    let row: Int
    let key: ObjectKey
    let object: DynamicObject
  }

  /// An object of the form, for the template.
  func values(of place: Row) -> [String: Any] {
    let (row, key, object) = (place.row, place.key, place.object)
    let fields = zip(model.properties, object.values).map { property, value -> [String: Any] in
      let form = PropertyField(property, of: model, isUnlisted: unlisted.contains(property.name))
      if property.isPrimaryKey { return fixed(property, value, "The primary key does not change.") }
      if let obstacle = form.obstacle(to: value) { return fixed(property, value, obstacle) }
      var field = self.field(
        form, row: row, text: form.text(of: value) ?? "", isNil: value == .none)
      let typed = typedField(property, row)
      field["was"] = typed?.was ?? value.stamp
      field["old"] =
        typed?.old ?? EditReview.text(value, property, upTo: EditReview.oldTextMax).shown
      field["seen"] = typed?.seen ?? (form.text(of: value) ?? "").utf8.fingerprint
      return field
    }
    return section(row, title: key.title, fields).merging(["path": key.path]) { $1 }
  }

  /// A new object: defaults of the file are filled in, and fields without one have nothing.
  func valuesOfNew() -> [String: Any] {
    let fields = model.properties.map { property -> [String: Any] in
      let form = PropertyField(property, of: model, isUnlisted: unlisted.contains(property.name))
      let value = property.defaultValue
      if let obstacle = form.obstacle(to: value ?? StoredValue.none) {
        let isTaken = value != nil && value != StoredValue.none
        return fixed(
          property, value ?? StoredValue.none,
          obstacle + (isTaken ? " A new object has this default." : ""))
      }
      let text = value.flatMap(form.text(of:)) ?? ""
      var field = self.field(form, row: 0, text: text, isNil: value == StoredValue.none)
      let typed = typedField(property, 0)
      if value == nil {
        let makesKey = model.makesKey(property)
        if !makesKey { field["isRequired"] = true }
        if makesKey || form.emptyValue != nil {
          field["outName"] = "out:0:\(property.name)"
          field["outLabel"] = makesKey ? "a new one" : "empty"
          field["isLeftOut"] = typed?.isLeftOut ?? makesKey
        }
      }
      if value == nil, var choices = field["choices"] as? [[String: Any]] {
        let isMissing = field["text"] as? String == ""
        choices.insert(["value": "", "label": "not set", "isChosen": isMissing], at: 0)
        field["choices"] = choices
      }
      return field
    }
    return section(0, title: "", fields)
  }

  private func section(
    _ row: Int, title: String, _ fields: [[String: Any]]
  ) -> [String: Any] {
    var values: [String: Any] = ["row": row, "title": title, "fields": fields]
    let texts = issues.filter { $0.row == row && isOfNoField($0.property, fields) }.map {
      $0.property.isEmpty ? $0.text : "\($0.property): \($0.text)"
    }
    if !texts.isEmpty { values["objectError"] = texts.joined(separator: "\n").shown }
    return values
  }

  private func isOfNoField(_ name: String, _ fields: [[String: Any]]) -> Bool {
    !fields.contains { $0["label"] as? String == name && $0["setName"] != nil }
  }

  private func typedField(_ property: StoredModel.Property, _ row: Int) -> ObjectEdit.Field? {
    guard typed.indices.contains(row) else { return nil }
    return typed[row].fields.first { $0.name == property.name }
  }

  private func fixed(
    _ property: StoredModel.Property, _ value: StoredValue, _ obstacle: String
  ) -> [String: Any] {
    [
      "label": property.name, "type": property.typeName, "obstacle": obstacle,
      "fixed": EditReview.text(value, property).shown,
    ]
  }

  private func field(
    _ form: PropertyField, row: Int, text: String, isNil: Bool
  ) -> [String: Any] {
    let property = form.property
    let typed = typedField(property, row)
    let text = typed?.text ?? text
    let name = property.name
    var values: [String: Any] = [
      "label": name, "type": property.typeName, "id": "f\(row)-\(name)",
      "setName": "set:\(row):\(name)", "wasName": "was:\(row):\(name)",
      "oldName": "old:\(row):\(name)", "seenName": "seen:\(row):\(name)", "text": text,
    ]
    switch form.control {
    case .line: values["isLine"] = true
    case .lines:
      values["isLines"] = true
      values["lineCount"] = min(12, text.split(separator: "\n").count + 1)
    case .choice(var choices):
      if property.type.isOptional { choices.insert((PropertyField.nothing, "nil"), at: 0) }
      // A value that no case has stays, unless another one is chosen.
      if !text.isEmpty, !choices.contains(where: { $0.text == text }) {
        choices.append((text, String(text.dropFirst(PropertyField.chosen.count))))
      }
      values["hasChoices"] = true
      values["choices"] = choices.map {
        ["value": $0.text, "label": $0.label.shown, "isChosen": $0.text == text]
      }
    }
    if property.type.isOptional, !form.isChoice {
      values["nilName"] = "nil:\(row):\(name)"
      values["isNil"] = typed?.isNil ?? isNil
    }
    let issues = issues.filter { $0.row == row && $0.property == name }.map(\.text.shown)
    if !issues.isEmpty { values["error"] = issues.joined(separator: "\n") }
    return values
  }
}
