import CPostgres
import CroftSync

/// Where a PostgreSQL server is, and how to log in.
///
/// Several hosts may be named, `postgres://anna@db1,db2/app`: the first that takes writes is used.
public struct PostgresServer: Sendable {
  /// How a connection is protected.
  public enum Security: Sendable {
    /// By TLS with the server's name checked, unless all hosts are this machine.
    case verified
    /// As the address says: others may read and change what is sent.
    case insecure
  }

  /// The address, without a password.
  public let address: String
  /// How long an answer may take, before the connection is closed.
  public let deadline: Duration
  let password: (@Sendable () async throws -> String)?
  /// With more connections to the database than these a session does not listen, and its replica polls.
  ///
  /// An announcement wakes all that listen in the database: with 500 of them each took 14 ms.
  var mostListeners = 200
  /// With so many bytes of rows an answer to a pull ends.
  var mostBytes = SyncPullAnswer.mostBytes
  /// What is added to the address.
  let options: [String: String]

  /// Names a server.
  ///
  /// - Parameters:
  ///   - address: An address such as `postgres://anna@db1,db2/app?sslrootcert=root.crt`, without a password.
  ///   - security: How the connection is protected.
  ///   - deadline: How long an answer may take.
  ///   - password: Gives the password when a connection is made; nil where none is needed.
  /// - Throws: `PostgresError.invalidAddress`, also where the connection would not be protected;
  ///   `PostgresError.passwordInAddress`.
  public init(
    _ address: String, security: Security = .verified, deadline: Duration = .seconds(20),
    password: (@Sendable () async throws -> String)? = nil
  ) throws {
    let parts = try Self.parts(of: address)
    if parts["password"] != nil { throw PostgresError.passwordInAddress }
    let hosts = (parts["hostaddr"] ?? parts["host"] ?? "").split(
      separator: ",", omittingEmptySubsequences: false)
    guard hosts.allSatisfy({ !$0.isEmpty }) else {
      throw PostgresError.invalidAddress(reason: "it names no host")
    }
    var options = ["client_encoding": "UTF8"]
    if parts["target_session_attrs"] == nil { options["target_session_attrs"] = "read-write" }
    switch security {
    case .insecure: break
    case .verified where hosts.allSatisfy(Self.isThisMachine): break
    case .verified where [nil, "verify-full"].contains(parts["sslmode"]):
      options["sslmode"] = "verify-full"
    case .verified:
      throw PostgresError.invalidAddress(
        reason: "sslmode must be verify-full where a host is not this machine")
    }
    if parts["application_name"] == nil { options["application_name"] = "croft" }
    (self.address, self.deadline, self.password) = (address, deadline, password)
    self.options = options
  }

  private static func isThisMachine(_ host: Substring) -> Bool {
    // What begins with a slash is a folder with a socket.
    host.hasPrefix("/") || host.hasPrefix("127.") || ["localhost", "::1"].contains(host)
  }

  /// What an address says, by libpq's names.
  private static func parts(of address: String) throws -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    let start = PQconninfoParse(address, &message)
    defer {
      PQconninfoFree(start)
      PQfreemem(message)
    }
    guard var option = start else {
      // The message repeats parts of the address, in which a password may be.
      throw PostgresError.invalidAddress(reason: "libpq cannot read it")
    }
    var parts: [String: String] = [:]
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parts[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return parts
  }
}

extension PostgresServer: CustomStringConvertible {
  /// The address.
  public var description: String { address }
}
