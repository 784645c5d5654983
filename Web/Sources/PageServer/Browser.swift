import Foundation

/// The browser of the desktop.
public enum Browser {
  /// Opens an address where there is a desktop; elsewhere nothing happens, and the printed one is enough.
  ///
  /// The call does not wait for the browser.
  public static func open(_ address: String) {
    #if os(macOS)
      let program = "open"
    #else
      let variables = ProcessInfo.processInfo.environment
      guard variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil else { return }
      let program = "xdg-open"
    #endif
    let process = Process()
    // Looks for the program in PATH.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program, address]
    // A program that reads the address does not wait for the browser.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // The error is ignored: without such a program the user opens the address by hand.
    try? process.run()
  }
}
