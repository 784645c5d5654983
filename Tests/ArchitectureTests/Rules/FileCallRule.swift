/// The file system's calls of the engine stand in one file, so that each can be made to fail.
struct FileCallRule: Rule {
  private static let home = "Sources/LMDB/C/FileCalls.swift"
  // Names that nothing else has. What fails says so in errno, which gives the others away.
  private static let names: Set = [
    "errno", "pread", "pwrite", "fsync", "fdatasync", "msync", "ftruncate", "fallocate",
    "posix_fallocate", "fstat", "lstat", "fstatfs", "statvfs", "fstatvfs", "mmap", "munmap",
    "fcntl", "openat", "unlink", "renameat", "linkat", "realpath", "fchown", "fchmod",
  ]

  func findings(in project: Project) -> [Finding] {
    project.swiftFiles(in: "Sources/LMDB").filter { $0.path != FileCallRule.home }
      .flatMap { file in
        file.words.filter { FileCallRule.names.contains($0.text) }.map {
          Finding(
            path: file.path, line: $0.line,
            remedy: "\($0.text) is for \(FileCallRule.home): make the call there, where it can fail"
          )
        }
      }
  }
}
