/// A value that the hub computes for one observer, and computes again after commits that touch it.
///
/// Confined to the hub's queue.
protocol LiveComputation: AnyObject {
  /// The observer that gets the values.
  var observer: any LiveObserver { get }
  /// The commit of the last run; earlier deltas are in its value.
  var sequence: UInt64 { get }
  /// What the last run read.
  var region: ReadRegion { get }

  /// Computes the value from the store.
  ///
  /// - Parameters:
  ///   - transaction: Shows the commit after which deltas are applied.
  ///   - sequence: The commit.
  ///   - isSkipped: Whether the observer skips the difference to the value before.
  /// - Throws: What keeps the value from being computed.
  func run(
    in transaction: inout ReadTransaction, at sequence: UInt64, isSkipped: Bool) throws

  /// Applies changes of rows in the region.
  ///
  /// - Throws: ``StoreError`` where the value cannot be computed.
  func apply(_ rows: [RowDelta], isSkipped: Bool) throws -> LiveQuery.Outcome

  /// Hands the value to the observer, where it is another one than before.
  ///
  /// - Throws: ``StoreError`` where there is none, such as a sum that does not fit.
  func publish(_ sequence: UInt64) throws
}

/// What a closure reads of the store.
final class LiveReading<Value: Sendable>: LiveComputation {
  private let target: any ValueObserver<Value>
  private let read: (inout ReadTransaction) throws -> Value
  private let isSame: (Value, Value) -> Bool
  private var value: Value?
  private var isChanged = false
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()

  /// Makes a reading that has not been run.
  ///
  /// - Parameters:
  ///   - target: The observer.
  ///   - isSame: Whether a value need not be delivered after another.
  ///   - read: Reads the value.
  init(
    for target: any ValueObserver<Value>, isSame: @escaping (Value, Value) -> Bool,
    _ read: @escaping (inout ReadTransaction) throws -> Value
  ) {
    self.target = target
    self.isSame = isSame
    self.read = read
  }

  var observer: any LiveObserver { target }

  func run(
    in transaction: inout ReadTransaction, at sequence: UInt64, isSkipped: Bool
  ) throws {
    let new = try transaction.recording(&region) { try read(&$0) }
    self.sequence = sequence
    if let value, isSame(value, new) { return }
    if isSkipped, let value { target.skip(from: value, to: new) }
    value = new
    isChanged = true
  }

  func apply(_ rows: [RowDelta], isSkipped: Bool) -> LiveQuery.Outcome { .needsRun }

  func publish(_ sequence: UInt64) {
    guard isChanged, let value else { return }
    isChanged = false
    target.update(value, max(sequence, self.sequence))
  }
}
