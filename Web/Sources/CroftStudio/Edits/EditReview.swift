import Croft

/// What edits change in objects as they are stored, and what is against it.
struct EditReview {
  /// A property that gets another value.
  struct Change {
    /// The place of the object among the edits.
    let row: Int
    let key: ObjectKey
    let property: StoredModel.Property
    let old: StoredValue
    let new: StoredValue
    let field: ObjectEdit.Field
  }

  /// A property whose stored value is another one than was read.
  struct Conflict {
    let title: String
    /// The name of the property; empty where the object was deleted, or is there again.
    let property: String
    /// The values now and as wanted, for people.
    let now, wanted: String
    /// The field that a form sends again to keep the wanted value; nil where there is nothing to choose.
    var choice: Choice?
  }

  /// A field whose value, or the one that is stored now, is to be chosen.
  struct Choice {
    /// The place of the object among the edits.
    let row: Int
    let key: ObjectKey
    /// The value that was read, for people.
    let old: String
    /// The field, as one that has read the value that is stored now.
    let field: ObjectEdit.Field
  }

  /// A text of another type, or a value that the store refuses; of an empty property it is about the object.
  struct Issue {
    let row: Int
    let property: String
    let text: String
  }

  private(set) var changes: [Change] = []
  private(set) var conflicts: [Conflict] = []
  private(set) var issues: [Issue] = []

  /// No changes, but conflicts.
  init(conflicts: [Conflict] = []) { self.conflicts = conflicts }

  /// Compares edits with what is stored.
  ///
  /// - Parameter find: Gives the object with a key; nil where there is none.
  /// - Throws: What `find` throws.
  init(
    _ edits: [ObjectEdit], of model: StoredModel,
    find: (ObjectKey) throws -> DynamicObject?
  ) throws {
    for (row, edit) in edits.enumerated() {
      let object = try edit.key.flatMap { try find($0) }
      for field in edit.fields {
        guard
          let property = model.properties.first(where: { $0.name == field.name && !$0.isPrimaryKey }
          )
        else { continue }
        let form = PropertyField(property, of: model)
        guard let key = edit.key, let object else {
          compare(field, form, withoutObject: "\(model.name) \(edit.key?.title ?? "")")
          continue
        }
        compare(field, form, try object[property.name], key, model, row: row)
      }
    }
  }

  private mutating func compare(
    _ field: ObjectEdit.Field, _ form: PropertyField, withoutObject title: String
  ) {
    guard form.isEditable, let wanted = Self.text(wantedBy: field, form, nil) else { return }
    conflicts.append(
      Conflict(title: title, property: field.name, now: "deleted", wanted: wanted))
  }

  private mutating func compare(
    _ field: ObjectEdit.Field, _ form: PropertyField, _ current: StoredValue,
    _ key: ObjectKey, _ model: StoredModel, row: Int
  ) {
    guard form.isEditable else { return }
    let property = form.property
    if field.was != current.stamp {
      guard let wanted = Self.text(wantedBy: field, form, current) else { return }
      let now = Self.text(current, property)
      var again = field
      again.was = current.stamp
      again.old = Self.text(current, property, upTo: Self.oldTextMax)
      again.seen = (form.text(of: current) ?? "").utf8.fingerprint
      // The text beside a ticked box may be that of the value that was read.
      if wanted == Self.text(.none, property) && field.isNil { again.text = "" }
      conflicts.append(
        Conflict(
          title: "\(model.name) \(key.title)", property: property.name, now: now, wanted: wanted,
          choice: Choice(row: row, key: key, old: field.old, field: again)))
      return
    }
    do {
      let value = try Self.value(field, form, current: current)
      if let value, value.stamp != current.stamp {
        changes.append(
          Change(row: row, key: key, property: property, old: current, new: value, field: field))
      }
    } catch {
      issues.append(Issue(row: row, property: property.name, text: error.text))
    }
  }

  /// The value that a field asks for; nil where it was not changed.
  private static func value(
    _ field: ObjectEdit.Field, _ form: PropertyField, current: StoredValue
  ) throws(PropertyField.Issue) -> StoredValue? {
    guard let shown = form.text(of: current) else {
      return try wanted(field, form, current)
    }
    let isSame = field.text == shown
    if !form.isChoice, form.property.type.isOptional, field.isNil, isSame || field.text.isEmpty {
      return StoredValue.none
    }
    if isSame, current != .none || form.isChoice { return nil }
    return try form.value(of: field.text, replacing: current)
  }

  /// The value that a field asks for where another one is stored than was read; nil where it was not changed.
  private static func wanted(
    _ field: ObjectEdit.Field, _ form: PropertyField, _ current: StoredValue?
  ) throws(PropertyField.Issue) -> StoredValue? {
    let isSame = field.text.utf8.fingerprint == field.seen
    let wasNil = field.was == StoredValue.none.stamp
    if !form.isChoice, form.property.type.isOptional {
      if field.isNil, isSame || field.text.isEmpty { return wasNil ? nil : StoredValue.none }
      if isSame, wasNil { return try form.value(of: field.text, replacing: current) }
    }
    return isSame ? nil : try form.value(of: field.text, replacing: current)
  }

  /// What a field asks for where another value is stored than was read, for people; nil without a conflict.
  private static func text(
    wantedBy field: ObjectEdit.Field, _ form: PropertyField, _ current: StoredValue?
  ) -> String? {
    do {
      guard let value = try wanted(field, form, current), value.stamp != current?.stamp else {
        return nil
      }
      return text(value, form.property)
    } catch {
      // Not a value of the type, which is told once it is chosen.
      return field.text
    }
  }

  /// The values of a new object, without those that the store finds by itself.
  mutating func values(
    ofNew edit: ObjectEdit, _ model: StoredModel
  ) -> [String: StoredValue] {
    var values: [String: StoredValue] = [:]
    for field in edit.fields {
      guard let property = model.properties.first(where: { $0.name == field.name }) else {
        continue
      }
      do {
        values[property.name] = try Self.value(ofNew: field, property, model)
      } catch {
        issues.append(Issue(row: 0, property: property.name, text: error.text))
      }
    }
    return values
  }

  /// The value of a field of a new object; nil where the store finds one by itself.
  private static func value(
    ofNew field: ObjectEdit.Field, _ property: StoredModel.Property, _ model: StoredModel
  ) throws(PropertyField.Issue) -> StoredValue? {
    let form = PropertyField(property, of: model)
    // Only its program can tell which properties of a struct that is there may be nil.
    let nothing: StoredValue? = model.isInOptionalStruct(property) ? nil : StoredValue.none
    if form.isChoice {
      if field.text == PropertyField.nothing, property.type.isOptional { return nothing }
      return try form.value(of: field.text, replacing: nil)
    }
    guard field.text.isEmpty else { return try form.value(of: field.text, replacing: nil) }
    if field.isNil, property.type.isOptional { return nothing }
    if property.defaultValue == nil {
      if field.isLeftOut { return model.makesKey(property) ? nil : form.emptyValue }
      if form.emptyValue != nil {
        throw PropertyField.Issue(text: "Type a value, or tick the box for an empty one.")
      }
    }
    return try form.value(of: "", replacing: nil)
  }

  /// A value for people.
  static func text(
    _ value: StoredValue, _ property: StoredModel.Property, upTo textMax: Int = textMax
  ) -> String {
    let text = property.text(of: value)
    let (beginning, isAll) = ValueText.beginning(of: text, textMax)
    var shown = beginning
    if case .string = value, property.caseName(of: value) == nil { shown = "\"\(beginning)\"" }
    return isAll ? shown : "\(shown) \(ValueText.extent(of: beginning, in: text))"
  }

  /// How many characters of a value a review has.
  static let textMax = 1_000
  /// How many characters of a value that was read a form has beside its field.
  static let oldTextMax = 200

  /// Adds what the store said of an update.
  mutating func refuse(_ refusal: ObjectUpdates.Refusal) {
    let update = refusal.update
    guard let holder = refusal.holder,
      case .uniqueViolation(_, let fields, _, _) = refusal.error
    else { return refuse(refusal.error, row: update.row) }
    let text =
      "\(update.model.name) \(update.key.title) gets the \(fields.joined(separator: ", ")) of "
      + "\(holder.model.name) \(holder.key.title), which gets another one in this form. Both are unique, and no "
      + "other value can be there in between: make it two commits, the first of which frees the value."
    for name in fields { issues.append(Issue(row: update.row, property: name, text: text)) }
  }

  /// Adds what the store said of an object's new values.
  mutating func refuse(_ error: StoreError, row: Int) {
    let (fields, text) = error.place
    for name in fields.isEmpty ? [""] : fields {
      issues.append(Issue(row: row, property: name, text: text))
    }
  }
}

extension StoreError {
  /// The properties that an error is about, none where it is about the object, and what it says.
  fileprivate var place: (properties: [String], text: String) {
    switch self {
    case .schemaMismatch(_, let field, let reason):
      (field.map { [$0] } ?? [], Self.sentence(of: reason))
    case .uniqueViolation(_, let fields, _, _), .duplicateKey(_, let fields, _):
      (fields, pageText)
    case .danglingReference(_, let field, _, _), .keyTooLong(_, let field, _),
      .cannotEncode(_, let field, _):
      ([field], pageText)
    default: ([], pageText)
    }
  }

  private static func sentence(of reason: String) -> String {
    let text = firstPart(of: reason)
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Whether another program writes at this time.
  var isBusy: Bool { if case .busy = self { true } else { false } }

  /// Whether the same edits may be committed with other values.
  var isOfValues: Bool {
    switch self {
    case .schemaMismatch, .uniqueViolation, .duplicateKey, .danglingReference, .keyTooLong,
      .cannotEncode, .objectTooLarge, .deniedByRelation:
      true
    default: false
    }
  }
}

/// Edits that are not committed.
struct EditRefusal: Error {
  let review: EditReview
}
