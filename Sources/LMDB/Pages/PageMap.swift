internal import Synchronization

/// A mapping of our own of the data file, through which read transactions look at its pages.
///
/// The C library does not say where its own mapping lies. Both show the same pages of the system's
/// cache; only address space is taken twice.
///
/// Threads: any. It is `@unchecked` because of the address, which changes only while no transaction
/// of this process is at work.
@safe final class PageMap: @unchecked Sendable {
  private let file: DataFile
  /// The size of a page.
  let pageBytes: Int
  private var start: UnsafeRawPointer?
  private(set) var byteCount = 0
  /// The file is at least that long; it is asked again when a page lies behind.
  private let fileBytes = Atomic<Int>(0)

  init(_ file: DataFile, pageBytes: Int) {
    self.file = file
    self.pageBytes = pageBytes
    unsafe start = nil
  }

  deinit { unmap() }

  /// Maps so many bytes of the file, wherever they may go; false when the system refuses.
  func map(_ bytes: Int) -> Bool {
    unmap()
    guard let mapped = unsafe file.map(bytes) else { return false }
    unsafe start = mapped
    byteCount = bytes
    return true
  }

  /// Gives the mapping back.
  func unmap() {
    // Safety: mapped here, with this size; nobody reads through it any more.
    if let start = unsafe start { unsafe file.unmap(start, byteCount) }
    unsafe start = nil
    byteCount = 0
  }

  /// The address of a page and those behind it; nil where the file or the map ends before them.
  @inline(__always)
  func address(of number: UInt, count: UInt = 1) -> UnsafeRawPointer? {
    let (last, isPast) = number.addingReportingOverflow(count)
    guard !isPast, last <= UInt(Int.max / pageBytes), let start = unsafe start else { return nil }
    let end = Int(last) &* pageBytes
    guard end <= byteCount, end <= fileBytes.load(ordering: .relaxed) || isInFile(end) else {
      return nil
    }
    // Safety: the page lies in the map, and the file reaches that far.
    return unsafe start + Int(number) &* pageBytes
  }

  private func isInFile(_ end: Int) -> Bool {
    // A file whose size the system does not tell has no pages.
    guard let size = try? file.size else { return false }
    fileBytes.store(size, ordering: .relaxed)
    return end <= size
  }
}
