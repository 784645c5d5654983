public import CroftSync
public import Foundation

extension PostgresServer: SyncTransport {
  /// Opens a session for a space.
  public func connect(to space: UUID) async throws -> any SyncSession {
    do { return try await PostgresSession(self, space: space) } catch { throw SyncError(error) }
  }
}

extension SyncTransport where Self == PostgresServer {
  /// A PostgreSQL server: see the initializer of `PostgresServer`.
  public static func postgres(
    _ address: String, security: PostgresServer.Security = .verified,
    deadline: Duration = .seconds(20), password: (@Sendable () async throws -> String)? = nil
  ) throws -> PostgresServer {
    try PostgresServer(address, security: security, deadline: deadline, password: password)
  }
}

extension SyncError {
  /// What an error of a connection means to a replica.
  init(_ error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case PostgresError.unauthorised(let reason): self = .unauthorised(reason: reason)
    case PostgresError.forbidden: self = .forbidden
    case PostgresError.notInstalled: self = .noSuchSpace
    case PostgresError.newerServer(let version): self = .newerServer(format: version)
    case PostgresError.olderServer(let version): self = .olderServer(format: version)
    case PostgresError.invalidAnswer(let reason): self = .serverInvalid(reason: reason)
    // What the server cannot do now: conflicts of transactions, resources, locks, and what an operator ended.
    case PostgresError.refused(let code, let reason)
    where !["40", "53", "55", "57"].contains(code.prefix(2)):
      self = .serverInvalid(reason: "\(reason) (\(code))")
    default: self = .unreachable(reason: "\(error)")
    }
  }
}
