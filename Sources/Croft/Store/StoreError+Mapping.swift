import LMDB

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

  /// The error of a file that is not what it was, whose detail is the path and what has happened.
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
    switch error.code {
    case .notAnEnvironment:
      self = .notACroftFile(path: path, reason: "its first bytes are not those of a store")
    case .truncated:
      self = .corrupt(model: nil, key: nil, reason: "\(path) ends before its contents do")
    case .versionMismatch:
      self = .notACroftFile(path: path, reason: "its storage engine has another format version")
    case .otherMachine:
      self = .notACroftFile(
        path: path, reason: "it was made on a machine of another word size or byte order")
    case .noSuchFile:
      self = .cannotOpen(
        path: path, reason: "there is no such file or folder; make the folder first")
    case .noPermission:
      self = .cannotOpen(
        path: path, reason: "permission denied; check the owner and mode of the file and its folder"
      )
    case .isDirectory: self = .cannotOpen(path: path, reason: "it is a folder; name a file in it")
    case .incompatible:
      self = .notACroftFile(path: path, reason: "it is an LMDB file that another program made")
    case .danglingLink:
      self = .cannotOpen(
        path: path,
        reason: "it is a link to a file that does not exist; remove the link, or make that file's "
          + "folder and name the file itself")
    case .foreignLink:
      self = .cannotOpen(
        path: path, reason: "it is a link that another user made; name the file that it leads to")
    case .notALockTable:
      self = .cannotOpen(
        path: path,
        reason: "\(error.detail), where the store's lock table belongs; move it away")
    case .optionsDiffer:
      self = .cannotOpen(
        path: path, reason: "it is open in this process with other options; use the same")
    case .networkFileSystem:
      self = .cannotOpen(
        path: path,
        reason: "it lies on a network file system, where locks cannot be trusted; "
          + "move it, or set allowsNetworkFileSystem")
    case .outOfSpace, .outOfMemory, .inputOutput, .invalidArgument, .tooManyFiles, .fileTooLarge:
      self = .cannotOpen(path: path, reason: "\(error)")
    default: self = StoreError(error)
    }
  }
}
