/// The difference between two states of an observed object.
public struct ObjectChange<M: Model>: Sendable {
  /// The kinds of changes.
  public enum Kind: Sendable, Hashable {
    /// The first change, which has the object if there is one.
    case initial
    /// Some properties have other values; none in a ``CombinedRequest`` whose other requests changed.
    case modified
    /// The object was deleted.
    case deleted
    /// The object was inserted.
    case inserted
  }

  /// One property's value before and after.
  public struct Field: Sendable, Hashable {
    /// The property's name; a struct's property has the struct's name before its own.
    public let name: String
    /// The value before.
    public let old: StoredValue
    /// The value now.
    public let new: StoredValue
  }

  /// The number of the commit after which ``new`` is the object.
  public let sequence: UInt64
  /// The kind of the change.
  public let kind: Kind
  /// The object that was delivered last; nil where there was none, and at first.
  public let old: M?
  /// The object now; nil where there is none.
  public let new: M?
  /// The properties that differ, in declaration order; empty unless the object changed.
  public let fields: [Field]

  /// A property's values before and after; nil where they are equal.
  ///
  /// ```swift
  /// if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
  /// ```
  public func values<V: Equatable>(of property: KeyPath<M, V>) -> (old: V, new: V)? {
    guard let old, let new, old[keyPath: property] != new[keyPath: property] else { return nil }
    return (old[keyPath: property], new[keyPath: property])
  }
}

extension ObjectChange {
  init(_ step: LiveStep.One<LiveObject.Row>, fields: [Int]?) throws {
    let new = try step.after.row?.object(as: M.self)
    guard let before = step.before else {
      self.init(sequence: step.sequence, kind: .initial, old: nil, new: new, fields: [])
      return
    }
    let old = try before.row?.object(as: M.self)
    var changed: [Field] = []
    let kind: Kind
    switch (before.row, step.after.row) {
    case (let before?, let after?):
      changed = try Self.fields(from: before, to: after, among: fields)
      kind = .modified
    case (_?, nil): kind = .deleted
    case (nil, _?): kind = .inserted
    case (nil, nil): kind = .modified
    }
    self.init(sequence: step.sequence, kind: kind, old: old, new: new, fields: changed)
  }

  var isEmpty: Bool { kind == .modified && fields.isEmpty }

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

/// An object before and after a commit.
public struct ObjectDelta<M: Model>: Sendable {
  /// The object before the commit; nil where there was none.
  public let old: M?
  /// The object after the commit; nil where there is none.
  public let new: M?
}

extension ObjectDelta: Equatable where M: Equatable {}

extension ObjectDelta: Hashable where M: Hashable {}
