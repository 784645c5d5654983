import CroftLibc

/// The process of a pager.
extension Pager {
  /// Shows bytes and waits for the end of the program.
  ///
  /// A program that leaves early has shown enough.
  ///
  /// - Returns: Whether it was shown; false where the program could not be run.
  func show(_ bytes: [UInt8]) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = ShellProcess(command: command, variables: variables)
    let code = process.run(standardInput: ends[0]) {
      // A program that reads no more is no error.
      _ = FileDescriptor(number: ends[1]).write(bytes)
      close(ends[1])
    }
    guard let code else { return false }
    return code != Self.notExecutable && code != Self.notFound
  }

  /// The codes by which a shell says that it cannot run a program (POSIX).
  private static let notExecutable: Int32 = 126
  private static let notFound: Int32 = 127
}
