import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How far resident memory rises above its level at a start.
///
/// On Linux the kernel's own peak is reset at the start, so that an earlier peak does not hide
/// the growth. Elsewhere it is the growth of the process's peak, which can only be lower.
/// Threads: counts the whole process; one measurement at a time.
package struct PeakMemory {
  private let startBytes: Int

  /// Starts here.
  package init() {
    #if os(Linux)
      PeakMemory.resetPeak()
      startBytes = PeakMemory.status("VmRSS:")
    #else
      startBytes = PeakMemory.maximumResidentBytes()
    #endif
  }

  /// The growth so far, 0 or more.
  @inline(never)
  package func growthBytes() -> Int {
    #if os(Linux)
      return max(0, PeakMemory.status("VmHWM:") - startBytes)
    #else
      return max(0, PeakMemory.maximumResidentBytes() - startBytes)
    #endif
  }

  #if os(Linux)
    /// Writing 5 resets the peak (proc(5), /proc/pid/clear_refs).
    private static func resetPeak() {
      let file = open("/proc/self/clear_refs", O_WRONLY)
      guard file >= 0 else { return }
      _ = write(file, "5", 1)
      close(file)
    }

    /// A field of /proc/self/status; it counts KiB.
    private static func status(_ field: String) -> Int {
      guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
        // Without /proc there is nothing to measure: the report then says 0.
        return 0
      }
      let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count > 1 ? (Int(words[1]) ?? 0) * 1024 : 0
    }
  #else
    private static func maximumResidentBytes() -> Int {
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    }
  #endif
}
