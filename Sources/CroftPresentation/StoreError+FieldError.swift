public import Croft
public import Presentation

extension StoreError: FieldError {
  /// The issues that a store found in the input of a form, at the fields of the object.
  ///
  /// The path of an issue is the name of the property in the model, and for a property of an
  /// embedded struct its path, such as `address.city`. A form that declares its fields at such paths
  /// shows these issues without code of its own:
  ///
  /// ```swift
  /// let form = Form(
  ///   BookDraft(), fields: [FormField(\.isbn, at: "isbn"), FormField(\.title, at: "title")],
  ///   rule: rule
  /// ) { book in
  ///   store.rx.write { tx in try tx.insert(book) }.asObservable()
  /// }
  /// ```
  ///
  /// - A primary key or a unique value that another object has is `notUnique`, at each property of
  ///   the key or the unique index.
  /// - A reference to an object that does not exist is `notFound`.
  /// - A property that was changed elsewhere since it was read, by the policy
  ///   ``/Croft/UpsertPolicy/mergeUnlessStale(from:)``, is `stale`. If the object was deleted
  ///   meanwhile, the issue is about the form as a whole.
  ///
  /// Other errors are not about input and have no issues. A form emits them as its errors.
  ///
  /// The names of two models may be equal: a write that changes objects of several models should use
  /// ``validationIssues(of:at:)``.
  public var validationIssues: [ValidationIssue] {
    issues { FieldPath(property: $0) }
  }

  /// The issues about one model, at the paths at which a form has its properties.
  ///
  /// ```swift
  /// form.attach(error.validationIssues(of: Author.self, at: ["name": "author"]))
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model whose properties the form edits.
  ///   - paths: The form's paths by the names of properties, where a path is not the name itself.
  /// - Returns: The issues; none for an error about another model.
  public func validationIssues<M: Model>(
    of model: M.Type, at paths: [String: FieldPath] = [:]
  ) -> [ValidationIssue] {
    issues(of: "\(model)") { paths[$0] ?? FieldPath(property: $0) }
  }

  /// The issues about the refused properties, or about the object as a whole where none is named.
  private func issues(
    of wanted: String? = nil, at path: (String) -> FieldPath
  ) -> [ValidationIssue] {
    let (model, fields, code): (String, [String], ValidationIssue.Code)
    switch self {
    case .duplicateKey(let name, let refused, _), .uniqueViolation(let name, let refused, _, _):
      (model, fields, code) = (name, refused, .notUnique)
    case .danglingReference(let name, let field, _, _):
      (model, fields, code) = (name, [field], .notFound)
    case .staleObject(let name, let refused, _): (model, fields, code) = (name, refused, .stale)
    default: return []
    }
    if let wanted, wanted != model { return [] }
    return fields.isEmpty
      ? [ValidationIssue(code)] : fields.map { ValidationIssue(code, at: path($0)) }
  }
}

extension FieldPath {
  /// The path of a property by its name in the store, where a point leads into a struct.
  fileprivate init(property name: String) {
    self.init(name.split(separator: ".").map { .key(String($0)) })
  }
}
