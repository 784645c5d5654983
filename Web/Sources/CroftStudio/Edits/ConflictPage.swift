import Croft
import PageServer

/// The page of edits that meet other changes, for the template: what to choose, and the rest of the form.
struct ConflictPage {
  let model: StoredModel
  let edits: [ObjectEdit]
  let review: EditReview

  /// The values of the template beside those of all pages of edits.
  var values: [String: Any] {
    var values: [String: Any] = ["conflicts": review.conflicts.map(Self.values)]
    let areChosen = review.conflicts.contains { $0.choice != nil }
    let areDeleted = review.conflicts.contains { $0.choice == nil }
    var lead = [
      areChosen
        ? "Other values are stored now than were read. Nothing was written."
        : "These objects were deleted meanwhile. Nothing was written."
    ]
    if areChosen, areDeleted { lead.append("Changes of deleted objects are left out.") }
    let fields = self.fields
    if !fields.isEmpty {
      lead.append("All other changes are kept.")
      values["action"] = StudioPath.model(model.name) + "/review"
      values["fields"] = ObjectEdit.hidden(fields)
    }
    values["lead"] = lead.joined(separator: " ")
    return values
  }

  /// Everything that was typed and can be committed: what is to be chosen, what changes, and what has to be mended.
  private var fields: [(row: Int, key: ObjectKey, field: ObjectEdit.Field)] {
    var fields = review.conflicts.compactMap(\.choice).map { ($0.row, $0.key, $0.field) }
    fields += review.changes.map { ($0.row, $0.key, $0.field) }
    for issue in review.issues {
      guard let key = edits[issue.row].key,
        let field = edits[issue.row].fields.first(where: { $0.name == issue.property })
      else { continue }
      fields.append((issue.row, key, field))
    }
    return fields.sorted { $0.0 < $1.0 }
  }

  private static func values(of conflict: EditReview.Conflict) -> [String: Any] {
    var values: [String: Any] = [
      "title": conflict.title, "property": conflict.property, "now": conflict.now.shown,
      "wanted": conflict.wanted.shown,
    ]
    if let choice = conflict.choice {
      values["old"] = choice.old.shown
      let place = "\(choice.row):\(conflict.property)"
      values["takeName"] = "take:\(place)"
      values["takeID"] = "take-\(choice.row)-\(conflict.property)"
      values["theirs"] = ObjectEdit.theirs
    }
    return values
  }
}
