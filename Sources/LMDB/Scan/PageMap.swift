internal import Synchronization

/// A second mapping of the data file, through which read transactions read its pages.
///
/// The C library does not reveal the address of its own mapping. Both share the pages of the system's
/// cache; only address space is used twice.
///
/// Threads: any. It is `@unchecked` because of the address, which changes only while this process has
/// no transaction.
@safe final class PageMap: @unchecked Sendable {
  private let file: DataFile
  var path: String { file.path }
  /// The size of a page.
  let pageBytes: Int
  private var start: UnsafeRawPointer?
  private(set) var byteCount = 0
  private var pageCount: UInt = 0
  /// The file is at least that long; the size is read again for a page past it.
  private let fileBytes = Atomic<Int>(0)

  init(_ file: DataFile, pageBytes: Int) {
    self.file = file
    self.pageBytes = pageBytes
    unsafe start = nil
  }

  deinit { unmap() }

  /// Maps so many bytes of the file, at any address; false when the system refuses.
  func map(_ bytes: Int) -> Bool {
    unmap()
    guard let mapped = unsafe file.map(bytes) else { return false }
    unsafe start = mapped
    byteCount = bytes
    pageCount = UInt(bytes / pageBytes)
    return true
  }

  /// Unmaps the file.
  func unmap() {
    // Safety: mapped here, with this size; no transaction reads it any more.
    if let start = unsafe start { unsafe file.unmap(start, byteCount) }
    unsafe start = nil
    byteCount = 0
    pageCount = 0
  }

  /// The address of a page and those after it; nil where the file or the map ends before their end.
  @inline(__always)
  func address(of number: UInt, count: UInt = 1) -> UnsafeRawPointer? {
    let (last, isPast) = number.addingReportingOverflow(count)
    guard !isPast, last <= pageCount, let start = unsafe start else { return nil }
    let end = Int(last) &* pageBytes
    guard end <= fileBytes.load(ordering: .relaxed) || isInFile(end) else { return nil }
    // Safety: the page is in the map and in the file.
    return unsafe start + Int(number) &* pageBytes
  }

  private func isInFile(_ end: Int) -> Bool {
    // When the size of the file cannot be read, the page counts as missing.
    guard let size = try? file.size else { return false }
    fileBytes.store(size, ordering: .relaxed)
    return end <= size
  }
}
