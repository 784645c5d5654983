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
      for line in ProcessIdentity.systemText("/proc/self/maps").split(separator: "\n") {
        guard let start = line.firstIndex(of: "/") else { continue }
        let path = String(line[start...])
        let name = path.split(separator: "/").last ?? ""
        if names.contains(where: name.hasPrefix) { paths.insert(path) }
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
