internal import CroftLibc

/// What the system says of a data file whose pages are known to be sound.
///
/// While it says the same, nothing has been written to the file, so its pages need no other check.
struct SoundState: Equatable, Sendable {
  /// The last commit.
  let version: Int
  private let device: UInt64
  private let inode: UInt64
  private let byteCount: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// When the file was last written to.
  var modified: Duration { .seconds(seconds) + .nanoseconds(nanoseconds) }

  /// - Parameter version: The last commit.
  init(_ status: stat, at version: Int) {
    self.version = version
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    byteCount = Int64(status.st_size)
    #if canImport(Darwin)
      seconds = Int64(status.st_mtimespec.tv_sec)
      nanoseconds = Int64(status.st_mtimespec.tv_nsec)
    #else
      seconds = Int64(status.st_mtim.tv_sec)
      nanoseconds = Int64(status.st_mtim.tv_nsec)
    #endif
  }
}

/// The last commit after which a process knew the pages of a file to be sound, and when that was.
///
/// The state of the file is not read after each commit: asking for the times of a file makes the next write
/// change them, where the kernel gives each file times of its own, and some file systems make a sync
/// wait for that.
struct SoundCommit: Equatable, Sendable {
  /// The commit.
  let version: Int
  /// The time of the system's clock, in which file systems set times.
  let time: Duration
  /// How much time passes before the file is checked for other writes.
  private static let leastPause = Duration.milliseconds(100)

  init(_ version: Int, at time: Duration = Deadline.systemTime) {
    self.version = version
    self.time = time
  }

  /// Whether it is time to check the file for other writes.
  var isCheckDue: Bool {
    let passed = Deadline.systemTime - time
    // Of a clock that was set back nothing is known.
    return passed < .zero || passed >= Self.leastPause
  }
}

extension SoundState {
  /// Whether the file may have been written to after a commit, without another one.
  func isModified(after commit: SoundCommit) -> Bool {
    modified > commit.time || Deadline.systemTime < commit.time
  }
}

/// The state as an extended attribute of the file, by which another process saves its check.
///
/// It is valid until the system restarts: until then the pages come from the page cache.
extension SoundState {
  /// The name of the attribute.
  static let attribute = "user.lmdb.sound"

  /// Reads the state that another process has recorded; nil where there is none that counts.
  ///
  /// What this process has recorded does not count, so that opening a file again checks it.
  init?(recordedIn text: String, start: String) {
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int64($0) }
    guard words.count == 8, numbers.count == 7, !start.isEmpty, words[0] == start,
      // A file system without fractions of a second cannot tell two writes apart.
      numbers[5] != 0, numbers[6] != Int64(ProcessIdentity.current)
    else { return nil }
    version = Int(numbers[0])
    device = UInt64(truncatingIfNeeded: numbers[1])
    inode = UInt64(truncatingIfNeeded: numbers[2])
    (byteCount, seconds, nanoseconds) = (numbers[3], numbers[4], numbers[5])
  }

  /// The text that is recorded.
  func text(start: String) -> String {
    let numbers = [
      Int64(version), Int64(truncatingIfNeeded: device), Int64(truncatingIfNeeded: inode),
      byteCount, seconds, nanoseconds, Int64(ProcessIdentity.current),
    ]
    return ([start] + numbers.map { String($0) }).joined(separator: " ")
  }

  /// The system's name for its present run, from its start to its end; empty where there is none.
  static var systemStart: String {
    String(ProcessIdentity.systemText("/proc/sys/kernel/random/boot_id").prefix { $0 != "\n" })
  }
}
