internal import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where the system says that a file is written to, by whatever process: inotify, or kqueue.
enum FileEvents {
  #if canImport(Darwin)
    /// A source that fires on a queue when a file is written to; nil where the system has none left.
    ///
    /// It is made inactive. Several writes may be told as one; each is told after it was made.
    static func source(
      ofWritesTo path: String, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> sending (any DispatchSourceProtocol)? {
      // Safety: the system copies the path.
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler(handler: handler)
      source.setCancelHandler { close(descriptor) }
      return source
    }
  #else
    /// A source that fires on a queue when a file is written to; nil where the system has none left.
    ///
    /// It is made inactive. Several writes may be told as one; each is told after it was made.
    static func source(
      ofWritesTo path: String, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> sending (any DispatchSourceProtocol)? {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      // Safety: the system copies the path.
      guard unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        drain(descriptor)
        handler()
      }
      source.setCancelHandler { close(descriptor) }
      return source
    }

    /// Takes the events that wait; what they say is no more than that they came.
    private static func drain(_ descriptor: Int32) {
      // Safety: the system writes no more than there is room for.
      unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
        while unsafe read(descriptor, room.baseAddress, room.count) > 0 {}
      }
    }
  #endif
}
