import CroftLibc
import LineEditing
import TerminalText

/// A stream that text is written to.
protocol TextOutput: TerminalOutput {
  var isTerminal: Bool { get }
  /// The system's code of the error after which nothing more is written; nil without one.
  var failure: Int32? { get }
  /// Shows what is written until the next flush through a pager, if it is longer than the terminal.
  func page(through pager: Pager?)
}

extension TextOutput {
  func page(through pager: Pager?) {}
}

/// One of the process's own streams.
///
/// Threads: one; it belongs to the session that writes to it.
final class DescriptorOutput: TextOutput {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []
  private(set) var failure: Int32?
  private var pager: Pager?
  /// The progress that is removed from the terminal before anything else is written.
  private let progress: ProgressLine?
  /// Whether nothing is written between a ^C and the next line.
  private let endsWithInterrupt: Bool

  init(
    _ descriptor: FileDescriptor, progress: ProgressLine? = nil, endsWithInterrupt: Bool = false
  ) {
    self.descriptor = descriptor
    self.progress = progress
    self.endsWithInterrupt = endsWithInterrupt
  }

  var isTerminal: Bool { descriptor.isTerminal }

  var columns: Int? { descriptor.columns }

  var rows: Int? { descriptor.rows }

  func write(_ text: String) {
    pending += text.utf8
    if pager == nil, pending.count >= 1 << 16 { flush() }
  }

  func page(through pager: Pager?) { self.pager = pager }

  func flush() {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending.removeAll(keepingCapacity: true)
    if failure != nil || endsWithInterrupt && Interrupts.isRequested { return }
    progress?.clear()
    let pager = pager
    self.pager = nil
    if let pager, let rows = descriptor.rows,
      Pager.isNeeded(for: bytes, rows: rows, columns: descriptor.columns), pager.show(bytes)
    {
      return
    }
    switch descriptor.write(bytes, isCancelled: { endsWithInterrupt && Interrupts.isRequested }) {
    case .bytes: break
    // What comes next begins a row.
    case .interrupted: _ = descriptor.write([UInt8(ascii: "\n")])
    case .closed: failure = EPIPE
    case .failed(let code): failure = code
    }
  }
}

extension String {
  /// The text with all code points escaped that a terminal would act on.
  ///
  /// Control characters and the marks that turn the direction of writing become
  /// `\u{1b}` and the like; a line feed and a tab become `\n` and `\t`.
  var visible: String { escapingControls() }

  /// The escaped text of a message of several lines, whose line feeds stay.
  var visibleLines: String { escapingControls(keepingLines: true) }
}
