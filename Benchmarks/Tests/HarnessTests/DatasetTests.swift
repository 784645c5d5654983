import Harness
import Testing

@Suite struct DatasetTests {
  private let dataset = Dataset(size: 1_000)

  @Test func itsFieldsStayInTheirRanges() {
    #expect(dataset.items.map(\.id) == Array(1...1_000))
    #expect(dataset.groupCount == 10)
    for item in dataset.items {
      #expect(item.text.utf8.count == 40)
      #expect(item.text.utf8.allSatisfy { (97...122).contains($0) })
      #expect((0...3).contains(item.priority))
      #expect((0..<10).contains(item.groupId))
      #expect(item.createdAt == item.createdAt.rounded())
    }
  }

  @Test func everyPriorityHoldsAboutAQuarter() {
    for priority in 0..<4 {
      let count = dataset.items.count { $0.priority == priority }
      #expect((200...300).contains(count))
    }
  }

  @Test func aboutHalfIsCreatedAfterTheThreshold() {
    let count = dataset.items.count { $0.createdAt > dataset.createdAfter }
    #expect((430...570).contains(count))
  }

  @Test func theShuffledKeysAreAllKeysInAnotherOrder() {
    #expect(dataset.shuffledIDs != dataset.items.map(\.id))
    #expect(dataset.shuffledIDs.sorted() == dataset.items.map(\.id))
  }

  /// Reports of different days must be about the same objects: this text changes only with intent.
  @Test func theSeedFixesEveryObject() {
    #expect(
      dataset.items[999]
        == Item(
          id: 1_000, text: "xshpedhsleujynmkniufzwcnrnsinrzuumsjpgrh", priority: 1, isDone: true,
          createdAt: 703_536_510, groupId: 0))
  }

  @Test func oneObjectIsEnough() {
    let dataset = Dataset(size: 1)
    #expect(dataset.items.count == 1)
    #expect(dataset.items[0].groupId == 0)
  }
}
