public import Reactive

/// Draws events over time as text, and reads such diagrams.
///
/// ```swift
/// let marbles = Marbles(["a": 1, "b": 2], start: 200, step: 10)
/// try marbles.events("-a--(b|)")  // .next(210, 1), .next(240, 2), .completed(240)
/// ```
///
/// - A sign's column is its time: `start` for the first, and `step` more for each further one.
/// - `-` is silence, `|` the completion, `#` an error, anything else an element.
/// - Signs in parentheses share the time of the opening one.
public struct Marbles<Element: Sendable>: Sendable {
  private let values: [Character: Element]
  private let start: TestTime
  private let step: TestTime
  private let error: any Error

  /// Makes the notation of a diagram.
  ///
  /// - Parameters:
  ///   - values: the elements by their signs, which may not be one of `-|#()`.
  ///   - start: the time of the first column.
  ///   - step: the time from one column to the next; 1 or more.
  ///   - error: the error of `#`.
  public init(
    _ values: [Character: Element], start: TestTime = 0, step: TestTime = 1,
    error: any Error = MarbleFailure()
  ) {
    precondition(step > 0, "step is the time of a column: 1 or more.")
    precondition(
      values.keys.allSatisfy { !"-|#()".contains($0) },
      "The signs -|#() have a meaning of their own: take others for elements.")
    self.values = values
    self.start = start
    self.step = step
    self.error = error
  }

  /// The events of a diagram, in order.
  ///
  /// - Throws: `unknownSign`, `brokenGroup` or `afterTheEnd`, with the column.
  public func events(_ diagram: String) throws(MarbleError) -> [Recorded<Event<Element>>] {
    var events: [Recorded<Event<Element>>] = []
    var group: Int?
    for (column, sign) in diagram.enumerated() {
      switch sign {
      case "(" where group == nil: group = column
      case ")" where group != nil: group = nil
      case "(", ")": throw .brokenGroup(column: group ?? column)
      case "-":
        if let group { throw .brokenGroup(column: group) }
      default:
        if events.last?.value.isStopEvent == true { throw .afterTheEnd(column: column) }
        let time = start + (group ?? column) * step
        events.append(Recorded(time: time, value: try event(sign, column)))
      }
    }
    if let group { throw .brokenGroup(column: group) }
    return events
  }

  private func event(_ sign: Character, _ column: Int) throws(MarbleError) -> Event<Element> {
    switch sign {
    case "|": return .completed
    case "#": return .error(error)
    default:
      guard let element = values[sign] else { throw .unknownSign(sign, column: column) }
      return .next(element)
    }
  }
}

extension Marbles where Element: Equatable {
  /// The diagram of events; silence after the last one is not drawn.
  ///
  /// - Throws: `noSign` for an element without a sign; `noColumn` for a time that has no column, or
  ///   whose column is taken by a group before it.
  public func diagram(_ events: [Recorded<Event<Element>>]) throws(MarbleError) -> String {
    var diagram = ""
    var rest = events[...]
    while let time = rest.first?.time {
      let together = rest.prefix { $0.time == time }
      rest = rest.dropFirst(together.count)
      let (column, remainder) = (time - start).quotientAndRemainder(dividingBy: step)
      guard remainder == 0, column >= diagram.count else { throw .noColumn(time: time) }
      diagram += String(repeating: "-", count: column - diagram.count)
      var signs = ""
      for record in together { signs.append(try sign(record.value)) }
      diagram += signs.count == 1 ? signs : "(\(signs))"
    }
    return diagram
  }

  private func sign(_ event: Event<Element>) throws(MarbleError) -> Character {
    switch event {
    case .completed: return "|"
    case .error: return "#"
    case .next(let element):
      // The least of several, so that the diagram does not depend on the dictionary's order.
      let sign = values.filter { $0.value == element }.keys.min()
      guard let sign else { throw .noSign(element: "\(element)") }
      return sign
    }
  }
}

extension Marbles where Element == String {
  /// A notation in which letters and digits are elements.
  ///
  /// - Parameters:
  ///   - start: the time of the first column.
  ///   - step: the time from one column to the next; 1 or more.
  public static func letters(start: TestTime = 0, step: TestTime = 1) -> Marbles {
    let signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return Marbles(
      Dictionary(uniqueKeysWithValues: signs.map { ($0, String($0)) }), start: start, step: step)
  }
}

/// An error in a diagram, or in events that cannot be drawn as a diagram.
public enum MarbleError: Error, Hashable, Sendable {
  /// The sign in this column has no element.
  case unknownSign(Character, column: Int)
  /// The group that begins in this column is not closed, or holds silence or a group.
  case brokenGroup(column: Int)
  /// The sign in this column comes after the end.
  case afterTheEnd(column: Int)
  /// This element has no sign.
  case noSign(element: String)
  /// This time has no column: it is too early, between two columns, or taken.
  case noColumn(time: Int)
}

/// The default error of a diagram.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Makes an error; all errors of this type are equal.
  public init() {}
}
