/// A stream that text is written to.
protocol TextOutput: AnyObject {
  var isTerminal: Bool { get }
  /// The width to fit; nil where lines may be as long as they are.
  var columns: Int? { get }
  /// Writes the text, at the latest when flushed.
  func write(_ text: String)
  /// Hands everything written so far to the system.
  func flush()
}

/// One of the process's own streams.
///
/// Threads: one; it belongs to the session that writes to it.
final class DescriptorOutput: TextOutput {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []
  private let onFailure: (FileDescriptor.Outcome) -> Never

  /// - Parameter onFailure: What to do when the system takes no more, such as
  ///   after the reader of a pipe has gone.
  init(_ descriptor: FileDescriptor, onFailure: @escaping (FileDescriptor.Outcome) -> Never) {
    self.descriptor = descriptor
    self.onFailure = onFailure
  }

  var isTerminal: Bool { descriptor.isTerminal }

  var columns: Int? { descriptor.columns }

  func write(_ text: String) {
    pending += text.utf8
    if pending.count >= 1 << 16 { flush() }
  }

  func flush() {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    let outcome = descriptor.write(bytes)
    if case .bytes = outcome { return }
    onFailure(outcome)
  }
}
