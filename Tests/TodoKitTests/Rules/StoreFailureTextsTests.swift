import Foundation
import Presentation
import Testing
import TodoKit

@testable import Croft
@testable import LMDB

/// What people read of errors of the store, in Korean and English.
@Suite struct StoreFailureTextsTests {
  private let korean = MessageCatalog.todo(in: .korean)
  private let english = MessageCatalog.todo(in: .english)
  private static let path = "/목록/할일"

  /// The codes of the engine, and of the system, that a file of a person can lead to.
  private static let codes: [LMDBError.Code] = [
    .pageNotFound, .corrupted, .versionMismatch, .notAnEnvironment, .mapFull, .readersFull,
    .mapResized, .noSuchFile, .noPermission, .outOfSpace, .outOfMemory, .inputOutput, .fileExists,
    .notPermitted, .readOnlyFileSystem, .tooManyFiles, .fileTooLarge, .isDirectory, .busy,
    .truncated, .otherMachine, .networkFileSystem, .replaced, .fileReplaced, .notALockTable,
    .danglingLink, .foreignLink, .isLink, .journalMissing, LMDBError.Code(rawValue: ENAMETOOLONG),
    LMDBError.Code(rawValue: ENOTDIR), LMDBError.Code(rawValue: ELOOP),
    LMDBError.Code(rawValue: EDQUOT), LMDBError.Code(rawValue: ENFILE),
  ]

  /// Errors of the store as opening, copying and changing meet them.
  private static var met: [StoreError] {
    let path = Self.path
    let lock = "\(path)-lock is a link"
    let busy = "process 4711 (which is stopped: continue or end it) is writing to \(path)"
    return codes.flatMap { code in
      [
        StoreError(LMDBError(.open, code, path), opening: path),
        StoreError(LMDBError(.copy, code, path), copyingTo: path),
        StoreError(LMDBError(.commit, code)),
      ]
    } + [
      StoreError(LMDBError(.copy, .incompatible, path), copyingTo: path),
      StoreError(LMDBError(.open, .incompatible, path), opening: path),
      StoreError(LMDBError(.beginWrite, .busy, "process 4711 is writing to \(path)")),
      StoreError(LMDBError(.beginWrite, .busy, busy)),
      StoreError(LMDBError(.open, .notALockTable, lock), opening: path),
      .newerFormat(path: path, version: 9), .unsupportedFeatures(path: path, features: ["text"]),
      .notACroftFile(path: path, reason: "its header is not Croft's"),
      .schemaMismatch(model: "할일", field: "중요도", reason: "it was stored as Int"),
      .corrupt(model: "할일", key: "1", reason: "the row's checksum does not fit"),
      .corrupt(model: nil, key: nil, reason: "the header's checksum does not fit"),
      .objectTooLarge(model: "할일", key: "1", bytes: 1 << 40),
      .keyTooLong(model: "할일", field: "이름", bytes: 300), .searchTooLong(model: "할일"),
    ]
  }

  /// In Korean "저장소 오류" was followed by an English sentence, and a backup advised people to set an
  /// argument of a Swift function.
  @Test(arguments: met) func aPersonReadsACauseInTheOwnLanguage(error: StoreError) throws {
    let shown = PresentableError(TodoError.storage(error))
    let texts = [korean.message(for: shown), english.message(for: shown)]
    #expect(texts.allSatisfy { !$0.contains("{") && !$0.contains("todo.") }, "\(error): \(texts)")
    // "-lock" and "-journal" are parts of names, "ulimit" and "todo repair" commands.
    let words = texts[0].split { !$0.isLetter || !$0.isASCII }
    let known: Set<Substring> = ["ulimit", "n", "f", "v", "lock", "journal", "todo", "repair"]
    #expect(Set(words).isSubset(of: known), "\(error): \(texts[0])")
    for name in ["replacesExisting", "maxReaders", "writerTimeout", "isReadOnly", "allowsNetwork"] {
      #expect(!texts[1].contains(name), "\(error): \(texts[1])")
    }
    #expect(!texts[1].hasPrefix("The store failed"), "\(error): \(texts[1])")
  }

  @Test func aFileThatIsTruncatedIsNamed() {
    let error = TodoError.storage(
      StoreError(LMDBError(.open, .truncated, "/목록/할일"), opening: "/목록/할일"))
    #expect(
      english.message(for: error) == "The list's file is damaged (/목록/할일). Restore a copy.")
    #expect(korean.message(for: error) == "목록 파일이 손상되었습니다 (/목록/할일). 복사본으로 되살리세요.")
  }

  @Test func theProcessThatWritesIsNamed() {
    let writing = StoreError(LMDBError(.beginWrite, .busy, "process 4711 is writing to /x"))
    #expect(
      english.message(for: TodoError.storage(writing))
        == "Process 4711 is writing to the list. Try again when it has finished.")
    #expect(
      korean.message(for: TodoError.storage(writing))
        == "4711번 프로세스가 목록을 쓰고 있습니다. 끝난 뒤에 다시 하세요.")
  }

  /// The cause was English in both languages.
  @Test func aFolderThatCannotBeMadeIsNamedWithItsCause() {
    let error = TodoError.folder(path: "/뿌리", cause: CocoaError(.fileWriteNoPermission))
    #expect(
      english.message(for: error)
        == "The folder cannot be made: /뿌리 (permission denied)")
    #expect(korean.message(for: error) == "폴더를 만들 수 없습니다: /뿌리 (권한이 없습니다)")
  }
}
