import Harness
import Testing

@Suite struct WorkloadsTests {
  @Test func aNameMeansOneWorkload() {
    for workload in Workloads.all {
      #expect(Workloads.named(workload.name)?.map(\.name) == [workload.name])
    }
  }

  @Test func aGroupMeansItsWorkloads() {
    #expect(
      Workloads.named("insert")?.map(\.name) == ["insert-indexed", "insert-uuid", "insert-plain"])
    #expect(
      Workloads.named("delete")?.map(\.name) == ["delete-all", "delete-quarter", "delete-each"])
    #expect(Workloads.named("update")?.map(\.name) == ["update-plain", "update-indexed"])
    #expect(Workloads.named("write")?.map(\.name) == ["write-single", "write-concurrent"])
    #expect(
      Workloads.named("read")?.map(\.name) == [
        "read-key", "read-group", "read-page", "count-group",
      ])
    #expect(Workloads.named("scan")?.map(\.name) == ["scan-decode", "scan-count", "sort-first"])
  }

  @Test func storageMeansAll() {
    #expect(Workloads.named("storage")?.count == Workloads.all.count)
  }

  @Test func anythingElseMeansNothing() {
    #expect(Workloads.named("inserts") == nil)
    #expect(Workloads.named("") == nil)
  }

  @Test func noNameMeansTwoThings() {
    #expect(Set(Workloads.names).count == Workloads.names.count)
  }
}
