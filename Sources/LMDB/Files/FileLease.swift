internal import CroftLibc

/// The right to do something for a file that one program at a time does, such as synchronizing it.
///
/// It is a lock on a file of its own beside the data file, so that no transaction waits for it. The system
/// releases it when the process ends, however it ends.
///
/// Threads: any.
package final class FileLease: Sendable {
  private let descriptor: Int32

  /// Takes the lease of a name, which becomes the end of the lock's file name; nil while another has it.
  package init?(of environment: Environment, named name: String) throws(LMDBError) {
    let path = environment.realPath + "-" + name
    descriptor = try LockFile.openChecked(path, mode: environment.core.file.mode).descriptor
    switch FileCalls.lock(descriptor, isShared: false) {
    case 0: break
    case EWOULDBLOCK: return nil
    case let code: throw LMDBError(.open, code, path)
    }
  }

  deinit { FileCalls.close(descriptor) }
}
