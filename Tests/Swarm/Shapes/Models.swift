import Croft

/// The models of a store.
struct Models: Sendable {
  var shapes: [any Shape]

  /// What becomes of objects that other versions wrote.
  var migrations: [Migration]
  /// The same for the twin.
  var changes: [Change]

  /// What a version makes of the objects that the store has.
  enum Change: Sendable {
    /// A field is added with a default, where the store does not have it.
    case add(String, String, Value)
    /// A field's values are of another type, which a migration makes; nil where they are not.
    case replace(String, String, @Sendable (Value) -> Value?)
    /// A field has a type of some width, which narrower ones cannot follow where there are objects.
    case widen(String, String, Int, @Sendable (Value) -> Value)
    /// A migration with a name changes all objects, or deletes them, once.
    case once(String, String, @Sendable (Fields) -> Fields?)
    /// A field's values are of another type, and no migration names it.
    case refuse(String, String, @Sendable (Value) -> Bool)
    /// A field needs a value: nil is read as the default, or a migration makes a value of the object.
    case require(String, String, Value?, (@Sendable (Fields) -> Value)? = nil)
    /// A field may be nil.
    case relax(String, String)
  }

  init(_ shapes: [any Shape], migrations: [Migration] = [], changes: [Change] = []) {
    self.shapes = shapes
    self.migrations = migrations
    self.changes = changes
  }

  /// The models of a program that has the store open: it migrates nothing any more.
  var continued: Models {
    let changes = changes.compactMap { change -> Change? in
      switch change {
      case .replace(let model, let field, let change):
        .refuse(model, field) { change($0) != nil }
      case .require(let model, let field, let value, _): .require(model, field, value)
      case .once: nil
      case .add, .widen, .refuse, .relax: change
      }
    }
    return Models(shapes, changes: changes)
  }

  func shape(_ name: String) -> any Shape {
    guard let shape = shapes.first(where: { $0.name == name }) else {
      preconditionFailure("There is no model \(name).")
    }
    return shape
  }

  func has(_ name: String) -> Bool { shapes.contains { $0.name == name } }

  /// Whether all models and properties that a question names are there.
  ///
  /// Another version may lack a property, and another store of the file the model that refers to
  /// the question's.
  func isAskable(_ question: Question) -> Bool {
    guard has(question.model) else { return false }
    let shape = shape(question.model)
    return (question.order.map(\.field) + question.distinct).allSatisfy { shape.info($0) != nil }
      && isAskable(question.term, shape)
  }

  private func isAskable(_ term: Term, _ shape: any Shape) -> Bool {
    switch term {
    case .constant: return true
    case .field(let field, _): return shape.info(field) != nil
    case .search: return !shape.searched.isEmpty
    case .fields(let left, _, let right):
      return shape.info(left) != nil && shape.info(right) != nil
    case .referrers(let model, let field, _, let term):
      guard has(model) else { return false }
      let source = self.shape(model)
      return source.info(field) != nil && isAskable(term, source)
    case .referrerCount(let model, let field, _, _):
      return has(model) && self.shape(model).info(field) != nil
    case .and(let terms), .or(let terms): return terms.allSatisfy { isAskable($0, shape) }
    case .not(let term): return isAskable(term, shape)
    }
  }
}
