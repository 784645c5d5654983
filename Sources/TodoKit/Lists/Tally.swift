/// How many items a list holds, and how many of them are done.
public struct Tally: Hashable, Codable, Sendable {
  /// The items of the list.
  public var total: Int
  /// Those that are done.
  public var done: Int

  /// Makes a tally; an empty one without figures.
  public init(total: Int = 0, done: Int = 0) {
    self.total = total
    self.done = done
  }

  /// Those that are open.
  public var undone: Int { total - done }
  /// The part that is done, from 0 to 1; 0 for an empty list.
  public var progress: Double { total == 0 ? 0 : Double(done) / Double(total) }
}
