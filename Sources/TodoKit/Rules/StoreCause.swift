import Presentation

/// What the store, the file system or another program prevents, with what people are told about it.
struct StoreCause: Sendable {
  let code: ValidationIssue.Code
  private let korean: String
  private let english: String

  private init(_ code: ValidationIssue.Code, _ korean: String, _ english: String) {
    (self.code, self.korean, self.english) = (code, korean, english)
  }

  /// A folder that cannot be made, for a reason of a few words.
  private static func folder(
    _ code: ValidationIssue.Code, _ korean: String, _ english: String
  ) -> StoreCause {
    StoreCause(
      code, "폴더를 만들 수 없습니다: {path} (\(korean))",
      "The folder cannot be made: {path} (\(english))")
  }

  static let storeIsNoList = StoreCause(
    "todo.store.isNoList", "이 프로그램의 목록 파일이 아닙니다{at}. 바뀐 것은 없습니다. 다른 파일을 쓰세요.",
    "This file is not a list of this program{at}. Nothing was changed; name another file.")
  static let storeIsOfOtherMachine = StoreCause(
    "todo.store.isOfOtherMachine", "다른 종류의 컴퓨터에서 만든 목록입니다{at}. 그 컴퓨터에서 내보내고 여기서 가져오세요.",
    "The list was made on another kind of machine{at}. Export it there, and import it here.")
  static let storeIsNewer = StoreCause(
    "todo.store.isNewer", "더 새로운 버전의 프로그램이 쓴 목록입니다{at}. 프로그램을 업데이트하세요.",
    "A newer version of this program wrote the list{at}. Update the program.")
  static let storeDiffers = StoreCause(
    "todo.store.differs", "다른 버전의 프로그램이 쓴 목록이라 맞지 않습니다{at}. 가장 새로운 버전을 쓰세요.",
    "Another version of this program wrote the list, and it does not fit{at}. Use the newest version."
  )
  static let storeMustBeUpgraded = StoreCause(
    "todo.store.mustBeUpgraded", "목록을 새 형식으로 바꿔야 하는데 읽을 수만 있습니다{at}. 파일의 소유자가 한 번 열게 하세요.",
    "The list must be upgraded, and may only be read{at}. Let the owner of its file open it once.")
  static let storeWasReplaced = StoreCause(
    "todo.store.wasReplaced", "목록 파일이 바뀌었거나 없어졌습니다{at}. 바뀐 것은 없습니다. 목록을 쓰는 프로그램을 모두 끝내고 다시 시작하세요.",
    """
    The list's file was replaced or removed{at}. Nothing was changed; end all programs that use the \
    list, then start again.
    """)
  static let storeIsDamaged = StoreCause(
    "todo.store.isDamaged", "목록 파일이 손상되었습니다{at}. 복사본으로 되살리세요.",
    "The list's file is damaged{at}. Restore a copy.")
  static let storeLacksJournal = StoreCause(
    "todo.store.lacksJournal",
    "목록의 마지막 변경이 든 저널(-journal)이 없거나 맞지 않습니다{at}. 제자리에 두거나 복사본으로 되살리거나 복구(todo repair)하세요.",
    """
    The journal with the last changes of the list (-journal) is missing or does not belong to it{at}. Put it \
    back, restore a copy, or give those changes up: todo repair.
    """)
  static let storeHasLostPages = StoreCause(
    "todo.store.hasLostPages", "목록 파일에 쓰이지 않는 자리가 있어 압축할 수 없습니다{at}. 대신 백업하세요.",
    "The list's file has lost pages and cannot be compacted{at}. Make a backup instead.")
  static let storeIsInUse = StoreCause(
    "todo.store.isInUse", "목록을 열고 있는 프로그램이 있습니다{at}. 모두 끝내고 다시 하세요.",
    "A program has the list open{at}. End all programs that use it, then try again.")
  static let storeIsBusy = StoreCause(
    "todo.store.isBusy", "다른 프로그램이 목록을 쓰고 있습니다. 잠시 뒤에 다시 하세요.",
    "Another program is writing to the list. Try again in a moment.")
  static let storeIsBusyWith = StoreCause(
    "todo.store.isBusyWith", "{process}번 프로세스가 목록을 쓰고 있습니다. 끝난 뒤에 다시 하세요.",
    "Process {process} is writing to the list. Try again when it has finished.")
  static let storeWriterIsStopped = StoreCause(
    "todo.store.writerIsStopped", "{process}번 프로세스가 목록을 쓰다가 멈춰 있습니다. 계속하게 하거나 끝내세요.",
    "Process {process} is stopped while it writes to the list. Continue it or end it.")
  static let storeHasGrown = StoreCause(
    "todo.store.hasGrown", "목록 파일이 가득 차서 늘렸습니다. 다시 하세요.",
    "The list's file was full, and has grown now. Try again.")
  static let storeHasTooManyReaders = StoreCause(
    "todo.store.hasTooManyReaders", "목록을 읽는 프로그램이 너무 많습니다. 몇 개를 끝내고 다시 하세요.",
    "Too many programs read the list. End some, then try again.")
  static let storeTextIsTooLong = StoreCause(
    "todo.store.textIsTooLong", "너무 길어서 저장할 수 없습니다. 줄여서 쓰세요.",
    "This is too long to be stored. Shorten it.")
  static let storeSearchIsTooLong = StoreCause(
    "todo.store.searchIsTooLong", "찾는 말이 64개를 넘습니다. 줄여서 찾으세요.",
    "The search has more than 64 words. Search for fewer.")

  static let folderIsForbidden = folder("todo.folder.isForbidden", "권한이 없습니다", "permission denied")
  static let folderIsFile = folder(
    "todo.folder.isFile", "같은 이름의 파일이 있습니다", "a file with that name exists")
  static let folderHasNoFolder = folder(
    "todo.folder.hasNoFolder", "그곳에는 폴더를 만들 수 없습니다", "no folder can be made there")
  static let folderIsOnReadOnlyVolume = folder(
    "todo.folder.isOnReadOnlyVolume", "읽기 전용 볼륨입니다", "the volume is read-only")
  static let folderHasNoSpace = folder("todo.folder.hasNoSpace", "남은 공간이 없습니다", "no space is left")

  static let fileExists = StoreCause(
    "todo.file.exists", "같은 이름의 파일이 있습니다{at}. 다른 이름을 쓰세요.",
    "A file of that name exists{at}. Choose another name.")
  static let fileHasNoFolder = StoreCause(
    "todo.file.hasNoFolder", "그런 파일이나 폴더가 없습니다{at}. 먼저 폴더를 만드세요.",
    "There is no such file or folder{at}. Make the folder first.")
  static let fileIsForbidden = StoreCause(
    "todo.file.isForbidden", "권한이 없습니다{at}. 파일과 폴더의 소유자와 권한을 확인하세요.",
    "Permission denied{at}. Check the owner and the mode of the file and of its folder.")
  static let fileIsFolder = StoreCause(
    "todo.file.isFolder", "폴더입니다{at}. 그 안의 파일 이름을 쓰세요.", "This is a folder{at}. Name a file in it.")
  static let fileIsLink = StoreCause(
    "todo.file.isLink", "링크입니다{at}. 링크가 가리키는 파일이나 다른 이름을 쓰세요.",
    "This is a link{at}. Name the file that it leads to, or another one.")
  static let fileIsDanglingLink = StoreCause(
    "todo.file.isDanglingLink", "없는 파일을 가리키는 링크입니다{at}. 링크를 지우거나 파일 이름을 쓰세요.",
    "This is a link to a file that does not exist{at}. Remove the link, or name the file.")
  static let fileIsLinkOfOther = StoreCause(
    "todo.file.isLinkOfOther", "다른 사용자가 만든 링크입니다{at}. 링크가 가리키는 파일 이름을 쓰세요.",
    "Another user made this link{at}. Name the file that it leads to.")
  static let fileHasNoLock = StoreCause(
    "todo.file.hasNoLock", "목록의 잠금 파일이 아닌 것이 그 이름을 쓰고 있습니다{at}. 다른 곳으로 옮기세요.",
    "Another file has the name of the list's lock file{at}. Move it away.")
  static let fileIsOnNetwork = StoreCause(
    "todo.file.isOnNetwork", "네트워크 파일 시스템에서는 목록이 안전하지 않습니다{at}. 이 컴퓨터의 디스크로 옮기세요.",
    "On a network file system the list is not safe{at}. Move it to a local disk.")
  static let fileLimitReached = StoreCause(
    "todo.file.limitReached", "열린 파일이 너무 많습니다{at}. 몇 개를 닫거나 한도(ulimit -n)를 올리세요.",
    "Too many files are open{at}. Close some, or raise the limit (ulimit -n).")
  static let fileIsTooLarge = StoreCause(
    "todo.file.isTooLarge", "파일이 허용된 크기를 넘게 됩니다{at}. 한도(ulimit -f)를 올리세요. 전에 바꾼 것은 저장되어 있습니다.",
    """
    The file would be larger than allowed{at}. Raise the limit (ulimit -f); earlier changes are \
    stored.
    """)
  static let fileSystemIsReadOnly = StoreCause(
    "todo.file.systemIsReadOnly", "읽기 전용 파일 시스템입니다{at}. 다른 곳의 파일을 쓰세요.",
    "The file system can only be read{at}. Use a file on another one.")
  static let fileNameIsTooLong = StoreCause(
    "todo.file.nameIsTooLong", "이름이 너무 깁니다{at}. 더 짧은 이름을 쓰세요.",
    "The name is too long{at}. Use a shorter one.")
  static let filePathIsNoFolder = StoreCause(
    "todo.file.pathIsNoFolder", "경로의 일부가 폴더가 아닙니다{at}. 경로를 확인하세요.",
    "A part of the path is not a folder{at}. Check the path.")
  static let fileLinksLoop = StoreCause(
    "todo.file.linksLoop", "링크가 돌고 돕니다{at}. 파일 이름을 쓰세요.",
    "The links form a loop{at}. Name the file itself.")
  static let diskIsFull = StoreCause(
    "todo.disk.isFull", "디스크에 남은 공간이 없습니다{at}. 공간을 만드세요. 전에 바꾼 것은 저장되어 있습니다.",
    "No space is left on the disk{at}. Make room; earlier changes are stored.")
  static let diskFails = StoreCause(
    "todo.disk.fails", "디스크를 읽거나 쓸 수 없습니다{at}. 디스크를 확인하세요. 전에 바꾼 것은 저장되어 있습니다.",
    "The disk cannot be read or written{at}. Check it; earlier changes are stored.")
  static let memoryIsFull = StoreCause(
    "todo.memory.isFull", "메모리가 부족합니다{at}. 다른 프로그램을 끝내거나 한도(ulimit -v)를 올리세요.",
    "There is not enough memory{at}. End other programs, or raise the limit (ulimit -v).")

  private static let all = [
    storeIsNoList, storeIsOfOtherMachine, storeIsNewer, storeDiffers, storeMustBeUpgraded,
    storeWasReplaced, storeIsDamaged, storeLacksJournal, storeHasLostPages, storeIsInUse,
    storeIsBusy, storeIsBusyWith,
    storeWriterIsStopped, storeHasGrown, storeHasTooManyReaders, storeTextIsTooLong,
    storeSearchIsTooLong,
    folderIsForbidden, folderIsFile, folderHasNoFolder, folderIsOnReadOnlyVolume, folderHasNoSpace,
    fileExists, fileHasNoFolder, fileIsForbidden, fileIsFolder, fileIsLink, fileIsDanglingLink,
    fileIsLinkOfOther, fileHasNoLock, fileIsOnNetwork, fileLimitReached, fileIsTooLarge,
    fileSystemIsReadOnly, fileNameIsTooLong, filePathIsNoFolder, fileLinksLoop, diskIsFull,
    diskFails, memoryIsFull,
  ]

  /// Adds the texts of all causes, in Korean and English.
  static func addTexts(to catalog: inout MessageCatalog) {
    for cause in all {
      catalog.add([.korean: cause.korean, .english: cause.english], for: cause.code)
    }
  }
}
