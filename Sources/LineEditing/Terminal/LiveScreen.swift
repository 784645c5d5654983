import CroftLibc

/// A terminal that shows one thing, again whenever it changes, until a key ends it.
///
/// It uses the terminal's alternate screen (xterm: 1049), so that the earlier screen comes back.
package struct LiveScreen {
  private let input: FileDescriptor
  private let output: any TerminalOutput

  /// Makes a screen of a terminal's two ends.
  package init(input: FileDescriptor, output: any TerminalOutput) {
    (self.input, self.output) = (input, output)
  }

  /// Shows what a closure paints until `q`, Enter, Escape, ^C or ^D.
  ///
  /// The closure is called on this thread: at once, after each ``wake()``, when the terminal has
  /// another size, and each minute.
  ///
  /// - Throws: What the closure throws; the terminal is restored.
  package func run(_ paint: (_ columns: Int, _ rows: Int) throws -> [String]) throws {
    let signals = EditorSignals()
    defer { signals.restore() }
    guard let mode = enter() else { return }
    var decoder = KeyDecoder()
    var screen = ScreenRows()
    defer { leave(mode) }
    while true {
      let (columns, rows) = (output.columns ?? 80, output.rows ?? 24)
      output.show(screen.draw(try paint(columns, rows)))
      switch signals.wait(for: input, within: Self.secondsBetweenPaintings) {
      case nil, .wake: continue
      case .signal(SIGWINCH): screen.forget()
      case .signal(SIGINT): return
      case .signal(let number):
        // The process ends by the signal, with the terminal restored.
        leave(mode)
        signals.restore()
        raise(number)
        return
      case .input:
        guard let keys = readKeys(&decoder), !keys.contains(where: Self.endingKeys.contains)
        else { return }
        if keys.contains(Self.suspendingKey) {
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
  package static func wake() { EditorSignals.wake() }

  /// What has a time passes without a change.
  private static let secondsBetweenPaintings = 60
  /// The keys that end it, except for Escape.
  private static let endingKeys: [Key] = [
    .text("q"), .text("Q"), .enter, .control("C"), .control("D"),
  ]
  private static let suspendingKey = Key.control("Z")
  /// How long the rest of an escape sequence is waited for; without one the key is Escape itself.
  private static let escapeMilliseconds: Int32 = 50

  /// The keys that have come; nil for Escape, and at the end of the input.
  private func readKeys(_ decoder: inout KeyDecoder) -> [Key]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let size = bytes.count
    let count = read(input.number, &bytes, size)
    if count < 0, errno == EINTR { return [] }
    if count <= 0 { return nil }
    let keys = decoder.keys(from: bytes[..<count])
    let isEscape =
      decoder.hasEscape && !EditorSignals.hasInput(input, within: Self.escapeMilliseconds)
    return isEscape ? nil : keys
  }

  private func enter() -> TerminalMode? {
    guard let mode = TerminalMode(input) else { return nil }
    output.show("\u{1B}[?1049h\u{1B}[?25l")
    return mode
  }

  private func leave(_ mode: TerminalMode) {
    output.show("\u{1B}[?25h\u{1B}[?1049l")
    // Keys that were typed after that one are not a command.
    input.discardTypedAhead()
    mode.restore()
  }
}
