/// The observer of one of several queries whose results go to one observer.
///
/// Threads: any.
final class CombinedQuery: ValueObserver {
  private let combination: CombinedQueries
  /// The places of the query among all; more than one where it is named more than once.
  private let places: [Int]

  init(_ combination: CombinedQueries, _ places: [Int]) {
    self.combination = combination
    self.places = places
  }

  var number: Int { combination.target.number }
  var error: (any Error)? { combination.target.error }

  func update(_ value: ResultRows, _ sequence: UInt64) { combination.set(value, at: places) }
  func skip(from before: ResultRows, to after: ResultRows) {
    combination.skip(from: before, to: after, at: places)
  }
  func hold(through sequence: UInt64) { combination.target.hold(through: sequence) }
  func release(through sequence: UInt64) { combination.target.release(through: sequence) }
  func fail(_ error: any Error) { combination.target.fail(error) }
  func end() { combination.target.end() }
}
