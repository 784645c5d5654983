import CroftLibc

/// The settings of a terminal while a line is edited: each key comes at once, and none is a signal.
struct TerminalMode {
  private let descriptor: FileDescriptor
  private let saved: termios

  /// Changes the settings; nil without a terminal.
  init?(_ descriptor: FileDescriptor) {
    self.init(savedOf: descriptor)
    var settings = saved
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    // Keys that were typed already are kept.
    guard tcsetattr(descriptor.number, TCSADRAIN, &settings) == 0 else { return nil }
  }

  /// Saves the settings, for another program that changes them; nil without a terminal.
  init?(savedOf descriptor: FileDescriptor) {
    var settings = termios()
    guard tcgetattr(descriptor.number, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    saved = settings
  }

  func restore() {
    var settings = saved
    tcsetattr(descriptor.number, TCSADRAIN, &settings)
  }
}
