/// One engine on one workload of titles, in this process.
///
/// A round searches all titles for each text, one text after the other. Its time is divided by all
/// titles that were searched, so a text counts them once more.
/// Threads: a trial belongs to one thread.
package final class TextTrial: Contestant {
  package let name: String
  private let workload: TextWorkload
  private let titleCount: Int
  private let engine: any TextEngine
  private let folder: StoreFolder

  /// Makes and opens the store.
  ///
  /// - Parameters:
  ///   - size: how many objects, as the workload takes it.
  ///   - directory: the folder of the store.
  package init(
    _ type: any TextEngine.Type, _ workload: TextWorkload, size: Int, in directory: String
  ) throws {
    name = type.name
    self.workload = workload
    let titles = workload.titles(size)
    titleCount = titles.count
    folder = StoreFolder("\(type.name)-\(workload.name)", in: directory)
    try folder.create()
    engine = try type.init(at: folder.storePath, holding: titles)
  }

  package func round() throws -> Sample {
    let memory = PeakMemory()
    let clock = ContinuousClock()
    let start = clock.now
    let counts = try workload.searched.map {
      try engine.count($0, workload.comparison)
    }
    let elapsed = clock.now - start
    let peakBytes = memory.growthBytes()
    var checksum = Checksum()
    for (text, count) in zip(workload.searched, counts) { checksum.add(count, named: text) }
    return Sample(
      nanoseconds: elapsed / .nanoseconds(1), objects: titleCount * counts.count,
      checksum: checksum.hexadecimal, fileBytes: try folder.dataBytes(), peakBytes: peakBytes)
  }

  /// Closes the store and removes its files.
  package func finish() throws {
    try engine.close()
    try folder.remove()
  }
}
