/// The path of a field in the input: keys and indexes, the outermost first.
///
/// A string literal is a single key, an array literal a whole path, and the
/// empty path means the input as a whole:
///
/// ```swift
/// let title: FieldPath = "title"
/// let third: FieldPath = ["items", 2, "title"]
/// let form: FieldPath = []
/// ```
public struct FieldPath: Hashable, Sendable {
  /// One step of a path: into a named field, or to a position in a list.
  public enum Component: Hashable, Sendable {
    /// A field by its name.
    case key(String)
    /// A position in a list, counted from 0.
    case index(Int)
  }

  /// The steps, outermost first; empty for the input as a whole.
  public let components: [Component]

  /// Makes a path of the given steps, outermost first.
  public init(_ components: [Component]) {
    self.components = components
  }

  /// Makes the path of one named field.
  public init(_ key: String) {
    self.init([.key(key)])
  }

  /// This path followed by another one.
  public func appending(_ rest: FieldPath) -> FieldPath {
    FieldPath(components + rest.components)
  }

  /// The same path without positions: what all elements of a list have in common.
  public var withoutIndexes: FieldPath {
    FieldPath(components.filter { if case .key = $0 { true } else { false } })
  }
}

extension FieldPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Makes the path of one named field.
  public init(stringLiteral key: String) {
    self.init(key)
  }

  /// Makes a path of the given steps, outermost first.
  public init(arrayLiteral components: Component...) {
    self.init(components)
  }
}

extension FieldPath: CustomStringConvertible {
  /// The path as people write it, such as `items[2].title`; empty for the whole input.
  public var description: String {
    components.reduce(into: "") { text, component in
      switch component {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      }
    }
  }
}

extension FieldPath.Component: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Makes the step into a named field.
  public init(stringLiteral key: String) {
    self = .key(key)
  }

  /// Makes the step to a position, counted from 0.
  public init(integerLiteral index: Int) {
    self = .index(index)
  }
}
