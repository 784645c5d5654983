import Synchronization

/// The pages that browsers show now, by their addresses.
///
/// Threads: any.
final class LivePages: Sendable {
  /// How many pages are observed at most; browsers that show the same share one.
  static let countMax = 12

  private let make: @Sendable (ListAddress) -> LivePage
  private let pages = Mutex<[ListAddress: LivePage]>([:])

  /// Makes an empty set.
  ///
  /// - Parameter make: Makes the page of an address, for the first browser that shows it.
  init(_ make: @escaping @Sendable (ListAddress) -> LivePage) { self.make = make }

  /// Whether a page can be observed: it is already, or there are few.
  func hasRoom(for address: ListAddress) -> Bool {
    pages.withLock { $0[address] != nil || $0.count < Self.countMax }
  }

  /// A connection of a browser to a page.
  struct Connection: Sendable {
    let page: LivePage
    let id: Int
    /// Wakes the connection when the page has changed.
    let wakings: AsyncStream<Void>
  }

  /// Adds a connection, which `leave` ends; nil where other pages have come first and there is no room.
  func join(_ address: ListAddress) -> Connection? {
    pages.withLock { pages in
      guard pages[address] != nil || pages.count < Self.countMax else { return nil }
      let page = pages[address] ?? make(address)
      pages[address] = page
      let (id, wakings) = page.join()
      return Connection(page: page, id: id, wakings: wakings)
    }
  }

  /// Removes a connection; a page without one is forgotten.
  func leave(_ connection: Connection, at address: ListAddress) {
    pages.withLock { pages in
      if connection.page.leave(connection.id) { pages[address] = nil }
    }
  }
}
