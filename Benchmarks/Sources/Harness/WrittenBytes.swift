import Foundation

/// How much this process has given to the system to write, from one moment on.
///
/// Linux counts it in `/proc/self/io`: `wchar`, the bytes of `write` and its kin, whether they have reached the disk or
/// not, and none that went through a mapped file.
struct WrittenBytes {
  private let before = Self.now

  /// The bytes since this value was made; 0 where the system does not count.
  var sinceThen: Int { Self.now - before }

  private static var now: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("wchar: ") })
    else { return 0 }
    return Int(line.dropFirst("wchar: ".count)) ?? 0
  }
}
