internal import CroftLibc

/// Which files of the Swift runtime and of Foundation the process has loaded.
///
/// They hold the Unicode and time zone data, which change with them.
package enum RuntimeIdentity {
  /// The beginnings of the files' names.
  private static let names = ["libswiftCore", "libFoundation", "lib_FoundationICU", "libicu"]

  /// A text that changes whenever one of the files does; nil on systems that do not list the files.
  ///
  /// Only Linux lists them. Other systems may update time zone data without an update of the
  /// system.
  package static func text() -> String? {
    #if os(Linux)
      var paths: Set<String> = []
      // By bytes, because a program does this at its start: to compare characters took a sixth of the start of `todo`.
      let slash = UInt8(ascii: "/")
      let maps = ProcessIdentity.systemText("/proc/self/maps").utf8
      for line in maps.split(separator: UInt8(ascii: "\n")) {
        guard let start = line.firstIndex(of: slash), let last = line.lastIndex(of: slash)
        else { continue }
        let name = line[last...].dropFirst()
        if names.contains(where: { name.starts(with: $0.utf8) }) {
          paths.insert(String(decoding: line[start...], as: UTF8.self))
        }
      }
      // A program that has the runtime linked in holds the data itself.
      if !paths.contains(where: { $0.contains("libswiftCore") }) { paths.insert("/proc/self/exe") }
      var text = ""
      for path in paths.sorted() {
        let (status, code) = FileCalls.status(ofPath: path)
        guard code == 0 else { return nil }
        text += "\(path) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) "
      }
      return text
    #else
      return nil
    #endif
  }
}
