#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A terminal that shows one thing, again whenever it changes, until a key ends it.
///
/// It uses the terminal's alternate screen (xterm: 1049), so that what was shown before comes back.
struct LiveScreen {
  let input: FileDescriptor
  let output: any TextOutput

  /// Shows what a closure paints until `q`, Enter, Escape, ^C or ^D.
  ///
  /// The closure is called on this thread: at once, after each ``wake()``, when the terminal has
  /// another size, and each minute.
  ///
  /// - Parameter paint: The rows for a size of the terminal.
  /// - Throws: What the closure throws; the terminal is as it was before.
  func run(
    _ paint: (_ columns: Int, _ rows: Int) throws(CommandError) -> [String]
  ) throws(CommandError) {
    let signals = EditorSignals()
    defer { signals.restore() }
    guard let mode = enter() else { return }
    var screen = ScreenRows()
    defer { leave(mode) }
    while true {
      let (columns, rows) = (output.columns ?? 80, output.rows ?? 24)
      write(screen.draw(try paint(columns, rows)))
      switch signals.wait(for: input, within: Self.secondsBetweenPaintings) {
      case nil, .wake: continue
      case .signal(SIGWINCH): screen.forget()
      case .signal(SIGINT): return
      case .signal(let number):
        // The process ends by the signal, with the terminal as it was.
        leave(mode)
        signals.restore()
        raise(number)
        return
      case .input:
        var byte: UInt8 = 0
        let count = read(input.number, &byte, 1)
        if count < 0, errno == EINTR { continue }
        if count <= 0 || Self.endingKeys.contains(byte) { return }
        if byte == Self.suspendingKey {
          leave(mode)
          // The whole job stops, as with the terminal's own ^Z.
          kill(0, SIGTSTP)
          guard enter() != nil else { return }
          screen.forget()
        }
      }
    }
  }

  /// Wakes the screen that is shown, from any thread, so that it paints again.
  static func wake() { EditorSignals.wake() }

  /// What has a time passes without a change.
  private static let secondsBetweenPaintings = 60
  /// q, Q, Enter as either of its bytes, Escape, ^C and ^D.
  private static let endingKeys: [UInt8] = [0x71, 0x51, 0x0D, 0x0A, 0x1B, 0x03, 0x04]
  private static let suspendingKey: UInt8 = 0x1A

  private func enter() -> TerminalMode? {
    guard let mode = TerminalMode(input) else { return nil }
    write("\u{1B}[?1049h\u{1B}[?25l")
    return mode
  }

  private func leave(_ mode: TerminalMode) {
    write("\u{1B}[?25h\u{1B}[?1049l")
    // What was typed behind the key is no command.
    input.discardTypedAhead()
    mode.restore()
  }

  private func write(_ text: String) {
    output.write(text)
    output.flush()
  }
}
