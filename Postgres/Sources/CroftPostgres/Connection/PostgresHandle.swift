import CPostgres
import Foundation

/// A connection of libpq, which is ended with the last reference to it.
///
/// Threads: one at a time uses the pointer. Only `PostgresConnection` does, on its queue, and nothing else has a
/// reference but the events of that queue.
final class PostgresHandle: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The codes of the notices that came; the texts, which may have values in them, are dropped.
  var notices: [String] = []

  /// Begins to connect, which `PQconnectPoll` continues.
  init(_ server: PostgresServer, password: String?) throws {
    // The value of the first name may be an address, with all other parts in it.
    var options = [(name: "dbname", value: server.address)]
    options += server.options.map { ($0.key, $0.value) }
    if let password { options.append(("password", password)) }
    // Names and values end with a null pointer each.
    let names = options.map { strdup($0.name) } + [nil]
    let values = options.map { strdup($0.value) } + [nil]
    defer { for text in names + values { free(text) } }
    guard
      let pointer = PQconnectStartParams(
        names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
    else { throw PostgresError.unreachable(reason: "there is no memory for a connection") }
    self.pointer = pointer
    // With codes in the messages, which are all that a failed connection tells.
    PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
    PQsetNoticeReceiver(
      pointer,
      { handle, result in
        guard let handle, let code = PQresultErrorField(result, PostgresHandle.codeField) else {
          return
        }
        Unmanaged<PostgresHandle>.fromOpaque(handle).takeUnretainedValue().notices
          .append(String(cString: code))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { PQfinish(pointer) }

  /// Another descriptor of the socket, for a source of events; the caller closes it.
  ///
  /// libpq closes its own when the connection fails, also while it is looked at: the next socket of the process would
  /// have its number, and the events of the two were mixed up.
  func copySocket() throws -> Int32 {
    let copy = fcntl(PQsocket(pointer), F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw PostgresError.connectionLost(reason: "there is no socket") }
    return copy
  }

  /// Whether the other side has ended the connection, so that no event comes for the bytes that are left.
  var isHungUp: Bool {
    // Linux's POLLRDHUP, which Swift's module for the C library leaves out.
    let isHalfClosed: Int16 = 0x2000
    var state = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN) | isHalfClosed, revents: 0)
    return poll(&state, 1, 0) > 0
      && state.revents & (isHalfClosed | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)) != 0
  }

  /// Sends a statement with its values, all in binary format; false where the connection failed.
  func send(_ statement: PostgresStatement) -> Bool {
    let values = statement.values.map(\.bytes)
    // One byte more, so that an empty value at the end has an address too.
    let bytes = values.compactMap(\.self).joined() + [0]
    let kinds = statement.values.map(\.kind.rawValue)
    let lengths = values.map { Int32(clamping: $0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    return Array(bytes).withUnsafeBytes { buffer in
      var offset = 0
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        guard let value else { return nil }
        defer { offset += value.count }
        return buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
      }
      return PQsendQueryParams(
        pointer, statement.sql, Int32(values.count), kinds, pointers, lengths, formats, 1) == 1
    }
  }
}

// MARK: - Failures

extension PostgresHandle {
  /// The connection's end, with libpq's message.
  var lost: PostgresError {
    .connectionLost(reason: PostgresError.sentence(message))
  }

  /// Why no connection was made, which only the message tells.
  var connectionError: PostgresError {
    // A message for each host, with lines of advice after it.
    let last = message.split(whereSeparator: \.isNewline).last {
      !$0.hasPrefix("LOCATION:") && !$0.hasPrefix("\t")
    }
    let reason = PostgresError.sentence(String(last ?? ""))
    // "FATAL:  28P01: password authentication failed", from each host that was reached.
    let codes = message.matches(of: #/:  ([0-9A-Z]{5}): /#).map { $0.1 }
    let isRefused = codes.last.map { ["28P01", "28000"].contains($0) } ?? false
    return isRefused || PQconnectionNeedsPassword(pointer) == 1
      ? .unauthorised(reason: reason) : .unreachable(reason: reason)
  }

  private var message: String { String(cString: PQerrorMessage(pointer)) }

  /// libpq's `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, which are characters in C.
  fileprivate static let codeField = Int32(UInt8(ascii: "C"))
  fileprivate static let messageField = Int32(UInt8(ascii: "M"))
}

extension PostgresError {
  /// Makes the error of a result that is a failure, and frees it.
  init(_ result: OpaquePointer) {
    func field(_ field: Int32) -> String {
      PQresultErrorField(result, field).map { String(cString: $0) } ?? ""
    }
    self.init(
      code: field(PostgresHandle.codeField), message: field(PostgresHandle.messageField))
    PQclear(result)
  }
}
