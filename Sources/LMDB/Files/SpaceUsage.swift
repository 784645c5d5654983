extension Environment {
  /// The bytes of a file, and how many of them are free.
  package struct SpaceUsage: Sendable {
    /// The size of the file.
    package let fileBytes: Int
    /// The bytes that later commits may reuse.
    package let freeBytes: Int

    /// The figures of a file that has no writer.
    init(_ pages: CommitPages, of file: DataFile) throws(LMDBError) {
      do {
        fileBytes = try file.size
        freeBytes = try pages.freedPages().values.reduce(0, +) * pages.map.pageBytes
      } catch {
        let code = (error as? LMDBError)?.code ?? .corrupted
        throw LMDBError(.open, code, "\(file.path); its list of free pages")
      }
    }
  }
}
