/// What one engine did in one round of one workload.
package struct Sample: Sendable, Hashable, Codable {
  /// The timed part.
  package var nanoseconds: Double
  /// The objects that the time is divided by.
  package var objects: Int
  /// What the store held and answered, read back after the clock stopped.
  package var checksum: String
  /// The store's files, without lock files.
  package var fileBytes: Int
  /// How far the resident memory rose above its level at the start of the timed part.
  package var peakBytes: Int
  /// What the timed part gave to the system to write; 0 where the system does not count it.
  package var writtenBytes: Int

  /// Makes a sample.
  package init(
    nanoseconds: Double, objects: Int, checksum: String, fileBytes: Int, peakBytes: Int,
    writtenBytes: Int = 0
  ) {
    self.nanoseconds = nanoseconds
    self.objects = objects
    self.checksum = checksum
    self.fileBytes = fileBytes
    self.peakBytes = peakBytes
    self.writtenBytes = writtenBytes
  }
}
