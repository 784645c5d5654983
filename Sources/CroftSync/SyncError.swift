/// Why a store is not synchronized with its space.
public enum SyncError: Error, Hashable, Sendable {
  /// The server cannot be reached, or did not answer in time: the replica tries again by itself.
  case unreachable(reason: String)
  /// The server does not accept the user or the password.
  case unauthorised(reason: String)
  /// The user may not read the space, or may not write it.
  case forbidden
  /// The server has no such space.
  case noSuchSpace
  /// The server keeps spaces in a form that this program is too old for.
  case newerServer(format: Int)
  /// The server keeps spaces for older programs, which could not read what this one writes.
  ///
  /// The replica tries again by itself: it goes further once the server's owner has updated it.
  case olderServer(format: Int)
  /// Another program describes a model or a field in a way that does not fit this one.
  case schemaMismatch(model: String, field: String?, reason: String)
  /// The store is a replica of another space.
  case anotherSpace
  /// The store cannot be read or written for now: another writer keeps it, or the system has no room.
  ///
  /// The disk or the user's part of it is full, too many files are open, or the device fails.
  /// The replica tries again by itself.
  case storeBusy(reason: String)
  /// The store cannot be read or written.
  case storeFailed(reason: String)
  /// Another program synchronizes the store, and sends the changes of this one too.
  case anotherProgram
  /// The server sent what a server does not send.
  case serverInvalid(reason: String)

  /// Whether the same may succeed later, without anybody's help.
  public var isRetryable: Bool {
    switch self {
    case .unreachable, .storeBusy, .anotherProgram, .olderServer: true
    default: false
    }
  }
}

extension SyncError: CustomStringConvertible {
  /// A sentence, and what helps.
  public var description: String {
    switch self {
    case .unreachable(let reason): "The server cannot be reached: \(reason)"
    case .unauthorised(let reason): "The server refuses the user or the password: \(reason)"
    case .forbidden: "The user has no right to the space; its owner can give it."
    case .noSuchSpace: "The server has no such space; create it, or check its identity."
    case .newerServer(let format):
      "The server keeps spaces in format \(format), which is newer than this program; update it."
    case .olderServer(let format):
      "The server keeps spaces in the older format \(format); let its owner update it."
    case .schemaMismatch(let model, let field, let reason):
      "\(model)\(field.map { ".\($0)" } ?? "") does not fit the space: \(reason)"
    case .anotherSpace:
      "The store is a replica of another space; leave that one first."
    case .storeBusy(let reason): "The store cannot be synchronized for now: \(reason)"
    case .storeFailed(let reason): "The store cannot be synchronized: \(reason)"
    case .anotherProgram:
      "Another program synchronizes the store; it sends the changes of this one too."
    case .serverInvalid(let reason): "The server sent what is not valid: \(reason)"
    }
  }
}
