import Croft
import Foundation
import Hummingbird
import NIOCore
import PageServer

/// Editing objects: forms, their review, one commit for all that a form says, and its undo.
extension StudioHandlers {
  /// The most bytes of a form, whose texts a browser may send with three bytes for one.
  private static let formBytesMax = 1 << 20
  /// The most bytes of the texts of several objects in one form.
  private static let formTextsMax = formBytesMax / 8
  /// How many objects of a grid are edited in one form.
  static let editedRowCount = 20

  func addEditRoutes(to router: Router<ConnectionContext>) {
    func ask(
      _ path: RouterPath,
      _ handler: @escaping @Sendable (Request, ConnectionContext) throws -> Response
    ) {
      router.get(path) { [self] request, context in
        if edits == nil { return readOnly() }
        return await answer(context) { try handler(request, context) }
      }
    }
    func post(
      _ path: RouterPath,
      _ handler: @escaping @Sendable (FormFields, ConnectionContext) throws -> Response
    ) {
      router.post(path) { [self] request, context in
        if edits == nil { return readOnly() }
        let form = try await Self.form(request, context)
        return await answer(context) { try handler(form, context) }
      }
    }
    ask("/models/:model/edit") { [self] in try editGrid($0, $1) }
    ask("/models/:model/objects/:key/edit") { [self] in try editObject($1) }
    ask("/models/:model/objects/:key/delete") { [self] in try askToDelete($1) }
    ask("/models/:model/new") { [self] in try newObject($1) }
    post("/models/:model/review") { [self] in try review($0, $1) }
    post("/models/:model/commit") { [self] in try commit($0, $1) }
    post("/models/:model/new") { [self] in try create($0, $1) }
    post("/models/:model/objects/:key/delete") { [self] in try delete($0, $1) }
    post("/undo") { [self] form, _ in try undo(form) }
  }

  private func readOnly() -> Response {
    message(
      "The file is open for reading only. Start the studio with --write to change objects.",
      .forbidden)
  }

  private static func form(
    _ request: Request, _ context: ConnectionContext
  ) async throws -> FormFields {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > formBytesMax {
      throw HTTPError(.contentTooLarge)
    }
    let body = try await context.withTimeout { try await request.body.collect(upTo: formBytesMax) }
    return FormFields(body: String(buffer: body))
  }
}

// Forms and their review.
extension StudioHandlers {
  private func editObject(_ context: ConnectionContext) throws -> Response {
    let (model, row) = try store.read { tx in
      let model = try self.model(context, in: &tx)
      let (key, object) = try self.object(of: model, context, in: &tx)
      return (model, EditPage.Row(row: 0, key: key, object: object))
    }
    return try editPage(of: model, [row], back: StudioPath.object(row.key, of: model.name))
  }

  private func editGrid(_ request: Request, _ context: ConnectionContext) throws -> Response {
    let shown = try Self.gridRequest(request)
    let (model, grid, rows) = try store.read { tx in
      let model = try self.model(context, in: &tx)
      let grid = try ObjectGrid(of: model, shown, count: Self.editedRowCount, in: &tx)
      return (model, grid, try Self.rows(of: model, grid.objects, upTo: Self.formTextsMax, in: &tx))
    }
    var next = grid.next
    if let last = rows.last, last.row < grid.objects.count - 1 {
      next = ObjectGrid.Request(filter: shown.filter, sort: shown.sort, after: last.key.path)
    }
    // Nothing that was typed would come along, so that this is above the form.
    var others: [String: Any] = ["notes": grid.notes.map { ["note": $0.shown] }]
    if let next {
      (others["nextPath"], others["count"]) = (StudioPath.edit(model.name, next), rows.count)
    }
    return try editPage(
      of: model, rows, others: others, back: StudioPath.grid(model.name, shown))
  }

  /// The objects of a form that there are, each with its place.
  ///
  /// - Parameter bytesMax: The most bytes of their texts; the first object is there with more.
  private static func rows(
    of model: StoredModel, _ keys: [ObjectKey?], upTo bytesMax: Int = .max,
    in tx: inout ReadTransaction
  ) throws -> [EditPage.Row] {
    var (rows, bytes) = ([EditPage.Row](), 0)
    for (row, key) in keys.enumerated() {
      guard let key, let object = try key.object(of: model, in: &tx) else { continue }
      bytes += object.values.reduce(0) { $0 + min($1.byteCount, PropertyField.textBytesMax) }
      if bytes > bytesMax, !rows.isEmpty { break }
      rows.append(EditPage.Row(row: row, key: key, object: object))
    }
    return rows
  }

  private func editPage(
    of model: StoredModel, _ objects: [EditPage.Row],
    typed: [ObjectEdit] = [], issues: [EditReview.Issue] = [], lead: String? = nil,
    others: [String: Any] = [:], back: String, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    let page = EditPage(
      model: model, unlisted: try store.unlistedProperties(of: model), typed: typed, issues: issues)
    var values = common(model, heading: "Edit objects of \(model.name)", back: back)
    values["lead"] =
      lead ?? "All changes are shown once more before they are committed together."
    values["action"] = StudioPath.model(model.name) + "/review"
    values["button"] = "Review"
    values.merge(others) { $1 }
    values["objects"] = objects.map(page.values)
    return .page(render(.edit, values), status: status)
  }

  private func common(
    _ model: StoredModel, heading: String, back: String
  ) -> [String: Any] {
    [
      "title": heading, "heading": heading, "name": model.name,
      "modelPath": StudioPath.model(model.name), "back": back,
    ]
  }

  private func object(
    of model: StoredModel, _ context: ConnectionContext, in tx: inout ReadTransaction
  ) throws -> (ObjectKey, DynamicObject) {
    guard let key = context.parameters.get("key").flatMap(ObjectKey.init(path:)),
      let object = try key.object(of: model, in: &tx)
    else { throw Missing(what: "There is no such object of \(model.name).") }
    return (key, object)
  }

  private func review(_ form: FormFields, _ context: ConnectionContext) throws -> Response {
    let edits = ObjectEdit.all(of: form)
    let model = try store.read { try self.model(context, in: &$0) }
    let review: EditReview
    do {
      // What the store refuses is told before the commit.
      review = try store.tryOut { try Self.commit(edits, to: model, in: &$0).review }
    } catch let refused as EditRefusal {
      return try answer(to: refused.review, edits, model)
    } catch let error as StoreError where error.isBusy {
      return try again(edits, model, lead: error.pageText, .serviceUnavailable)
    }
    var values = common(model, heading: "Review", back: Self.back(edits, model))
    values["action"] = StudioPath.model(model.name) + "/commit"
    let count = Set(review.changes.map(\.row)).count
    values["lead"] =
      count == 1 ? "1 object changes." : "\(count) objects change, all of them or none."
    values["changes"] = review.changes.map { change in
      [
        "title": change.key.title, "objectPath": StudioPath.object(change.key, of: model.name),
        "property": change.property.name,
        "now": EditReview.text(change.old, change.property).shown,
        "new": EditReview.text(change.new, change.property).shown,
      ]
    }
    values["fields"] = ObjectEdit.hidden(review.changes.map { ($0.row, $0.key, $0.field) })
    return .page(render(.review, values))
  }

  /// The answer to edits that are not committed: what to choose, what to mend, or that nothing changes.
  private func answer(
    to review: EditReview, _ edits: [ObjectEdit], _ model: StoredModel
  ) throws -> Response {
    if !review.conflicts.isEmpty {
      let page = ConflictPage(model: model, edits: edits, review: review)
      let values = common(model, heading: "Conflict", back: Self.back(edits, model))
      return .page(
        render(.conflict, values.merging(page.values) { $1 }), status: .conflict)
    }
    if review.issues.isEmpty { return try again(edits, model, lead: "Nothing is changed.", .ok) }
    return try again(
      edits, model, issues: review.issues, lead: "Nothing was written. Change what is marked.",
      .unprocessableContent)
  }

  /// The form with what was typed.
  private func again(
    _ edits: [ObjectEdit], _ model: StoredModel, issues: [EditReview.Issue] = [], lead: String,
    _ status: HTTPResponse.Status
  ) throws -> Response {
    let rows = try store.read { try Self.rows(of: model, edits.map(\.key), in: &$0) }
    return try editPage(
      of: model, rows, typed: edits, issues: issues, lead: lead, back: Self.back(edits, model),
      status: status)
  }

  private static func back(_ edits: [ObjectEdit], _ model: StoredModel) -> String {
    if edits.count == 1, let key = edits[0].key { return StudioPath.object(key, of: model.name) }
    return StudioPath.model(model.name)
  }

  private func conflict(
    _ conflicts: [EditReview.Conflict], _ model: StoredModel?, lead: String, back: String
  ) -> Response {
    let values: [String: Any] = [
      "title": "Conflict", "heading": "Conflict", "lead": lead, "back": back,
      "name": model?.name ?? "", "modelPath": StudioPath.model(model?.name ?? ""),
      "conflicts": conflicts.map {
        [
          "title": $0.title, "property": $0.property, "now": $0.now.shown,
          "wanted": $0.wanted.shown,
        ]
      },
    ]
    return .page(render(.conflict, values), status: .conflict)
  }
}

// Commits.
extension StudioHandlers {
  private func commit(_ form: FormFields, _ context: ConnectionContext) throws -> Response {
    let edits = ObjectEdit.all(of: form)
    let model = try store.read { try self.model(context, in: &$0) }
    do {
      let step = try store.write { try Self.commit(edits, to: model, in: &$0).step }
      let mark = self.edits?.keep(step, said: "Committed: \(step.title).")
      return redirect(to: Self.back(edits, model), after: mark)
    } catch let refused as EditRefusal {
      return try answer(to: refused.review, edits, model)
    } catch let error as StoreError where error.isBusy {
      return try again(edits, model, lead: error.pageText, .serviceUnavailable)
    }
  }

  /// Writes all edits.
  ///
  /// - Throws: ``EditRefusal``; another error of the store. Then nothing may be committed.
  private static func commit(
    _ edits: [ObjectEdit], to model: StoredModel, in tx: inout WriteTransaction
  ) throws -> (review: EditReview, step: UndoStep) {
    var review = try EditReview(edits, of: model) { key in
      guard let query = try key.query(of: model) else { return nil }
      return try tx.fetch(query).first
    }
    guard review.conflicts.isEmpty, review.issues.isEmpty, !review.changes.isEmpty else {
      throw EditRefusal(review: review)
    }
    var (updates, olds) = ([ObjectUpdates.Update](), [[String: StoredValue]]())
    let objects = Dictionary(grouping: review.changes, by: \.row).sorted { $0.key < $1.key }
    for (row, changes) in objects {
      guard let key = changes.first?.key else { continue }
      let pairs = changes.map { ($0.property.name, $0) }
      let changed = Dictionary(pairs) { first, _ in first }
      updates.append(
        ObjectUpdates.Update(row: row, model: model, key: key, values: changed.mapValues(\.new)))
      olds.append(changed.mapValues(\.old))
    }
    for refusal in try ObjectUpdates(updates: updates).apply(to: &tx) { review.refuse(refusal) }
    guard review.issues.isEmpty else { throw EditRefusal(review: review) }
    let rows = try zip(updates, olds).map { update, old in
      // As the store has them, which may round a number.
      let stored = try update.key.query(of: model).flatMap { try tx.fetch($0).first?.valuesByName }
      return UndoStep.Row(
        model: model.name, key: update.key, old: old,
        new: (stored ?? [:]).filter { old[$0.key] != nil })
    }
    let title = rows.count == 1 ? "change of \(rows[0].title)" : "change of \(rows.count) objects"
    return (review, UndoStep(title: title, model: model.name, rows: rows))
  }

  private func newObject(_ context: ConnectionContext) throws -> Response {
    let model = try store.read { try self.model(context, in: &$0) }
    return try newPage(of: model)
  }

  private func newPage(
    of model: StoredModel, typed: [ObjectEdit] = [], issues: [EditReview.Issue] = []
  ) throws -> Response {
    let page = EditPage(
      model: model, unlisted: try store.unlistedProperties(of: model), typed: typed, issues: issues)
    let path = StudioPath.model(model.name)
    var values = common(model, heading: "New object of \(model.name)", back: path)
    values["action"] = path + "/new"
    values["button"] = "Create"
    values["objects"] = [page.valuesOfNew()]
    return .page(
      render(.edit, values), status: issues.isEmpty ? .ok : .unprocessableContent)
  }

  private func create(_ form: FormFields, _ context: ConnectionContext) throws -> Response {
    let model = try store.read { try self.model(context, in: &$0) }
    let edit = ObjectEdit(new: form)
    var review = EditReview()
    let values = review.values(ofNew: edit, model)
    guard review.issues.isEmpty else {
      return try newPage(of: model, typed: [edit], issues: review.issues)
    }
    do {
      let object = try store.write { try $0.insert(model.name, values) }
      let key = try ObjectKey(object, of: model)
      let row = UndoStep.Row(model: model.name, key: key, old: nil, new: object.valuesByName)
      let step = UndoStep(title: "new \(row.title)", model: model.name, rows: [row])
      let mark = edits?.keep(step, said: "Committed: \(step.title).")
      return redirect(to: StudioPath.object(key, of: model.name), after: mark)
    } catch let error as StoreError where error.isOfValues {
      review.refuse(error, row: 0)
      return try newPage(of: model, typed: [edit], issues: review.issues)
    }
  }

  private func undo(_ form: FormFields) throws -> Response {
    guard let edits, let last = edits.last, let step = last.step else {
      return message("There is nothing to undo.", .notFound)
    }
    guard form["mark"] == last.mark else {
      return message("Another commit came after it. Nothing was undone.", .conflict)
    }
    let models = try store.models
    do {
      try store.write { tx in
        let conflicts = try step.conflicts(among: models) { model, key in
          guard let query = try key.query(of: model) else { return nil }
          return try tx.fetch(query).first
        } fetch: {
          try tx.fetch($0)
        }
        if !conflicts.isEmpty { throw EditRefusal(review: EditReview(conflicts: conflicts)) }
        try step.apply(to: &tx, among: models)
      }
    } catch let refused as EditRefusal {
      return conflict(
        refused.review.conflicts, models.first { $0.name == step.model },
        lead: "Objects of the commit have changed, or have new properties. Nothing was undone.",
        back: StudioPath.model(step.model))
    } catch let error as StoreError where error.isOfValues {
      return message("Nothing was undone. \(error.pageText)", .conflict)
    }
    let mark = edits.keep(nil, said: "Undone: \(step.title).")
    return redirect(to: StudioPath.model(step.model), after: mark)
  }
}

// Deletions.
extension StudioHandlers {
  private func askToDelete(_ context: ConnectionContext) throws -> Response {
    try store.read { tx in
      let model = try self.model(context, in: &tx)
      let (key, object) = try self.object(of: model, context, in: &tx)
      let deletion = try Deletion(of: key, model, among: tx.models()) { try tx.fetch($0) }
      return deletePage(object, key, model, deletion)
    }
  }

  private func deletePage(
    _ object: DynamicObject, _ key: ObjectKey, _ model: StoredModel, _ deletion: Deletion,
    error: String? = nil, status: HTTPResponse.Status = .ok
  ) -> Response {
    let path = StudioPath.object(key, of: model.name)
    var values = common(model, heading: "Delete \(model.name) \(key.title)", back: path)
    values["key"] = key.title
    values["action"] = path + "/delete"
    values["was"] = Self.stamp(object, deletion)
    values["sentences"] = deletion.sentences.map { ["sentence": $0.shown] }
    values["isDenied"] = !deletion.denying.isEmpty
    if let obstacle = deletion.isCut ? Self.tooMany : model.obstacle(toInserting: object) {
      values["obstacle"] = obstacle
    }
    if let error { values["error"] = error.shown }
    return .page(render(.delete, values), status: status)
  }

  private static let tooMany = "Too many objects are deleted with it."

  /// Changes where the object or what its deletion does is another than was shown.
  private static func stamp(_ object: DynamicObject, _ deletion: Deletion) -> String {
    StoredValue.list(object.values + deletion.sentences.map { .string($0) }).stamp
  }

  private func delete(_ form: FormFields, _ context: ConnectionContext) throws -> Response {
    let (model, models) = try store.read { tx in
      (try self.model(context, in: &tx), try tx.models())
    }
    guard let key = context.parameters.get("key").flatMap(ObjectKey.init(path:)),
      let query = try key.query(of: model)
    else { throw Missing(what: "There is no such object of \(model.name).") }
    var step: UndoStep?
    let refusal = try store.write { tx -> Response? in
      guard let object = try tx.fetch(query).first else {
        throw Missing(what: "There is no such object of \(model.name).")
      }
      let deletion = try Deletion(of: key, model, among: models) { try tx.fetch($0) }
      guard deletion.denying.isEmpty else {
        return deletePage(
          object, key, model, deletion, error: "It cannot be deleted.",
          status: .unprocessableContent)
      }
      guard form["was"] == Self.stamp(object, deletion) else {
        return deletePage(
          object, key, model, deletion,
          error: "It has changed since it was shown. Nothing was deleted.", status: .conflict)
      }
      var saved = try Self.saved(deletion, models, in: &tx)
      try tx.delete(query)
      try saved?.complete(among: models) { try tx.fetch($0) }
      step = saved.map {
        UndoStep(title: Self.title(model, key), model: model.name, rows: $0.rows)
      }
      return nil
    }
    if let refusal { return refusal }
    let mark = edits?.keep(step, said: "Committed: \(Self.title(model, key)).")
    return redirect(to: StudioPath.model(model.name), after: mark)
  }

  private static func title(_ model: StoredModel, _ key: ObjectKey) -> String {
    "deletion of \(model.name) \(key.title)"
  }

  /// The objects that a deletion removes or changes; nil where they cannot be written again.
  private static func saved(
    _ deletion: Deletion, _ models: [StoredModel], in tx: inout WriteTransaction
  ) throws -> SavedRows? {
    if deletion.isCut { return nil }
    return try SavedRows(deletion, among: models) { try tx.fetch($0) }
  }
}
