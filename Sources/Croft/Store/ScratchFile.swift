import LMDB

/// Bytes on the disk beside a store that nobody else sees, and that are gone with this object.
///
/// Threads: one at a time.
package final class ScratchFile {
  private let file: UnnamedFile

  fileprivate init(_ file: UnnamedFile) { self.file = file }

  /// Appends bytes.
  ///
  /// - Returns: Their offset.
  /// - Throws: ``StoreError/system(reason:code:)``.
  package func append(_ bytes: [UInt8]) throws -> Int {
    try StoreError.mapping { try file.append(bytes) }
  }

  /// Reads bytes that were appended.
  ///
  /// - Throws: ``StoreError/system(reason:code:)``.
  package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    try StoreError.mapping { try file.bytes(at: offset, count: count) }
  }
}

extension Store {
  /// An empty file beside the store's own, for what is too large for memory.
  ///
  /// - Throws: ``StoreError/system(reason:code:)``.
  package func scratchFile() throws -> ScratchFile {
    try StoreError.mapping { ScratchFile(try UnnamedFile(besides: environment)) }
  }
}
