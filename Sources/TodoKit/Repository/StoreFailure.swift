import Croft
import CroftFoundation
import Presentation

/// What a person is told about an error of the store: a code with texts, and what the texts name.
///
/// The store's own sentences are English and written for programmers, so that a cause is recognised
/// here. The parameter `at` is a path in parentheses after a blank, or empty.
struct StoreFailure {
  let code: ValidationIssue.Code
  let params: [String: ValidationIssue.Value]

  /// The failure for an error; one that no person can do anything about has the store's own words.
  init(_ error: any Error) {
    let known = (error as? StoreError).flatMap(Self.init(known:))
    self = known ?? StoreFailure(code: .storageFailed, params: ["reason": .text("\(error)")])
  }

  /// The failure for a folder that cannot be made, of which Foundation tells the cause.
  init(folder path: String, _ cause: any Error) {
    let known: StoreCause? =
      switch (cause as? CocoaError)?.code {
      case .fileWriteNoPermission: .folderIsForbidden
      case .fileWriteFileExists: .folderIsFile
      case .fileNoSuchFile: .folderHasNoFolder
      case .fileWriteVolumeReadOnly: .folderIsOnReadOnlyVolume
      case .fileWriteOutOfSpace: .folderHasNoSpace
      default: nil
      }
    self.init(
      code: known?.code ?? .folderUnavailable,
      params: ["path": .text(path), "reason": .text("\(cause)")])
  }

  private init(code: ValidationIssue.Code, params: [String: ValidationIssue.Value]) {
    (self.code, self.params) = (code, params)
  }

  private init(_ cause: StoreCause, _ params: [String: ValidationIssue.Value] = [:]) {
    self.init(code: cause.code, params: params)
  }

  private init(_ cause: StoreCause, at path: String) {
    self.init(cause, ["at": .text(path.isEmpty ? "" : " (\(path))")])
  }

  /// The failure for an error that a person can meet; nil for others, which are mistakes of a program.
  private init?(known error: StoreError) {
    switch error {
    case .notACroftFile(let path, let reason):
      self.init(Self.cause(in: reason) ?? .storeIsNoList, at: path)
    case .newerFormat(let path, _), .unsupportedFeatures(let path, _):
      self.init(.storeIsNewer, at: path)
    case .cannotOpen(let path, let reason), .cannotWrite(let path, let reason):
      guard let cause = Self.cause(in: reason) else { return nil }
      // The name of the lock table, which is another file than the list.
      self.init(cause, at: cause.code == StoreCause.fileHasNoLock.code ? path + "-lock" : path)
    case .fileReplaced(let path, _): self.init(.storeWasReplaced, at: path)
    case .busy(let reason): self.init(busy: reason)
    case .mapFull: self.init(.storeHasGrown)
    case .readersFull: self.init(.storeHasTooManyReaders)
    case .schemaMismatch(let model, let field, _):
      self.init(.storeDiffers, at: ([model] + [field].compactMap(\.self)).joined(separator: "."))
    case .corrupt(let model, let key, let reason):
      if let model {
        self.init(.storeIsDamaged, at: [model, key ?? ""].joined(separator: " ").trimmed)
      } else {
        let end = reason.firstRange(of: " ends before its contents")?.lowerBound
        self.init(
          Self.cause(in: reason) ?? .storeIsDamaged, at: end.map { String(reason[..<$0]) } ?? "")
      }
    case .objectTooLarge, .keyTooLong: self.init(.storeTextIsTooLong)
    case .searchTooLong: self.init(.storeSearchIsTooLong)
    case .system(let reason, _):
      guard let cause = Self.cause(in: reason) else { return nil }
      self.init(cause, at: "")
    case .duplicateKey, .cannotEncode, .primaryKeyChanged, .staleObject, .uniqueViolation,
      .danglingReference, .deniedByRelation, .overflow, .conditionTooDeep, .expressionTooDeep,
      .relevanceWithoutSearch, .unknownModel, .invalidModel, .nestedWrite, .readOnly, .notCodable,
      .tooManyTrees,
      .transactionFailed:
      return nil
    }
  }

  private init(busy reason: String) {
    if reason.contains("is open, here or in another process") {
      self.init(.storeIsInUse, at: String(reason.prefix { $0 != " " }))
    } else if let writer = StoreWriter(in: reason) {
      self.init(
        writer.isStopped ? .storeWriterIsStopped : .storeIsBusyWith,
        ["process": .text("\(writer.process)")])
    } else {
      self.init(.storeIsBusy)
    }
  }

  /// The cause that a reason of the store tells; nil for one that has no code.
  private static func cause(in reason: String) -> StoreCause? {
    causes.first { reason.contains($0.phrase) }?.cause
  }

  /// The causes by the words with which the store, or the system, tells them.
  private static let causes: [(phrase: String, cause: StoreCause)] = [
    ("word size or byte order", .storeIsOfOtherMachine),
    ("another format version", .storeIsNewer), ("does not know. Use a newer", .storeIsNewer),
    ("not an LMDB file", .storeIsNoList),
    ("lock table belongs", .fileHasNoLock), ("path of the lock table", .fileHasNoLock),
    ("a file of that name exists", .fileExists), ("File exists", .fileExists),
    ("folder does not exist", .fileHasNoFolder), ("no such file", .fileHasNoFolder),
    ("permission denied", .fileIsForbidden), ("Operation not permitted", .fileIsForbidden),
    ("link to a file that does not exist", .fileIsDanglingLink),
    ("link that another user made", .fileIsLinkOfOther), ("is a link", .fileIsLink),
    ("is a folder", .fileIsFolder),
    ("network file system", .fileIsOnNetwork), ("disk is full", .diskIsFull),
    ("Disk quota exceeded", .diskIsFull), ("memory or address space", .memoryIsFull),
    ("refused to read or write", .diskFails), ("too many files open", .fileLimitReached),
    ("Too many open files", .fileLimitReached), ("file would be larger", .fileIsTooLarge),
    ("file system can only be read", .fileSystemIsReadOnly),
    ("File name too long", .fileNameIsTooLong), ("Not a directory", .filePathIsNoFolder),
    ("Too many levels of symbolic links", .fileLinksLoop),
    ("last commits are in a journal", .storeLacksJournal),
    ("lost pages", .storeHasLostPages), ("isReadOnly forbids", .storeMustBeUpgraded),
    ("ends before its contents", .storeIsDamaged), ("file is damaged", .storeIsDamaged),
    ("another file took its place", .storeWasReplaced),
  ]
}

/// The process that writes to the store, as the store's English sentences name it.
struct StoreWriter {
  let process: Int
  /// Whether it is stopped, so that it will not end by itself.
  let isStopped: Bool

  /// Finds the process in a sentence; nil where none is named.
  init?(in reason: String) {
    guard let name = reason.firstRange(of: "process "),
      let number = Int(reason[name.upperBound...].prefix { $0.isNumber })
    else { return nil }
    process = number
    isStopped = reason.contains("which is stopped")
  }
}
