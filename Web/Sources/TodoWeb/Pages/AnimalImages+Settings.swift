import Foundation
import TodoImages

extension AnimalImages {
  /// The source of random pictures that this process is set up for.
  ///
  /// `TODO_IMAGE_KEY` is the key of the API, which never reaches a page; without one the servers
  /// answer fewer requests. `TODO_IMAGE_SERVER` names another server with the same interface.
  static func ofProcess() -> AnimalImages {
    let variables = ProcessInfo.processInfo.environment
    let key = variables["TODO_IMAGE_KEY"]
    if let server = variables["TODO_IMAGE_SERVER"].flatMap(URL.init(string:)) {
      return AnimalImages(servers: [AnimalAPI(server: server, key: key)])
    }
    return AnimalImages(servers: AnimalAPI.publicServers(key: key))
  }
}
