public import Foundation

/// What a program did to the files of a folder, as the recorder noted it; see CPowerCut.h.
public struct Trace: Sendable {
  /// One thing that was done.
  public enum Event: Sendable {
    /// Bytes were written; `isSynced` says that they were on the disk when the call returned.
    case write(file: Int, offset: Int, bytes: Range<Int>, isSynced: Bool)
    /// All bytes of a file are on the disk.
    case sync(file: Int)
    /// A file got another size.
    case resize(file: Int, bytes: Int)
    /// A name leads to a file.
    case name(String, file: Int)
    /// A file changed its name.
    case rename(String, to: String)
    /// A name is gone.
    case remove(String)
    /// All names of the folder are on the disk.
    case syncNames
    /// The program said something.
    case mark(String)
    /// A sync of a file failed.
    case failedSync(file: Int)
  }

  /// The events in their order.
  public private(set) var events: [Event] = []
  /// The trace's own bytes, which include the written bytes of the events.
  let bytes: [UInt8]

  /// Reads a trace from its file.
  public init(contentsOf url: URL) throws {
    bytes = [UInt8](try Data(contentsOf: url))
    var place = 0
    // A process that was killed may have left the beginning of a record at the end.
    while place + 32 <= bytes.count {
      let kind = number(at: place, UInt32.self)
      let isSynced = number(at: place + 4, UInt32.self) != 0
      let file = Int(number(at: place + 8, UInt64.self))
      let offset = Int(number(at: place + 16, UInt64.self))
      let length = Int(number(at: place + 24, UInt64.self))
      let payload = place + 32..<place + 32 + length
      place = (payload.upperBound + 7) & ~7
      guard payload.upperBound <= bytes.count else { break }
      events.append(
        try event(kind, payload, file: file, offset: offset, isSynced: isSynced))
    }
  }

  private func event(
    _ kind: UInt32, _ payload: Range<Int>, file: Int, offset: Int, isSynced: Bool
  ) throws -> Event {
    switch kind {
    case 1: return .write(file: file, offset: offset, bytes: payload, isSynced: isSynced)
    case 2: return .sync(file: file)
    case 3: return .resize(file: file, bytes: offset)
    case 4: return .name(text(payload), file: file)
    case 5:
      let end = bytes[payload].firstIndex(of: 0) ?? payload.upperBound
      let start = min(end + 1, payload.upperBound)
      return .rename(
        text(payload.lowerBound..<end), to: text(start..<payload.upperBound))
    case 6: return .remove(text(payload))
    case 7: return .syncNames
    case 8: return .mark(text(payload))
    case 9: return .failedSync(file: file)
    default: throw TraceError(kind: kind)
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func number<N: FixedWidthInteger & BitwiseCopyable>(at place: Int, _ type: N.Type) -> N {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
  }
}

/// A record of a kind that is not known: the trace is not the recorder's.
struct TraceError: Error {
  let kind: UInt32
}

extension Trace {
  /// Whether an event changes what a power cut may leave.
  public func touchesDisk(_ index: Int) -> Bool {
    if case .mark = events[index] { false } else { true }
  }

  /// The trace as if the program had left out some of its waiting for the disk.
  ///
  /// A tester that finds nothing then is no tester.
  public func without(_ omission: Omission) -> Trace {
    var trace = self
    trace.events = events.enumerated().compactMap { index, event in
      switch (event, omission) {
      case (.sync, .syncs), (.syncNames, .syncsOfNames): nil
      case (.write(let file, let offset, let bytes, _), .synchronousWrites):
        .write(file: file, offset: offset, bytes: bytes, isSynced: index < beginning)
      default: event
      }
    }
    return trace
  }

  /// How many events only say what the folder held at the beginning.
  public var beginning: Int {
    (events.firstIndex { if case .syncNames = $0 { true } else { false } } ?? -1) + 1
  }

  /// What a program may forget to wait for.
  public enum Omission: String, CaseIterable, Sendable {
    /// `fsync` and `fdatasync` of files.
    case syncs
    /// Writes to descriptors with `O_DSYNC`, as LMDB writes its newest page.
    case synchronousWrites
    /// `fsync` of the folder.
    case syncsOfNames
  }
}
