/// The computations of a store's observers, each found by the rows that it depends on.
///
/// Confined to the hub's queue.
struct LiveComputations {
  /// By their observers' numbers.
  private var all: [Int: any LiveComputation] = [:]
  private var index = RegionIndex()

  var isEmpty: Bool { all.isEmpty }
  /// The commit of a computation's last run, for tests.
  func sequence(of number: Int) -> UInt64? { all[number]?.sequence }

  /// The observers' numbers.
  var numbers: some Sequence<Int> { all.keys }

  /// Adds a computation, and gives its observer the first value.
  mutating func add(
    _ computation: any LiveComputation, in transaction: inout ReadTransaction,
    at sequence: UInt64, _ store: Store
  ) throws {
    let number = computation.observer.number
    do {
      try run(computation, in: &transaction, at: sequence, isSkipped: false, store)
    } catch {
      index.remove(number)
      throw error
    }
    all[number] = computation
  }

  /// Removes the computation of an observer.
  mutating func remove(_ number: Int) {
    all[number] = nil
    index.remove(number)
  }

  /// Ends the observation of a computation that failed.
  mutating func fail(_ number: Int, _ error: any Error) {
    all[number]?.observer.fail(error)
    remove(number)
  }

  /// Runs a computation again, and gives its observer the value.
  ///
  /// - Throws: A passing error; any other one ends the observation.
  mutating func run(
    _ number: Int, in transaction: inout ReadTransaction, at sequence: UInt64, isSkipped: Bool,
    _ store: Store
  ) throws {
    guard let computation = all[number] else { return }
    do {
      try run(computation, in: &transaction, at: sequence, isSkipped: isSkipped, store)
    } catch  where !StoreError.isPassing(error) {
      fail(number, error)
    }
  }

  /// Applies the changes of a model.
  ///
  /// - Parameters:
  ///   - table: The changes.
  ///   - model: The model's number.
  ///   - skipped: The observers that skip them.
  ///   - delta: The commit.
  ///   - changed: Gets the numbers of the computations that may have another value.
  ///   - refetch: Gets those that must run again, and has those that do anyway.
  mutating func apply(
    _ table: TableDelta, of model: Int, skipped: Set<Int>, _ delta: CommitDelta,
    _ changed: inout Set<Int>, _ refetch: inout LiveState.Refetch
  ) {
    for (number, places) in index.touched(by: table, of: model, delta.catalog) {
      guard let computation = all[number], computation.sequence < delta.sequence else { continue }
      guard refetch.computations[number] == nil, let places, case .rows(let rows) = table else {
        refetch.insert(computation: number, skipped: skipped)
        continue
      }
      do {
        let isSkipped = skipped.contains(number)
        switch try computation.apply(places.sorted().map { rows[$0] }, isSkipped: isSkipped) {
        case .unchanged: continue
        case .changed: changed.insert(number)
        case .needsRun: refetch.insert(computation: number, skipped: skipped)
        }
      } catch {
        fail(number, error)
      }
    }
  }

  /// Gives an observer the value after a commit.
  mutating func publish(_ number: Int, _ sequence: UInt64) {
    do { try all[number]?.publish(sequence) } catch { fail(number, error) }
  }

  private mutating func run(
    _ computation: any LiveComputation, in transaction: inout ReadTransaction,
    at sequence: UInt64, isSkipped: Bool, _ store: Store
  ) throws {
    let number = computation.observer.number
    try computation.run(in: &transaction, at: sequence, isSkipped: isSkipped)
    if index.region(of: number) != computation.region {
      index.set(computation.region, of: number)
      // The next commits of these models are captured; those that were not count as unknown.
      store.live.setRegion(of: number, to: computation.region.observed)
    }
    try computation.publish(sequence)
  }
}

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
