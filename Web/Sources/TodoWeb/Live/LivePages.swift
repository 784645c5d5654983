import Synchronization

/// The pages that browsers show now, by their addresses.
///
/// Threads: any.
final class LivePages: Sendable {
  private let make: @Sendable (ListAddress) -> LivePage
  private let pages = Mutex<[ListAddress: LivePage]>([:])

  /// Makes an empty set.
  ///
  /// - Parameter make: Makes the page of an address, for the first browser that shows it.
  init(_ make: @escaping @Sendable (ListAddress) -> LivePage) { self.make = make }

  /// A connection of a browser to a page.
  struct Connection: Sendable {
    let page: LivePage
    let id: Int
    /// Wakes the connection when the page has changed.
    let wakings: AsyncStream<Void>
  }

  /// Adds a connection; `leave` ends it.
  func join(_ address: ListAddress) -> Connection {
    pages.withLock { pages in
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
