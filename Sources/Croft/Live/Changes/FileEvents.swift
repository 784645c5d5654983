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
  /// A source that fires on a queue when a file is written to; nil where the system has none left.
  ///
  /// It is made inactive. Several writes may be told as one; each is told after it was made.
  static func source(
    ofWritesTo path: String, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> sending (any DispatchSourceProtocol)? {
    guard let descriptor = watch(path) else { return nil }
    #if canImport(Darwin)
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler(handler: handler)
    #else
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        drain(descriptor)
        handler()
      }
    #endif
    source.setCancelHandler { close(descriptor) }
    return source
  }

  #if canImport(Darwin)
    /// A descriptor of the file, which keeps nothing from being unmounted.
    private static func watch(_ path: String) -> Int32? {
      // Safety: the system copies the path.
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      return descriptor < 0 ? nil : descriptor
    }
  #else
    /// A descriptor that has something to read when the file was written to.
    private static func watch(_ path: String) -> Int32? {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      // Safety: the system copies the path.
      if unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 { return descriptor }
      close(descriptor)
      return nil
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
