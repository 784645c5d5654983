/// Adds up what subscribers hear, so that libraries can be held to the same result.
final class Sum: @unchecked Sendable {
  // Unchecked: every chain of a benchmark runs on the thread that measures it.
  private(set) var value = 0

  /// Later elements weigh differently: another order is another sum.
  @inline(__always)
  func add(_ element: Int) { value = value &* 31 &+ element }
}
