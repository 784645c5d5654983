internal import CroftLibc

/// An error of the storage engine: the operation and what went wrong.
///
/// Catch by code:
/// ```swift
/// do {
///   try environment.write { transaction in try transaction.put(value, at: key, in: people) }
/// } catch LMDBError.Code.busy {
///   // another writer held the lock for too long
/// }
/// ```
/// Threads: any; it is a value.
public struct LMDBError: Error, Sendable, Hashable {
  /// The operation that failed.
  public let operation: Operation
  /// What went wrong.
  public let code: Code
  /// Details such as paths and numbers; empty when there are none.
  public let detail: String

  /// An error of an operation with a code and details.
  package init(_ operation: Operation, _ code: Code, _ detail: String = "") {
    self.operation = operation
    self.code = code
    self.detail = detail
  }

  /// Whether the same work may succeed when it is repeated.
  public var isRetryable: Bool {
    [.mapFull, .mapResized, .busy, .readersFull, .replaced].contains(code)
  }

  /// Whether the file is damaged.
  package var isDamage: Bool { [.corrupted, .pageNotFound, .truncated].contains(code) }
}

extension LMDBError {
  /// An operation that can fail.
  public enum Operation: String, Sendable {
    /// Opening or creating the file.
    case open
    /// Beginning a read transaction.
    case beginRead = "begin to read"
    /// Beginning a write transaction, or one nested in it.
    case beginWrite = "begin to write"
    /// Committing.
    case commit
    /// Opening or creating a named database.
    case openDatabase = "open a database"
    /// Reading one value.
    case get
    /// Counting the rows of a database.
    case count
    /// Moving over rows.
    case scan
    /// Writing one row.
    case put
    /// Deleting rows.
    case delete
    /// Deleting all rows of a database.
    case empty
    /// Writing a sorted batch.
    case apply
    /// Copying the file, or replacing it by a copy.
    case copy
  }
}

extension LMDBError {
  /// What went wrong and what to do about it, without the full stop.
  package var explanation: String {
    let text = code.explanation
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension LMDBError: CustomStringConvertible {
  /// The operation, what went wrong, and what to do about it.
  public var description: String {
    let subject = detail.isEmpty ? "" : " (\(detail.printable))"
    return "Cannot \(operation.rawValue)\(subject): \(code.explanation) [\(code.rawValue)]"
  }
}

extension String {
  /// The text with control characters escaped, so that a terminal shows them.
  ///
  /// Names and contents of files may come from other users. Control characters and marks that change
  /// the direction of writing become `\u{1b}` and the like; a line feed and a tab become `\n` and
  /// `\t`.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.isTerminalControl: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a terminal would interpret the code point instead of drawing it.
  fileprivate var isTerminalControl: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension LMDBError {
  /// What went wrong: a code of the C library, of the operating system, or of this module.
  ///
  /// The type is open: a code without a name here still has its number. Negative codes
  /// below -30700 are the C library's, positive ones the system's (errno), and those from -40000 on
  /// belong to this module.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int32

    /// A code by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Lets `catch LMDBError.Code.busy` name the case.
    public static func ~= (pattern: Code, error: any Error) -> Bool {
      (error as? LMDBError)?.code == pattern
    }
  }
}

/// Codes of the C library.
extension LMDBError.Code {
  /// The key exists, or is not past the last one; the C constant is `MDB_KEYEXIST`.
  public static let keyExists = Self(rawValue: -30799)
  /// There is no such row or database; the C constant is `MDB_NOTFOUND`.
  public static let notFound = Self(rawValue: -30798)
  /// A page that is referred to is missing; the C constant is `MDB_PAGE_NOTFOUND`.
  public static let pageNotFound = Self(rawValue: -30797)
  /// The file is damaged; the C constant is `MDB_CORRUPTED`.
  public static let corrupted = Self(rawValue: -30796)
  /// A fatal error has made the environment unusable; the C constant is `MDB_PANIC`.
  public static let panic = Self(rawValue: -30795)
  /// The file has another format version; the C constant is `MDB_VERSION_MISMATCH`.
  public static let versionMismatch = Self(rawValue: -30794)
  /// The file is not one of this engine; the C constant is `MDB_INVALID`.
  public static let notAnEnvironment = Self(rawValue: -30793)
  /// The map is full; the C constant is `MDB_MAP_FULL`.
  public static let mapFull = Self(rawValue: -30792)
  /// No room for one more named database; the C constant is `MDB_DBS_FULL`.
  public static let databasesFull = Self(rawValue: -30791)
  /// No room for one more reader; the C constant is `MDB_READERS_FULL`.
  public static let readersFull = Self(rawValue: -30790)
  /// The transaction has too many changed pages; the C constant is `MDB_TXN_FULL`.
  public static let transactionFull = Self(rawValue: -30788)
  /// Another process has grown the file past the map; the C constant is `MDB_MAP_RESIZED`.
  public static let mapResized = Self(rawValue: -30785)
  /// The database has other flags; the C constant is `MDB_INCOMPATIBLE`.
  public static let incompatible = Self(rawValue: -30784)
  /// The transaction can only be ended; the C constant is `MDB_BAD_TXN`.
  public static let badTransaction = Self(rawValue: -30782)
  /// A key or value has a length that cannot be stored; the C constant is `MDB_BAD_VALSIZE`.
  public static let badLength = Self(rawValue: -30781)
  /// The transaction cannot use this database; the C constant is `MDB_BAD_DBI`.
  public static let badDatabase = Self(rawValue: -30780)
}

/// Codes of the operating system.
extension LMDBError.Code {
  /// No such file or folder (ENOENT).
  public static let noSuchFile = Self(rawValue: ENOENT)
  /// No permission (EACCES).
  public static let noPermission = Self(rawValue: EACCES)
  /// The disk is full (ENOSPC).
  public static let outOfSpace = Self(rawValue: ENOSPC)
  /// Memory or address space is exhausted (ENOMEM).
  public static let outOfMemory = Self(rawValue: ENOMEM)
  /// Reading from or writing to the device failed (EIO).
  public static let inputOutput = Self(rawValue: EIO)
  /// The C library or the system refused an argument (EINVAL).
  public static let invalidArgument = Self(rawValue: EINVAL)
  /// There is a file of that name already (EEXIST).
  public static let fileExists = Self(rawValue: EEXIST)
  /// The operation is not permitted (EPERM).
  public static let notPermitted = Self(rawValue: EPERM)
  /// The file system can only be read (EROFS).
  public static let readOnlyFileSystem = Self(rawValue: EROFS)
  /// This process, or the system, has too many files open (EMFILE).
  public static let tooManyFiles = Self(rawValue: EMFILE)
  /// The file would be larger than the process may make it (EFBIG).
  public static let fileTooLarge = Self(rawValue: EFBIG)
  /// The path is a folder (EISDIR).
  public static let isDirectory = Self(rawValue: EISDIR)
}

/// Codes of this module.
extension LMDBError.Code {
  /// Another writer held the lock until the timeout.
  public static let busy = Self(rawValue: -40000)
  /// The thread already has a write transaction open on this environment.
  public static let writeInsideWrite = Self(rawValue: -40001)
  /// The environment was opened for reading only.
  public static let readOnly = Self(rawValue: -40002)
  /// The file is open in this process with other options.
  public static let optionsDiffer = Self(rawValue: -40003)
  /// The environment was opened before a fork.
  public static let forked = Self(rawValue: -40004)
  /// The file is shorter than the pages that it should have.
  public static let truncated = Self(rawValue: -40005)
  /// The file was written on a machine with another word size or byte order.
  public static let otherMachine = Self(rawValue: -40006)
  /// The file is on a network file system.
  public static let networkFileSystem = Self(rawValue: -40007)
  /// The file was replaced while it was being opened.
  public static let replaced = Self(rawValue: -40009)
  /// The file or its lock table was removed or replaced while the environment was open.
  ///
  /// It is also the error of an opening while another process uses the file with another lock table.
  public static let fileReplaced = Self(rawValue: -40020)
  /// Something else is in the place of the lock table.
  public static let notALockTable = Self(rawValue: -40021)
  /// The path is a link to a file that does not exist.
  public static let danglingLink = Self(rawValue: -40022)
  /// The path is a symbolic link that neither this user nor root made.
  public static let foreignLink = Self(rawValue: -40023)
  /// The path is a link, which cannot be replaced by a file.
  public static let isLink = Self(rawValue: -40024)
  /// Something else is in the place of the journal.
  public static let notAJournal = Self(rawValue: -40025)
  /// The file is complete only together with its journal, which is missing or another file's.
  public static let journalMissing = Self(rawValue: -40026)
  /// The journal has to be replayed, which reading alone does not allow.
  public static let needsReplay = Self(rawValue: -40027)
  /// A process of another container has the file open, and the same number as this one.
  public static let processNumberTaken = Self(rawValue: -40028)
}

extension LMDBError.Code {
  /// Whether the system says that this user may not write there.
  var forbidsWriting: Bool { [.noPermission, .notPermitted, .readOnlyFileSystem].contains(self) }

  /// Whether the disk, or this user's part of it, is full.
  var isOutOfSpace: Bool { [.outOfSpace, Self(rawValue: EDQUOT)].contains(self) }

  /// What went wrong and what to do, as a sentence or two.
  var explanation: String {
    Self.explanations[self] ?? "\(sentence(for: rawValue))."
  }

  private static let explanations: [Self: String] = [
    .keyExists: "the key exists, or is not past the last one.",
    .notFound: "there is nothing of that name.",
    .pageNotFound: "the file is damaged: a page is missing. Restore it from a copy.",
    .corrupted: "the file is damaged. Restore it from a copy.",
    .panic:
      "an earlier failure made the environment unusable. Close the program and open it again.",
    .versionMismatch:
      "the file has a format version that this program does not know. Use a newer program.",
    .notAnEnvironment: "this is not an LMDB file. Name another file.",
    .mapFull:
      "the map is full. It grows when the transaction ends: do the work again in a new one.",
    .databasesFull:
      "no room for one more database. Close the file everywhere in this process, and open it "
      + "with a larger maxDatabases.",
    .readersFull: "no room for one more reader. End some, or open with a larger maxReaders.",
    .transactionFull: "too many changes in one transaction. Commit in smaller steps.",
    .mapResized:
      "another process has grown the file. End the open read transactions, then try again.",
    .incompatible: "the database exists with other flags, or the name belongs to a plain row.",
    .badTransaction: "an earlier failure broke the transaction. Let it end, and do the work again.",
    .badLength: "a key has 1 to 511 bytes and a value less than 4 GiB.",
    .badDatabase:
      "the database belongs to another environment, or the transaction that made it was aborted.",
    .noSuchFile: "there is no such file, or its folder does not exist.",
    .noPermission: "permission denied. Check the owner and mode of the file and of its folder.",
    .outOfSpace: "the disk is full. Make room; committed data is safe.",
    .inputOutput:
      "the disk refused to read or write. Check the disk; committed data is safe.",
    .outOfMemory: "memory or address space is exhausted. Ask for a smaller map, or lift the limit.",
    .fileExists: "a file of that name exists. Choose another name, or allow to replace it.",
    .readOnlyFileSystem: "the file system can only be read. Open for reading, or move the file.",
    .isDirectory: "the path is a folder. Name a file in it.",
    .busy: "another writer was at work until the waiting time was over. Try again.",
    .writeInsideWrite:
      "this thread has a write transaction open already. Use that one, or nest inside it.",
    .readOnly: "the environment was opened for reading only.",
    .optionsDiffer: "the file is open in this process with other options. Use the same ones.",
    .forked: "the environment was opened before a fork. Open the file again in the child.",
    .truncated: "the file ends before its contents do. Restore it from a copy.",
    .otherMachine: "the file was written on a machine of another word size or byte order.",
    .networkFileSystem:
      "the file is on a network file system, where locks and maps cannot be trusted. "
      + "Move it to a local disk, or set allowsNetworkFileSystem.",
    .fileReplaced:
      "the file is not what it was. Close it everywhere, then open it again.",
    .notALockTable:
      "another file has the path of the lock table. Move that file away.",
    .notAJournal:
      "another file has the path of the journal. Move that file away.",
    .journalMissing:
      "its last commits are in a journal, which is missing or belongs to another state of the file. "
      + "Put the journal of the same name back beside the file, or restore both from a copy.",
    .needsReplay:
      "the program that wrote it last did not close it, and its journal must be replayed. Open it once "
      + "for writing.",
    .processNumberTaken:
      "a process of another container has the file open, and has the number of this one in its own container. "
      + "Start the containers with one space of process numbers.",
    .foreignLink: "the path is a link that another user made. Name the file that it leads to.",
    .isLink: "the path is a link. Name the file that it leads to, or another one.",
    .tooManyFiles:
      "this process has too many files open. Close some, or raise the limit (ulimit -n).",
    .fileTooLarge:
      "the file would be larger than this process may make it. Raise the limit (ulimit -f); what "
      + "was committed is safe.",
    .danglingLink: "the path is a link to a file that does not exist. Remove it, or name the file.",
    .replaced: "another file took its place while it was opened. Open it again.",
  ]
}
