import CroftLibc
import LMDB

/// A condition of a store that is not an error, but should be logged.
public enum StoreDiagnostic: Sendable, Hashable {
  /// A snapshot has been open for longer than ``Store/Options/snapshotWarningAge``.
  ///
  /// The pages that it pins are not used again, so that the file grows with each write. The number
  /// of their bytes is nil when they could not be counted.
  case oldSnapshot(name: String, age: Duration, pinnedBytes: Int?)
  /// An observed result could not be read, which ended the observation.
  ///
  /// The model is nil for ``Store/commits``, and for observations of several models.
  case observationFailed(model: String?, reason: String)
  /// An observed result could not be read for the moment; the read is retried until it succeeds.
  ///
  /// It is reported once until all results have been read.
  case observationsDelayed(reason: String)
  /// A write has waited a second for a writer of another process, and continues to wait.
  ///
  /// It gives up after ``Store/Options/writerTimeout``. The text names process and file.
  case writeDelayed(reason: String)
}

extension StoreDiagnostic: CustomStringConvertible {
  /// The condition, and what to do about it; control characters are escaped.
  public var description: String { sentences.printable }

  private var sentences: String {
    switch self {
    case .oldSnapshot(let name, let age, let pinnedBytes):
      "The snapshot \(name) has been open for \(age.components.seconds) seconds"
        + (pinnedBytes.map { " and pins \($0) bytes" } ?? "") + ". Let go of it, or make a new one."
    case .observationFailed(let model, let reason):
      "An observation\(model.map { " of \($0)" } ?? "") ended, because it could not be read: \(reason)"
    case .observationsDelayed(let reason):
      "Observations wait, because the store could not be read: \(reason) This is tried again."
    case .writeDelayed(let reason):
      "A write waits, because \(reason)."
    }
  }
}

extension Store {
  /// The handler of the store's diagnostics; nil, the default, writes a line to standard error.
  ///
  /// Threads: called on the thread that wrote, or used a snapshot, or on the queue that observers
  /// are called on. It must not write to the store.
  public var onDiagnostic: (@Sendable (StoreDiagnostic) -> Void)? {
    get { snapshots.handler }
    set { snapshots.handler = newValue }
  }
}

extension StoreDiagnostic {
  /// Writes diagnostics for which the program has no handler.
  enum StandardError {
    /// Writes a line that starts with the module's name.
    static func write(_ line: String) {
      let bytes = Array("croft: \(line)\n".utf8)
      // Safety: the call reads as many bytes as there are. What cannot be written is lost, because
      // there is no other place to say so.
      _ = unsafe bytes.withUnsafeBytes { unsafe writeBytes($0) }
    }
  }
}

/// The corresponding C function is `write`, whose name is taken where it is called.
private func writeBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
  // Safety: the buffer holds as many bytes as it says.
  unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
}
