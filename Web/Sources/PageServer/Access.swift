import Synchronization

/// What a server checks requests against, from the moment in which it listens.
///
/// Threads: any.
final class Access: Sendable {
  /// The names and secrets of a server that listens.
  struct Open: Sendable {
    /// The hosts that are this server, with its port.
    let hosts: Set<String>
    /// The cookie of this server: cookies do not know ports, and there may be several servers.
    let cookieName: String
    /// The value of the cookie.
    let session: String
    let folder: ServerFolder
  }

  private let state = Mutex<Open?>(nil)

  /// The names and secrets; nil before the server listens, and after its end.
  var open: Open? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
