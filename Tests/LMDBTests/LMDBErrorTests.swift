import LMDB
import Testing

@Suite struct LMDBErrorTests {
  @Test func aCatchNamesTheCode() {
    do {
      throw LMDBError(.commit, .outOfSpace) as any Error
    } catch LMDBError.Code.busy {
      Issue.record("It was not busy.")
    } catch LMDBError.Code.outOfSpace {
      return
    } catch {
      Issue.record("The code was not found.")
    }
  }

  @Test func otherErrorsHaveNoCode() {
    struct Other: Error {}
    #expect(!(LMDBError.Code.busy ~= Other()))
  }

  @Test func theDescriptionSaysWhatToDo() {
    let error = LMDBError(.commit, .outOfSpace, "people.mdb")
    #expect(
      error.description
        == "Cannot commit (people.mdb): the disk is full. Make room; committed data is safe. [28]"
    )
  }

  @Test func aCodeWithoutANameHasTheSystemsSentence() {
    let error = LMDBError(.open, LMDBError.Code(rawValue: 29))
    #expect(error.description == "Cannot open: Illegal seek. [29]")
    #expect(LMDBError(.put, LMDBError.Code(rawValue: -30789)).description.contains("MDB_TLS_FULL"))
  }

  @Test func everyNamedCodeHasItsOwnNumber() {
    let codes: [LMDBError.Code] = [
      .keyExists, .notFound, .pageNotFound, .corrupted, .panic, .versionMismatch,
      .notAnEnvironment, .mapFull, .databasesFull, .readersFull, .transactionFull, .mapResized,
      .incompatible, .badTransaction, .badLength, .badDatabase, .noSuchFile, .noPermission,
      .outOfSpace, .outOfMemory, .inputOutput, .invalidArgument, .isDirectory, .busy,
      .writeInsideWrite, .readOnly, .optionsDiffer, .forked, .truncated, .otherMachine,
      .networkFileSystem, .replaced, .fileReplaced, .notALockTable,
      .danglingLink, .foreignLink, .isLink, .tooManyFiles, .fileTooLarge,
    ]
    #expect(Set(codes).count == codes.count)
  }

  @Test func onlyPassingTroubleIsRetryable() {
    #expect(LMDBError(.put, .mapFull).isRetryable)
    #expect(LMDBError(.beginWrite, .busy).isRetryable)
    #expect(!LMDBError(.commit, .outOfSpace).isRetryable)
    #expect(!LMDBError(.open, .corrupted).isRetryable)
  }
}
