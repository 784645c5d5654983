import Harness
import Testing

@Suite struct FileSystemTests {
  private let mounts = """
    /dev/vda / ext4 rw 0 0
    tmpfs /tmp tmpfs rw 0 0
    /dev/vdb /tmp/disk xfs rw 0 0
    proc /proc proc rw 0 0
    """

  @Test(arguments: [
    ("/home/a", "ext4"), ("/tmp", "tmpfs"), ("/tmp/a", "tmpfs"), ("/tmp/disk/a", "xfs"),
    ("/tmpfile", "ext4"), ("/", "ext4"),
  ])
  func theLongestMountPointThatLeadsToThePathWins(path: String, type: String) {
    #expect(FileSystem(at: path, mounts: mounts).type == type)
  }

  @Test func onlyFilesInMemoryAreWarnedOf() {
    #expect(FileSystem(at: "/tmp/a", mounts: mounts).isInMemory)
    #expect(!FileSystem(at: "/tmp/disk/a", mounts: mounts).isInMemory)
  }

  @Test func withoutMountsTheTypeIsUnknown() {
    #expect(FileSystem(at: "/tmp", mounts: "").type == "unknown")
  }
}
