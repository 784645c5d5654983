extension EnvironmentCore {
  /// A reader that sees the last commit.
  ///
  /// When another process has grown the file, the map is enlarged first; when dead processes
  /// hold all places of the lock table, they are freed.
  func beginRead(
    for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) -> Reader {
    try checkUsable(for: operation)
    if operation != .copy { try checkPlacesNowAndThen(for: operation) }
    guard let readingLock else { return try beginReadBesideWriters() }
    try readingLock.enter(within: options.writerTimeout)
    do throws(LMDBError) {
      return try beginReadBesideWriters()
    } catch {
      readingLock.leave()
      throw error
    }
  }

  private func beginReadBesideWriters() throws(LMDBError) -> Reader {
    var hasAdopted = false
    var hasReaped = false
    while true {
      let (reader, code) = renewed(readers.enter())
      if let reader { return reader }
      readers.leave(nil)
      switch LMDBError.Code(rawValue: code) {
      case .mapResized where !hasAdopted:
        hasAdopted = true
        try adoptGrowth(for: .beginRead)
      case .readersFull where !hasReaped && reapReaders() > 0:
        hasReaped = true
        CoverageMark.hit(.readersReaped)
      default: throw LMDBError(.beginRead, code, path)
      }
    }
  }

  /// Ends a short read.
  func endRead(_ reader: Reader) {
    // In a child of a fork the reader's place in the lock table is the parent's.
    guard isOfThisProcess else { return }
    readers.leave(reader)
    readingLock?.leave()
  }

  private func renewed(_ resting: Reader?) -> (Reader?, Int32) {
    let reader: Reader
    if let resting {
      let code = resting.handle.renew()
      guard code == 0 else {
        resting.handle.abort()
        return (nil, code)
      }
      reader = resting
    } else {
      let (begun, code) = handle.begin(isReadOnly: true)
      guard let begun else { return (nil, code) }
      reader = Reader(begun, pages)
    }
    // Two commits may have come between the beginning and the look at the front page.
    let first = reader.handle.id
    for _ in 0..<Self.mostLooks {
      if reader.pages.look(at: reader.handle.id) { return (reader, 0) }
      reader.handle.reset()
      let code = reader.handle.renew()
      guard code == 0 else {
        reader.handle.abort()
        return (nil, code)
      }
    }
    let code: LMDBError.Code = reader.handle.id == first ? .corrupted : .busy
    reader.handle.abort()
    return (nil, code.rawValue)
  }

  /// How often a reader looks for its front page before it is taken for damaged.
  private static var mostLooks: Int { 100 }
}
