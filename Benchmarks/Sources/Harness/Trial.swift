#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Something that can be measured round by round, in this process or in a child.
package protocol Contestant: AnyObject {
  /// The engine's name.
  var name: String { get }

  /// Runs one round.
  func round() throws -> Sample
}

/// One engine on one workload, in this process.
///
/// Threads: a trial belongs to one thread.
package final class Trial: Contestant {
  package let name: String
  private let workload: any Workload
  private let dataset: Dataset
  private let engine: any Engine
  private let folder: StoreFolder
  private let populated: StoreFolder
  private var isOpen = false

  /// Prepares a trial; the store opens with the first round.
  ///
  /// - Parameter directory: the folder of the stores. Unless the workload starts empty, the engine's
  ///   populated store must be there already.
  package init(
    _ type: any Engine.Type, _ workload: any Workload, _ dataset: Dataset, in directory: String
  ) {
    name = type.name
    self.workload = workload
    self.dataset = dataset
    engine = type.init(dataset, schema: workload.schema)
    folder = StoreFolder("\(type.name)-\(workload.name)", in: directory)
    populated = Trial.populatedFolder(of: type, in: directory)
  }

  /// Makes the store that an engine's later trials start from.
  package static func populate(
    _ type: any Engine.Type, _ dataset: Dataset, in directory: String
  ) throws {
    let folder = populatedFolder(of: type, in: directory)
    try folder.create()
    let engine = type.init(dataset, schema: .indexed)
    try engine.open(at: folder.storePath)
    try engine.insertAll()
    try engine.close()
  }

  private static func populatedFolder(of type: any Engine.Type, in directory: String) -> StoreFolder
  {
    StoreFolder("\(type.name)-populated", in: directory)
  }

  package func round() throws -> Sample {
    if !isOpen { try openStore() }
    // What others left for the disk to write must not end up in a timed commit.
    if workload.start != .shared { sync() }
    let written = WrittenBytes()
    let memory = PeakMemory()
    let (answer, elapsed) = try timed()
    let peakBytes = memory.growthBytes()
    let writtenBytes = written.sinceThen
    let checksum = try readBack(answer: answer)
    if workload.start != .shared { try closeStore() }
    let fileBytes = try folder.dataBytes()
    if workload.start != .shared { try folder.remove() }
    return Sample(
      nanoseconds: elapsed / .nanoseconds(1),
      objects: workload.objects(dataset, answer: answer), checksum: checksum.hexadecimal,
      fileBytes: fileBytes, peakBytes: peakBytes, writtenBytes: writtenBytes)
  }

  /// Runs the workload and measures how long that takes.
  ///
  /// `Scripts/counts` finds the beginning of the timed part by this function, and the end by `growthBytes()`.
  @inline(never)
  private func timed() throws -> (answer: Int, elapsed: Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let answer = try workload.run(on: engine, dataset)
    return (answer, clock.now - start)
  }

  /// Closes the store, if it is open, and removes its files.
  package func finish() throws {
    if isOpen { try closeStore() }
    try folder.remove()
  }

  private func openStore() throws {
    switch workload.start {
    case .empty: try folder.create()
    case .copy, .shared: try folder.copy(from: populated)
    }
    try engine.open(at: folder.storePath)
    isOpen = true
    // A fresh copy is mapped but not yet touched: touch its rows, for each engine alike.
    if workload.start == .copy { _ = try engine.countOpen(createdAfter: dataset.createdAfter) }
  }

  private func closeStore() throws {
    isOpen = false
    try engine.close()
  }

  private func readBack(answer: Int) throws -> Checksum {
    var checksum = Checksum()
    checksum.add(answer, named: "answer")
    for item in try workload.results(of: engine) { checksum.add(item) }
    guard workload.schema != .plain else { return checksum }
    for priority in 0..<Dataset.priorityCount {
      checksum.add(try engine.count(priority: priority), named: "priority \(priority)")
    }
    for group in Set([0, dataset.groupCount / 2, dataset.groupCount - 1]) {
      checksum.add(try engine.count(groupId: group), named: "group \(group)")
    }
    return checksum
  }
}
