/// How an observed object became another one.
public struct ObjectChange<M: Model>: Sendable {
  /// What happened.
  public enum Kind: Sendable, Hashable {
    /// Nothing yet: this is the first change, which says what there is.
    case initial
    /// Properties have other values.
    case changed
    /// The object is gone.
    case deleted
    /// There is an object of this key, where there was none.
    case appeared
  }

  /// One property's value before and after.
  public struct Field: Sendable, Hashable {
    /// The property's name; that of a struct's property has the struct's before it.
    public let name: String
    /// The value before.
    public let old: StoredValue
    /// The value now.
    public let new: StoredValue
  }

  /// The number of the commit that ``new`` shows.
  public let sequence: UInt64
  /// What happened.
  public let kind: Kind
  /// The object as it was told before; nil where there was none, and at first.
  public let old: M?
  /// The object now; nil where there is none.
  public let new: M?
  /// The properties of a changed object that differ, in declaration order.
  public let fields: [Field]

  /// A property's values where it differs, else nil.
  ///
  /// ```swift
  /// if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
  /// ```
  ///
  /// - Parameter property: Any property of the model.
  public func values<V: Equatable>(of property: KeyPath<M, V>) -> (old: V, new: V)? {
    guard let old, let new, old[keyPath: property] != new[keyPath: property] else { return nil }
    return (old[keyPath: property], new[keyPath: property])
  }
}

extension ObjectChange {
  /// The change that a step makes; nil where there is none.
  ///
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  init?(_ step: ValueObservation<StoredRow?, Self>.Step, fields: [Int]?) throws {
    let new = try step.after?.object(as: M.self)
    guard let before = step.before else {
      self.init(sequence: step.sequence, kind: .initial, old: nil, new: new, fields: [])
      return
    }
    let old = try before?.object(as: M.self)
    switch (before, step.after) {
    case (let before?, let after?):
      let changed = try Self.fields(from: before, to: after, among: fields)
      if changed.isEmpty { return nil }
      self.init(sequence: step.sequence, kind: .changed, old: old, new: new, fields: changed)
    case (_?, nil):
      self.init(sequence: step.sequence, kind: .deleted, old: old, new: nil, fields: [])
    case (nil, _?):
      self.init(sequence: step.sequence, kind: .appeared, old: nil, new: new, fields: [])
    case (nil, nil): return nil
    }
  }

  private static func fields(
    from old: StoredRow, to new: StoredRow, among fields: [Int]?
  ) throws -> [Field] {
    try (fields?.sorted() ?? Array(M.schema.columns.indices)).compactMap { place in
      guard new.differs(from: old, in: [place]) else { return nil }
      return Field(
        name: M.schema.columns[place].name, old: try old.value(at: place),
        new: try new.value(at: place))
    }
  }
}

extension StoredRow {
  /// A column's value, by its place in the declaration.
  fileprivate func value(at place: Int) throws -> StoredValue {
    try withExtendedLifetime(self) { try layout.columns[place].value(in: view, layout) }
  }
}
