public import CroftFoundation
import LMDB

/// An error of a store; the cases are grouped by what the caller can do.
///
/// The description is a sentence that names model, field and key where there are
/// such, and says what to do.
public enum StoreError: Error, Sendable, Hashable {
  // At a statement; the transaction stays usable.

  /// An insert found an object with the same primary key.
  case duplicateKey(model: String, fields: [String], key: String)
  /// A primary key's code is longer than 200 bytes.
  case keyTooLong(model: String, field: String, bytes: Int)
  /// An object's values take more bytes than one row can have.
  case objectTooLarge(model: String, key: String, bytes: Int)
  /// A value cannot be stored: one marked `@Coded` that makes no JSON, or too long a duration.
  case cannotEncode(model: String, field: String, reason: String)
  /// An update's closure changed the primary key.
  case primaryKeyChanged(model: String, key: String)
  /// An object was deleted since it was read, or one to be merged was changed in the same properties.
  ///
  /// The fields are empty when it was deleted.
  case staleObject(model: String, fields: [String], key: String)
  /// Another object has the same values in a unique index.
  case uniqueViolation(model: String, fields: [String], key: String, existing: String)
  /// An object would refer to one that does not exist.
  case danglingReference(model: String, field: String, key: String, target: String)
  /// An object cannot be deleted, because others refer to it: the first one's key, and how many.
  case deniedByRelation(model: String, field: String, key: String, target: String, count: Int)
  /// The sum of a query's integers does not fit its type.
  case overflow(model: String, field: String)
  /// A query's condition is nested too deeply to be run.
  case conditionTooDeep(model: String)
  /// An expression over properties is nested too deeply to be computed.
  case expressionTooDeep(model: String)
  /// A search has more terms than a query may have.
  case searchTooLong(model: String)
  /// A query is ordered by relevance, and its condition has no search.
  case relevanceWithoutSearch(model: String)
  /// The transaction's store does not hold this model.
  case unknownModel(model: String)

  // At opening, or at a transaction's start.

  /// A model's declaration is one that no store can have, such as a rule for a missing reference.
  case invalidModel(model: String, reason: String)
  /// The file is not a Croft store.
  case notACroftFile(path: String, reason: String)
  /// A newer version of Croft wrote the file.
  case newerFormat(path: String, version: Int)
  /// The file uses features of the format that this version of Croft does not have.
  case unsupportedFeatures(path: String, features: [String])
  /// The program's model and the stored one differ, or a stored value has no case.
  case schemaMismatch(model: String, field: String?, reason: String)
  /// The file or its folder cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The file, or the lock table beside it, was removed or replaced while the store was open.
  ///
  /// It is also the error of an opening while another process uses the file by another name.
  case fileReplaced(path: String, reason: String)
  /// Another writer kept the store for longer than the options allow to wait.
  case busy(reason: String)
  /// A write transaction was begun inside another one on the same thread.
  case nestedWrite
  /// The store was opened for reading only.
  case readOnly

  // At a copy, or at a value under a key of a ``Storage``.

  /// A file cannot be written or moved to its path; an existing file is unchanged.
  case cannotWrite(path: String, reason: String)
  /// A value cannot be made into JSON, or JSON into the value.
  case notCodable(key: String, reason: String)

  // At any time.

  /// The data grew past the map, which is enlarged when this transaction ends.
  case mapFull(reason: String)
  /// More read transactions are open than the store allows.
  case readersFull(reason: String)
  /// The file is damaged: it has bytes that Croft did not write.
  case corrupt(model: String?, key: String?, reason: String)
  /// Too many trees are open in the process; a model has one, and so has each of its indexes.
  case tooManyTrees(reason: String)
  /// An earlier failure broke this transaction: its closure can only return or throw.
  case transactionFailed(reason: String)
  /// The system or the storage engine refused an operation.
  case system(reason: String, code: Int32)

  /// Whether the same transaction may succeed when it is run again.
  ///
  /// For a full map, reads that are still open may have to end first.
  public var isRetryable: Bool {
    switch self {
    case .mapFull, .readersFull, .busy: true
    default: false
    }
  }

  /// Whether an error passes by itself: a read that met it may succeed when it is tried again.
  static func isPassing(_ error: any Error) -> Bool {
    (error as? StoreError)?.isRetryable ?? false
  }
}

extension StoreError: CustomStringConvertible {
  /// One sentence, or two: what happened and what to do.
  ///
  /// Control characters, which keys and paths may hold, are written out: a terminal shows them.
  public var description: String { sentences.printable }

  private var sentences: String {
    switch self {
    case .duplicateKey(let model, _, let key):
      "\(model) already has an object with key \(key). Use upsert to replace it."
    case .keyTooLong(let model, let field, let bytes):
      "\(model).\(field) is a primary key of \(bytes) bytes; at most "
        + "\(KeyCode.longestPrimaryKey) fit: a text of 198 English or 66 Korean letters. Use a "
        + "shorter key."
    case .objectTooLarge(let model, let key, let bytes):
      "\(model) \(key) takes \(bytes) bytes; at most \(Table.longestRow) fit. Keep large "
        + "values in files of their own, or in several objects."
    case .cannotEncode(let model, let field, let reason):
      "\(model).\(field) cannot be stored: \(reason). Change the value, or how its type encodes it."
    case .primaryKeyChanged(let model, let key):
      "The update of \(model) \(key) changed its primary key. Delete the object and insert "
        + "another instead."
    case .staleObject(let model, let fields, let key):
      "\(model) \(key) was \(fields.isEmpty ? "deleted" : "changed") since it was read"
        + (fields.isEmpty ? ". " : ", in \(fields.joined(separator: ", ")). ")
        + "Read it again, and decide what to keep."
    case .uniqueViolation(let model, let fields, let key, let existing):
      "\(model) \(key) cannot have its \(fields.joined(separator: ", ")), which must be unique: "
        + "\(model) \(existing) has the same. Choose another value, or change that object first."
    case .danglingReference(let model, let field, let key, let target):
      "\(model).\(field) of \(key) refers to \(target), which does not exist. "
        + "Insert that object first, or refer to another one."
    case .deniedByRelation(let model, let field, let key, let target, let count):
      "\(target) cannot be deleted: \(count == 1 ? "an object refers" : "\(count) objects refer") "
        + "to it by \(model).\(field), first \(model) \(key). Delete or change what refers to it first."
    case .overflow(let model, let field):
      "The sum of \(model).\(field) does not fit in 64 bits. Sum fewer objects, or their average."
    case .conditionTooDeep(let model):
      "The condition on \(model) is nested more than \(ConditionTree.deepest) deep. Join terms side by "
        + "side with && or ||, however many, or test what was fetched."
    case .expressionTooDeep(let model):
      "An expression over \(model) is nested more than \(ColumnExpression.deepest) deep. Store a part of "
        + "it in a property, or compute a part of it from what was fetched."
    case .searchTooLong(let model):
      "A search in \(model) has more than \(TextSearch.termsMax) terms. Take some of the words, or put "
        + "them in quotation marks, as one term."
    case .relevanceWithoutSearch(let model):
      "A query of \(model) is ordered by relevance without a search. Add a condition with matches, or "
        + "choose another order."
    case .unknownModel(let model):
      "The store was opened without \(model). Name it in Store.open(at:models:)."
    case .invalidModel(let model, let reason):
      "\(model) cannot be stored: \(reason)."
    case .notACroftFile(let path, let reason):
      "\(path) is not a Croft file: \(reason). Nothing was changed; choose another path."
    case .unsupportedFeatures(let path, let features):
      "\(path) uses \(features.joined(separator: ", ")), which this program's version of Croft "
        + "lacks. Nothing was changed; update the program."
    case .newerFormat(let path, let version):
      "\(path) has format \(version), which a newer version of Croft wrote. Update the program."
    case .schemaMismatch(let model, let field, let reason):
      "\(model)\(field.map { ".\($0)" } ?? "") does not match the store: \(reason)."
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened: \(reason)."
    case .fileReplaced(let path, let reason):
      "\(path) was replaced or removed: \(reason). Nothing more is written to it; close it, here and in "
        + "other processes, then open it again."
    case .cannotWrite(let path, let reason):
      "\(path) was not written: \(reason). An existing file is unchanged."
    case .notCodable(let key, let reason):
      "The value under \(key) does not fit its type: \(reason). Nothing was changed."
    case .busy(let reason):
      "The store is busy: \(reason). Try again."
    case .nestedWrite:
      "A write transaction is open on this thread already. Use its own transaction value."
    case .readOnly:
      "The store was opened for reading only. Open it without isReadOnly to write."
    case .mapFull(let reason):
      "The transaction did not fit the store's map, which is enlarged when it ends: \(reason). "
        + "End open reads, then run the transaction again."
    case .readersFull(let reason):
      "Too many read transactions are open: \(reason). End some, or raise maxReaders."
    case .tooManyTrees(let reason):
      "The store has no room for another model or index: \(reason). Let go of it everywhere in this "
        + "process, and open it with all its models at once; at most 16,384 trees fit."
    case .corrupt(let model, let key, let reason):
      "The store is damaged\(model.map { " at \($0)" } ?? "")\(key.map { " \($0)" } ?? ""): "
        + "\(reason). Restore a copy."
    case .transactionFailed(let reason):
      "This transaction failed before and changes nothing: \(reason) Leave it, and begin another."
    case .system(let reason, _):
      "\(reason)."
    }
  }
}

extension StoreError: LocalizedError {
  /// The description, so that `localizedDescription` is the same text.
  public var errorDescription: String? { description }
}

extension StoreError {
  /// Runs a body and turns the engine's errors into the store's.
  @inline(__always)
  static func mapping<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as LMDBError {
      throw StoreError(error)
    }
  }

  /// The store's word for an error of the engine.
  init(_ error: LMDBError) {
    let reason = error.detail.isEmpty ? "\(error)" : error.detail
    switch error.code {
    case .mapFull: self = .mapFull(reason: reason)
    case .mapResized, .replaced: self = .busy(reason: "\(error)")
    case .databasesFull: self = .tooManyTrees(reason: reason)
    case .readersFull: self = .readersFull(reason: reason)
    case .busy:
      let holder = error.detail.isEmpty ? "another writer was at work" : error.detail
      self = .busy(reason: "\(holder), for longer than writerTimeout")
    case .fileReplaced: self = Self.fileReplaced(error)
    case .writeInsideWrite: self = .nestedWrite
    case .readOnly: self = .readOnly
    case .corrupted, .pageNotFound:
      self = .corrupt(model: nil, key: nil, reason: error.detail.isEmpty ? "\(error)" : reason)
    case .badTransaction: self = .transactionFailed(reason: "\(error)")
    default: self = .system(reason: "\(error)", code: error.code.rawValue)
    }
  }

  /// The error of a file that was replaced, whose detail is the path and the reason.
  private static func fileReplaced(_ error: LMDBError) -> StoreError {
    let parts = error.detail.split(separator: "; ", omittingEmptySubsequences: false)
    let path = parts.dropLast().joined(separator: "; ")
    return .fileReplaced(path: path, reason: parts.last.map(String.init) ?? "")
  }

  /// The store's word for an error of the engine while it copies a file.
  init(_ error: LMDBError, copyingTo path: String) {
    switch error.code {
    case .fileExists:
      self = .cannotWrite(
        path: path, reason: "a file of that name exists; choose another, or set replacesExisting")
    case .busy where error.operation == .copy:
      self = .busy(
        reason: "\(error.detail) is open, here or in another process; close it everywhere first")
    case _ where error.operation == .open: self = StoreError(error, opening: path)
    case .noSuchFile:
      self = .cannotWrite(path: path, reason: "its folder does not exist; make the folder first")
    case .incompatible:
      self = .cannotWrite(
        path: path,
        reason: "the original has lost pages, so that it cannot be compacted; back it up instead")
    case .noPermission, .notPermitted, .readOnlyFileSystem, .outOfSpace, .outOfMemory,
      .inputOutput, .corrupted, .isDirectory, .isLink, .tooManyFiles, .fileTooLarge:
      self = .cannotWrite(path: path, reason: error.explanation)
    default: self = StoreError(error)
    }
  }

  /// The store's word for an error of the engine while it opens a file.
  init(_ error: LMDBError, opening path: String) {
    if let reason = Self.reasonsOfOtherFiles[error.code] {
      self = .notACroftFile(path: path, reason: reason)
      return
    }
    if let reason = Self.reasonsNotToOpen[error.code] {
      self = .cannotOpen(path: path, reason: reason)
      return
    }
    switch error.code {
    case .noSuchFile: self = .cannotOpen(path: path, reason: Self.reasonOfMissingFile(path))
    case .truncated:
      self = .corrupt(model: nil, key: nil, reason: "\(path) ends before its contents do")
    case .notALockTable:
      self = .cannotOpen(
        path: path,
        reason: "\(error.detail), where the store's lock table belongs; move it away")
    case .outOfSpace, .outOfMemory, .inputOutput, .invalidArgument, .tooManyFiles, .fileTooLarge:
      self = .cannotOpen(path: path, reason: "\(error)")
    default: self = StoreError(error)
    }
  }

  /// Why a file that the engine refuses is no store.
  private static let reasonsOfOtherFiles: [LMDBError.Code: String] = [
    .notAnEnvironment: "its first bytes are not those of a store",
    .versionMismatch: "its storage engine has another format version",
    .otherMachine: "it was made on a machine of another word size or byte order",
    .incompatible: "it is an LMDB file that another program made",
  ]

  /// Whether a store was not opened because its journal is missing, or another state's.
  ///
  /// Its last commits are in the journal. ``Store/recover(at:options:acceptsDamage:)`` gives them up.
  public var isOfLostJournal: Bool {
    guard case .cannotOpen(_, let reason) = self else { return false }
    return reason == Self.reasonsNotToOpen[.journalMissing]
  }

  /// Why a path leads to no file: the folder is missing too, or the file alone.
  private static func reasonOfMissingFile(_ path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: folder)
      ? "there is no such file; open the store for writing to create it"
      : "its folder does not exist; make the folder \(folder) first"
  }

  /// Why a path cannot be opened, and what to do.
  private static let reasonsNotToOpen: [LMDBError.Code: String] = [
    .noPermission: "permission denied; check the owner and mode of the file and its folder",
    .isDirectory: "it is a folder; name a file in it",
    .danglingLink:
      "it is a link to a file that does not exist; remove the link, or make that file's "
      + "folder and name the file itself",
    .foreignLink: "it is a link that another user made; name the file that it leads to",
    .journalMissing:
      "its last commits are in a journal, which is missing or belongs to another state of the file; put the "
      + "journal of the same name back beside it, restore a backup, or give those commits up with "
      + "Store.recover(at:)",
    .needsReplay:
      "the program that wrote it last did not close it, and its journal must be replayed; open it once "
      + "for writing",
    .processNumberTaken:
      "a process of another container has it open, and has the number of this one in its own container; start "
      + "the containers with one space of process numbers",
    .notAJournal: "another file is in the place of its journal; move that file away",
    .optionsDiffer: "it is open in this process with other options; use the same",
    .networkFileSystem:
      "it is on a network file system, where locks cannot be trusted; "
      + "move it, or set allowsNetworkFileSystem",
  ]
}
