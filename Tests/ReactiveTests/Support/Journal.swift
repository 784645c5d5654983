import Synchronization

/// What happened, in order.
final class Journal: Sendable {
  private let written = Mutex<[String]>([])

  func write(_ line: String) { written.withLock { $0.append(line) } }

  var lines: [String] { written.withLock { $0 } }

  /// All lines in one.
  var line: String { lines.joined(separator: " ") }
}

/// A place that is filled later, so that closures can reach what is made after them.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value?>

  init(_ value: Value? = nil) { content = Mutex(value) }

  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

/// An error to send.
enum Failure: Error, Equatable {
  case first, second
}

/// The identity, except that one element throws.
func refusing(_ refused: Int) -> @Sendable (Int) throws -> Int {
  { element in
    if element == refused { throw Failure.first }
    return element
  }
}
