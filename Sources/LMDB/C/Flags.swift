internal import CLMDB

// The constants of the C library, under Swift names.

/// How a row is written; the corresponding C type is an `unsigned int` of flags.
enum WriteFlag {
  /// Writes the row whether or not the key exists.
  static let none: UInt32 = 0
  /// The corresponding C constant is `MDB_NOOVERWRITE`.
  static let mustNotExist = UInt32(MDB_NOOVERWRITE)
  /// The corresponding C constant is `MDB_APPEND`.
  static let append = UInt32(MDB_APPEND)
  /// The corresponding C constant is `MDB_CURRENT`.
  static let current = UInt32(MDB_CURRENT)
}

/// How a tree is opened.
enum OpeningFlag {
  /// The corresponding C constant is `MDB_CREATE`.
  static let create = UInt32(MDB_CREATE)
}

extension EnvironmentHandle {
  /// Opening without a lock table; the corresponding C constant is `MDB_NOLOCK`.
  static let withoutLockTable = Int32(MDB_NOLOCK)
}

extension Environment.Options {
  /// The flags of the C library: a file and no folder, reader slots for transactions, not threads.
  var flags: Int32 {
    let flags = MDB_NOSUBDIR | MDB_NOTLS | (isReadOnly ? MDB_RDONLY : 0)
    return switch durability {
    // With a journal, the flag for the session is set when one is opened.
    case .full, .journal: flags
    case .relaxed: flags | MDB_NOMETASYNC
    case .unsafe: flags | MDB_NOSYNC
    }
  }
}
