/// What a server says of its site before any page of it is shown.
public struct ServedSite: Sendable {
  /// The name, which is the title of the page that a link opens and begins the name of the cookie.
  ///
  /// It has letters and digits alone.
  public let name: String
  /// The path of the first page.
  public let homePath: String
  /// The file that is shown, by which a running server is found.
  public let filePath: String
  /// The folder in which the servers of this user leave what a new link needs.
  public let folder: String
  /// The page for a browser that has not opened a link, in HTML; it can use no other file of the server.
  public let refusal: String

  /// Makes a description of a site.
  ///
  /// - Parameters:
  ///   - name: The name, of letters and digits.
  ///   - homePath: The path of the first page.
  ///   - filePath: The file that is shown.
  ///   - folder: The folder of the servers, as of ``WebServer/folder(named:in:)``.
  ///   - refusal: The page for a browser that has not opened a link, in HTML.
  public init(
    name: String, homePath: String, filePath: String, folder: String, refusal: String
  ) {
    (self.name, self.homePath) = (name, homePath)
    (self.filePath, self.folder, self.refusal) = (filePath, folder, refusal)
  }

  /// The page that a link opens, which continues to the first one by itself.
  var entry: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>\(name)</title>
    <meta http-equiv="refresh" content="0; url=\(homePath)"></head>
    <body><main><h1><a href="\(homePath)">\(name)</a></h1></main></body></html>
    """
  }
}
