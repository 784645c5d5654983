public import CroftFoundation

/// A way to a server that keeps spaces: what the replicas of a space share.
///
/// A transport moves rows and knows nothing of their meaning: models are numbers, keys, stamps and values are
/// bytes.
///
/// Threads: any.
public protocol SyncTransport: Sendable {
  /// Opens a session for a space.
  ///
  /// It ends soon when its task is cancelled.
  ///
  /// - Throws: ``SyncError``. Any other error counts as ``SyncError/unreachable(reason:)``.
  func connect(to space: UUID) async throws -> any SyncSession
}

/// A connection to a server, for one space.
///
/// Calls follow one another: the next one begins when the last one has returned. Each may throw ``SyncError``;
/// after ``SyncError/unreachable(reason:)`` the session is closed, and it is unknown whether the server did what
/// the call asked for. Every call may therefore be repeated.
///
/// Threads: any; ``close()`` may be called while another call waits.
public protocol SyncSession: Sendable {
  /// An element whenever the space may have changed, so that it is worth a pull.
  ///
  /// It ends when the session is closed. A transport that cannot be told has a sequence without elements:
  /// replicas also pull from time to time.
  var wakes: AsyncStream<Void> { get }

  /// Introduces a replica, which gets its number, and tells the state of the space.
  ///
  /// It is the first call of a session. A push of the session before is not written any more after it.
  ///
  /// - Throws: ``SyncError/noSuchSpace``; ``SyncError/forbidden`` where the space may not be read.
  func hello(_ hello: SyncHello) async throws -> SyncServerState

  /// Sends rows of a push that is too long for one message.
  ///
  /// The server keeps them until the push comes that counts them, and further where that one is answered
  /// ``SyncPushAnswer/Status/held`` or ``SyncPushAnswer/Status/overtaken``: it may come again, with another cursor. A
  /// part that is sent twice is kept once.
  ///
  /// - Parameters:
  ///   - part: Rows and references of the push.
  ///   - number: The number of the part, from 0 on.
  ///   - push: The push's ``SyncPush/id``.
  func upload(_ part: SyncPush.Part, number: Int, of push: UUID) async throws

  /// Writes all rows of a push, or none, and gets the rows after its cursor, in one flight.
  ///
  /// The server does, in one transaction, which ends with the first step that fails:
  ///
  /// 1. A replica that is not known by its identity: ``SyncPushAnswer/Status/unknownReplica``.
  /// 2. Another replica may push first, for a moment: ``SyncPushAnswer/Status/held``.
  /// 3. The push is strict, and its cursor is not the space's version: ``SyncPushAnswer/Status/overtaken``.
  /// 4. An object's version is not the row's base, where 0 means that the server has no row of it, not even
  ///    of a deletion: ``SyncPushAnswer/Status/conflict``.
  /// 5. The rows are written, all with the space's next version, and the push's identity is kept with it.
  /// 6. An object that the push refers to is not there, or is deleted:
  ///    ``SyncPushAnswer/Status/missingReference``; nothing is written then.
  ///
  /// After ``SyncPushAnswer/Status/overtaken`` or ``SyncPushAnswer/Status/conflict`` the replica alone may push
  /// for two seconds, or until it has. A push that the space has already, because it came twice, is answered as
  /// the first time. Where its identity is forgotten by then, with deletions that are older than
  /// ``SyncPullAnswer/floor``, the rows that it wrote are a ``SyncPushAnswer/Status/conflict``: they come with the
  /// answer, and the replica finds by their stamps that its changes were written. The identity of the last push of a
  /// replica is not forgotten before its next session, which may ask for it.
  ///
  /// The rows are read then, as ``pull(after:cursor:limit:)`` reads them, at one moment that may be a later one:
  /// a push that was refused needs no pull before it is made again. Those that an accepted push wrote itself are
  /// left out, unless they were written again since.
  ///
  /// - Parameters:
  ///   - push: The push.
  ///   - limit: The most rows to get, at least one.
  /// - Throws: ``SyncError/forbidden`` where the space may not be written.
  func push(_ push: SyncPush, limit: Int) async throws -> SyncPushAnswer

  /// Gets the rows after a position, ascending, at most as many as a limit says.
  ///
  /// The answer ends with the row with which it has ``SyncPullAnswer/mostBytes``, or more. All of it is read
  /// at one moment, in one transaction.
  ///
  /// - Parameters:
  ///   - position: The position of the last row that is known.
  ///   - cursor: The version for which the answer says which push made it.
  ///   - limit: The most rows, at least one.
  func pull(
    after position: SyncPosition, cursor: UInt64, limit: Int
  ) async throws -> SyncPullAnswer

  /// Ends the session; a call that waits throws.
  func close() async
}
